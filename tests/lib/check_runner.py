#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the runner: a runner that misreads failures proves nothing."""

import argparse
import ast
import contextlib
import fnmatch
import importlib.machinery
import importlib.util
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

import accept
import command
import conformance
import guest
import jobs
import listed
import planted
import report
import sentences
import suites
import tap

# name, output, exit status, (passed, failed, skipped)
CASES = [
    ("all pass", "TAP version 13\n1..2\nok 1 a\nok 2 b\n", 0, (2, 0, 0)),
    ("one fails", "1..2\nok 1 a\nnot ok 2 b\n", 1, (1, 1, 0)),
    ("plan at the end", "ok 1 a\nok 2 b\n1..2\n", 0, (2, 0, 0)),
    ("no output", "", 0, (0, 1, 0)),
    ("no plan", "ok 1 a\n", 0, (1, 1, 0)),
    ("fewer than planned", "1..3\nok 1 a\nok 2 b\n", 0, (2, 1, 0)),
    ("more than planned", "1..1\nok 1 a\nok 2 b\n", 0, (2, 1, 0)),
    ("status without a failure", "1..1\nok 1 a\n", 139, (1, 1, 0)),
    ("failure and status", "1..1\nnot ok 1 a\n", 1, (0, 1, 0)),
    ("bail out", "1..5\nok 1 a\nBail out! no counter\n", 1, (1, 1, 0)),
    ("skip", "1..1\nok 1 a # SKIP no mips64el\n", 0, (0, 0, 1)),
    ("kselftest skip", "1..1\nok 1 # SKIP no mips64el\n", 4, (0, 0, 1)),
    ("skip all", "1..0 # SKIP no root\n", 4, (0, 0, 1)),
    ("kselftest's status of a skip without one", "1..1\nok 1 a\n", 4, (1, 1, 0)),
    ("expected failure", "1..1\nok 1 # XFAIL known\n", 0, (1, 0, 0)),
    ("two streams", "1..1\nok 1 a\n1..1\nnot ok 1 b\n", 1, (1, 1, 0)),
    ("two streams, the first short",
     "TAP version 13\n1..2\nok 1 a\nTAP version 13\n1..1\nok 1 b\n", 0,
     (2, 1, 0)),
    ("nested",
     "KTAP version 1\n1..1\n    KTAP version 1\n    # Subtest: s\n    1..2\n"
     "    ok 1 a\n    not ok 2 b\nnot ok 1 s\n", 0, (1, 1, 0)),
    ("nested with time stamps",
     "[    0.1] KTAP version 1\n[    0.1] 1..1\n"
     "[    0.2]     KTAP version 1\n[    0.2]     1..1\n"
     "[    0.3]     ok 1 a\n[    0.4] ok 1 s\n", 0, (1, 0, 0)),
    ("nested parameters",
     "1..1\n    1..1\n        ok 1 p1\n        ok 2 p2\n        1..2\n"
     "    ok 1 t\nok 1 s\n", 0, (2, 0, 0)),
    ("suite fails by itself",
     "1..1\n    1..1\n    ok 1 a\nnot ok 1 s\n", 0, (1, 1, 0)),
    ("nested stream cut off",
     "1..1\n    1..2\n    ok 1 a\nok 1 s\n", 0, (1, 1, 0)),
    ("other output", "make: Entering\n1..1\nhello ok 1\nok 1 a\n", 0,
     (1, 0, 0)),
]


def _counts(results):
    outcomes = [r.outcome for r in results]
    return tuple(outcomes.count(o) for o in (tap.PASS, tap.FAIL, tap.SKIP))


def _check(number, name, got, expected):
    if got != expected:
        print("# expected: %r\n# got: %r" % (expected, got))
    print("%s %d %s" % ("ok" if got == expected else "not ok", number, name))
    return got == expected


class _Everything:
    """The choice of a user who asks for all programs."""

    @staticmethod
    def cases(_program):
        """All."""
        return []


def _report(rows=None, skips=()):
    """A report with these rows and skips only."""
    totals = report.Report(_Everything())
    totals.rows, totals.skips = rows, list(skips)
    return totals


def _totals(totals):
    return tuple(totals.counts[o] for o in (tap.PASS, tap.FAIL, tap.SKIP))


