# SPDX-License-Identifier: GPL-2.0-only
"""The guest tests: two boots per CPU model run them all.

The little-endian guest has one boot, with those tests that look at all events and
at the structures of the library; --cpu R10000-el runs all there.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import jobs
import report
import tap
from command import ROOT

sys.path.insert(0, str(ROOT / "tools" / "r10kvm"))
# pylint: disable=wrong-import-position
from r10kvmlib import logcheck  # noqa: E402

CPUS = ("R10000", "R12000")
LITTLE = "R10000-el"
LITTLE_TESTS = ("exact",)
GUEST = Path(os.environ.get("R10KVM_GUEST", ROOT / "build" / "guest"))
R10KVM = ROOT / "tools" / "r10kvm" / "r10kvm"
TESTS = "/usr/libexec/r10kperf/tests"
TIMEOUT = 600

# The tests that want the program to run at an even speed, whatever else this machine
# does, and the options of r10kvm for that
STEADY = TESTS + "/steady"
STEADY_OPTIONS = ("--icount", "3")

# The seed that random tests are given
SEED_OPTIONS = ("--env", "TEST_SEED=" + os.environ["TEST_SEED"]) \
    if "TEST_SEED" in os.environ else ()

# A program that is not in the guest has no marks, and so no results
_LOOP = """
for t in {paths}; do
    cd "${{t%/*}}" && [ -e "$t" ] || continue
    echo "@@ begin ${{t##*/}}"
    "$t"
    echo "@@ end ${{t##*/}} $?"
done
"""
_MARK = re.compile(r"^@@ (begin|end) (\S+)(?: (\d+))?\r?$")


def check_log(path):
    """Results of looking at a kernel log."""
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


def boot(name, cpu, paths, where, options):
    """A job that runs these programs of the guest in one boot.

    where(program) is the name that its results are filed under, SUITE:PROGRAM.
    """
    suite = name.split(":")[0]

    def read(text, status, job):
        """The parts of the output, and one for the boot itself."""
        parts = [report.Part(where(program), cpu, tap.parse(said, ended))
                 for program, said, ended in split(text)]
        results = check_log(job.directory / "kernel.log")
        results.append(tap.Result("r10kvm ends well", tap.FAIL if status else
                                  tap.PASS, ["status: %s" % status,
                                             *text.splitlines()[-3:]]))
        return parts + [report.Part(name.split("@")[0], cpu, results)]

    job = jobs.Job(name, (), read, TIMEOUT + 30, again="tests/run --cpu %s %s"
                   % (cpu, suite))
    steady = STEADY_OPTIONS if paths[0].startswith(STEADY) else ()
    job.argv = [R10KVM, "--cpu", cpu, "--timeout", TIMEOUT, "--log",
                job.directory / "kernel.log", "-n", *steady, *SEED_OPTIONS,
                *shlex.split(options.r10kvm_options), "--", "sh", "-c",
                _LOOP.format(paths=" ".join(paths))]
    return job


def every_test():
    """{program: directory in the guest} of what the Makefiles install."""
    def listed(folder, target):
        return subprocess.run(
            ["make", "-s", "-C", ROOT / "tests" / folder, target],
            stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return {**{name: TESTS for name in listed("guest", "list-plain")},
            **{name: TESTS for name in listed("library", "list")},
            **{name: STEADY for name in listed("guest", "list-steady")}}


def guest_jobs(wanted, options):
    """The suite "guest"."""
    programs = every_test()
    for cpu in options.cpu or (*CPUS, LITTLE):
        for folder, kind in ((TESTS, "plain"), (STEADY, "steady")):
            names = [name for name, place in sorted(programs.items())
                     if place == folder and wanted("guest:" + name)
                     and (cpu != LITTLE or options.cpu or name in LITTLE_TESTS)]
            if names:
                yield boot("guest:%s@%s" % (kind, cpu), cpu,
                           ["%s/%s" % (folder, name) for name in names],
                           lambda program: "guest:" + program, options)
