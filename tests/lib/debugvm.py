# SPDX-License-Identifier: GPL-2.0-only
"""The debug kernel: how to boot it, and what must hold when a test ends."""

import re

import accept

BUILT = accept.ROOT / "build" / "guest"
PROGRAMS = "/usr/libexec/r10kperf/debug"
MODULES = "/tmp/modules"

# The debug kernel boots more slowly than the main one, because of its timers and
# threads. Time is bound to instructions, so sleeps of the guest cost nothing: kmemleak
# reports only objects that are five seconds old. slub_debug keeps the kernel's default
# checks but does not record who allocated and freed an object: following the stack
# costs up to a fifth of all time.
TIMEOUT = 1200
BOOT = ("--boot-timeout", "600")

# The variant of each machine's kernel, and options of r10kvm. With slub_debug, Linux warns
# of a duplicate file of a PCI device when an Octane with two CPUs boots.
MACHINES = {
    "malta": ("debug", ("--append", "slub_debug=FZP")),
    "octane": ("octane-debug", ("--machine", "octane", "--cpus", "2")),
}

# Functions for each script. leaks prints the result of a scan, and NO_LEAKS last. slab
# prints the objects in use. It shrinks the caches first, as a slab that a CPU holds for
# itself counts as full, and waits: the kernel frees objects of closed files within five
# seconds (KFREE_DRAIN_JIFFIES).
PRELUDE = """
mkdir -p /sys/kernel/debug
mount -t debugfs none /sys/kernel/debug 2>/dev/null
driver() { insmod %(modules)s/mips_r10k_pmu.ko; }
leaks() {
    echo scan >/sys/kernel/debug/kmemleak && sleep 6 &&
    echo scan >/sys/kernel/debug/kmemleak &&
    cat /sys/kernel/debug/kmemleak && echo scanned
}
slab() {
    for cache in /sys/kernel/slab/*/shrink; do echo 1 >$cache; done
    sleep 7
    cat /proc/slabinfo
}
locks() { grep debug_locks /proc/lockdep_stats; }
part() { echo "@@ $1"; }
""" % {"modules": MODULES}


def vm(script, *options, timeout=TIMEOUT, cpu="R10000", machine="malta"):
    """Run a shell script on the machine's debug kernel, with its modules."""
    variant, boot = MACHINES[machine]
    return accept.vm(
        "sh", "-c", PRELUDE + accept.RUN_TEST + script, timeout=timeout,
        options=(*BOOT, *boot, "--cpu", cpu,
                 "--kernel", BUILT / ("vmlinux-" + variant), "--push",
                 "%s:%s" % ((BUILT / ("modules-" + variant)).resolve(), MODULES),
                 *options))


def parts(text):
    """{name: text} of an output with marks of "part NAME"."""
    split = re.split(r"^@@ (\S+)\r?\n", text, flags=re.MULTILINE)
    return dict(zip(split[1::2], split[2::2]))


NO_LEAKS = "scanned"


def check_clean(tap, what, part):
    """Check the parts "leaks" and "locks", which functions of the prelude print."""
    tap.equal("%s: kmemleak finds nothing" % what,
              part.get("leaks", "no scan").strip(), NO_LEAKS)
    tap.equal("%s: lockdep was on until the end" % what,
              part.get("locks", "").split(), ["debug_locks:", "1"])


def notes(text):
    """The comments of a TAP program."""
    return [l.strip() for l in text.splitlines() if l.startswith("#")]


# The debug kernel's own objects: a stock of them, or one for each other object
_BOOKS = ("debug_objects_cache", "kmemleak_object", "kmemleak_scan_area")

# name, active objects
_SLAB = re.compile(r"^(\S+)\s+(\d+)\s+\d+", re.MULTILINE)


def slab(text):
    """{cache: active objects} of /proc/slabinfo."""
    return {name: int(count) for name, count in _SLAB.findall(text)
            if name not in _BOOKS + ("slabinfo",)}


def grown(before, after, limit):
    """{cache: growth} of the caches that have grown by at least limit objects."""
    old, new = slab(before), slab(after)
    return {name: new[name] - old.get(name, 0) for name in new
            if new[name] - old.get(name, 0) >= limit}