def _ran(*todo, many=2, **known):
    """Run these jobs, and return the report."""
    totals = _report(**known)

    def tell(event, what):
        if event == "end":
            for part in what.job.read(what.text, what.status, what.job):
                totals.add(part, "alone")
        elif event == "not started":
            totals.fail(what.name, "-", "starts", [], "alone")

    with contextlib.redirect_stdout(io.StringIO()):
        jobs.Scheduler(todo, many, tell).run()
    return totals


def _job(script, name="x:y", **more):
    job = suites.one(name, ["sh", "-c", script], more.pop("timeout", 20))
    for key, value in more.items():
        setattr(job, key, value)
    return job


# name, shell command, more of the job, (passed, failed, skipped)
COMMANDS = [
    ("a program that passes", "echo 1..1; echo ok 1", {}, (1, 0, 0)),
    ("a program that says nothing", "exit 0", {}, (0, 1, 0)),
    ("a program that dies", "echo 1..1; echo ok 1; kill -9 $$", {}, (1, 1, 0)),
    ("a program that is not there", "exec /no/such/program", {}, (0, 1, 0)),
    ("a program that may not be executed", "exec tests/skips.tsv", {}, (0, 1, 0)),
    ("a program that never ends", "echo 1..1; echo ok 1; sleep 100",
     {"timeout": 1}, (1, 2, 0)),
    ("a program that is silent after another one",
     "echo TAP version 13; echo 1..1; echo ok 1; echo TAP version 13", {},
     (1, 1, 0)),
]

# Who runs the tests, and who does not, as in skips.tsv
ME, OTHERS = ("root", "user") if os.geteuid() == 0 else ("user", "root")

# name, places of x:y in programs.tsv, rows of skips.tsv, output, totals
LISTS = [
    ("a program that is not listed", [], (), "1..1\nok 1 a\n", (1, 1, 0)),
    ("a program that is listed for another place", ["R10000"], (), "1..1\nok 1 a\n",
     (1, 1, 0)),
    ("a program that is listed", ["-"], (), "1..1\nok 1 a\n", (1, 0, 0)),
    ("a program without a case", ["-"], (), "1..0\n", (0, 1, 0)),
    ("a skip that is not listed", ["-"], (), "1..1\nok 1 a # SKIP why\n", (0, 1, 0)),
    ("a skip that is listed", ["-"], (("x:y", "-", "a", "-"),),
     "1..1\nok 1 a # SKIP why\n", (0, 0, 1)),
    ("a skip that is listed for this user", ["-"], (("x:y", "-", "a", ME),),
     "1..1\nok 1 a # SKIP why\n", (0, 0, 1)),
    ("a skip that is listed for other users", ["-"], (("x:y", "-", "a", OTHERS),),
     "1..1\nok 1 a # SKIP why\n", (0, 1, 0)),
    ("a skip that is listed for another case", ["-"], (("x:y", "-", "b", "-"),),
     "1..1\nok 1 a # SKIP why\n", (0, 1, 0)),
    ("a skip that is listed for another place", ["-"], (("x:y", "R10000", "a", "-"),),
     "1..1\nok 1 a # SKIP why\n", (0, 1, 0)),
    ("a program that skips all, and is not listed", ["-"], (), "1..0 # SKIP root\n",
     (0, 1, 0)),
]


def _listed(places, skips, output):
    totals = _report({("x:y", place): 0 for place in places},
                     [listed.Skip(*row, "reason") for row in skips])
    with contextlib.redirect_stdout(io.StringIO()):
        totals.add(report.Part("x:y", "-", tap.parse(output)), "alone")
    return _totals(totals)


