# SPDX-License-Identifier: GPL-2.0-only
"""The guest tests: one boot of a machine runs them all.

The little-endian guest has one boot, with the tests of all events and of the library's
structures only; --cpu R10000-el runs all tests there. On an Octane with two CPUs they
are part of the suite "octane".
"""

import os
import re
import shlex
import sys
from pathlib import Path

import command
import jobs
import report
import tap
from command import ROOT

sys.path.insert(0, str(ROOT / "tools" / "r10kvm"))
# pylint: disable=wrong-import-position
from r10kvmlib import logcheck  # noqa: E402

CPUS = ("R10000", "R12000")
LITTLE = "R10000-el"
FEW_TESTS = ("exact",)
# Octanes: the CPU model, how many, and the tests; None: all
OCTANES = (("R10000", 2, None), ("R12000", 2, FEW_TESTS), ("R14000", 2, FEW_TESTS),
           ("R14000", 1, (*FEW_TESTS, "rotation")))
# storm sees ticks by the coarse clock, which one CPU advances for both. rotation compares
# what a program counts in one part of its time and in another: requests of a second CPU and
# the time of its turns are not the program's, and are not the same in both.
ONE_CPU_TESTS = ("storm", "rotation")
GUEST = Path(os.environ.get("R10KVM_GUEST", ROOT / "build" / "guest"))
# Files that guests boot, the same to the last byte wherever they are built
IMAGES = ("vmlinux", "vmlinux-el", "vmlinux-octane", "initramfs.cpio", "initramfs-el.cpio")
R10KVM = ROOT / "tools" / "r10kvm" / "r10kvm"
TESTS = "/usr/libexec/r10kperf/tests"
TIMEOUT = 900

# The guest's time is that of its instructions, whatever else this machine does
ICOUNT = ("--icount", "3")

# The seed for random tests
SEED_OPTIONS = ("--env", "TEST_SEED=" + os.environ["TEST_SEED"]) \
    if "TEST_SEED" in os.environ else ()

# Programs whose longer form each run of the tests has, in one place: only it counts past
# bit 31, and has a period of more than 31 bits
LONG_FORMS = {"guest:boot@R10000": ("exact", "overflow")}

# A program that is missing in the guest has no marks, and so no results
_LOOP = """
for t in {paths}; do
    cd "${{t%/*}}" && [ -e "$t" ] || continue
    unset TEST_LONG
    case ${{t##*/}} in {long}) export TEST_LONG=1 ;; esac
    echo "@@ begin ${{t##*/}}"
    "$t"
    echo "@@ end ${{t##*/}} $?"
done
"""
_MARK = re.compile(r"^@@ (begin|end) (\S+)(?: (\d+))?\r?$")


def check_log(path):
    """The results of a kernel log."""
    name = "kernel log is free of warnings"
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        return [tap.Result(name, tap.FAIL, [str(error)])]
    if "Linux version" not in text:
        return [tap.Result(name, tap.FAIL,
                           ["no kernel messages in %s" % path])]
    bad = logcheck.bad_lines(text)
    outcome = tap.FAIL if bad else tap.PASS
    return [tap.Result(name, outcome, bad[:5])]


def split(output):
    """(name, text, status) of each program in the output of one boot."""
    name, lines = None, []
    for line in output.splitlines():
        mark = _MARK.match(line)
        if mark and mark[1] == "begin":
            name, lines = mark[2], []
        elif mark and name:
            yield name, "\n".join(lines), int(mark[3])
            name = None
        elif name:
            lines.append(line)
    if name:
        yield name, "\n".join(lines), None


def boot(name, machine, paths, where, options):
    """A job that runs these programs of the guest in one boot.

    machine: the place in tests/programs.tsv, and the options of r10kvm.
    where(program) is the name for its results, SUITE:PROGRAM.
    """
    place, arguments = machine

    def read(text, status, job):
        """The parts of the output, and one for the boot itself."""
        parts = [report.Part(where(program), place, tap.parse(said, ended), said)
                 for program, said, ended in split(text)]
        results = check_log(job.directory / "kernel.log")
        results.append(tap.Result("r10kvm ends well", tap.PASS if status == 0 else
                                  tap.FAIL, ["status: %s" % status,
                                             *text.splitlines()[-3:]]))
        return parts + [report.Part(name.split("@")[0], place, results)]

    suite = name.split(":")[0]
    job = jobs.Job(name, (), read, TIMEOUT + 30,
                   again="tests/run " + ("--cpu %s " % place if arguments[0] == "--cpu"
                                         else "") + suite)
    job.argv = [R10KVM, *arguments, "--timeout", TIMEOUT, "--log",
                job.directory / "kernel.log", "-n", *ICOUNT, *SEED_OPTIONS,
                *shlex.split(options.r10kvm_options), "--", "sh", "-c",
                _LOOP.format(paths=" ".join(paths), long="*" if options.long else
                             "|".join(LONG_FORMS.get(name, ("-",))))]
    return job


def every_test():
    """The names of the programs that the Makefiles install."""
    return {*command.made("guest"), *command.made("library")}


def _boots(suite, machines, wanted, options):
    """A boot of each machine: its place, the options of r10kvm, and the tests."""
    every = sorted(every_test())
    for place, arguments, tests in machines:
        names = [name for name in every if (not tests or name in tests) and
                 wanted("%s:%s" % (suite, name), place)]
        if names:
            yield boot("%s:boot@%s" % (suite, place), (place, arguments),
                       ["%s/%s" % (TESTS, name) for name in names],
                       lambda program: suite + ":" + program, options)


def guest_jobs(wanted, options):
    """The suite "guest"."""
    return _boots("guest", [
        (cpu, ("--cpu", cpu), FEW_TESTS if cpu == LITTLE and not options.cpu else None)
        for cpu in options.cpu or (*CPUS, LITTLE)], wanted, options)


def octane(cpu, cpus):
    """An Octane for boot(): its place, and the options of r10kvm."""
    return ("%s-smp%d" % (cpu, cpus),
            ("--machine", "octane", "--cpus", str(cpus), "--cpu", cpu))


def octane_jobs(wanted, options):
    """The boots of the suite "octane"."""
    return _boots("octane", [
        (*octane(cpu, cpus), tests or every_test().difference(ONE_CPU_TESTS))
        for cpu, cpus, tests in OCTANES], wanted, options)
