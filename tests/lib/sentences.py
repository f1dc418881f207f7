#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print sentences of the manual pages: what each says, whether it holds, the tests that
show it, and why there is none, or where we differ.

They are the rows of tests/conformance/*.tsv. A row has the same number everywhere: in its
table, in the names of results, in the runner. The rows of r10k_evcntrs(5) are "9.13";
those of other pages begin with the page's name, "pmc9.5.13".
"""

import argparse
import fnmatch
import re
import signal
import textwrap
from dataclasses import dataclass

import guest
from command import ROOT

TESTS = ROOT / "tests"
PROGRAMS = TESTS / "conformance"


@dataclass(frozen=True)
class Table:
    """A manual page by its sentences."""
    file: str
    prefix: str         # of its numbers
    kinds: tuple
    others: tuple       # kinds that promise nothing: "today" is "-" there

    @property
    def path(self):
        """The table's file."""
        return PROGRAMS / self.file

    def read(self):
        """Its rows."""
        return read(self.path)


TABLES = (
    Table("sentences.tsv", "",
          ("hardware", "event", "tool", "prose", "layout", "call", "syssgi", "mode",
           "child", "overflow"), ("hardware", "event", "tool", "prose")),
    Table("pmc9.tsv", "pmc9.",
          ("layout", "call", "event", "mode", "overflow", "kernel", "process",
           "profile", "child", "switch", "prose"), ("prose",)),
    Table("pctr4.tsv", "pctr4.",
          ("device", "layout", "call", "function", "hardware", "tsc", "rdpmc", "error",
           "tool", "prose"), ("prose",)),
    Table("cpc.tsv", "cpc.",
          ("probe", "example", "tool", "together", "limit", "stability", "prose"),
          ("prose",)),
)
TODAY = ("done", "partly", "unavailable", "missing", "unseen", "lacking", "open")

# Where a program can run; "guest" is short for all emulated machines
CPUS = ("R10000-v2.6", "R10000", "R12000", guest.LITTLE)
OCTANE, OCTANE_OPTIONS = guest.octane("R10000", 2)
GUESTS = (*CPUS, OCTANE)
HOST = "host"
PLACES = (*GUESTS, HOST)

# The start of a result's name: the rows that it shows
_NUMBER = r"(?:[a-z]\w*\.)?\d{1,2}\.\d\d"
_ROWS = re.compile(r"((?:%s )*%s): " % (_NUMBER, _NUMBER))
_PRINTED = re.compile(r'"' + _ROWS.pattern)
_TEST = re.compile(r"(!?)(\w+:[\w-]+)(?:@([\w.+-]+))?(?::(.+))?")


@dataclass(frozen=True)
class Test:
    """A test that a row names: [!]SUITE:PROGRAM[@PLACE+PLACE][:CASE]."""
    text: str
    differs: bool       # it shows that the row does not hold
    program: str        # SUITE:PROGRAM
    places: frozenset   # places where it must show the row; empty: all where it runs
    case: str

    def holds_in(self, place):
        """Must the program show the row in this place, if it runs there?"""
        return not self.places or place in self.places

    def names(self, result):
        """Does the result belong to the case? Its name, or a part of it after a colon,
        must start with the words of the case."""
        return any(re.match(re.escape(self.case) + r"(?!\w)", result.name[at:])
                   for at in (0, *(m.end() for m in re.finditer(": ", result.name))))


def _test(text):
    match = _TEST.fullmatch(text)
    if not match:
        raise ValueError("'%s' is no SUITE:PROGRAM[@PLACE][:CASE]" % text)
    places = {cpu for place in (match[3] or "").split("+") if place
              for cpu in (GUESTS if place == "guest" else (place,))}
    return Test(text, bool(match[1]), match[2], frozenset(places), match[4] or "")


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

    @property
    def program(self):
        """Its name in the runner, where a row is a program with one case."""
        return "conformance:" + self.id

    @property
    def table(self):
        """The table that it belongs to by its number; None for a wrong one."""
        return next((table for table in TABLES
                     if re.fullmatch(re.escape(table.prefix) + r"\d{1,2}\.\d\d",
                                     self.id)), None)

    def reason(self):
        """Why there is no test; None if there should be one."""
        excused = self.kind in self.table.others or self.today in ("unseen", "lacking")
        return self.note if excused and self.note != "-" else None


def tests(field):
    """The tests in the column "covered"."""
    return [] if field == "-" else [_test(text) for text in field.split(", ")]


def _row(line):
    fields = line.split("\t")
    if len(fields) != 7:
        raise ValueError("%d fields, not 7: %s" % (len(fields), line))
    return Row(*fields[:4], tests(fields[4]), *fields[5:])


def read(path):
    """The rows in a file."""
    lines = [line for line in path.read_text(encoding="ascii").splitlines()
             if line and not line.startswith("#")]
    return [_row(line) for line in lines[1:]]


def read_all():
    """The rows of all tables."""
    return [row for table in TABLES for row in table.read()]


def programs():
    """The names of the conformance suite's own programs."""
    return sorted(path.stem for path in PROGRAMS.glob("*.c"))


def rows_of(name):
    """The rows that a result shows, according to its name."""
    match = _ROWS.match(name)
    return match[1].split() if match else []


def rows_in(source):
    """The rows that the source of a program names."""
    return {row for match in _PRINTED.finditer(_text(source))
            for row in match[1].split()}


def _text(path):
    """A source with the files that it includes from its directory; strings joined."""
    text = path.read_text(encoding="utf-8")
    nearby = [path.parent / name for name in re.findall(r'#include "(.+)"', text)]
    return re.sub(r'"\s*"', "", text) + "".join(
        map(_text, (other for other in nearby if other.exists())))


# --- what is wrong ---------------------------------------------------------------


def _wrong_state(row):
    differ = [test.differs for test in row.covered]
    if (row.today == "-") != (row.kind in row.table.others):
        yield "%s: 'today' is '%s' for %s" % (row.id, row.today, row.kind)
    elif row.today not in (*TODAY, "-"):
        yield "%s: 'today' is '%s'" % (row.id, row.today)
    if row.today in ("unseen", "lacking", "open") and row.covered:
        yield "%s: %s, and yet there is a test" % (row.id, row.today)
    if row.today == "partly" and set(differ) != {True, False}:
        yield "%s: partly: tests of what holds and (!) of what does not" % row.id
    if row.today != "partly" and any(differ):
        yield "%s: a test (!) of what does not hold, and not partly" % row.id
    if row.today in ("partly", "unavailable", "lacking") and row.note == "-":
        yield "%s: %s without a reason" % (row.id, row.today)


def _wrong_words(row):
    if not row.table:
        yield "%s is no number" % row.id
        return
    if row.kind not in row.table.kinds:
        yield "%s: there is no kind '%s'" % (row.id, row.kind)
    yield from ("%s: %s: there is no such place" % (row.id, test.text)
                for test in row.covered if not test.places <= set(PLACES))
    yield from _wrong_state(row)


def _not_listed(rows):
    """A line for each program that shows a row but is not in its list."""
    by_id = {row.id: row for row in rows}
    for name in programs():
        reference = "conformance:" + name
        for number in sorted(rows_in(PROGRAMS / (name + ".c"))):
            if number not in by_id:
                yield "%s: there is no row %s" % (reference, number)
            elif reference not in [t.program for t in by_id[number].covered]:
                yield "%s: row %s does not list it" % (reference, number)


def wrong(rows):
    """A line for each mistake in the tables."""
    numbers = [row.id for row in rows]
    for number in sorted({n for n in numbers if numbers.count(n) > 1}):
        yield "%s is there twice" % number
    for row in rows:
        yield from _wrong_words(row)
    yield from _not_listed(rows)


# --- for people ------------------------------------------------------------------


def told(row):
    """All that a row has, as text."""
    parts = ["%s (%s): %s" % (row.id, ", ".join(
        word for word in (row.kind, row.today) if word != "-"), row.says)]
    parts.append(", ".join(test.text for test in row.covered) or "no test")
    if row.note != "-":
        parts.append(row.note)
    return "\n    ".join(textwrap.fill(part, 80, subsequent_indent=" " * 6,
                                       break_long_words=False, break_on_hyphens=False)
                         for part in parts)


def counts(rows, kinds):
    """How many rows of each kind have a test: lines of a table."""
    form = "%-10s %6s %12s %9s %14s"
    yield form % ("kind", "rows", "with tests", "no test", "no behaviour")
    for kind in (*kinds, "all"):
        ours = [row for row in rows if kind in (row.kind, "all")]
        tested = sum(bool(row.covered) for row in ours)
        prose = sum(row.kind == "prose" for row in ours)
        yield form % (kind, len(ours), tested, len(ours) - tested - prose, prose)


def _is_named(row, names):
    words = (row.kind, row.today, "tested" if row.covered else "untested")
    return any(name in words or fnmatch.fnmatchcase(row.id, name) for name in names)


def main():
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a number (9.13, 'pmc9.*'), "
                        "a kind (mode), a state (partly, untested); default: all sentences, "
                        "and how many there are of each kind")
    names = parser.parse_args().names
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)       # of "| head"
    for table in TABLES:
        rows = table.read()
        for row in rows:
            if not names or _is_named(row, names):
                print(told(row))
        if not names:
            print("", table.file, *counts(rows, table.kinds), "", sep="\n")


if __name__ == "__main__":
    main()
