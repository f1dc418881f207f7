#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints Documentation/conformance.rst, which is made of the table of sentences."""

import re
import sys
import textwrap

import sentences
from command import ROOT

DOCUMENT = ROOT / "Documentation" / "conformance.rst"

HEAD = """.. SPDX-License-Identifier: GPL-2.0-or-later
.. Made by tests/lib/conformance_doc.py of tests/conformance/sentences.tsv

==========================
The manual page, by tests
==========================

r10k_evcntrs(5) of IRIX 6.5 is taken apart in ``tests/conformance/sentences.tsv``:
each sentence or clause that states a behaviour, a value, a layout, an error or a
guarantee is a row, in our words, with the tests that show it. A row's number is
its section of the page and its place in it, and is never given to another.

::

	tests/run conformance		all rows, and the programs that they name
	tests/run conformance:9.13	one of them
	tests/run -v conformance	with those that pass, and where they were shown

Each row has a result. The words in brackets are the places where it was shown:

=================  ===========================================================
R10000-v2.6,       the emulated CPUs under Linux, big-endian, MIPS IV, with real
R10000, R12000     events: programs of tests/conformance and of the guest suite
R10000-el          the same on a little-endian Linux (``make guest-el``)
host               this machine, with software events by tests/conformance/host.map
bare-be, bare-el   the emulated CPUs without an operating system, in either order
unit, kunit        the library with a fake kernel; the driver's tables
accept             programs driven from outside
=================  ===========================================================

A row names the cases of the programs that show it, and only these are weighed. It
has to be shown in each place where such a program runs, but where the table names the
places. On the emulated CPUs nothing may be skipped; on this machine what only root
may do can be. A row fails if one of its cases fails, is missing or did not run, if the
table names a case that is not there, and if it has neither a test nor a reason.

"Partly" and "unavailable" are results of their own, beside "shown": a row holds
partly if one test shows what holds and another one, marked with "!" in the table,
what does not; a number is unavailable if Linux does not keep it, so that it is 0.

Little-endian: every row that a program on the emulated CPUs shows is shown on
R10000-el as well. What stays is shown without regard to the order, by the library's
and the driver's own tests and from outside, or by those programs that take too long
to be run here: cycles, modes, rotation, shares and stress. Without that guest the
suite says so.
"""

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

Rows that are tested and have a note: a reading where the page is open, a source
that contradicts it, or what Linux makes different. "In part" is what does not hold
wholly, "unavailable" a number that Linux does not keep.

"""


def _counts(rows):
    for kind in sentences.KINDS:
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
            "unavailable": " (unavailable)"}.get(row.today, "")
    lines = textwrap.wrap("%s. *%s*" % (_escaped(row.says), _escaped(text)), 76)
    return "\n\t".join(["%s%s" % (row.id, part), *lines])


def document(rows):
    """The whole text."""
    unshown = [_entry(row, row.reason() or "no test yet")
               for row in rows if not row.covered]
    noted = [_entry(row, row.note) for row in rows
             if row.covered and row.note != "-"]
    return HEAD + COUNTS % "\n".join(_counts(rows)) + UNSHOWN + \
        "\n".join(unshown) + "\n" + NOTED + "\n".join(noted) + "\n"


def stale(rows):
    """What is wrong with the document, if anything."""
    if DOCUMENT.exists() and \
            DOCUMENT.read_text(encoding="ascii") == document(rows):
        return []
    return ["Documentation/conformance.rst is stale: "
            "tests/lib/conformance_doc.py > Documentation/conformance.rst"]


if __name__ == "__main__":
    sys.stdout.write(document(sentences.read()))