def _tested(things):
    """The totals of an acceptance test that checks each thing."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        test = accept.Tap()
        for thing in test.each("things", things):
            test.check(thing, True)
        status = test.finish()
    return _counts(tap.parse(said.getvalue(), status))


def _side_by_side():
    """Two jobs that wait for each other end only if they run at once."""
    with tempfile.TemporaryDirectory() as folder:
        script = "cd %s; touch $0; i=0; while [ ! -e $1 ]; do sleep 0.05; " \
            "i=$((i+1)); [ $i -lt 1200 ] || exit 1; done; echo 1..1; echo ok 1"
        both = [_job("", "x:" + me) for me in "ab"]
        for job, me, other in zip(both, "ab", "ba"):
            job.argv = ["sh", "-c", script % folder, me, other]
        return _totals(_ran(*both))


def _in_order(*alone):
    """Of three jobs, by whether each runs alone: which saw another one run, in the order
    in which they ended."""
    with tempfile.TemporaryDirectory() as folder:
        script = "cd %s; mkdir busy 2>/dev/null && w=$0 || w=$0+; sleep 0.1; rmdir busy; " \
            "echo $w >>order; echo 1..1; echo ok 1" % folder
        todo = [_job("", "x:%d" % i, alone=flag) for i, flag in enumerate(alone)]
        for i, job in enumerate(todo):
            job.argv = ["sh", "-c", script, str(i)]
        _ran(*todo, many=3)
        return Path(folder, "order").read_text().split()


def _needs(status):
    """A job whose build ends with this status."""
    build = suites.build("x:build", ["sh", "-c", "exit %d" % status])
    return _totals(_ran(build, _job("echo 1..1; echo ok 1", after=("x:build",))))


def _leftovers():
    """True if a process that a job leaves in its own session outlives the run."""
    with tempfile.TemporaryDirectory() as folder:
        _ran(_job("setsid sh -c 'echo $$ > %s/pid; exec sleep 60' & "
                  "until [ -s %s/pid ]; do sleep 0.05; done; echo 1..1; echo ok 1"
                  % (folder, folder)))
        pid = int(Path(folder, "pid").read_text())
    return Path("/proc/%d" % pid).exists()


def _live_parts():
    """The parts of r10kvm's tests whose guests go by this machine's clock."""
    text = (command.ROOT / "tools/r10kvm/tests/harness.py").read_text()
    return sorted("r10kvm:" + name for name in ast.literal_eval(
        re.search(r"^LIVE = (.*)", text, re.M)[1]))


def _runner(*argv, change=None, number=None):
    """(status, output) of tests/run in a directory of its own. number is a signal to
    send it when a job runs."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, TEST_DIR=folder, **(change or {}))
        with subprocess.Popen([command.ROOT / "tests/run", *argv], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as process:
            if number:
                until = time.monotonic() + 20
                while not list(Path(folder).glob("tests/*/*/output.log")) and \
                        time.monotonic() < until:
                    time.sleep(0.05)
                process.send_signal(number)
            out = process.communicate(timeout=60)[0]
        return process.returncode, out


def _program():
    """tests/run, as a module."""
    loader = importlib.machinery.SourceFileLoader("run", str(
        command.ROOT / "tests" / "run"))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


RUN = _program()

# name, the listed programs and their places, the programs and the models of the command
# line, what has run, what the runner misses
MISSING = [
    ("all that is listed", [("unit:a", "-")], [], [], [("unit:a", "-")], []),
    ("a program that did not run", [("unit:a", "-"), ("unit:b", "-")], [], [],
     [("unit:a", "-")], ["unit:b: runs"]),
    ("a program of the suite asked for", [("unit:b", "-")], ["unit"], [], [],
     ["unit:b: runs"]),
    ("a program of a suite not asked for", [("unit:b", "-")], ["isa"], [], [], []),
    ("a program not asked for", [("unit:b", "-")], ["unit:a"], [], [], []),
    ("one of two places", [("guest:a", "R10000"), ("guest:a", "R12000")], [], [],
     [("guest:a", "R10000")], ["guest:a: runs (R12000)"]),
    ("the model asked for", [("guest:a", "R12000")], [], ["R12000"], [],
     ["guest:a: runs (R12000)"]),
    ("other models and this machine", [
        ("guest:a", "R12000"), ("conformance:a", "host"),
        ("conformance:a", "R10000-v2.6")], [], ["R10000"], [], []),
    ("one that has no model, with a model", [("unit:a", "-")], [], ["R10000"], [],
     ["unit:a: runs"]),
]


def _missed(rows, names, cpus, ran):
    """The programs and cases that the runner misses."""
    totals = _report(dict.fromkeys(rows, 0))
    totals.parts = {key: report.Part(*key, [tap.Result("a", tap.PASS)]) for key in ran}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        # pylint: disable=protected-access
        RUN._missing(RUN.Wanted(names, [], []), totals, argparse.Namespace(cpu=cpus))
    return re.findall("^FAIL (.*)$", out.getvalue(), re.M)


# name, words of the command line, what is asked about, whether it is wanted
LEFT = [
    ("a long program", [], ("long:stress",), False),
    ("with --long", ["--long"], ("long:stress",), True),
    ("by its name", ["long:stress"], ("long:stress",), True),
    ("by its suite", ["long"], ("long:stress",), False),
    ("any other", [], ("docs:events",), True),
]


def _is_wanted(words, asked):
    with mock.patch.object(sys, "argv", ["tests/run", *words]):
        # pylint: disable=protected-access
        options = RUN._parse_args()[1]
        return RUN.Wanted(options.names, [], [], RUN._leaves(options, options.names))(*asked)


# name, words of the command line, {program: outcome} that ran, the programs of
# programs.tsv afterwards; before, it has unit:a, unit:b and docs:c
RECORDS = [
    ("a new program", ["unit:d"], {"unit:d": tap.PASS},
     ["docs:c", "unit:a", "unit:b", "unit:d"]),
    ("a new program that fails", ["unit:d"], {"unit:d": tap.FAIL},
     ["docs:c", "unit:a", "unit:b"]),
    ("everything", [], {"unit:a": tap.PASS, "docs:c": tap.PASS}, ["docs:c", "unit:a"]),
    ("everything, and something fails", [], {"unit:a": tap.FAIL, "docs:c": tap.PASS},
     ["docs:c", "unit:a", "unit:b"]),
    ("everything but a suite", ["--skip", "unit"], {"docs:c": tap.PASS},
     ["docs:c", "unit:a", "unit:b"]),
]

# A short program, a long one, and one that is long in one of its places
TIMES = {("unit:a", "-"): 4.9, ("unit:b", "-"): 5.0, ("unit:c", "R10000"): 25.1,
         ("unit:c", "R12000"): 0.0}


def _wanted(options, todo):
    """What was asked for, after it has been asked about all jobs."""
    wanted = RUN.Wanted(options.names, [], options.skip)
    for job in todo:
        wanted(job.name)
    return wanted


def _run_main(out, todo, *words):
    """(status, output) of tests/run with these words if these are all jobs."""
    with contextlib.redirect_stdout(io.StringIO()) as said, \
            mock.patch.multiple(command, OUT=out), \
            mock.patch.object(RUN, "_select", lambda parser, options: (
                _wanted(options, todo), todo)), \
            mock.patch.object(sys, "argv", ["tests/run", *words]):
        status = RUN.main()
    return status, said.getvalue()


def _recorded(words, ran):
    """The programs in the file that "tests/run --record" writes if these are all jobs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "programs.tsv")
        listed.record({(name, "-"): 1.5 for name in ("unit:a", "unit:b", "docs:c")}, path)
        todo = [_job("echo 1..1; echo %s 1 a" % (
            "ok" if outcome == tap.PASS else "not ok"), name) for name, outcome in ran.items()]
        with mock.patch.multiple(listed, PROGRAMS=path):
            _run_main(Path(folder, "out"), todo, "--record", *words)
        return [name for name, _ in listed.programs(path)]


def _written():
    """The last lines of programs.tsv with TIMES, and what is read of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "programs.tsv")
        listed.record(TIMES, path)
        return path.read_text(encoding="utf-8").splitlines()[-3:], listed.programs(path)


