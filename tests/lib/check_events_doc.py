#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of scripts/events-doc: do the committed lists match the sources, and does the
script find faults in them?"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EVENTS = "drivers/perf/mips_r10k/events.def"
MODELS = "integration/qemu/target/mips/r10k-models.def"
TABLE = "Documentation/event-table.rst"
PAGE = "Documentation/man/r10k_evcntrs.5"

# name, file, text to replace (None: all of it), new text, error message
FAULTS = [
    ("a stale table is seen", TABLE, "TLB", "tlb", "is stale: run"),
    ("a stale manual page is seen", PAGE, "CPU clock", "CPU Clock",
     "r10k_evcntrs.5 is stale: run"),
    ("a manual page without a list is seen", PAGE, "End of the list", "",
     "there is no place for the list"),
    ("a changed description is seen", EVENTS, '"CPU clock cycles"', '"x"',
     "is stale: run"),
    ("a changed rule is seen", MODELS, "Each graduated", "Every graduated",
     "is stale: run"),
    ("an id without a row is seen", EVENTS, "TLB_REFILLS,", "REFILLS,",
     "REFILLS has no row in"),
    ("a row without an id is seen", MODELS, "R10K_MODEL(CYCLES,",
     'R10K_MODEL(NONE, X, "a", "b", "")\nR10K_MODEL(CYCLES,',
     "NONE has no event in"),
    ("two rows of one id are seen", MODELS, "R10K_MODEL(CYCLES,",
     'R10K_MODEL(CYCLES, X, "a", "b", "")\nR10K_MODEL(CYCLES,',
     "CYCLES has a row already"),
    ("an event that is there twice is seen", EVENTS, "R10K_CHIP_R12K, CYCLES",
     "R10K_CHIP_ALL, CYCLES", "is there twice for one chip"),
    ("an unknown chip is seen", EVENTS, "R10K_CHIP_V2,", "R10K_CHIP_V9,",
     "there is no chip V9"),
    ("a row without a rule is seen", MODELS, '"Each graduated SC and SCD, '
     'failed ones too."', '""', "has no rule or no source"),
    ("a missing column is seen", MODELS, 'R10K_MODEL(CYCLES, ',
     'R10K_MODEL(CYCLES ', "4 columns, not 5"),
    ("a call that is never closed is seen", MODELS, None,
     'R10K_MODEL(CYCLES, X, "a"', "is never closed"),
    ("another macro is seen", EVENTS, None, "EVENT(1)",
     "expected R10K_EVENT, got EVENT"),
    ("a file that cannot be read is seen", EVENTS, None, "#define X\n",
     "events.def:1: cannot read: #define X"),
]


def _check(root):
    done = subprocess.run([ROOT / "scripts/events-doc", "--check", "--root",
                           root], capture_output=True, text=True, check=False,
                          timeout=60)
    return done.returncode, done.stdout + done.stderr


def _copy(root):
    for path in (EVENTS, MODELS, TABLE, PAGE):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)


def _check_fault(path, old, new):
    """Status and output of --check for a copy with one fault."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _copy(root)
        text = (root / path).read_text(encoding="ascii")
        faulty = new if old is None else text.replace(old, new)
        if faulty == text:
            return 0, "the fault could not be planted: no '%s'" % old
        (root / path).write_text(faulty, encoding="ascii")
        return _check(root)


def _cases():
    """(name, status, output, expected status, expected output)."""
    yield ("the table is that of the sources", *_check(ROOT), 0, "")
    for name, path, old, new, message in FAULTS:
        yield (name, *_check_fault(path, old, new), 1, message)


def main():
    """Run all cases."""
    failed = 0
    print("TAP version 13\n1..%d" % (len(FAULTS) + 1))
    for number, (name, status, output, wanted, message) in enumerate(
            _cases(), 1):
        good = status == wanted and message in output
        good = good and (message or not output)
        if not good:
            failed += 1
            print("# expected: status %d, '%s'" % (wanted, message))
            print("# got: status %d, '%s'" % (status, output.strip()))
        print("%s %d %s" % ("ok" if good else "not ok", number, name))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
