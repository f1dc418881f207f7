#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the runner: one that misreads failures proves nothing."""

import contextlib
import io
import sys
import tempfile
from pathlib import Path

import conformance
import guest
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


def _suite_counts(argv, timeout=20, needs=()):
    """What a suite that is this command adds to the totals."""
    totals = report.Report()
    with contextlib.redirect_stdout(io.StringIO()):
        suites.Suite("runner-self-test", "", argv, timeout,
                     list(needs)).run([], totals, None)
    return tuple(totals.counts[o] for o in (tap.PASS, tap.FAIL, tap.SKIP))


def _shell_counts(script, **more):
    return _suite_counts(["sh", "-c", script], **more)


# name, shell command, more arguments, (passed, failed, skipped)
COMMANDS = [
    ("a suite that passes", "echo 1..1; echo ok 1", {}, (1, 0, 0)),
    ("a suite that says nothing", "exit 0", {}, (0, 1, 0)),
    ("a suite that dies", "echo 1..1; echo ok 1; kill -9 $$", {}, (1, 1, 0)),
    ("a suite that is not there", "exec /no/such/suite", {}, (0, 1, 0)),
    ("a suite that never ends", "echo 1..1; echo ok 1; sleep 100",
     {"timeout": 1}, (1, 2, 0)),
    ("a suite whose folder is missing", "echo 1..1; echo ok 1",
     {"needs": ["no/such/folder"]}, (0, 1, 0)),
]

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


# What a row names, what has run: (reference, where, output), its outcome
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
    ("a row whose test did not run", "conformance:a", [], tap.FAIL),
    ("a row whose test is left to another suite", "guest:stress", [], tap.SKIP),
    ("a row whose test was skipped", "conformance:a",
     [("conformance:a", "cpu", "1..1\nok 1 - 9.13: x # SKIP no root\n")],
     tap.SKIP),
    ("a row of a program that names no rows", "guest:a",
     [("guest:a", "cpu", "1..1\nok 1 - x\n")], tap.PASS),
    ("another's failure in a program that names rows", "guest:a",
     [("guest:a", "cpu", "1..2\nok 1 - 9.13: x\nnot ok 2 - 9.16: y\n")],
     tap.PASS),
]

ROW = "9.13\t13\tx\t%s\t%s\t%s\tnote\n"
TABLES = [
    ("a test that is not there", ROW % ("call", "guest:none", "done"), True),
    ("a case that is not there", ROW % ("call", "unit:test_spec:none", "done"),
     True),
    ("a suite that is not there", ROW % ("call", "none:x", "done"), True),
    ("a program that does not name the row",
     ROW % ("call", "conformance:layout", "done"), True),
    ("a kind that is not there", ROW % ("none", "-", "done"), True),
    ("unseen, with a test", ROW % ("call", "guest:evcntrs", "unseen"), True),
    ("nothing wrong", ROW % ("call", "guest:evcntrs", "done"), False),
]


def _row_of(covered):
    return sentences.Row("9.13", "13", "x", "call",
                         [] if covered == "-" else [covered], "done", "-")


def _verdict(covered, ran):
    evidence = conformance.Evidence()
    for reference, where, output in ran:
        evidence.add(reference, where, tap.parse(output))
    row = _row_of(covered)
    return conformance.Verdict(row, evidence).result().outcome


def _is_wrong(line):
    """Of one row alone: what others lack is not asked for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table")
        path.write_text("id\n" + line)
        return any(m.startswith("9.13") for m in
                   sentences.wrong(sentences.read(path)))


def _log_outcome(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_text(text)
        return guest.check_log(path)[0].outcome


def _cases():
    """(name, what came, what is expected) of everything."""
    for name, text, status, expected in CASES:
        yield name, _counts(tap.parse(text, status)), expected
    yield ("a failure keeps its notes",
           tap.parse("1..1\n# expected: 1\n# got: 2\nnot ok 1 a\n")[0].notes,
           ["expected: 1", "got: 2"])
    for name, script, more, expected in COMMANDS:
        yield name, _shell_counts(script, **more), expected
    yield ("a suite that cannot be run", _suite_counts(["/no/such/suite"]),
           (0, 1, 0))
    for name, text, expected in LOGS:
        yield name, _log_outcome(text), expected
    for name, covered, ran, expected in VERDICTS:
        yield name, _verdict(covered, ran), expected
    for name, line, expected in TABLES:
        yield "a table with " + name, _is_wrong(line), expected
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
