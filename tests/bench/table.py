# SPDX-License-Identifier: GPL-2.0-only
"""The tables of make bench, as Documentation/measurements.rst has them, and the
options that all parts share.

A part's tables stand between ".. bench NAME" and ".. end" in the document, with
the commit that they are of; --write renews them there.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "Documentation" / "measurements.rst"
NOT_JUDGED = "not judged"


def add_options(parser):
    """What all parts understand."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true",
                     help="a hundredth of the work, to see that all figures are "
                     "still made: they are not judged")
    how.add_argument("--write", action="store_true",
                     help="also write the tables into %s"
                     % DOCUMENT.relative_to(ROOT))


def verdict(options, figure, limit):
    """The word for the table, and whether all is well."""
    if options.quick:
        return NOT_JUDGED, True
    return ("good", True) if figure <= limit else ("TOO MUCH", False)


def simple(heads, rows):
    """The lines of a simple table in reStructuredText."""
    rows = [[str(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    rule = " ".join("=" * width for width in widths)
    lines = [" ".join(cell.ljust(width) for cell, width in zip(row, widths))
             .rstrip() for row in rows]
    return [rule, lines[0], rule, *lines[1:], rule]


def _git(*argv):
    return subprocess.run(["git", "-C", ROOT, *argv], text=True, check=True,
                          stdout=subprocess.PIPE).stdout.strip()


def _commit():
    """What the figures are of."""
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".",
                   ":!Documentation")
    return "commit %s%s" % (
        _git("log", "-1", "--format=%h of %cs"),
        " with changes" if changed else "")


def _write(name, what, lines):
    block = [what + ",", _commit() + ":", "", *lines]
    text, found = re.subn(
        r"(?ms)^\.\. bench %s\n.*?^\.\. end\n" % name,
        lambda _: "\n".join([".. bench " + name, "", *block, "", ".. end", ""]),
        DOCUMENT.read_text())
    if found != 1:
        raise SystemExit("%s has %d places for the tables of %s"
                         % (DOCUMENT, found, name))
    DOCUMENT.write_text(text)


def publish(options, name, what, *tables):
    """Print the tables, each (heads, rows), and write them if that is wanted."""
    lines = []
    for heads, rows in tables:
        lines += [*([""] if lines else []), *simple(heads, rows)]
    print("\n".join([what + ":", "", *lines]))
    if options.write:
        _write(name, what, lines)
