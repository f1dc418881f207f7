# SPDX-License-Identifier: GPL-2.0-only
"""What libpfm4 must know, worked out from the event table, and the program that
prints what it does know."""

import sys

from command import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
# pylint: disable=wrong-import-position,import-error
import event_table      # noqa: E402

BUILD = ROOT / "build" / "libpfm4"
SOURCE = ROOT / "tests" / "libpfm4" / "names.c"

# libpfm4's PMUs, and the chips of the event table
PMUS = {"mips_r10000": "V3", "mips_r10000_v2": "V2", "mips_r12000": "R12K",
        "mips_r14000": "R12K"}

COLUMNS = ("pmu", "name", "number", "code", "counters", "config", "full",
           "desc")

# In the control register: user and kernel mode, and where the event begins
USER_KERNEL, EVENT = 0xa, 5


def expected(pmu):
    """Rows as names.c prints them, without the full name."""
    rows = []
    for event in event_table.read_events(ROOT):
        if PMUS[pmu] not in event_table.chips(event):
            continue
        number = int(event["num"])
        if PMUS[pmu] == "R12K":
            code, counters = number, 3
        else:
            code, counters = number % 16, 1 + number // 16
        rows.append((pmu, event["name"].upper(), str(number),
                     hex(code << EVENT | USER_KERNEL), hex(counters),
                     hex(number), event["desc"]))
    return sorted(rows, key=lambda row: int(row[2]))


def names_of(pmu):
    """libpfm4's names of a PMU's events, by number."""
    return [row[1] for row in expected(pmu)]


def compile_line(compiler, library, program):
    """How names.c is compiled."""
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
