# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated CPU: models and their properties."""
from harness import expect, expect_in, test
from r10kvmlib.cpu import Cpu

# What the emulator gets for --cpu, and the kernel
CPU_ARGUMENTS = {
    "R12000": ("-cpu R12000,wait=on ", "malta_cpu_hz=320000000 "),
    "R10000-v2.6,clock=195000000": (
        "-cpu R10000-v2.6,clock=195000000,wait=on ",
        "malta_cpu_hz=195000000 "),
    "R10000,clock=0": ("-cpu R10000,clock=0,wait=on ",
                       "malta_cpu_hz=320000000 "),
    "R14000,wait=off,l2-size=2M": ("-cpu R14000,wait=off,l2-size=2M ",
                                   "malta_cpu_hz=320000000 nowait "),
    "20Kc": ("-cpu 20Kc ", "malta_cpu_hz=320000000 "),
}


@test
def cpu_arguments(host):
    """The emulator and the kernel learn what --cpu says"""
    for cpu, parts in CPU_ARGUMENTS.items():
        for part in parts:
            host.check("--cpu", cpu, "true", fake="arguments", status=125,
                       says=part)


@test
def plain_emulator(host):
    """One whose CPUs have no properties gets none"""
    plain = host.folder / "plain"
    plain.write_bytes(b"\x7fELF and so on")
    expect("-cpu", Cpu("R10000").argument(plain), "R10000")
    plain.write_bytes(b"\x7fELF wrong-path-branches and so on")
    expect("-cpu", Cpu("R10000").argument(plain), "R10000,wait=on")


@test
def cpu_properties(guest):
    """Linux sees the level 2 cache and the clock that --cpu asks for"""
    said = guest.check("--cpu", "R12000,l2-size=4M,clock=100000000", "-n",
                       "--timeout", "60", "dmesg").decode()
    expect_in("Unified secondary cache 4096kB 2-way, linesize 128", said)
    expect_in("CPU frequency 100.00 MHz", said)


@test
def faithful_idle(guest):
    """With wait=off an idle kernel does without WAIT"""
    out = guest.check("--cpu", "R10000,wait=off", "-n", "--check-log",
                      "grep", "^wait", "/proc/cpuinfo")
    expect_in(b"no", out)


@test
def bad_property(guest):
    """A property's value that is none: the emulator's own words"""
    guest.check("--cpu", "R10000,l2-size=3M", "true", status=125,
                says="must be 512K, 1M, 2M")


@test
def unknown_cpu(guest):
    """A CPU that is none: the emulator's own words"""
    guest.check("--cpu", "R99999", "true", status=125, says="R99999")
