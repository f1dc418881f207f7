# SPDX-License-Identifier: GPL-2.0-only
"""The table tests/conformance/sentences.tsv: its rows, and what is wrong with it."""

import re
from dataclasses import dataclass

import guest
from command import ROOT

TABLE = ROOT / "tests" / "conformance" / "sentences.tsv"
PROGRAMS = ROOT / "tests" / "conformance"
UNIT = ROOT / "tests" / "unit"

# Kinds that are none of the library's affair, and so need no word about it
OTHER_KINDS = ("hardware", "event", "tool", "prose")
KINDS = (*OTHER_KINDS, "layout", "call", "syssgi", "mode", "child", "overflow")
TODAY = ("done", "partly", "missing", "unseen")

# What begins the name of a result: the rows that it shows
_ROWS = re.compile(r"((?:\d{1,2}\.\d\d )*\d{1,2}\.\d\d): ")
_PRINTED = re.compile(r'"' + _ROWS.pattern)


@dataclass
class Row:
    """A sentence, and the tests that show it."""
    id: str
    page: str
    says: str
    kind: str
    covered: list
    today: str
    note: str

    def reason(self):
        """Why there is no test; None if there should be one."""
        excused = self.kind in OTHER_KINDS or self.today == "unseen"
        return self.note if excused and self.note != "-" else None


def _row(line):
    fields = line.split("\t")
    if len(fields) != 7:
        raise ValueError("%d fields, not 7: %s" % (len(fields), line))
    covered = [] if fields[4] == "-" else fields[4].split(", ")
    return Row(*fields[:4], covered, *fields[5:])


def read(path=TABLE):
    """All rows."""
    lines = [line for line in path.read_text(encoding="ascii").splitlines()
             if line and not line.startswith("#")]
    return [_row(line) for line in lines[1:]]


def rows_of(name):
    """The rows that a result says it shows."""
    match = _ROWS.match(name)
    return match[1].split() if match else []


def rows_in(source):
    """The rows that a program speaks of."""
    text = source.read_text(encoding="utf-8")
    return {row for match in _PRINTED.finditer(text)
            for row in match[1].split()}


# --- does a test exist? --------------------------------------------------------


def _unit(_row, file, case=None):
    texts = [s.read_text(encoding="utf-8") for end in (".c", ".sh")
             for s in UNIT.glob("*/" + file + end)]
    return any(case is None or re.search(r"\b%s\(void \*\*" % case, t)
               for t in texts)


def _kunit(_row, suite, case):
    for path in (ROOT / "drivers/perf/mips_r10k").glob("*_kunit.c"):
        text = path.read_text(encoding="utf-8")
        if '.name = "%s"' % suite in text:
            return re.search(r"KUNIT_CASE\w*\(%s\b" % case, text) is not None
    return False


def _baremetal(_row, program):
    return (ROOT / "tests/baremetal/progs" / (program + ".c")).exists()


def _guest(_row, name):
    return name in guest.every_test()


def _accept(_row, name):
    return (ROOT / "tests/accept" / name).exists()


def _conformance(row, name):
    source = PROGRAMS / (name + ".c")
    return source.exists() and row.id in rows_in(source)


_EXISTS = {"unit": _unit, "kunit": _kunit, "baremetal": _baremetal,
           "guest": _guest, "accept": _accept, "conformance": _conformance}


def exists(row, reference):
    """Is there such a test?"""
    kind, *words = reference.split(":")
    try:
        return bool(_EXISTS[kind](row, *words))
    except (KeyError, TypeError):
        return False


# --- what is wrong ---------------------------------------------------------------


def _wrong_words(row):
    if not re.fullmatch(r"\d{1,2}\.\d\d", row.id):
        yield "%s is no number" % row.id
    if row.kind not in KINDS:
        yield "%s: there is no kind '%s'" % (row.id, row.kind)
    if (row.today == "-") != (row.kind in OTHER_KINDS):
        yield "%s: 'today' is '%s' for %s" % (row.id, row.today, row.kind)
    elif row.today not in (*TODAY, "-"):
        yield "%s: 'today' is '%s'" % (row.id, row.today)
    if row.today == "unseen" and row.covered:
        yield "%s: unseen, and yet there is a test" % row.id


def _not_listed(rows):
    """Programs that show a row which does not know of them."""
    by_id = {row.id: row for row in rows}
    for source in sorted(PROGRAMS.glob("*.c")):
        reference = "conformance:" + source.stem
        for number in sorted(rows_in(source)):
            if number not in by_id:
                yield "%s: there is no row %s" % (reference, number)
            elif reference not in by_id[number].covered:
                yield "%s: row %s does not list it" % (reference, number)


def wrong(rows):
    """A line for each mistake in the table."""
    numbers = [row.id for row in rows]
    for number in sorted({n for n in numbers if numbers.count(n) > 1}):
        yield "%s is there twice" % number
    for row in rows:
        yield from _wrong_words(row)
        yield from ("%s: there is no %s" % (row.id, reference)
                    for reference in row.covered
                    if not exists(row, reference))
    yield from _not_listed(rows)
