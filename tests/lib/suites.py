# SPDX-License-Identifier: GPL-2.0-only
"""The table of suites, and the jobs of each."""

import fnmatch
import subprocess
from dataclasses import dataclass
from typing import Callable

import command
import conformance
import guest
import jobs
import report
import tap
from command import ROOT

TESTS = ROOT / "tests"
PYTHON = "/usr/bin/python3"
ACCEPT = TESTS / "accept"
UNIT = TESTS / "unit"

# For a whole acceptance test. Most of its steps have a limit of their own
ACCEPT_SECONDS = 3600
# For a part of tests/long/run
LONG_SECONDS = 48 * 3600

# Jobs that must come before a program
AFTER = {"accept:unprivileged": ("unit:build",)}

# The programs whose guests do not all run by their instruction count, with input that is
# there from the start, and why
LIVE = {
    "accept:bench": "measures speed",
    "accept:demo": "users type it without --icount",
    "accept:ecadmin": "somebody presses keys",
    "accept:observe": "somebody asks a monitor while the program runs",
    "accept:snapshots": "somebody saves and loads while the program runs",
    "octane:dma": "a disk works while the program runs",
    "octane:snapshots": "somebody saves and loads while the program runs",
    "r10kvm:machines": "input comes at any time, and idle time is this machine's",
    "r10kvm:terminals": "somebody types",
}


def _some(suite, place, why, programs):
    """These programs of a suite in one place, for LONG."""
    return {"%s:%s@%s" % (suite, program, place): why for program in programs.split()}


# What only --long runs, and why: patterns of SUITE:PROGRAM or SUITE:PROGRAM@PLACE. There,
# programs that have a longer form run in it (TEST_LONG in their environment), too
LONG = {
    "long:*": "takes hours",
    "accept:bench": "make bench runs the same, and longer",
    "accept:cache": "long:cache does it with the real kernel and emulator",
    "accept:plugins": "a second opinion: baremetal knows what is to be counted",
    **_some("guest", "R12000", "nothing in it depends on the model",
            "inherit ioctls late neighbours overflows permissions scenarios shares storm "
            "threads"),
    **_some("conformance", "R12000", "it is the library that holds, and not the CPU",
            "child example mode neighbours programs shared target usage"),
    **_some("conformance", "R10000-v2.6", "only the faces of others tell its revision",
            "call child example layout mode neighbours pctr programs shared syssgi target "
            "usage"),
    **_some("octane", "R10000-smp2", "nothing in it depends on the machine or on two CPUs",
            "attributes errors ioctls llsc modes multiplex tlb"),
}


def is_long(program, place="-"):
    """Is it for --long?"""
    key = program if place == "-" else "%s@%s" % (program, place)
    return any(fnmatch.fnmatchcase(key, pattern) for pattern in LONG)


@dataclass
class Suite:
    """A line of the table."""
    name: str
    what: str
    jobs: Callable      # (wanted, options) -> [Job]; wanted(program) is a bool


def guest_models():
    """The models that the guest's programs run on."""
    return (*guest.CPUS, guest.LITTLE)


def one(name, argv, timeout=300, after=()):
    """A job that is one program: its output is one stream of TAP."""
    def read(text, status, _job):
        results = tap.parse(text, status)
        if status is None:
            results.append(tap.Result("the end", tap.FAIL, [
                "expected: within %d s" % timeout, "got: none"]))
        if any(r.name == "no plan was printed" for r in results):
            results[-1].notes += text.splitlines()[-3:]
        return [report.Part(name, "-", results)]
    return jobs.Job(name, argv, read, timeout, after, again="tests/run " + name)


def single(name, argv, timeout=300):
    """The jobs of a suite that is one program."""
    def all_jobs(wanted, _options):
        if wanted(name):
            yield one(name, argv, timeout)
    return all_jobs


def build(name, argv, timeout=900):
    """A job that builds files for others. It has results only if it fails."""
    def read(text, status, _job):
        if status == 0:
            return []
        return [report.Part(name, "-", [tap.Result(
            "is built", tap.FAIL, text.splitlines()[-8:])])]
    return jobs.Job(name, argv, read, timeout, seconds=timeout, builds=True,
                    again=" ".join(str(a) for a in argv))


def _output(*argv):
    return subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True,
                          check=True).stdout.split()


def _unit_build():
    return build("unit:build", ["make", "-s", "-j2", "-C", UNIT, "all"])


def _unit(wanted, _options):
    names = [name for name in command.made("unit")
             if wanted("unit:" + name)]
    if names:
        yield _unit_build()
    for name in names:
        yield one("unit:" + name, [UNIT / "run", name], 600, ("unit:build",))


