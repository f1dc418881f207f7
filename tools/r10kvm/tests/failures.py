# SPDX-License-Identifier: GPL-2.0-or-later
"""Bad use, guests that fail, and what two files must agree on."""
import re

from harness import TOOL, expect, expect_in, test
from r10kvmlib import logcheck, protocol

BAD_OPTIONS = {
    "--memory banana true": "'banana' is not a number from 32 to 2048",
    "--memory 7 true": "'7' is not a number",
    "--icount 11 true": "'11' is not a number from 0 to 10",
    "--seed 1 true": "--seed needs --icount",
    "--seed -1 true": "'-1' is not a number from 0 to 4294967295",
    "--timeout -1 true": "is not a number",
    "--timeout nan true": "'nan' is not a number",
    "--env x true": "'x' is not NAME=VALUE",
    "--env =x true": "'=x' is not NAME=VALUE",
    "--no-such-option true": "--no-such-option",
    "--mem 64 true": "--mem",
    "--cpu": "--cpu: expected one argument",
    "--cpu ,clock=1 true": "names no model; choose one of R10000, R10000-v2.6",
    "--cpu -el true": "expected one argument",
    "--cpu=-el true": "names no model; choose one of R10000, R10000-v2.6",
    "--cpu R10000,wait true": "'wait' in 'R10000,wait' is not PROPERTY=VALUE",
    "--cpu R10000,clock= true": "is not PROPERTY=VALUE",
    "--": "no command",
    "-t true": "stdin is not a terminal",
    "-t -n true": "exclude each other",
    "--push x true": "it must be HOST:GUEST",
    "--push :x true": "it must be HOST:GUEST",
    "--pull x true": "it must be GUEST:HOST",
    "--pull-max 0 true": "'0' is not a number from 1 to 1048576",
    "--push /nosuch:/x true": "cannot use /nosuch: No such file",
    "--pull /x:/nosuch/x true": "the directory /nosuch does not exist",
    "--kernel /nosuch true": "no guest kernel: /nosuch does not exist. "
                             "Run 'make guest'",
    "--kernel /dev/null true": "is not an ELF file",
    "--initrd /nosuch true": "no guest initramfs: /nosuch",
    "--qemu /nosuch true": "no emulator: /nosuch",
    "--qemu /dev/null true": "cannot start the emulator",
    "--log /nosuch/log true": "cannot write the log /nosuch/log",
}


@test
def bad_options(host):
    """Each wrong use is status 125 and a message that says what is wrong"""
    for line, message in BAD_OPTIONS.items():
        status, out, err = host.run(*line.split())
        expect(f"{line}: status, output", (status, out), (125, b""))
        expect_in("r10kvm: ", err)
        expect_in(message, err)


@test
def usage(host):
    """--help names every option, --version the version"""
    text = host.check("--help").decode()
    for option in ("cpu", "memory", "append", "icount", "push", "pull", "env",
                   "timeout", "log", "check-log", "kernel", "initrd", "qemu"):
        expect_in("--" + option, text)
    expect("long lines", [x for x in text.splitlines() if len(x) > 80], [])
    expect_in("r10kvm (r10kperf)", host.check("--version").decode())


@test
def no_guest(host):
    """Without a guest the message says how to make one"""
    host.env["R10KVM_GUEST"] = str(host.folder / "none")
    host.check("true", status=125, says="Run 'make guest'")


@test
def panic(host):
    """A panic: 125, its name, and the log's last lines"""
    host.check("true", fake="panic", status=125,
               says="the kernel panicked")
    host.check("true", fake="panic", status=125,
               says="| [    0.500000] Kernel panic - not syncing: fake")


@test
def refused(host):
    """What the emulator refuses is shown in its words"""
    host.check("--cpu", "R11000", "true", fake="refuse", status=125,
               says="unable to find CPU model 'R11000'")


@test
def no_boot(host):
    """A guest that does not come up is given up"""
    host.check("--boot-timeout", "0.5", "true", fake="hang", status=125,
               says="the guest has not started within 0.5 s")


@test
def other_agent(host):
    """An agent of another version is told apart from a broken guest"""
    host.check("true", fake="old", status=125,
               says="speaks version 1 of the protocol, not 2: run 'make guest'")
    host.check("true", fake="strange", status=125,
               says="breaks the protocol")


@test
def hostile_agent(host):
    """A guest that says too much is ended, and our memory is not its own"""
    for fake, says in (("long", "a frame of 4294967295 bytes"),
                       ("greedy", "more than 262144 bytes at once"),
                       ("generous", "4294967295 bytes acknowledged that were never sent")):
        host.check("true", fake=fake, status=125, says=says, data=b"x")


@test
def log_file(host):
    """--log keeps the kernel's messages; none of them is in the output"""
    log = host.folder / "log"
    status, out, err = host.run("--log", str(log), "true")
    expect("all", (status, out, err), (0, b"", ""))
    expect_in("Linux version fake", log.read_text())


@test
def checked_log(host):
    """--check-log fails on a warning, and only then"""
    host.check("--check-log", "--", "sh", "-c", "exit 3", status=3)
    host.check("--check-log", "true", fake="oops", status=125,
               says="WARNING: CPU: 0 PID: 1 at fake.c:1")
    host.check("true", fake="oops")


BAD_LOG = """
[1.0] WARNING: CPU: 0 PID: 1 at kernel/x.c:1 f+0x1/0x2
[1.0] BUG: spinlock bad magic on CPU#0
[1.0] kernel BUG at mm/slub.c:1!
[1.0] Oops[#1]:
[1.0] Call Trace:
[1.0] Unhandled kernel unaligned access
[1.0] watchdog: BUG: soft lockup - CPU#0 stuck for 22s!
[1.0] CPU 0 Unable to handle kernel paging request at virtual address
[1.0] INFO: task x:1 blocked for more than 120 seconds.
[1.0] rcu: INFO: rcu_sched self-detected stall on CPU
[1.0] irq 7: nobody cared (try booting with the "irqpoll" option)
[1.0] Warning: unable to open an initial console.
""".strip().splitlines()
GOOD_LOG = """
[0.0] Kernel command line: console=ttyS0 panic=-1 unhandled
[0.0] debug: rooppsala
[0.1] mips_r10k_pmu: R10000 revision 3.4, 2 counters
[0.2] Linux version 6.12 (debugger) #1
""".strip().splitlines()


@test
def log_patterns(_):
    """Lines that tell of trouble are found, others are not"""
    for line in BAD_LOG:
        expect(line, logcheck.bad_lines(line), [line])
    for line in GOOD_LOG:
        expect(line, logcheck.bad_lines(line), [])
    octane = ["[0.0] ARCH: SGI-IP30", "[1.0] BUG: x",
              "[1.0] Warning: unable to open an initial console."]
    expect("an Octane", logcheck.bad_lines("\n".join(octane)), octane[1:2])


@test
def same_protocol(_):
    """protocol.h and protocol.py hold the same numbers"""
    header = (TOOL / "guest" / "protocol.h").read_text(encoding="ascii")
    found = dict(re.findall(r"^#define\s+([A-Z_]+)\s+(\S+)", header, re.M))
    found.pop("SCRIPT_PATH")
    expect("defines found", len(found) > 15, True)
    for name, value in found.items():
        wanted = getattr(protocol, name)
        expect(name, value, f'"{wanted}"' if isinstance(wanted, str)
               else str(wanted))