# Programs for a shell in a directory that is empty when a run begins
ONCE = "mkdir $0 2>/dev/null && "
FINE = "echo 1..1; echo ok 1 a"
BROKEN = "echo 1..1; echo not ok 1 a; exit 1"
HALF = "echo 1..2; echo ok 1 a; echo not ok 2 b; exit 1"
FLAKY = "echo 1..2; echo ok 1 a; " + ONCE + "echo '# why' && echo not ok 2 b && exit 1; " \
    "echo ok 2 b"
TURNS = "echo 1..2; " + ONCE + "echo not ok 1 a && echo ok 2 b && exit 1; echo ok 1 a; " \
    "echo not ok 2 b; exit 1"
WORSE = ONCE + "{ " + FINE + "; exit; }; " + BROKEN
DIES = "echo 1..1; echo ok 1 a; " + ONCE + "kill -9 $$; exit 0"
SKIPS = ONCE + "echo 1..0 '# SKIP no' && exit; " + FINE
SKIPS_LATER = ONCE + "{ " + BROKEN + "; }; echo 1..1; echo ok 1 a '# SKIP allowed'"
# The other one must not run
ALONE = "echo 1..1; " + ONCE + "echo not ok 1 a && exit 1; cd ..; mkdir busy && sleep 0.2 && " \
    "rmdir busy && echo ok 1 a"

