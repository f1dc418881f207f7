# SPDX-License-Identifier: GPL-2.0-only
"""Counts the instructions of the guest between marks (guest/marks.h), by
function of the kernel, with the plugin where.c.

Time is bound to instructions, so that each run gives the same, to the last
digit.
"""

import collections
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GUEST = Path(os.environ.get("R10KVM_GUEST", ROOT / "build" / "guest"))
BUILD = Path(os.environ.get("TEST_DIR", ROOT / "build" / "bench"))
R10KVM = ROOT / "tools" / "r10kvm" / "r10kvm"
HERE = ROOT / "tests" / "bench"
QUICK = 100     # so many times less is done


def compile_guest(program, *more):
    """guest/PROGRAM.c, with further sources and flags."""
    BUILD.mkdir(parents=True, exist_ok=True)
    subprocess.run([GUEST / "cc", "-O2", "-std=gnu11", "-D_GNU_SOURCE", "-Wall",
                    "-static", "-o", BUILD / program,
                    HERE / "guest" / (program + ".c"), *more], check=True)


def build(program, *more):
    """The plugin, and a program for it."""
    compile_guest(program, *more)
    flags = subprocess.run(["pkg-config", "--cflags", "glib-2.0"], text=True,
                           stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-I",
                    GUEST / "plugins", *shlex.split(flags), "-o",
                    BUILD / "where.so", HERE / "where.c"], check=True)
    with open(BUILD / (program + ".map"), "w", encoding="ascii") as symbols:
        subprocess.run(["nm", "-n", BUILD / program], stdout=symbols,
                       check=True)


def _boot(kernel, cpu, program, script, log):
    """Run the script once; what the guest has printed."""
    symbols = kernel.resolve().parent / "System.map"
    plugin = ["-plugin", "%s,symbols=%s,program=%s" %
              (BUILD / "where.so", symbols, BUILD / (program + ".map")),
              "-d", "plugin", "-D", str(log)]
    argv = [R10KVM, "--cpu", cpu, "-n", "--icount", "0", "--append", "nowait",
            "--kernel", kernel, "--push",
            "%s:/tmp/%s" % (BUILD / program, program),
            *("--qemu-arg=" + a for a in plugin), "--timeout", "600", "--",
            "sh", "-c", " && ".join(["cd /tmp", *script])]
    return subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)


def _parse(log):
    """{window: {function: instructions}}; static ones of one name together."""
    counts = collections.defaultdict(collections.Counter)
    for number, name, count in re.findall(r"^where (\d+) (\S+) (\d+)$",
                                          log.read_text(), re.MULTILINE):
        counts[int(number)][re.sub(r"\.(constprop|isra|part|cold)\..*", "",
                                   name)] += int(count)
    return counts


def measure(kernel, cpu, program, windows, setup=()):
    """{window: {function: instructions}}

    windows: [(what, how often)], of which number i is window i + 1. The program
    prints the window and how often the thing has happened.
    """
    script = [*setup, *("./%s %d %s %d" % (program, i, what, often)
                        for i, (what, often) in enumerate(windows, 1))]
    expected = ["%d %d" % (i, often)
                for i, (_, often) in enumerate(windows, 1)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        done = _boot(kernel, cpu, program, script, log)
        if done.returncode or done.stdout.split("\n")[:-1] != expected:
            sys.exit("%s: the guest ended with status %d and said\n%s\ninstead "
                     "of\n%s" % (program, done.returncode, done.stdout,
                                 "\n".join(expected)))
        return _parse(log)


def less(first, second):
    """Counters can be negative here, unlike those of their own operator."""
    result = collections.Counter(first)
    result.subtract(second)
    return result


def total(functions):
    """Of {function: instructions}"""
    return sum(functions.values())
