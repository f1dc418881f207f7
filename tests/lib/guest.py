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

import command
import tap
from command import ROOT

sys.path.insert(0, str(ROOT / "tools" / "r10kvm"))
# pylint: disable=wrong-import-position
from r10kvmlib import logcheck  # noqa: E402

CPUS = ("R10000", "R12000")
LITTLE = "R10000-el"
LITTLE_TESTS = ("exact", "evcntrs", "children")
GUEST = Path(os.environ.get("R10KVM_GUEST", ROOT / "build" / "guest"))
NEEDED = (GUEST / "vmlinux", GUEST / "initramfs.cpio")
LITTLE_NEEDED = (GUEST / "vmlinux-el", GUEST / "initramfs-el.cpio")
R10KVM = ROOT / "tools" / "r10kvm" / "r10kvm"
TESTS = "/usr/libexec/r10kperf/tests"
TIMEOUT = 600

# Folder of the tests and the options for r10kvm that they need. "steady" tests
# want the program to run at an even speed, whatever else this machine does.
BOOTS = {
    TESTS: ("-n",),
    TESTS + "/steady": ("-n", "--icount", "3"),
}

_LOOP = """
cd {folder} || exit 125
for t in {names}; do
    [ -f "$t" ] || continue
    echo "@@ begin $t"
    ./$t
    echo "@@ end $t $?"
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


def _boot(cpu, folder, items, report, options):
    """One boot: what is in the folder and wanted. Returns what has run."""
    name = "guest-%s-%s" % (cpu, Path(folder).name)
    log = command.log_file(name + "-kernel")
    log.unlink(missing_ok=True)
    names = " ".join(map(shlex.quote, items)) if items else "*"
    argv = [R10KVM, "--cpu", cpu, "--timeout", str(TIMEOUT), "--log", log,
            *BOOTS[folder], *shlex.split(options.r10kvm_options),
            "--", "sh", "-c", _LOOP.format(folder=folder, names=names)]
    output, status = command.run(argv, name, TIMEOUT + 30)
    where, ran = "guest %s" % cpu, set()
    for test, text, ended in split(output):
        ran.add(test)
        report.add("%s %s" % (where, test), tap.parse(text, ended),
                   "tests/run --cpu %s guest:%s" % (cpu, test))
    alone = "tests/run --cpu %s guest" % cpu
    if status != 0 or not (ran or items):
        report.fail(where, "the boot", ["r10kvm ended with status %s" % status,
                                        *output.splitlines()[-3:]], alone)
    report.add(where, check_log(log), alone)
    return ran


def every_test():
    """What the Makefiles install: none of it may be missing in the guest."""
    ours = subprocess.run(["make", "-s", "-C", ROOT / "tests" / "guest", "list"],
                          stdout=subprocess.PIPE, text=True, check=True)
    library = (ROOT / "tests" / "unit" / "guest").glob("*.c")
    return {*ours.stdout.split(), *(path.stem for path in library)}


def no_little():
    """The result that says why there is no little-endian guest, if there is none."""
    missing = [path.name for path in LITTLE_NEEDED if not path.exists()]
    if not missing:
        return []
    return [tap.Result("a little-endian guest", tap.SKIP, [
        "build/guest has no %s: run make guest-el" % ", ".join(missing)])]


def _on(cpu, folders, items, report, options):
    """All boots of one CPU model: what is wanted has to have run."""
    ran = set()
    for folder in folders:
        ran |= _boot(cpu, folder, items, report, options)
    for name in sorted((set(items) or every_test()) - ran):
        report.fail("guest %s" % cpu, name, ["it is not in the guest"],
                    "tests/run --cpu %s guest:%s" % (cpu, name))


def run(items, report, options):
    """The suite "guest": items are names of test programs, none means all."""
    for needed in (R10KVM, *NEEDED):
        if not needed.exists():
            report.fail("guest", "set-up",
                        ["%s is missing: run make guest" % needed],
                        "make guest")
            return
    for cpu in options.cpu or CPUS:
        _on(cpu, BOOTS, items, report, options)
    few = [name for name in LITTLE_TESTS if not items or name in items]
    if few and not options.cpu:
        if no_little():
            report.add("guest %s" % LITTLE, no_little(), "make guest-el")
        else:
            _on(LITTLE, [TESTS], few, report, options)
