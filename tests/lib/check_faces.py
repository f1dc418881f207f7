#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Documentation/siblings.rst: the lines of each face are, but for a twentieth, what the
page's own command counts. Prints TAP."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "Documentation" / "siblings.rst").read_text(encoding="ascii")
COMMAND = re.search(r"^\t(find FACE .*)$", TEXT, re.M)
LEAST = 6       # so many faces it has, or the table has not been understood


def count(face):
    """What the command prints."""
    return int(subprocess.run(["sh", "-c", COMMAND[1].replace("FACE", face)], cwd=ROOT,
                              capture_output=True, text=True, check=True).stdout)


def is_near(told, counted):
    """Is the number of the page good enough?"""
    return abs(told - counted) <= counted / 20


def main():
    """The program."""
    faces = re.findall(r"^``([a-z]+/[\w/]+)`` +(\d+) ", TEXT, re.M)
    results = [(COMMAND is not None and len(faces) >= LEAST,
                "the page has a command and faces", faces)]
    for face, told in faces if COMMAND else ():
        counted = count(face)
        results.append((is_near(int(told), counted), face + " has so many lines",
                        "told: %s, counted: %d" % (told, counted)))
    results.append((not is_near(100, 106), "a wrong number is seen", "it was not"))
    for nr, (good, name, note) in enumerate(results, 1):
        print("%sok %d - %s" % ("" if good else "not ", nr, name))
        if not good:
            print("# %s" % (note,))
    print("1..%d" % len(results))
    return not all(good for good, _, _ in results)


if __name__ == "__main__":
    sys.exit(main())