# name, words of the command line, the programs of each job, and the end: the status, the
# lines about unsteady programs and about all results
REPEATED = [
    ("an unsteady program", [], [[FLAKY]], (0, "1 unsteady: x:0.0", "2 passed, 0 failed")),
    ("an unsteady program, with --strict", ["--strict"], [[FLAKY]],
     (1, "", "1 passed, 1 failed")),
    ("a steady failure", [], [[BROKEN]], (1, "", "0 passed, 1 failed")),
    ("a steady failure, with --strict", ["--strict"], [[BROKEN]],
     (1, "", "0 passed, 1 failed")),
    ("a steady failure of one case", [], [[HALF]], (1, "", "1 passed, 1 failed")),
    ("another case fails each time", [], [[TURNS]], (1, "", "1 passed, 1 failed")),
    ("an unsteady program and a steady failure", [], [[FLAKY], [BROKEN]],
     (1, "1 unsteady: x:0.0", "2 passed, 1 failed")),
    ("two unsteady programs", [], [[FLAKY], [FINE], [FLAKY]],
     (0, "2 unsteady: x:0.0 x:2.0", "5 passed, 0 failed")),
    ("two unsteady programs of one job", [], [[FLAKY, FLAKY]],
     (0, "2 unsteady: x:0.0 x:0.1", "4 passed, 0 failed")),
    ("three programs fail, and none runs again", [], [[FLAKY], [FLAKY], [BROKEN]],
     (1, "", "2 passed, 3 failed")),
    ("a job that passed does not run again", [], [[FLAKY], [WORSE], [FLAKY]],
     (0, "2 unsteady: x:0.0 x:2.0", "5 passed, 0 failed")),
    ("a program of the same job fails then", [], [[FLAKY, WORSE]],
     (0, "2 unsteady: x:0.0 x:0.1", "3 passed, 0 failed")),
    ("... and another", [], [[FLAKY, WORSE, WORSE]],
     (1, "3 unsteady: x:0.0 x:0.1 x:0.2", "1 passed, 3 failed")),
    ("a program that dies once", [], [[DIES]],
     (0, "1 unsteady: x:0.0", "1 passed, 0 failed")),
    ("a skip that is not listed, once", [], [[SKIPS]],
     (0, "1 unsteady: x:0.0", "1 passed, 0 failed")),
    ("a failure, and then a skip that is listed", [], [[SKIPS_LATER]],
     (1, "", "0 passed, 1 failed")),
    ("jobs run again one at a time", [], [[ALONE], [ALONE]],
     (0, "2 unsteady: x:0.0 x:1.0", "2 passed, 0 failed")),
    ("a build that fails once", [], [ONCE + "exit 1; exit 0", [FINE]],
     (1, "", "0 passed, 2 failed")),
    ("a build of nothing that fails once", [], [ONCE + "exit 1; exit 0"],
     (1, "", "0 passed, 1 failed")),
    ("a job of programs that it names itself dies once", [], [(DIES,)],
     (0, "1 unsteady: x:0", "1 passed, 0 failed")),
]


def _programs(number, scripts, folder):
    """A job: of several programs, of one that names what it tests (a tuple), or what
    builds for all others (one script)."""
    name = "x:%d" % number
    if isinstance(scripts, str):
        return suites.build(name, ["sh", "-c", "cd $1; " + scripts, "build", folder])

    def read(text, _status, _job):
        return [report.Part("%s.%s" % (name, program), "-", tap.parse(said, status), said)
                for program, said, status in guest.split(text)]

    def read_names(text, status, _job):
        bad = status != 0
        return [report.Part(name if bad else name + ".a", "-", tap.parse(text, status))]
    if isinstance(scripts, tuple):
        return jobs.Job(name, ["sh", "-c", "cd $1; " + scripts[0], "self", folder], read_names)
    return jobs.Job(name, ["sh", "-c", "cd $1; " + "; ".join(
        "echo @@ begin %d; sh -c \"$%d\" %d.%d; echo @@ end %d $?" % (
            i, i + 2, number, i, i) for i in range(len(scripts))), "sh", folder, *scripts], read)


def _repeat(folder, programs, *words):
    """(status, output) of a run of these programs."""
    todo = [_programs(number, scripts, folder) for number, scripts in enumerate(programs)]
    if isinstance(programs[0], str):
        for job in todo[1:]:
            job.after = (todo[0].name,)
    with mock.patch.multiple(listed, programs=lambda: None, skips=lambda: [
            listed.Skip("x:*", "-", "a", "-", "allowed")]):
        return _run_main(Path(folder, "out"), todo, "x", *words)


