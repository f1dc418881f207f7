# SPDX-License-Identifier: GPL-2.0-only
"""perf's own tests with our driver and without, side by side: the same kernel,
which in the second boot leaves out the driver's start. Nothing may fail, or be
skipped, that does not without the driver.

Time is bound to instructions (ICOUNT), as some tests ask a thousand times for what
needs its time, and fail by themselves otherwise.
"""

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import accept
import debian
import early
import guest

ICOUNT = ("--icount", "3")
OK, SKIP, FAILED, NO_END = "Ok", "Skip", "FAILED!", "no end"
LINE = re.compile(r"^ *(\d+(?:[.:]\d+)?): (.*?) *: ?(%s)" %
                  "|".join((OK, SKIP, FAILED, NO_END)), re.MULTILINE)
# What is printed before the tests: is there a PMU?
HEAD = "ls -d /sys/bus/event_source/devices/cpu\n"


def results(ran):
    """{(number, name): outcome} of each test."""
    return {(m[1].replace(":", "."), m[2]): m[3]
            for m in LINE.finditer(ran.out)}


def _check_ran(tap, ran, what, driver, many):
    """The boot was what it should be, and all tests have run."""
    tap.check("perf test %s the driver runs to its end" % what,
              ran.status == 0 and re.search(r"^status \d$", ran.out, re.M),
              *ran.notes())
    tap.equal("%s the driver: is there a PMU?" % what,
              ran.out.startswith("/sys/bus"), driver, *ran.notes())
    tap.check("%s the driver: there are all tests" % what,
              len(results(ran)) >= many, "expected: %d" % many,
              "got: %d" % len(results(ran)))


def _compare(tap, test, ours, theirs, alone):
    """One test: good if it is Ok, or no worse than without the driver."""
    tap.check("perf test %s %s: %s, without the driver %s"
              % (*test, ours, theirs),
              ours in (OK, theirs) or (ours, theirs) == (SKIP, FAILED),
              "run: %s -- perf test -v %s" % (alone, test[0].split(".")[0]))


def _table(with_it, without):
    """What differs or does not work, for the documentation."""
    width = max(len(name) for _, name in with_it)
    for test, ours in with_it.items():
        theirs = without.get(test, "missing")
        if ours != theirs or ours in (FAILED, NO_END):
            print("# %-5s %-*s  %-7s  %s" % (test[0], width, test[1], ours,
                                             theirs))
    for what, found in (("with", with_it), ("without", without)):
        outcomes = list(found.values())
        print("# %s the driver: " % what + ", ".join(
            "%d %s" % (outcomes.count(o), o)
            for o in (OK, SKIP, FAILED, NO_END)))


def check(tap, boot, many, alone):
    """Both boots at once, by boot(more options of r10kvm), then test by test.
    There are at least so many, and alone is how to run one by hand."""
    with ThreadPoolExecutor(2) as pool:
        ours, theirs = pool.map(boot, [(), early.NO_DRIVER])
    _check_ran(tap, ours, "with", True, many)
    _check_ran(tap, theirs, "without", False, many)
    with_it, without = results(ours), results(theirs)
    tap.equal("perf test has the same tests with and without the driver",
              sorted(with_it), sorted(without))
    for test in with_it:
        _compare(tap, test, with_it[test], without.get(test, "missing"), alone)
    _table(with_it, without)


# Debian's perf 6.1. Its scripts run one by one, as one that does not come to its
# end must not hide the rest. The first of them is FIRST_SCRIPT.
#
# EXIT counts each cycle with a period of one: it sets a frequency without saying
# that it is one, which later versions do not. It gives up after a thousand
# wake-ups, with or without an end of its program, unless the kernel takes no more
# than RATE samples a second.
EXIT, RATE = "Number of exit events of a simple workload", 5000
FIRST_SCRIPT = "build id cache operations"
SECONDS = 300
DEBIAN = HEAD + r"""
cd /tmp
perf test list 2>&1 | sed -n 's/^ *\([0-9]*\): /\1 /p' >list
one() { timeout -k 9 %(seconds)d perf test $1 2>&1 </dev/null || echo "no end"; }
perf test $(awk '/ %(first)s/ { exit } !/ %(exit)s/ { print $1 }' list) \
	2>&1 </dev/null
read normal </proc/sys/kernel/perf_event_max_sample_rate
echo %(rate)d >/proc/sys/kernel/perf_event_max_sample_rate
one "$(awk '/ %(exit)s/ { print $1 }' list)"
echo $normal >/proc/sys/kernel/perf_event_max_sample_rate
for n in $(sed '1,/ %(first)s/d' list | grep -E '%(scripts)s' | cut -d ' ' -f 1); do
	one $n
done
echo status 0
"""
# Those that count or sample with the PMU, or all
SCRIPTS, ALL_SCRIPTS = " (perf (record|stat|all) |Zstd)", "."
# How many tests there are, with the parts of those that have parts
MANY, MANY_ALL = 108, 124
# What they bring about in stock code, with the driver and without: MIPS does not
# give all registers that perf asks for, and "Object code reading" crashes.
STOCK = re.compile(r"WARNING: .* at arch/mips/kernel/perf_regs\.c|Call Trace:|"
                   r"do_page_fault\(\): sending SIGSEGV to perf ")


def _debian(script, options):
    """(a boot, the lines of its kernel log that tell of trouble)"""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        ran = accept.run([accept.R10KVM, *debian.OPTIONS, *debian.MORE_OPTIONS,
                          "-n", *ICOUNT, *options, "--timeout", 2400, "--log",
                          log, "--", "bash", "-c", script], 2500)
        notes = guest.check_log(log)[0].notes if not log.exists() else \
            guest.logcheck.bad_lines(log.read_text(errors="replace"))
    return ran, [line for line in notes if not STOCK.search(line)]


def check_debian(tap, scripts, many):
    """Debian's perf, and of its scripts those of a regular expression. One of them
    calls bc, which is no part of the basic image."""
    script = DEBIAN % {"seconds": SECONDS, "first": FIRST_SCRIPT, "exit": EXIT,
                       "rate": RATE, "scripts": scripts}
    trouble = []

    def boot(options):
        ran, lines = _debian(script, options)
        trouble.extend(lines)
        return ran

    if debian.need_disk(tap, *debian.MORE):
        check(tap, boot, many, "r10kvm -n %s" % " ".join(
            (*debian.OPTIONS, *debian.MORE_OPTIONS, *ICOUNT)))
        tap.equal("the kernel logs have no warnings but stock ones", trouble, [])
