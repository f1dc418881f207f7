# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated machines, as r10kvm sees them: what differs is in one table."""
from collections import namedtuple

from r10kvmlib.errors import UsageError

# kernel      its name in the guest's directory, without the suffix of a byte order
# little      there is a little-endian one too
# cpus        CPUs that it can have
# memory      MiB that it can have: the least and the most
# reserve     MiB that the kernel needs for itself
# hz          its CPU clock, where --cpu says no other
# arguments   for the kernel; {hz} is the CPU clock
# virtio      properties of each of r10kvm's devices
Board = namedtuple("Board", "kernel little cpus memory reserve hz arguments virtio")

BOARDS = {
    # Given the clock, the kernel does not measure it, which takes two seconds.
    "malta": Board(
        kernel="vmlinux", little=True, cpus=1, memory=(32, 2048), reserve=24,
        hz=320000000, arguments="console=ttyS0 malta_cpu_hz={hz}", virtio=""),
    # The CPUs see each access of a device to memory. r10kvm's own devices are no part of
    # the machine: what they do, and when this machine has them do it, is not counted.
    "octane": Board(
        kernel="vmlinux-octane", little=False, cpus=2, memory=(128, 2048), reserve=40,
        hz=250000000, arguments="console=ttyS0,9600", virtio=",iommu_platform=off"),
}
DEFAULT = "malta"


def with_cpus(cpus):
    """The names of the machines that can have so many CPUs."""
    return [name for name, board in BOARDS.items() if board.cpus >= cpus]


def apply(options):
    """Take the machine's table row, and refuse what the machine cannot have."""
    name = options.machine
    options.board = board = BOARDS[name]
    low, high = board.memory
    if options.cpu.guest and not board.little:
        raise UsageError(f"--machine {name} is big-endian: --cpu with "
                         f"{options.cpu.guest}, and --userland debian, need "
                         f"--machine {DEFAULT}")
    if options.cpus > board.cpus:
        raise UsageError(f"--cpus {options.cpus} needs --machine "
                         f"{' or '.join(with_cpus(options.cpus))}")
    if not low <= options.memory <= high:
        raise UsageError(f"--machine {name} has {low} to {high} MiB of memory, not "
                         f"--memory {options.memory}")
