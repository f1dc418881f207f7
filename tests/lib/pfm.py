# SPDX-License-Identifier: GPL-2.0-only
"""The events that libpfm4 must know, from the list that is written by hand, and the
program that prints those that it knows. The descriptions come from the event table,
because there is no other source for them."""

import sys

import irix_events
from command import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
# pylint: disable=wrong-import-position,import-error
import event_table      # noqa: E402

BUILD = ROOT / "build" / "libpfm4"
SOURCE = ROOT / "tests" / "libpfm4" / "names.c"

# libpfm4's PMUs and their CPUs
PMUS = {"mips_r10000": "V3", "mips_r10000_v2": "V2", "mips_r12000": "R12",
        "mips_r14000": "R12"}

COLUMNS = ("pmu", "name", "number", "code", "counters", "config", "full",
           "desc")

# In the control register: the bits of user and kernel mode, and the event's lowest bit
USER_KERNEL, EVENT = 0xa, 5


def expected(pmu):
    """The expected rows of names.c, without the full name."""
    described = {(chip.replace("R12K", "R12"), row["name"]): row["desc"]
                 for row in event_table.read_events(ROOT)
                 for chip in event_table.chips(row)}
    rows = []
    for event in irix_events.of(PMUS[pmu]):
        code = event.number % (32 if PMUS[pmu] == "R12" else 16)
        rows.append((pmu, event.name.upper(), str(event.number),
                     hex(code << EVENT | USER_KERNEL), hex(event.counters),
                     hex(event.number),
                     described.get((PMUS[pmu], event.name), "")))
    return rows


def names_of(pmu):
    """libpfm4's names of a PMU's events, by number."""
    return [row[1] for row in expected(pmu)]


def compile_line(compiler, library, program):
    """The command that compiles names.c."""
    return [compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-static",
            "-I", BUILD / "host" / "include", "-o", program, SOURCE,
            BUILD / library / "libpfm.a"]


def parse(text):
    """The rows of names.c."""
    return [dict(zip(COLUMNS, line.split("\t")))
            for line in text.splitlines()]


def bare(row):
    """A row without the full name, for comparing."""
    return tuple(row[column] for column in COLUMNS if column != "full")
