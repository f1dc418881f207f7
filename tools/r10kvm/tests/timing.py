# SPDX-License-Identifier: GPL-2.0-or-later
"""What it costs to start the guest, and to have it idle."""
import resource

from harness import expect, test

# With --icount 3 an instruction takes 8 ns of the guest's time. The boot took 59
# million when this was written
BOOT_SECONDS = 70e6 * 8e-9


@test
def quick(guest):
    """From reset to the command in 70 million instructions"""
    uptime = guest.check("-n", "--icount", "3", "--", "cat", "/proc/uptime")
    seconds = float(uptime.split()[0])
    expect(f"at most {BOOT_SECONDS:g} s of the guest's time ({seconds} s)",
           seconds <= BOOT_SECONDS, True)


def cpu_seconds():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


@test
def idle(guest):
    """An idle guest costs no CPU time"""
    # Beside other work a boot may cost much more than another
    for _ in range(3):
        spent = []
        for seconds in ("0", "6"):
            before = cpu_seconds()
            guest.check("sleep", seconds)
            spent.append(cpu_seconds() - before)
        if spent[1] - spent[0] < 0.5:
            break
    expect(f"less than 0.5 s for 6 s ({spent})", spent[1] - spent[0] < 0.5,
           True)
