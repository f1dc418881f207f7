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
_HEAD = """\
# SPDX-License-Identifier: GPL-2.0-only
# What has to run, by the name of the program and the place: the least number of cases
# (results) and the seconds it took. "tests/run --record [SUITE:PROGRAM]" writes it.
program\tplace\tcases\tseconds
"""


@dataclass
class Program:
    """A row of programs.tsv."""
    cases: int
    seconds: float


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
    """{(program, place): Program}"""
    return {(name, place): Program(int(cases), float(seconds))
            for name, place, cases, seconds in _rows(path or PROGRAMS, 4)}


def skips(path=SKIPS):
    """All rows of skips.tsv."""
    return [Skip(*fields) for fields in _rows(path, 5)]


def record(rows, path=None):
    """Write programs.tsv."""
    text = "".join("%s\t%s\t%d\t%.1f\n" % (*key, row.cases, row.seconds)
                   for key, row in sorted(rows.items()))
    (path or PROGRAMS).write_text(_HEAD + text, encoding="utf-8")
