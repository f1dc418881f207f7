#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of scripts/events-doc: do the committed lists match the sources, and does the
script find faults in them?"""

import shutil
import tempfile
from pathlib import Path

import accept

EVENTS = "drivers/perf/mips_r10k/events.def"
MODELS = "integration/qemu/target/mips/r10k-models.def"
TABLE = "Documentation/event-table.rst"
PAGE = "Documentation/man/r10k_evcntrs.5"

# What is seen: file, text to replace (None: all of it), new text, error message
CYCLES = "R10K_MODEL(CYCLES,"
FAULTS = {
    "a stale manual page": (PAGE, "CPU clock", "CPU Clock", "r10k_evcntrs.5 is stale: run"),
    "a manual page without a list": (PAGE, "End of the list", "",
                                     "there is no place for the list"),
    "a changed description": (EVENTS, '"CPU clock cycles"', '"x"', "is stale: run"),
    "a changed rule": (MODELS, "Each graduated", "Every graduated",
                       "event-table.rst is stale: run"),
    "an id without a row": (EVENTS, "TLB_REFILLS,", "REFILLS,", "REFILLS has no row in"),
    "a row without an id": (MODELS, CYCLES, 'R10K_MODEL(NONE, X, "a", "b", "")\n' + CYCLES,
                            "NONE has no event in"),
    "two rows of one id": (MODELS, CYCLES, CYCLES + ' X, "a", "b", "")\n' + CYCLES,
                           "CYCLES has a row already"),
    "an event that is there twice": (EVENTS, "R10K_CHIP_R12K, CYCLES",
                                     "R10K_CHIP_ALL, CYCLES", "is there twice for one chip"),
    "an unknown chip": (EVENTS, "R10K_CHIP_V2,", "R10K_CHIP_V9,", "there is no chip V9"),
    "a row without a rule": (MODELS, '"Each graduated SC and SCD, failed ones too."', '""',
                             "has no rule or no source"),
    "a missing column": (MODELS, CYCLES + " ", CYCLES[:-1] + " ", "4 columns, not 5"),
    "a call that is never closed": (MODELS, None, CYCLES + ' X, "a"', "is never closed"),
    "another macro": (EVENTS, None, "EVENT(1)", "expected R10K_EVENT, got EVENT"),
    "a file that cannot be read": (EVENTS, None, "#define X\n",
                                   "events.def:1: cannot read: #define X"),
}


def check(root):
    """What the script says of the files below a directory."""
    return accept.run([accept.ROOT / "scripts/events-doc", "--check", "--root", root])


def with_fault(root, path, old, new):
    """The same of a copy with one fault; None if it cannot be planted."""
    for name in (EVENTS, MODELS, TABLE, PAGE):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(accept.ROOT / name, root / name)
    text = (root / path).read_text(encoding="ascii")
    faulty = new if old is None else text.replace(old, new)
    (root / path).write_text(faulty, encoding="ascii")
    return check(root) if faulty != text else None


def test(tap):
    """The sources as they are, and each fault."""
    ran = check(accept.ROOT)
    tap.equal("the table is that of the sources", (ran.status, ran.out + ran.err), (0, ""))
    for name, (*fault, message) in FAULTS.items():
        with tempfile.TemporaryDirectory() as folder:
            ran = with_fault(Path(folder), *fault)
        tap.check(name + " is seen", ran and ran.status == 1 and message in ran.out + ran.err,
                  "expected: status 1, '%s'" % message,
                  *(ran.notes() if ran else ("the fault could not be planted",)))


if __name__ == "__main__":
    accept.main(test)