def _repeated(words, programs):
    """How a run of these programs ends: its status, and two lines at its end."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "work").mkdir()
        status, said = _repeat(Path(folder, "work"), programs, *words)
    lines = said.splitlines()
    return status, "".join(line for line in lines if re.match(r"\d+ unsteady:", line)), \
        lines[-1]


def _both_runs():
    """What is not shown of a run with an unsteady program and a steady failure."""
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder, "out/x/0.first")
        old.mkdir(parents=True)
        _, said = _repeat(folder, [[FLAKY, FINE], [BROKEN]])
        read = {path.name: path.read_text(encoding="utf-8")
                for path in Path(folder, "out").glob("*") if path.is_file()}
        logs = [path.read_text(encoding="utf-8") if path.exists() else "" for path in (
            old / "output.log", Path(folder, "out/x/0/output.log"))]
    unsteady, _, failed = said.partition("What is unsteady")[2].partition("What failed")
    return [what for what, there in {
        "the case": "\nUNSTEADY x:0.0: b" in unsteady, "why": "     why\n" in unsteady,
        "the log": "x/0.first/output.log" in unsteady,
        "the outcome": "It passed when it ran again" in unsteady,
        "the first run": "-not ok 2 b" in unsteady, "the second": "+ok 2 b" in unsteady,
        "only of this program": "ok 1 a\n     -" in unsteady and "@@ end" not in unsteady,
        "the failure": "FAIL x:1.0: a" in failed and "x:0.0: b" not in failed,
        "for --failed": read["failed"] == "x\n",
        "in TAP": "# unsteady: x:0.0\n" in read["results.tap"] and
                  re.findall("not ok.*- (.*)", read["results.tap"]) == ["x:1.0: a"],
        "in XML": read["results.xml"].count("<flakyFailure>why</") == 1 and
                  read["results.xml"].count("<failure") == 1 and
                  read["results.xml"].count("not ok 2 b") == 1,
        "both logs": "not ok" in logs[0] and "not ok" not in logs[1]}.items() if not there]


TURNED = "1..1\n%sok 1 - a case\n"


def _judged_by_second():
    """The outcomes of a row of conformance before the second run of its test and after."""
    job = _job("")
    totals = _report()
    with contextlib.redirect_stdout(io.StringIO()):
        totals.add(report.Part(job.name, "-", tap.parse(TURNED % "not ")), "alone")
        before = _row_outcome(totals)
        totals.add_second(report.Part(job.name, "-", tap.parse(TURNED % "")), job)
    return before, _row_outcome(totals)



def _row_outcome(totals):
    return conformance.Verdict(_row_of("x:y:a case"),
                               conformance.evidence(totals)).result().outcome


GOOD_LOG = "Linux version 6.12\nKernel command line: panic=-1\n"
LOGS = [
    ("a clean kernel log", GOOD_LOG, tap.PASS),
    ("an empty kernel log", "", tap.FAIL),
    ("a kernel log with a warning",
     GOOD_LOG + "WARNING: CPU: 0 PID: 1 at kernel/events/core.c:1\n",
     tap.FAIL),
    ("a kernel log with a stall",
     GOOD_LOG + "rcu: INFO: rcu_sched self-detected stall\n", tap.FAIL),
]


# name, the tests of a row, what has run: (program, place, output), the row's outcome
VERDICTS = [
    ("a row without a test", "-", [], tap.FAIL),
    ("a row whose test passes", "conformance:a",
     [("conformance:a", "cpu", "1..1\nok 1 - 9.13 9.16: x\n")], tap.PASS),
    ("a row whose test fails", "conformance:a",
     [("conformance:a", "cpu", "1..2\nnot ok 1 - 9.13: x\nok 2 - 9.13: y\n")],
     tap.FAIL),
    ("a row whose test fails on one CPU", "conformance:a",
     [("conformance:a", "one", "1..1\nok 1 - 9.13: x\n"),
      ("conformance:a", "two", "1..1\nnot ok 1 - 9.13: x\n")], tap.FAIL),
    ("a row that its program does not show", "conformance:a",
     [("conformance:a", "cpu", "1..1\nok 1 - 9.16: x\n")], tap.FAIL),
    ("a row whose program dies later", "conformance:a",
     [("conformance:a", "cpu", "1..2\nok 1 - 9.13: x\n")], tap.FAIL),
    ("a row of another page", "conformance:a",
     [("conformance:a", "cpu", "1..1\nok 1 - pmc9.9.13 9.16: x\n")], tap.FAIL),
    ("a row among those of other pages", "conformance:a",
     [("conformance:a", "cpu", "1..1\nok 1 - pmc9.9.16 9.13: x\n")], tap.PASS),
    ("a row whose test did not run", "conformance:a", [], tap.FAIL),
    ("a row whose test is left to another suite", "guest:stress:x", [], tap.SKIP),
    ("a row whose test was skipped", "conformance:a",
     [("conformance:a", "cpu", "1..1\nok 1 - 9.13: x # SKIP no root\n")],
     tap.SKIP),
    ("a row skipped on an emulated CPU", "conformance:a",
     [("conformance:a", "R10000", "1..1\nok 1 - 9.13: x # SKIP no counters\n"),
      ("conformance:a", "host", "1..1\nok 1 - 9.13: x\n")], tap.FAIL),
    ("a row that is for one place", "conformance:a@host",
     [("conformance:a", "R10000", "1..1\nok 1 - 9.16: x\n"),
      ("conformance:a", "host", "1..1\nok 1 - 9.13: x\n")], tap.PASS),
    ("a row shown in one of two places", "conformance:a",
     [("conformance:a", "R10000", "1..1\nok 1 - 9.16: x\n"),
      ("conformance:a", "host", "1..1\nok 1 - 9.13: x\n")], tap.FAIL),
    ("a row shown by what does not hold", "!guest:a:x",
     [("guest:a", "cpu", "1..1\nok 1 - x\n")], tap.SKIP),
    ("a row of a case", "guest:a:x y",
     [("guest:a", "cpu", "1..2\nok 1 - R1: x y z\nnot ok 2 - x\n")], tap.PASS),
    ("a row of a case that fails", "guest:a:x y",
     [("guest:a", "cpu", "1..2\nok 1 - x\nnot ok 2 - 9.16: x y\n")], tap.FAIL),
    ("a row of a case that is not there", "guest:a:x y",
     [("guest:a", "cpu", "1..2\nok 1 - x yz\nok 2 - z x y\n")], tap.FAIL),
]

GOOD_TEST = "unit:test_overflow:control_changes_both"
ROW = "9.13\t13\tx\t%s\t%s\t%s\tnote\n"
TABLES = [
    ("a kind that is not there", ROW % ("none", "-", "done"), True),
    ("a place that is not there",
     ROW % ("call", "guest:threads@none:100 threads", "done"), True),
    ("unseen, with a test", ROW % ("call", GOOD_TEST, "unseen"), True),
    ("partly, and no test of what does not hold",
     ROW % ("call", GOOD_TEST, "partly"), True),
    ("done, and a test of what does not hold",
     ROW % ("call", "!" + GOOD_TEST, "done"), True),
    ("partly, with both", ROW % ("call", GOOD_TEST + ", !" + GOOD_TEST, "partly"),
     False),
    ("nothing wrong", ROW % ("call", GOOD_TEST, "done"), False),
    ("still open", ROW % ("call", "-", "open"), False),
    ("still open, with a test", ROW % ("call", GOOD_TEST, "open"), True),
    ("lacking, without a reason", (ROW % ("call", "-", "lacking")).replace("note", "-"),
     True),
    ("lacking, with a test", ROW % ("call", GOOD_TEST, "lacking"), True),
    ("a kind of another page", ROW % ("switch", "-", "open"), True),
    ("a page that is not there", "none." + ROW % ("call", "-", "open"), True),
    ("nothing wrong, of another page", "pmc9." + ROW % ("switch", GOOD_TEST, "done"),
     False),
]


def _row_of(covered):
    return sentences.Row("9.13", "13", "x", "call", sentences.tests(covered),
                         "partly" if "!" in covered else "done", "-")


def _verdict(covered, ran):
    evidence = {(program, place): tap.parse(output)
                for program, place, output in ran}
    return conformance.Verdict(_row_of(covered), evidence,
                               lambda program: program not in conformance.SLOW
                               ).result().outcome


def _is_wrong(line):
    """True if the row has a mistake. Mistakes of other rows do not count."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table")
        path.write_text("id\n" + line)
        return any(m.startswith(line.split("\t", maxsplit=1)[0]) for m in
                   sentences.wrong(sentences.read(path)))


