# SPDX-License-Identifier: GPL-2.0-only
"""perf's own tests with our driver and without: the same kernel boots twice, and the
second time the driver does not start. Each test must be Ok in both boots. A table
(TABLE) has the exceptions: how they end in each boot, and why.

Time is bound to instructions. Otherwise some tests fail by themselves: they
try a thousand times for something that takes time.
"""

import csv
import dataclasses
import re
import tempfile
from pathlib import Path

import accept
import debian
import early
import guest

TABLE = accept.ROOT / "tests" / "fixtures" / "perftest.tsv"
OK, SKIP, FAILED, NO_END = "Ok", "Skip", "FAILED!", "no end"
LINE = re.compile(r"^ *(\d+(?:[.:]\d+)?): (.*?) *: ?(%s)" %
                  "|".join((OK, SKIP, FAILED, NO_END)), re.MULTILINE)
# The output before the tests: is there a PMU?
HEAD = "ls -d /sys/bus/event_source/devices/cpu\n"
PMU = "/sys/bus"


@dataclasses.dataclass
class Boot:
    """The output of one boot, and the lines of its kernel log that report trouble."""
    out: str
    status: int
    notes: list
    trouble: list

    def whole(self):
        """True if all of the script ran."""
        return self.status == 0 and bool(re.search(r"^status \d$", self.out, re.M))

    def results(self):
        """{test: (its number, how it ended)}"""
        return {m[2]: (m[1], m[3]) for m in LINE.finditer(self.out)}


@dataclasses.dataclass
class Suite:
    """The tests of one version of perf, and how to run them."""
    name: str           # the first column of the table
    many: int           # minimum number of tests, with the parts of tests
    script: str
    options: tuple = ()         # of r10kvm
    timeout: int = 600
    stock: str = ""     # lines of the kernel log that stock code causes
    shell: str = "sh"

    def expected(self):
        """{test: row} of the tests that are not Ok in both boots."""
        with open(TABLE, encoding="ascii") as file:
            rows = list(csv.DictReader((line for line in file if line[0] != "#"),
                                       delimiter="\t", quoting=csv.QUOTE_NONE))
        return {row["test"]: row for row in rows if row["run"] == self.name}

    def boot(self, *more):
        """One boot that runs them all."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            ran = accept.run([
                accept.R10KVM, *self.options, "-n", *guest.ICOUNT, *more, "--timeout",
                self.timeout, "--log", log, "--", self.shell, "-c", self.script],
                             self.timeout + 100)
            lines = guest.check_log(log)[0].notes if not log.exists() else \
                guest.logcheck.bad_lines(log.read_text(errors="replace"))
        return Boot(ran.out, ran.status, ran.notes(), [
            line for line in lines
            if not (self.stock and re.search(self.stock, line))])

    def check_ran(self, tap, boot, what, driver):
        """Check that the boot had a driver or not, and that all tests have run."""
        tap.check("%s perf test %s the driver runs to its end" % (self.name, what),
                  boot.whole(), *boot.notes)
        tap.equal("%s, %s the driver: is there a PMU?" % (self.name, what),
                  boot.out.startswith(PMU), driver, *boot.notes)
        tap.check("%s, %s the driver: there are all tests" % (self.name, what),
                  len(boot.results()) >= self.many, "expected: %d" % self.many,
                  "got: %d" % len(boot.results()))
        tap.equal("%s, %s the driver: the kernel log has no warnings but stock ones" %
                  (self.name, what), boot.trouble, [])

    def check(self, tap):
        """Check both boots, and then each test."""
        boots = (self.boot(), self.boot(*early.NO_DRIVER))
        for boot, what in zip(boots, ("with", "without")):
            self.check_ran(tap, boot, what, what == "with")
        with_it, without = (boot.results() for boot in boots)
        tap.equal("%s perf test has the same tests with and without the driver" % self.name,
                  sorted(with_it), sorted(without))
        table = self.expected()
        tap.equal("%s: the table has no test that perf has not" % self.name,
                  sorted(set(table) - set(with_it)), [])
        for test, (number, ours) in tap.each("%s perf test" % self.name, with_it.items()):
            row = table.get(test, {"with": OK, "without": OK, "why": "Ok"})
            alone = "run: r10kvm -n %s -- perf test -v %s" % (
                " ".join((*self.options, *guest.ICOUNT)), re.split("[.:]", number)[0])
            tap.equal("%s perf test: %s: %s" % (
                self.name, test, row["why"] if test not in table
                else "%s, without the driver %s: %s" % (
                    row["with"], row["without"], row["why"])),
                      (ours, without.get(test, ("", "missing"))[1]),
                      (row["with"], row["without"]), alone)
        for results, what in ((with_it, "with"), (without, "without")):
            ends = [end for _, end in results.values()]
            print("# %s, %s the driver: " % (self.name, what) + ", ".join(
                "%d %s" % (ends.count(e), e) for e in (OK, SKIP, FAILED, NO_END)))


# The guest's perf, which has the version of its kernel
GUEST = Suite("guest", 85, HEAD + "perf test 2>&1; echo status $?")

# Debian's perf 6.1. Its scripts run one by one, so that a script that hangs does not
# hide the others. The first of them is FIRST_SCRIPT.
#
# EXIT samples each cycle: it sets a frequency but not the flag for one, so the kernel
# takes it for a period of one. (Later versions are right.) If the kernel does not limit
# the samples to RATE a second, the record of the exit does not fit into the buffer. EXIT
# also gives up after a thousand polls, and they all return at once after the program has
# closed its events and before the kernel tells its parent that it has ended. So the
# parent must not preempt the program there: both run with one real-time priority.
EXIT, RATE = "Number of exit events of a simple workload", 5000
FIRST_SCRIPT = "build id cache operations"
SECONDS = 300
SCRIPT = HEAD + r"""
cd /tmp
perf test list 2>&1 | sed -n 's/^ *\([0-9]*\): /\1 /p' >list
one() { timeout -k 9 %(seconds)d $2 perf test $1 2>&1 </dev/null || echo "no end"; }
perf test $(awk '/ %(first)s/ { exit } !/ %(exit)s/ { print $1 }' list) 2>&1 </dev/null
read normal </proc/sys/kernel/perf_event_max_sample_rate
echo %(rate)d >/proc/sys/kernel/perf_event_max_sample_rate
one "$(awk '/ %(exit)s/ { print $1 }' list)" "chrt -f 1"
echo $normal >/proc/sys/kernel/perf_event_max_sample_rate
for n in $(sed '1,/ %(first)s/d' list | cut -d ' ' -f 1); do
	one $n
done
echo status 0
""" % {"seconds": SECONDS, "first": FIRST_SCRIPT, "exit": EXIT, "rate": RATE}
# Messages that they cause in stock code, with the driver and without: MIPS does not
# give all registers that perf asks for, and "Object code reading" crashes.
STOCK = (r"WARNING: .* at arch/mips/kernel/perf_regs\.c|Call Trace:|"
         r"do_page_fault\(\): sending SIGSEGV to perf ")
DEBIAN = Suite("debian", 124, SCRIPT, (*debian.OPTIONS, *debian.MORE_OPTIONS), 2400, STOCK,
               "bash")


def check(tap):
    """Both. A script of Debian's calls bc, which is not in the basic image."""
    GUEST.check(tap)
    if debian.need_disk(tap, *debian.MORE):
        DEBIAN.check(tap)
