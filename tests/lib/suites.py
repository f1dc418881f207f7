# SPDX-License-Identifier: GPL-2.0-only
"""The table of suites, and how those run that are one command each."""

from dataclasses import dataclass, field
from typing import Callable

import command
import conformance
import guest
import tap
from command import ROOT

ACCEPT = ROOT / "tests" / "accept"


@dataclass
class Suite:
    """One line of the table: either a command or a function runs it."""
    name: str
    what: str
    argv: list = None
    timeout: int = 300
    needs: list = field(default_factory=list)   # paths that must be there
    function: Callable = None

    def run(self, items, report, options):
        """Run it; items are the names after the colon."""
        if self.function:
            self.function(items, report, options)
        elif items:
            report.fail(self.name, " ".join(items),
                        ["this suite has no parts to choose from"],
                        "tests/run %s" % self.name)
        else:
            self._run_command(report)

    def _run_command(self, report):
        alone = command.shown(self.argv)
        missing = [n for n in self.needs if not (ROOT / n).exists()]
        if missing:
            report.fail(self.name, "set-up", ["%s is missing" % m
                                              for m in missing], alone)
            return
        run_tap(self.name, self.argv, self.timeout, report, alone)


def run_tap(name, argv, timeout, report, alone):
    """Run one command that prints TAP and add its results."""
    output, status = command.run(argv, name, timeout)
    results = tap.parse(output, status)
    if status is None:
        results.append(tap.Result("time", tap.FAIL, [
            "expected: an end within %d s" % timeout, "got: none"]))
    if any(r.name == "no plan was printed" for r in results):
        results[-1].notes += output.splitlines()[-3:]
    report.add(name, results, alone)


# Each of their steps has a limit of its own; this one ends what has none
ACCEPT_SECONDS = 3600


def _run_accept(items, report, _options):
    names = items or sorted(p.name for p in ACCEPT.glob("[0-9a-z]*")
                            if p.is_file() and p.stat().st_mode & 0o100)
    for name in names:
        path = ACCEPT / name
        alone = "tests/run accept:%s" % name
        if path.exists():
            run_tap("accept " + name, [path], ACCEPT_SECONDS, report, alone)
        else:
            report.fail("accept", name, ["there is no such test"], alone)


SUITES = [
    Suite("self", "this runner: it must see failures",
          ["/usr/bin/python3", "tests/lib/check_runner.py"]),
    Suite("docs", "the generated table of events is that of its sources",
          ["/usr/bin/python3", "tests/lib/check_events_doc.py"]),
    Suite("unit", "libirixperf, the tools and the event table on this machine",
          ["make", "-s", "-C", "tests/unit", "check"], 600,
          ["tests/unit/Makefile"]),
    Suite("libpfm4", "libpfm4 with our tables, on this machine, and its patches",
          ["tests/libpfm4/run"], 300, ["build/libpfm4/host"]),
    Suite("kunit", "the driver's tables and rules, in the kernel's KUnit",
          ["tests/kunit/run.sh"], 1800, ["tests/kunit/run.sh"]),
    Suite("r10kvm", "the tool that runs a command on the emulated machine",
          ["make", "-s", "-C", "tools/r10kvm", "check"], 600,
          ["tools/r10kvm/Makefile"]),
    Suite("isa", "no instruction in the guest that an R10000 lacks",
          ["scripts/check-isa.sh"], 300, ["scripts/check-isa.sh"]),
    Suite("baremetal", "the emulated counters, without an operating system",
          ["tests/baremetal/run"], 900, ["tests/baremetal/run"]),
    Suite("guest", "the driver through perf_event_open, on each CPU model",
          function=guest.run),
    Suite("accept", "everything together, driven from this machine",
          function=_run_accept),
    Suite("conformance", "each sentence of r10k_evcntrs(5) that says what holds",
          function=conformance.run),
]
