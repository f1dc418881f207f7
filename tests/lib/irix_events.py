# SPDX-License-Identifier: GPL-2.0-only
"""The events, from a list written by hand: tests/guest/irix-events.h."""

import re
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).resolve().parent.parent / "guest/irix-events.h"
_ROW = re.compile(r'^IRIX_EVENT\((\d+), ([\w |]+), "([^"]+)",\s+"([^"]+)"\)$',
                  re.M)


@dataclass
class Event:
    """One row, for one CPU."""
    number: int
    name: str
    text: str
    counters: int   # bit mask of the counters that count it


def of(cpu):
    """The 32 events of V2, V3 or R12."""
    text = _FILE.read_text(encoding="ascii")
    rows = _ROW.findall(text)
    if len(rows) != text.count("\nIRIX_EVENT("):
        raise ValueError("%s: a row cannot be read" % _FILE)
    found = [Event(int(number), name, label,
                   3 if cpu == "R12" else 1 << int(number) // 16)
             for number, cpus, name, label in rows
             if cpu in cpus.split(" | ")]
    if [event.number for event in found] != list(range(32)):
        raise ValueError("%s: %s lacks an event" % (_FILE, cpu))
    return found


def once(cpu):
    """The events, without any that counts the same as one before it."""
    texts = set()
    return [event for event in of(cpu)
            if not (event.text in texts or texts.add(event.text))]


def presets(cpu):
    """PAPI's presets in tests/fixtures/papi/presets.tsv, {name: (how, names)}."""
    rows = [line.split("\t") for line in (
        _FILE.parents[1] / "fixtures/papi/presets.tsv").read_text(
            encoding="ascii").splitlines() if not line.startswith("#")]
    names = [event.name.upper() for event in of(cpu)]
    return {"PAPI_" + preset: (how, *(names[int(n)] for n in numbers.split()))
            for preset, how, numbers, cpus in rows if cpu in cpus.split()}
