#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""scripts/timing-doc: the committed page is that of the model's tables, and a fault in
either is seen."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PARAMS = "integration/qemu/target/mips/r10k-pipe.def"
OPS = "integration/qemu/target/mips/r10k-pipe-ops.def"
PAGE = "Documentation/timing-figures.rst"

# name, file, text to replace, new text, error message
FAULTS = [
    ("a stale page is seen", PAGE, "queue", "Queue", "is stale: run scripts/timing-doc"),
    ("a changed latency is seen", OPS, "0, 35, 35", "0, 36, 35", "is stale: run"),
    ("a changed width is seen", PARAMS, "(active, 32", "(active, 33", "is stale: run"),
    ("a figure without a source is seen", PARAMS, '"assumed"', '""', "without a source"),
]


def check(root):
    """Status and output of --check."""
    done = subprocess.run([ROOT / "scripts/timing-doc", "--check", "--root", root],
                          capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def check_fault(path, old, new):
    """The same for a copy with one fault."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in (PARAMS, OPS, PAGE):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        text = (root / path).read_text(encoding="ascii")
        if old not in text:
            return 0, "the fault could not be planted: no '%s'" % old
        (root / path).write_text(text.replace(old, new), encoding="ascii")
        return check(root)


def main():
    """Run all cases."""
    cases = [("the page is that of the tables", check(ROOT), 0, "")]
    cases += [(name, check_fault(path, old, new), 1, message)
              for name, path, old, new, message in FAULTS]
    failed = 0
    print("1..%d" % len(cases))
    for number, (name, (status, output), wanted, message) in enumerate(cases, 1):
        good = status == wanted and message in output and bool(message) == bool(output)
        failed += not good
        if not good:
            print("# expected status %d, '%s'; got %d, '%s'"
                  % (wanted, message, status, output.strip()))
        print("%s %d %s" % ("ok" if good else "not ok", number, name))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
