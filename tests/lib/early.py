# SPDX-License-Identifier: GPL-2.0-only
"""Counts from the first instruction of a boot, in all modes.

A dozen instructions, loaded together with the kernel, run first. They set the control
registers and jump to where the machine would have started. The driver must not start,
because it would take the counters: initcall_blacklist=r10k_pmu_init.
"""

import contextlib
import struct
import tempfile

ALL_MODES = 15
USER = 8
INTERRUPT = 16
NO_DRIVER = ("--append", "initcall_blacklist=r10k_pmu_init")

# In unmapped memory after reset, and below the kernel
ADDRESS = 0x80000
RESET_VECTOR = 0xbfc00000
T0 = 8


def _load(register, value):
    """lui and ori."""
    return [0x3c000000 | register << 16 | value >> 16,
            0x34000000 | register << 21 | register << 16 | value & 0xffff]


def control(cpu, event, modes):
    """A control register's value. An R10000 has 16 events for each counter."""
    if event is None:
        return 0
    code = event & 15 if cpu.startswith("R10000") else event
    return code << 5 | modes


def code(controls, then, start=(0, 0)):
    """The instructions that set counters and control registers, and jump."""
    words = []
    for counter, value in enumerate(controls):
        if start[counter]:
            words += _load(T0, start[counter])
            words.append(0x4080c801 | T0 << 16 | counter << 1)   # mtpc
        words += _load(T0, value)
        words.append(0x4080c800 | T0 << 16 | counter << 1)   # mtps
    words += _load(T0, then)
    return words + [T0 << 21 | 8, 0]                          # jr; nop


@contextlib.contextmanager
def counting(cpu, *events, modes=(ALL_MODES, ALL_MODES), then=RESET_VECTOR,
             start=(0, 0)):
    """The emulator's arguments, while the context lasts, to count events[0] on
    counter 0 and events[1] on counter 1, from the values of start."""
    controls = [control(cpu, event, mode)
                for event, mode in zip(events, modes)]
    with tempfile.NamedTemporaryFile(suffix=".bin") as stub:
        words = code(controls, then, start)
        stub.write(struct.pack(">%dI" % len(words), *words))
        stub.flush()
        yield ["-device", "loader,file=%s,addr=%#x,force-raw=on,cpu-num=0"
               % (stub.name, ADDRESS)]
