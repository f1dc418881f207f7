# SPDX-License-Identifier: GPL-2.0-only
"""Load and unload pmc.ko on a debug kernel while programs run."""

TEST = "/usr/libexec/r10kperf/tests/conformance/pmc9"
RUN = "run_test %s\n" % TEST


# Unloading takes what is open with it: the counters of processes that have ended, and
# of some that have not
def script(cycles):
    """So many times. The driver is loaded before."""
    return """
part reload
( while :; do wl-int 1 >/dev/null 2>&1; done ) & load=$!
times=0
for i in $(seq %d); do
    insmod /tmp/modules/pmc.ko && insmod /tmp/modules/pmc9_test.ko || echo "load $i: $?"
    %s stay & stays=$!
    %s leave || echo "count $i: $?"
    sleep 0.2
    rmmod pmc9_test && rmmod pmc || echo "unload $i: $?"
    kill $stays; wait $stays 2>/dev/null
    times=$((times + 1))
done
kill $load; wait $load 2>/dev/null
[ -e /sys/module/pmc ] && echo still there
part reloaded; echo $times
""" % (cycles, TEST, TEST)


def check(tap, what, ran, part, cycles):
    """What script() has printed."""
    tap.equal("%s: pmc.ko: %d times loaded and unloaded under load without a word" %
              (what, cycles), (part.get("reload"), part.get("reloaded", "").splitlines()[:1]),
              ("", [str(cycles)]), *ran.notes())
