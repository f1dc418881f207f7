#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes Documentation/conformance*.rst, generated from the tables of sentences."""

import re
import textwrap

import sentences
from command import ROOT

# By the table: what is said above the rows
HEADS = {"sentences.tsv": """.. SPDX-License-Identifier: GPL-2.0-or-later
.. Made by tests/lib/conformance_doc.py of tests/conformance/sentences.tsv

==========================
The manual page, by tests
==========================

``tests/conformance/sentences.tsv`` has a row for each sentence or clause of IRIX
6.5's r10k_evcntrs(5) that states a behaviour, a value, a layout, an error or a
guarantee, in our words, with the tests that show it. A row's number is its section of
the page and its place in that section. No other row ever gets the number.

::

	tests/run conformance		all rows, and the programs that they name
	tests/run conformance:9.13	one of them
	tests/run -v conformance	with those that pass, and where they were shown

Each row has a result. The words in brackets are the places where it was shown:

=================  ===========================================================
R10000-v2.6,       the emulated CPUs under Linux, big-endian, MIPS IV, with real
R10000, R12000     events: programs of tests/conformance and of the guest suite
R10000-el          the same on a little-endian Linux (``make guest-el``)
R10000-smp2        programs of tests/conformance on an Octane with two CPUs
host               this machine, with software events by tests/conformance/host.map
bare-be, bare-el   the emulated CPUs without an operating system, in either order
unit, kunit        the library with a fake kernel; the driver's tables
accept             programs driven from outside
=================  ===========================================================

A row names the cases of the programs that show it, and only these count. The cases
have to pass in each place where the program runs, or in the places that the table
names. On the emulated machines nothing may be skipped; on this machine a case that needs
root may be. A row fails if one of its cases fails, is missing or did not run, if the
table names an unknown case, or if the row has neither a test nor a reason.

Two results stand besides "shown". A row holds "partly" if one test shows what holds
and another one, marked with "!" in the table, shows what does not. A number is
"unavailable" if Linux does not keep it; it is 0 then.

Little-endian: every row that a program on the emulated CPUs shows is shown on
R10000-el as well, except by the programs that take too long there: cycles, modes,
rotation, shares and stress. The other rows do not depend on the byte order: the
library's and the driver's own tests show them, or tests from outside. Without that
guest the suite says so.

The pages of IRIX's neighbours have tables of the same form: conformance-pmc9.rst,
conformance-pctr4.rst and conformance-cpc.rst.
"""}

OTHER = """.. SPDX-License-Identifier: GPL-2.0-or-later
.. Made by tests/lib/conformance_doc.py of tests/conformance/%(file)s

%(line)s
%(title)s
%(line)s

``tests/conformance/%(file)s`` has a row for each sentence or clause of
%(page)s, in our words, with the tests that show it.
conformance.rst explains what a result means.

::

	tests/run 'conformance:%(prefix)s*'	all rows, and the programs that they name
	tests/run conformance:%(prefix)s%(first)s	one of them

A row that is "lacking" does not hold, because Linux or the CPU lacks what it takes.
"""
PAGES = {
    "pmc9.tsv": ("NetBSD's pmc(9), by tests", "NetBSD 7.0's pmc(9)"),
    "pctr4.tsv": ("OpenBSD's pctr(4), by tests", "OpenBSD's pctr(4)"),
    "cpc.tsv": ("Solaris' cpc provider, by tests",
                "the guide to the cpc provider of Solaris' DTrace"),
}

COUNTS = """
Rows by kind
============

========== ===== =========== ========== ===========
kind       rows  with tests  no test    no behaviour
========== ===== =========== ========== ===========
%s
========== ===== =========== ========== ===========
"""

UNSHOWN = """
Rows without a test
===================

"""

NOTED = """
What was decided, and where we differ
=====================================

These rows are tested and have a note: how we read the page where it is open, which
source contradicts it, or what is different on Linux. A row "in part" does not hold
completely; "unavailable" is a number that Linux does not keep.

"""


def name(table):
    """The document's path in the checkout."""
    page = table.prefix.rstrip(".")
    return "Documentation/conformance%s.rst" % ("-" + page if page else "")


def _head(table, rows):
    if table.file in HEADS:
        return HEADS[table.file]
    title, page = PAGES[table.file]
    return OTHER % {"file": table.file, "title": title, "line": "=" * len(title),
                    "page": page, "prefix": table.prefix,
                    "first": rows[0].id[len(table.prefix):]}


def _counts(table, rows):
    for kind in table.kinds:
        ours = [row for row in rows if row.kind == kind]
        tested = sum(bool(row.covered) for row in ours)
        prose = len(ours) if kind == "prose" else 0
        yield "%-10s %-5d %-11d %-10d %d" % (
            kind, len(ours), tested, len(ours) - tested - prose, prose)
    tested = sum(bool(row.covered) for row in rows)
    prose = sum(row.kind == "prose" for row in rows)
    yield "%-10s %-5d %-11d %-10d %d" % (
        "together", len(rows), tested, len(rows) - tested - prose, prose)


def _escaped(text):
    return re.sub(r"([\\*`|]|_(?!\w))", r"\\\1", text)


def _entry(row, text):
    part = {"partly": " (in part)",
            "unavailable": " (unavailable)", "lacking": " (lacking)",
            "open": " (OPEN)"}.get(row.today, "")
    lines = textwrap.wrap("%s. *%s*" % (_escaped(row.says), _escaped(text)), 76)
    return "\n\t".join(["%s%s" % (row.id, part), *lines])


def document(table):
    """The whole text."""
    rows = table.read()
    unshown = [_entry(row, row.reason() or row.note)
               for row in rows if not row.covered]
    noted = [_entry(row, row.note) for row in rows
             if row.covered and row.note != "-"]
    text = _head(table, rows) + COUNTS % "\n".join(_counts(table, rows)) + UNSHOWN + \
        "\n".join(unshown) + "\n"
    return text + NOTED + "\n".join(noted) + "\n" if noted else text


def stale(table):
    """A list with an error, if the table's document is stale."""
    path = ROOT / name(table)
    if path.exists() and path.read_text(encoding="ascii") == document(table):
        return []
    return ["%s is stale: run tests/lib/conformance_doc.py" % name(table)]


def main():
    """Write all documents."""
    for table in sentences.TABLES:
        (ROOT / name(table)).write_text(document(table), encoding="ascii")


if __name__ == "__main__":
    main()
