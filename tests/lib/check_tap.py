#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the TAP reader: a runner that misreads failures proves nothing."""

import sys

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


def main():
    """Runs all cases, and looks at the notes of one failure."""
    print("TAP version 13\n1..%d" % (len(CASES) + 1))
    passed = []
    for number, (name, text, status, expected) in enumerate(CASES, 1):
        got = _counts(tap.parse(text, status))
        passed.append(_check(number, name, got, expected))
    notes = tap.parse("1..1\n# expected: 1\n# got: 2\nnot ok 1 a\n")[0].notes
    passed.append(_check(len(CASES) + 1, "a failure keeps its notes", notes,
                         ["expected: 1", "got: 2"]))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
