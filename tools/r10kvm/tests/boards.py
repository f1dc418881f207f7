# SPDX-License-Identifier: GPL-2.0-or-later
"""The machines: what each of them gets and cannot have, and the Octane itself."""
import re

from harness import ELF_LITTLE, LONG, ended, expect, expect_in, test

# Options, and parts of the emulator's command line. {0} is the guest's directory
ARGUMENTS = {
    "": ("-M malta ", "-kernel {0}/vmlinux ", "panic=-1 r10kperf.cycles=unmodelled ",
         "console=ttyS0 malta_cpu_hz=320000000 ",
         "virtio-serial-pci,max_ports=2,ioeventfd=off -device"),
    "--machine octane": (
        "-M octane ", "-kernel {0}/vmlinux-octane ", "-initrd {0}/initramfs.cpio ",
        "-m 256 ", "console=ttyS0,9600 emulated_wait ",
        "virtio-serial-pci,max_ports=2,ioeventfd=off,iommu_platform=off -device"),
    "--machine octane --cpus 2": ("-smp 2 -accel tcg,thread=single,rr-slice=1000 ",),
    "--machine octane --icount 3 -n": ("console=ttyS0,9600 emulated_wait -serial ",),
    "--machine octane --append nowait": ("emulated_wait nowait ",),
}

MISTAKES = {
    "--machine indy true": "invalid choice: 'indy' (choose from 'malta', 'octane')",
    "--cpus 3 true": "'3' is not a number from 1 to 2",
    "--cpus 2 true": "--cpus 2 needs --machine octane",
    "--machine octane --memory 64 true": "--machine octane has 128 to 2048 MiB of "
                                         "memory, not --memory 64",
    "--machine octane --cpu R10000-el true": "--machine octane is big-endian",
    "--machine octane --userland debian true": "need --machine malta",
}


@test
def machine_arguments(host):
    """The emulator and the kernel learn what --machine and --cpus say"""
    for options, parts in ARGUMENTS.items():
        for part in parts:
            host.check(*options.split(), "true", fake="arguments", status=125,
                       says=part.format(host.guest))


@test
def machine_mistakes(host):
    """What a machine cannot have is refused with what to do"""
    for line, message in MISTAKES.items():
        host.check(*line.split(), status=125, says=message)


@test
def machine_kernels(host):
    """The Octane's own kernel is missing, or another one is little-endian"""
    (host.guest / "vmlinux-octane").unlink()
    host.check("--machine", "octane", "true", status=125,
               says="vmlinux-octane does not exist. Run 'make guest'")
    little = host.guest / "vmlinux-el"
    little.write_bytes(ELF_LITTLE)
    host.check("--machine", "octane", "--kernel", str(little), "true", status=125,
               says="is little-endian, and --machine octane is big-endian")


@test
def octane(octane):
    """Two CPUs, a boot and an orderly end without a warning"""
    log = octane.folder / "log"
    for cpu in ("R10000", "R12000", "R14000") if LONG else ("R10000",):
        out = octane.check("--cpu", cpu, "--log", str(log), "--check-log", "-n", "--",
                           "grep", "-E", "^(system type|cpu model)", "/proc/cpuinfo")
        expect_in(b"SGI Octane", out)
        expect("CPUs", out.count(cpu.encode()), 2)
        expect_in("mips_r10k_pmu: " + cpu, log.read_text())


@test
def octane_streams(octane):
    """Streams, files in and out, a status, a terminal's device, one CPU"""
    (octane.folder / "in").write_bytes(b"file\n")
    (octane.folder / "stdin").write_bytes(b"stdin\n")
    with open(octane.folder / "stdin", "rb") as file, octane.start(
            "--push", f"{octane.folder}/in:/tmp/in", "--pull",
            f"/tmp/out:{octane.folder}/out", "--", "sh", "-c",
            "cat; cat /tmp/in; nproc >/tmp/out; : </dev/console; echo err >&2; exit 7",
            stdin=file) as process:
        out, err = ended(process)
    expect("all", (process.returncode, out, err), (7, b"stdin\nfile\n", b"err\n"))
    expect("CPUs", (octane.folder / "out").read_bytes(), b"2\n")
    expect("one CPU", octane.check("--cpus", "1", "-n", "nproc"), b"1\n")


@test
def octane_ends(octane):
    """A command that restarts it, and a kernel that panics, are explained"""
    octane.check("-n", "reboot", "-f", status=125, says="the guest restarted itself")
    octane.check("--append", "rdinit=/nosuch", "-n", "true", status=125,
                 says="the kernel panicked")


@test
def octane_counts(octane):
    """perf counts on both CPUs"""
    said = octane.run("-n", "--", "perf", "stat", "-x,", "-a", "-A", "-e",
                      "instructions", "true")[2]
    expect("CPUs", re.findall(r"^(CPU\d),[1-9]\d+,", said, re.M), ["CPU0", "CPU1"])


@test
def octane_memory(octane):
    """128 MiB, and 2 GiB, of which the kernel sees all"""
    for mib in (128, 2048):
        said = octane.check("--memory", str(mib), "-n", "dmesg").decode()
        expect_in(f"Detected {mib}MB of physical memory", said)


@test
def octane_same_again(octane):
    """--icount: two runs with two CPUs are the same to the digit"""
    seen = {octane.check("-n", "--", "cat", "/proc/uptime", "/proc/interrupts",
                         "/proc/stat") for _ in range(2)}
    expect("different runs", len(seen), 1)
