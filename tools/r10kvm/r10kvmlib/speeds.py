# SPDX-License-Identifier: GPL-2.0-or-later
"""The speeds of machines, for --timing: the argument of --machine-speed.

scripts/timing-doc makes a table of Documentation/timing-figures.rst of these.
"""
from r10kvmlib.errors import UsageError

ASSUMED = "assumed"
PERFEX = "perfex -y of IRIX: typical costs of events"
CONFIGURATION = "as the machine was sold"
FIGURES = {
    "clock": "CPU clock, Hz",
    "l2-size": "size of the level 2 cache",
    "l2-latency": "cycles that a hit of L2 takes more than one of L1",
    "memory-latency": "cycles that memory takes more than a hit of L2",
}
# {name: (what it is, CPU model, {property: (value, source)})}
SPEEDS = {
    "generic": ("no machine in particular", "R10000", {
        "clock": ("250000000", ASSUMED),
        "l2-size": ("1M", ASSUMED),
        "l2-latency": ("10", ASSUMED),
        "memory-latency": ("60", ASSUMED)}),
    "ip27-196": ("Origin 200 or 2000, R10000 at 196 MHz", "R10000", {
        "clock": ("196000000", PERFEX),
        "l2-size": ("4M", CONFIGURATION),
        "l2-latency": ("9", PERFEX),
        "memory-latency": ("74", PERFEX)}),
    "octane-195": ("Octane, R10000 at 195 MHz", "R10000", {
        "clock": ("195000000", CONFIGURATION),
        "l2-size": ("1M", CONFIGURATION),
        "l2-latency": ("9", ASSUMED + ": as IP27's"),
        "memory-latency": ("74", ASSUMED + ": as IP27's")}),
    "octane-300": ("Octane, R12000 at 300 MHz", "R12000", {
        "clock": ("300000000", CONFIGURATION),
        "l2-size": ("2M", CONFIGURATION),
        "l2-latency": ("9", ASSUMED + ": L2 at 2/3 of the clock, too"),
        "memory-latency": ("113", ASSUMED + ": as many ns as IP27's")}),
}


def speed(name):
    """What has this name: what it is, CPU model, properties."""
    if name not in SPEEDS:
        raise UsageError(f"--machine-speed: '{name}' is none of {', '.join(SPEEDS)}; "
                         "--machine-speed help has their figures")
    return SPEEDS[name]


def table():
    """The text of --machine-speed help."""
    rows = []
    for name, (what, model, figures) in SPEEDS.items():
        rows.append(f"{name}: {what}; --cpu {model} unless you say otherwise\n")
        rows += [f"  {prop + '=' + value:<20} {FIGURES[prop]} ({source})\n"
                 for prop, (value, source) in figures.items()]
    return "".join(rows)
