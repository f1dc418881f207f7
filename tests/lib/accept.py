# SPDX-License-Identifier: GPL-2.0-only
"""The common part of the acceptance tests: TAP on stdout, and calls of r10kvm."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import guest
import tap as taps

ROOT = Path(__file__).resolve().parent.parent.parent
R10KVM = ROOT / "tools" / "r10kvm" / "r10kvm"
CPUS = ("R10000", "R12000")

# tests/run --long asks for longer forms
LONG = "TEST_LONG" in os.environ

# Seconds: what needs a lock of the cache waits while another checkout builds
LOCKED = 3000

# r10kvm's status if it fails before it runs the command
OWN_FAILURE = 125

# As on a machine whose cycles are a CPU's, where r10kvm tells the guest that they are
# not: as options of r10kvm, and as a function of the guest's shell. perf also needs
# "unset PERF_CPUID"
WITH_CLOCK = ("--append", "r10kperf.cycles=modelled")
CLOCK = """
clock() {
	mount -o bind /dev/null /proc/cmdline
	"$@"
	set -- $?
	umount /proc/cmdline
	return $1
}
"""


def matmul_fp(size):
    """The count of event 21 in wl-matmul: multiply-adds, which count once each,
    conversions, and the sum along the diagonal."""
    return size ** 3 + 2 * size ** 2 + size


class Ran:
    """How a command ended."""

    def __init__(self, argv, status, out, err):
        self.argv, self.status, self.out, self.err = argv, status, out, err

    def notes(self):
        """For the report of a failure."""
        return ["ran: " + " ".join(str(a).replace("\n", "; ")
                                   for a in self.argv)[:400],
                "status: %s" % self.status,
                *("stdout: " + l for l in self.out.splitlines()[-4:]),
                *("stderr: " + l for l in self.err.splitlines()[-4:])]


def run(argv, timeout=300, stdin="", **more):
    """Run a command on this machine; a time-out is status None."""
    argv = [str(a) for a in argv]
    try:
        done = subprocess.run(argv, input=stdin, capture_output=True,
                              timeout=timeout, text=True, errors="replace",
                              check=False, **more)
    except subprocess.TimeoutExpired as error:
        return Ran(argv, None, _text(error.stdout), _text(error.stderr))
    except OSError as error:
        return Ran(argv, None, "", str(error))
    return Ran(argv, done.returncode, done.stdout, done.stderr)


def _text(data):
    return data.decode(errors="replace") if isinstance(data, bytes) else \
        data or ""


def vm(*command, options=(), timeout=300, live=False):
    """Run a command in the guest, and check its kernel log afterwards. The guest's time
    is that of its instructions, or if live this machine's."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        ran = run([R10KVM, "--timeout", timeout, "--log", log, "-n",
                   *(() if live else guest.ICOUNT), *guest.SEED_OPTIONS, *options, "--",
                   *command], timeout + 30)
        booted = log.exists() and log.stat().st_size
        if booted or (ran.status != OWN_FAILURE and "--log" not in options):
            LOGS.append((ran, guest.check_log(log)[0]))
    return ran


_EACH = """
mkdir -p /tmp/each; cd /tmp/each
{ sh -c %s 2>/tmp/each.err </dev/null; echo $? >/tmp/each.status; } | cat
printf '\\n@@ err\\n'; cat /tmp/each.err
printf '\\n@@ '; cat /tmp/each.status; cd /; rm -r /tmp/each
"""


def vm_each(commands, options=(), timeout=300):
    """Run lines of shell in one boot, each in an empty directory and with a pipe as
    stdout. Return how each ended; a line that did not run has status None."""
    script = "".join(_EACH % shlex.quote(command) for command in commands)
    ran = vm("sh", "-c", script, options=options, timeout=timeout)
    found = re.findall(r"((?:.*\n)*?.*)\n@@ err\n((?:.*\n)*?.*)\n@@ (\d+)\n",
                       ran.out)
    each = [Ran([command], int(status), out, err)
            for command, (out, err, status) in zip(commands, found)]
    return each + [Ran([command], None, "", "it did not run; " + ran.err)
                   for command in commands[len(each):]]


