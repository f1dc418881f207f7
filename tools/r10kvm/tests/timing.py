# SPDX-License-Identifier: GPL-2.0-or-later
"""How long the guest takes to start, and what it costs when idle."""
import resource
import time

from harness import expect, test

START_SECONDS = 1.5
TRIES = 5


@test
def quick(guest):
    """From start to the command's output in 1.5 s (best of five)"""
    times = []
    for _ in range(TRIES):
        start = time.monotonic()
        with guest.start("echo", "x") as process:
            process.stdout.readline()
            times.append(time.monotonic() - start)
            process.communicate(timeout=20)
    if min(times) > START_SECONDS:
        raise AssertionError("expected at most %g s, got %s"
                             % (START_SECONDS, times))
    print("# best %.2f s" % min(times))


def cpu_seconds():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


@test
def idle(guest):
    """An idle guest costs no CPU time"""
    spent = []
    for seconds in ("0", "6"):
        before = cpu_seconds()
        guest.check("sleep", seconds)
        spent.append(cpu_seconds() - before)
    expect(f"less than 0.5 s for 6 s ({spent})", spent[1] - spent[0] < 0.5,
           True)