def _kunit(wanted, _options):
    """One job for all. A program is a suite of KUnit; the output has their names."""
    def read(text, status, job):
        parts = {}
        for result in tap.parse(text, status):
            name = "kunit:" + (result.group or "driver")
            if wanted(name):
                parts.setdefault(name, report.Part(name, "-")).results.append(result)
        return list(parts.values()) or [report.Part(job.name, "-", [tap.Result(
            "suites", tap.FAIL, ["expected: suites of that name", "got: none"])])]
    if wanted("kunit:*"):
        yield jobs.Job("kunit:driver", [TESTS / "kunit" / "run.sh"], read, 1800,
                       seconds=5, again="tests/run kunit")


def _baremetal(wanted, options):
    """One job for each byte order."""
    names = [name for name in _output(TESTS / "baremetal" / "run", "--list")
             if wanted("baremetal:" + name)]
    for order, seconds in (("be", 15), ("el", 22)):
        def read(text, status, job, order=order):
            parts = {}
            for result in tap.parse(text, status):
                word, _, rest = result.name.partition(" ")
                name = "baremetal:" + (word if rest.startswith("(") else "run")
                parts.setdefault(name, report.Part(name, order)).results.append(
                    result)
            return list(parts.values())
        if names and not options.cpu:
            yield jobs.Job("baremetal:run@" + order,
                           [TESTS / "baremetal" / "run", "--jobs", "1", "--order",
                            order, *(["--all"] if options.long else ()), *names], read,
                           3600 if options.long else 900, seconds=seconds,
                           again="tests/run baremetal")


def _octane(wanted, options):
    """QEMU's own tests of the chips, in which no CPU runs, those that a program on this
    machine drives, and the guest's."""
    for path in sorted((guest.GUEST / "qtest").glob("octane-*-test")):
        name = "octane:" + path.name.split("-")[1]
        if wanted(name):
            yield one(name, ["env", "QTEST_QEMU_BINARY=%s" %
                             (guest.GUEST / "qemu-system-mips64"), path, "--tap", "-k"])
    for path in sorted((TESTS / "octane").glob("[0-9a-z]*")):
        if wanted("octane:" + path.name):
            yield one("octane:" + path.name, [path], ACCEPT_SECONDS)
    if not options.cpu:
        yield from guest.octane_jobs(wanted, options)


def _r10kvm(wanted, _options):
    """A job for each part of its tests."""
    check = ROOT / "tools" / "r10kvm" / "tests" / "check.py"
    for name in _output(PYTHON, check, "--list"):
        if wanted("r10kvm:" + name):
            yield one("r10kvm:" + name, [PYTHON, check, name], 600)


def _accept(wanted, _options):
    for path in sorted(ACCEPT.glob("[0-9a-z]*")):
        name = "accept:" + path.name
        if path.is_file() and wanted(name):
            if "unit:build" in AFTER.get(name, ()):
                yield _unit_build()
            yield one(name, [path], ACCEPT_SECONDS, AFTER.get(name, ()))


def _long(wanted, options):
    """The parts of tests/long/run, one after the other."""
    for name in _output(TESTS / "long" / "run", "--list"):
        if wanted("long:" + name):
            cpus = [word for cpu in options.cpu or () if cpu in guest.CPUS
                    for word in ("--cpu", cpu)]
            job = one("long:" + name, [TESTS / "long" / "run", *cpus, name], LONG_SECONDS)
            job.alone = True
            yield job


SUITES = [
    Suite("self", "this runner: it must see failures",
          single("self:runner", [PYTHON, "tests/lib/check_runner.py"])),
    Suite("docs", "the generated table of events is that of its sources",
          single("docs:events", [PYTHON, "tests/lib/check_events_doc.py"])),
    Suite("unit", "libirixperf, the tools and the event table on this machine",
          _unit),
    Suite("libpfm4", "libpfm4 with our tables, on this machine, and its patches",
          single("libpfm4:host", ["tests/libpfm4/run"])),
    Suite("kunit", "the driver's tables and rules, in the kernel's KUnit",
          _kunit),
    Suite("r10kvm", "the tool that runs a command on the emulated machine",
          _r10kvm),
    Suite("isa", "no instruction in the guest that an R10000 lacks",
          single("isa:guest", ["scripts/check-isa.sh"])),
    Suite("baremetal", "the emulated counters, without an operating system",
          _baremetal),
    Suite("octane", "the emulated Octane: its chips, and the driver on two CPUs",
          _octane),
    Suite("guest", "the driver through perf_event_open, on each CPU model",
          guest.guest_jobs),
    Suite("accept", "everything together, driven from this machine",
          _accept),
    Suite("conformance", "each sentence of the manual pages that says what holds",
          conformance.conformance_jobs),
    Suite("long", "what takes hours: with --long, or by its name", _long),
]