# For each boot: how it ended, and the result of its kernel log
LOGS = []


def check_logs(tap):
    """One result for all boots of this test."""
    bad = [(ran, result) for ran, result in LOGS if result.outcome != "passed"]
    notes = [note for ran, result in bad[:3]
             for note in (*ran.notes()[:1], *result.notes)]
    if LOGS:
        tap.check("the kernel logs of %d boots are free of warnings"
                  % len(LOGS), not bad, *notes)


class Tap:
    """Numbers the results and prints them; the plan comes at the end."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        print("TAP version 13", flush=True)

    def check(self, name, good, *notes):
        """One result; the notes explain a failure. Returns good."""
        self.count += 1
        if not good:
            self.failed += 1
            for note in notes:
                for line in str(note).splitlines():
                    print("# " + line)
        print("%s %d %s" % ("ok" if good else "not ok", self.count, name),
              flush=True)
        return good

    def equal(self, name, got, expected, *notes):
        """One result: got must be expected."""
        return self.check(name, got == expected, "expected: %r" % (expected,),
                          "got: %r" % (got,), *notes)

    def near(self, name, got, expected, tolerance, *notes):
        """One result: got must be expected within the tolerance."""
        return self.check(name, abs(got - expected) <= tolerance,
                          "expected: %g +- %g" % (expected, tolerance),
                          "got: %g" % got, *notes)

    def ended(self, name, ran, status=0):
        """One result: the command must have ended with this status."""
        return self.check(name, ran.status == status,
                          "expected: status %d" % status,
                          "got: status %s" % ran.status, *ran.notes())

    def says(self, name, text, *words):
        """One result: all words are in the text."""
        missing = [w for w in words if w.lower() not in text.lower()]
        return self.check(name, not missing, "expected: %s" % missing,
                          "got: %s" % (text.strip()[-400:] or "nothing"))

    def each(self, what, things, *notes):
        """The things as a list, to check each of them. One failure if there are none."""
        things = list(things)
        if not things:
            self.check("%s: there are some" % what, False, *notes)
        return things

    def skip(self, name, reason):
        """One result that is not possible here."""
        self.count += 1
        print("ok %d %s # SKIP %s" % (self.count, name, reason), flush=True)

    def finish(self):
        """Print the plan, and return the exit status."""
        print("1..%d" % self.count, flush=True)
        return 1 if self.failed else 0


# For scripts in the guest: runs a program, and marks its output for relay()
RUN_TEST = """
run_test() {
    echo "@@ begin ${1##*/}"
    "$@"
    echo "@@ end ${1##*/} $?"
}
"""


def relay(tap, prefix, text, *names):
    """Add the results of the programs that run_test has run to this test. A program
    without results has failed; a case that it has skipped is skipped here."""
    said = {name: (out, status) for name, out, status in guest.split(text)}
    for name in names:
        out, status = said.get(name, ("", None))
        relay_results(tap, "%s %s" % (prefix, name), taps.parse(out, status))


def relay_results(tap, prefix, results):
    """Add results to this test."""
    for result in results:
        name = "%s: %s" % (prefix, result.name)
        if result.outcome == taps.SKIP:
            tap.skip(name, "; ".join(result.notes))
        else:
            tap.check(name, result.outcome == taps.PASS, *result.notes)


def main(test):
    """Run test(tap) as a program. An exception is a failure of its own."""
    os.chdir(ROOT)
    tap = Tap()
    try:
        test(tap)
        check_logs(tap)
    except Exception:  # pylint: disable=broad-except
        tap.check("the test runs to its end", False, traceback.format_exc())
    sys.exit(tap.finish())
