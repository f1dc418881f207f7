# SPDX-License-Identifier: GPL-2.0-only
"""tests/programs.tsv and tests/skips.tsv: the programs that must run, and the cases
that may be skipped.

A program is SUITE:PROGRAM. Its places are emulated CPUs, or "-" if there is only one.
"""

import fnmatch
import os
from dataclasses import dataclass

from command import ROOT

PROGRAMS = ROOT / "tests" / "programs.tsv"
SKIPS = ROOT / "tests" / "skips.tsv"
_NOTED = 5      # seconds: a shorter time is not
_HEAD = """\
# SPDX-License-Identifier: GPL-2.0-only
# What has to run: a program, its places, and the seconds of its job in each of them, or
# "-" if none took five or more, or if it shares the job with others.
# "tests/run --record [SUITE:PROGRAM]" writes this file.
program\tplaces\tseconds
"""


@dataclass
class Skip:
    """A row of skips.tsv: patterns like the shell's, for whom it holds, the reason."""
    program: str
    place: str
    case: str
    who: str
    reason: str

    def allows(self, program, place, result):
        """True if this row allows the skip."""
        return self.who in ("-", "root" if os.geteuid() == 0 else "user") and \
            fnmatch.fnmatchcase(program, self.program) and \
            fnmatch.fnmatchcase(place, self.place) and \
            fnmatch.fnmatchcase(result.name, self.case)


def _rows(path, columns):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")]
    for line in lines[1:]:
        fields = line.split("\t")
        if len(fields) != columns:
            raise ValueError("%s: %d fields, not %d: %s"
                             % (path.name, len(fields), columns, line))
        yield fields


def programs(path=None):
    """{(program, place): the seconds of its job, 0 if they are not noted}"""
    rows = {}
    for name, places, seconds in _rows(path or PROGRAMS, 3):
        places = places.split()
        seconds = [0] * len(places) if seconds == "-" else map(float, seconds.split())
        rows.update(zip([(name, place) for place in places], seconds, strict=True))
    return rows


def skips(path=SKIPS):
    """All rows of skips.tsv."""
    return [Skip(*fields) for fields in _rows(path, 5)]


def record(rows, path=None):
    """Write programs.tsv."""
    table = {}
    for (name, place), seconds in sorted(rows.items()):
        table.setdefault(name, {})[place] = seconds
    text = "".join("%s\t%s\t%s\n" % (
        name, " ".join(places), " ".join("%.1f" % s for s in places.values())
        if max(places.values()) >= _NOTED else "-") for name, places in table.items())
    (path or PROGRAMS).write_text(_HEAD + text, encoding="utf-8")
