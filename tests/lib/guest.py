# SPDX-License-Identifier: GPL-2.0-only
"""The guest tests: all of them in one boot per CPU model."""

import re
import shlex

import command
import tap
from command import ROOT

CPUS = ("R10000", "R12000")
R10KVM = ROOT / "tools" / "r10kvm" / "r10kvm"
TESTS = "/usr/libexec/r10kperf/tests"
TIMEOUT = 600

# What must not be in the kernel log of any run
_BAD_LOG = re.compile(
    r"WARNING|BUG\b|Oops|panic|Call Trace|stack trace|Unhandled|"
    r"INFO: (task|rcu)|rcu.*stall|possible circular|unexpected|"
    r"Unable to handle|do_page_fault|sysfs: cannot create", re.IGNORECASE)
# ... and what is there for a good reason
_FINE_LOG = re.compile(r"panic=|Command line:|Kernel command line:")

_LOOP = """
cd {tests} || exit 125
for t in {names}; do
    echo "@@ begin ${{t##*/}}"
    {tests}/${{t##*/}}
    echo "@@ end ${{t##*/}} $?"
done
"""
_MARK = re.compile(r"^@@ (begin|end) (\S+)(?: (\d+))?\r?$")


def check_log(path):
    """Results of looking at a kernel log."""
    name = "kernel log is free of warnings"
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError as error:
        return [tap.Result(name, tap.FAIL, [str(error)])]
    if not any("Linux version" in line for line in lines):
        return [tap.Result(name, tap.FAIL,
                           ["no kernel messages in %s" % path])]
    bad = [line for line in lines
           if _BAD_LOG.search(line) and not _FINE_LOG.search(line)]
    outcome = tap.FAIL if bad else tap.PASS
    return [tap.Result(name, outcome, bad[:5])]


def _split(output):
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


def _boot(cpu, names, report, options):
    log = command.log_file("guest-%s-kernel" % cpu)
    log.unlink(missing_ok=True)
    script = _LOOP.format(tests=TESTS, names=" ".join(
        shlex.quote(n) for n in names) if names else "%s/*" % TESTS)
    argv = [R10KVM, "--cpu", cpu, "--timeout", str(TIMEOUT), "--log", log,
            *shlex.split(options.r10kvm_options), "--", "sh", "-c", script]
    output, status = command.run(argv, "guest-%s" % cpu, TIMEOUT + 30)
    where, ran = "guest %s" % cpu, set()
    for name, text, ended in _split(output):
        ran.add(name)
        report.add("%s %s" % (where, name), tap.parse(text, ended),
                   "tests/run --cpu %s guest:%s" % (cpu, name))
    alone = "tests/run --cpu %s guest" % cpu
    if status != 0 or not ran:
        report.fail(where, "the boot", ["r10kvm ended with status %s" % status,
                                        *output.splitlines()[-3:]], alone)
    for name in sorted(set(names) - ran):
        report.fail(where, name, ["it did not run"], alone)
    report.add(where, check_log(log), alone)


def run(items, report, options):
    """The suite "guest": items are names of test programs, none means all."""
    for needed in (R10KVM, ROOT / "build" / "guest" / "vmlinux"):
        if not needed.exists():
            report.fail("guest", "set-up",
                        ["%s is missing: run make guest" % needed],
                        "make guest")
            return
    for cpu in options.cpu or CPUS:
        _boot(cpu, items, report, options)