def _log_outcome(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_text(text)
        return guest.check_log(path)[0].outcome


def _cases():
    """Yield (name, got, expected) of each case."""
    for name, text, status, expected in CASES:
        yield name, _counts(tap.parse(text, status)), expected
    yield ("a failure keeps its notes",
           tap.parse("1..1\n# expected: 1\n# got: 2\nnot ok 1 a\n")[0].notes,
           ["expected: 1", "got: 2"])
    for name, script, more, expected in COMMANDS:
        yield name, _totals(_ran(_job(script, **more))), expected
    yield ("a program that cannot be run", _totals(_ran(suites.one(
        "x:y", ["/no/such/program"]))), (0, 1, 0))
    for name, places, skips, output, expected in LISTS:
        yield name, _listed(places, skips, output), expected
    yield "a test of two things", _tested(["a", "b"]), (2, 0, 0)
    yield "a test of none", _tested([]), (0, 1, 0)
    for name, *known, expected in MISSING:
        yield "missed: " + name, _missed(*known), expected
    for name, words, asked, expected in LEFT:
        yield "left to --long: " + name, _is_wanted(words, asked), expected
    for name, words, ran, expected in RECORDS:
        yield "--record of " + name, _recorded(words, ran), expected
    yield "times are noted if they are long", _written(), (
        ["unit:a\t-\t-", "unit:b\t-\t5.0", "unit:c\tR10000 R12000\t25.1 0.0"],
        {**TIMES, ("unit:a", "-"): 0})
    for name, words, programs, expected in REPEATED:
        yield name, _repeated(words, programs), expected
    yield "an unsteady program is shown with both runs", _both_runs(), []
    yield ("a row of conformance is judged by the second run", _judged_by_second(),
           (tap.FAIL, tap.PASS))
    yield "two jobs run side by side", _side_by_side(), (2, 0, 0)
    yield "jobs that run alone come last", _in_order(True, False, True), ["1", "0", "2"]
    yield "a job begins after its build", _needs(0), (1, 0, 0)
    yield "a job whose build fails is a failure", _needs(1), (0, 2, 0)
    yield "a build that never ends is a failure", _totals(_ran(suites.build(
        "x:build", ["sleep", "100"], 1))), (0, 1, 0)
    yield "what a job leaves behind ends with the run", _leftovers(), False
    status, out = _runner("docs:events")
    yield ("a program by its name, and the last line", (status, re.sub(
        r"\d+ passed", "N passed", out.splitlines()[-1])),
        (0, "N passed, 0 failed"))
    status, out = _runner("docs:events:no such case")
    yield "a case that is not there is a failure", (
        status, out.splitlines()[-1]), (1, "0 passed, 1 failed")
    for words in (["none"], ["docs:none"]):
        yield "there is no %s: status" % words[0], _runner(*words)[0], 2
    yield "a suite that is left out has passed nothing", (
        _runner("docs", "--skip", "docs")[0]), 1
    for number in (signal.SIGINT, signal.SIGTERM):
        yield "%s ends a run" % number.name, _runner(
            "isa", number=number)[0], 128 + number
    for name, text, expected in LOGS:
        yield name, _log_outcome(text), expected
    for name, covered, ran, expected in VERDICTS:
        yield name, _verdict(covered, ran), expected
    for name, line, expected in TABLES:
        yield "a table with " + name, _is_wrong(line), expected
    yield "a sentence is told", accept.run([suites.TESTS / "lib/sentences.py", "9.13"]).out, (
        "9.13 (call, done): PIOCENEVCTRS returns a positive generation number\n"
        "    conformance:call, conformance:neighbours\n")
    yield ("the faults of tests/long/planted.tsv can be planted",
           list(planted.stale(planted.table())), [])
    yield "r10kvm's tests know theirs", _live_parts(), [
        name for name in sorted(suites.LIVE) if name.startswith("r10kvm:")]
    yield "each of them is listed", [
        name for name in suites.LIVE if (name, "-") not in listed.programs()], []
    yield "what is left to --long is listed, too", [
        pattern for pattern in suites.LONG if not fnmatch.filter(
            ["@".join(key).replace("@-", "") for key in listed.programs()], pattern)], []
    yield "no sentence needs it", [
        (row.id, test.text) for row in sentences.read_all() for test in row.covered
        if suites.is_long(test.program)], []
    yield ("a boot that ends in the middle of a test",
           list(guest.split("@@ begin a\n1..1\nok 1\n@@ end a 0\n"
                            "@@ begin b\n1..9\n")),
           [("a", "1..1\nok 1", 0), ("b", "1..9", None)])


def main():
    """Runs all cases."""
    passed = []
    print("TAP version 13")
    for number, (name, got, expected) in enumerate(_cases(), 1):
        passed.append(_check(number, name, got, expected))
    print("1..%d" % len(passed))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
