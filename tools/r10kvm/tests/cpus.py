# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated CPU: models and their properties."""
from harness import ELF_LITTLE, expect, expect_in, test
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
                                   "malta_cpu_hz=320000000 -serial "),
    "20Kc": ("-cpu 20Kc ", "malta_cpu_hz=320000000 emulated_wait "),
}

# And which kernel, for which the files are named
LITTLE_ARGUMENTS = {
    "R10000-el": "-cpu R10000,wait=on ",
    "R10000-v2.6-el,mips64r2=on": "-cpu R10000-v2.6,mips64r2=on,wait=on ",
}


@test
def cpu_arguments(host):
    """The emulator and the kernel learn what --cpu says"""
    for cpu, parts in CPU_ARGUMENTS.items():
        for part in parts:
            host.check("--cpu", cpu, "true", fake="arguments", status=125,
                       says=part)


@test
def little_endian(host):
    """MODEL-el takes the other kernel and initramfs, and is the same model"""
    (host.guest / "vmlinux-el").write_bytes(ELF_LITTLE)
    (host.guest / "initramfs-el.cpio").write_bytes(b"")
    for cpu, argument in LITTLE_ARGUMENTS.items():
        for part in (argument, f"-kernel {host.guest}/vmlinux-el ",
                     f"-initrd {host.guest}/initramfs-el.cpio "):
            host.check("--cpu", cpu, "true", fake="arguments", status=125,
                       says=part)
    host.check("--kernel", str(host.guest / "vmlinux-el"), "true",
               fake="arguments", status=125, says="initramfs-el.cpio ")


@test
def emulator_of_order(host):
    """The emulator is that of the kernel's byte order"""
    (host.guest / "vmlinux-el").write_bytes(ELF_LITTLE)
    (host.guest / "initramfs-el.cpio").write_bytes(b"")
    host.options = []
    for cpu, name in (("R10000", "mips64"), ("R10000-el", "mips64el")):
        host.check("--cpu", cpu, "true", status=125,
                   says=f"no emulator: {host.guest}/qemu-system-{name} does not")


@test
def little_mistakes(host):
    """-el without its guest, or with a big-endian kernel, says what to do"""
    host.check("--cpu", "R10000-el", "true", status=125,
               says="vmlinux-el does not exist. Run 'make guest-el'")
    (host.guest / "vmlinux-el").write_bytes(ELF_LITTLE)
    host.check("--cpu", "R10000-el", "true", status=125,
               says="initramfs-el.cpio does not exist. Run 'make guest-el'")
    host.check("--cpu", "R10000-el", "--kernel", str(host.guest / "vmlinux"),
               "true", status=125, says="vmlinux is big-endian: --cpu without")


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
def little_guest(little):
    """A little-endian machine: a file there and back, the CPU, the order"""
    (little.folder / "in").write_bytes(b"\1\0\0\0")
    out = little.check(
        "--cpu", "R10000-el", "-n", "--check-log",
        "--push", f"{little.folder}/in:/tmp/a",
        "--pull", f"/proc/cpuinfo:{little.folder}/cpu", "--", "sh", "-c",
        "uname -m; hexdump -e '\"%d \"' /tmp/a; hexdump -s 5 -n 1 -e '\"%d\"'"
        " /proc/self/exe")
    expect("machine, word, the order of a program", out, b"mips64\n1 1")
    expect_in("R10000", (little.folder / "cpu").read_text())


@test
def little_release_2(little):
    """Its CPU can have the instructions of MIPS64 release 2"""
    said = little.check("--cpu", "R10000-el,mips64r2=on", "-n", "--check-log",
                        "grep", "^cpu model", "/proc/cpuinfo")
    expect_in(b"R10000", said)


@test
def bad_property(guest):
    """A property's value that is none: the emulator's own words"""
    guest.check("--cpu", "R10000,l2-size=3M", "true", status=125,
                says="must be 512K, 1M, 2M")


@test
def unknown_cpu(guest):
    """A CPU that is none: the emulator's own words"""
    guest.check("--cpu", "R99999", "true", status=125, says="R99999")
