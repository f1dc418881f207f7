#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Documentation/coming-from.rst: each command that it says is ours has a manual page,
and the page has each option that is used. Prints TAP."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "Documentation" / "man"
TEXT = (ROOT / "Documentation" / "coming-from.rst").read_text(encoding="ascii")
LEAST = 10      # so many commands it has, or the tables have not been understood


def ours():
    """The commands in the middle column of the tables."""
    for cell in re.findall(r"^   \* - .*\n     - (.*)\n     - .*$", TEXT, re.M):
        if cell != "here":
            yield from re.findall(r"``(.*?)``", cell)


def missing(command):
    """What the manual page of a command lacks; a list."""
    name, *words = re.sub(r"'.*?'", "D", command).split()
    page = PAGES / (name + ".1")
    if not page.exists():
        return ["there is no Documentation/man/%s.1" % name]
    told = page.read_text(encoding="ascii").replace("\\-", "-")
    return ["%s(1) has no %s" % (name, word) for word in words
            if word.startswith("-") and
            not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word), told)]


def main():
    """The program."""
    commands = list(ours())
    results = [("the page has commands", [] if len(commands) >= LEAST else commands)]
    results += [("%s is a command of ours" % c, missing(c)) for c in commands]
    results.append(("an unknown option is seen",
                    [] if missing("perfex --unknown") else ["it was not"]))
    results.append(("an unknown command is seen",
                    [] if missing("unknown -a") else ["it was not"]))
    for nr, (name, wrong) in enumerate(results, 1):
        print("%sok %d - %s" % ("not " if wrong else "", nr, name))
        for line in wrong:
            print("# " + line)
    print("1..%d" % len(results))
    return any(wrong for _, wrong in results)


if __name__ == "__main__":
    sys.exit(main())
