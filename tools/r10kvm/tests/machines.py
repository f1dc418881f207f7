# SPDX-License-Identifier: GPL-2.0-or-later
"""What only the real guest can show, and what it costs to start it and have it idle."""
import os
import signal
import subprocess
from pathlib import Path

from harness import ended, expect, expect_in, random_bytes, test, wait_until

BIG = 100 * 1000 * 1000

# The guest's time with --icount 3, in which an instruction takes 8 ns
BOOT_SECONDS = 0.56


@test
def clean(guest):
    """A boot and an orderly power-off without a warning; the driver's line"""
    log = guest.folder / "log"
    for cpu in ("R10000", "R12000"):
        guest.check("--cpu", cpu, "--log", str(log), "--check-log", "uname",
                    "-m", out=b"mips64\n")
        line = "".join(l for l in log.read_text().splitlines()
                       if "mips_r10k" in l)
        for word in (cpu, "3.", "counters", "IP7"):
            expect_in(word, line)


@test
def streams(guest):
    """Streams, /dev/fd and those beside it, a signal's status, no command"""
    script = "cat /dev/stdin >/dev/stdout; echo 3rd | cat /dev/fd/0; " \
        "echo err >/dev/stderr; kill -9 $$"
    expect("all", guest.run("--", "sh", "-c", script, data=b"line\n"),
           (137, b"line\n3rd\n", "err\n"))
    guest.check("/no/such/command", status=127, says="/no/such/command")


@test
def timed_out(guest):
    """--timeout: 124, it is said, and no emulator is left"""
    mark = f"mark={guest.folder.name}"
    guest.check("--append", mark, "--timeout", "3", "sleep", "1000", status=124,
                says="timed out after 3 s")
    expect("emulators", emulators(mark), [])


def emulators(mark):
    """Processes whose command line has the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if mark.encode() in line and b"qemu" in line.partition(b"\0")[0]:
            found.append(path.parent.name)
    return found


@test
def warned(guest):
    """--check-log sees what a real kernel says"""
    guest.check("--check-log", "--", "sh", "-c",
                "echo '<4>BUG: not really' >/dev/kmsg", status=125,
                says="BUG: not really")


@test
def big_streams(guest):
    """100 MB in and out"""
    path = guest.folder / "big"
    with open(path, "wb") as file:
        file.write(random_bytes(1 << 20) * 96)
    with open(path, "rb") as file, guest.start("cat", stdin=file) as process:
        out, _ = ended(process)
    expect("same", out == path.read_bytes(), True)


@test
def both_ways(guest):
    """A folder and a file go in, both and a file of /proc come out"""
    (guest.folder / "in" / "sub").mkdir(parents=True)
    (guest.folder / "in" / "sub" / "f").write_text("x")
    megabyte = bytes(range(256)) * 4096
    (guest.folder / "a").write_bytes(megabyte)
    guest.check("--push", f"{guest.folder}/in:/data", "--pull",
                f"/data:{guest.folder}/out", "--push",
                f"{guest.folder}/a:/tmp/a", "--pull",
                f"/tmp/b:{guest.folder}/b", "--pull",
                f"/proc/cpuinfo:{guest.folder}/cpu", "--", "sh", "-c",
                "echo y >>/data/sub/f; cat /tmp/a /tmp/a >/tmp/b")
    expect("f", (guest.folder / "out" / "sub" / "f").read_text(), "xy\n")
    expect("twice a megabyte", (guest.folder / "b").read_bytes() == megabyte * 2,
           True)
    expect_in("R10000", (guest.folder / "cpu").read_text())


@test
def no_space(guest):
    """A push that does not fit says so"""
    path = guest.folder / "big"
    with open(path, "wb") as file:
        file.truncate(BIG)
    guest.check("--memory", "64", "--push", f"{path}:/tmp/big", "true",
                status=125, says="No space left on device")


@test
def powered_off(guest):
    """A command that switches the guest off is r10kvm's failure, explained"""
    guest.check("poweroff", "-f", status=125,
                says="the guest switched itself off")


@test
def panicked(guest):
    """A kernel that panics is shown with its last words"""
    guest.check("--append", "rdinit=/nosuch", "true", status=125,
                says="the kernel panicked")


SCRIPT = "cat /proc/uptime /proc/interrupts /proc/stat; cat /in/sub/f; cat"


@test
def same_again(guest):
    """--icount: three runs with files and stdin are the same to the digit"""
    (guest.folder / "in" / "sub").mkdir(parents=True)
    (guest.folder / "in" / "sub" / "f").write_text("from the file\n")
    stdin = guest.folder / "stdin"
    stdin.write_text("from stdin\n")
    seen = set()
    for _ in range(3):
        with open(stdin, "rb") as file, guest.start(
                "--icount", "3", "--log", str(guest.folder / "log"), "--push",
                f"{guest.folder}/in:/in", "--", "sh", "-c", SCRIPT,
                stdin=file) as process:
            out, err = ended(process)
        expect("status, stderr", (process.returncode, err), (0, b""))
        expect_in(b"from the file\nfrom stdin\n", out)
        seen.add((out, (guest.folder / "log").read_bytes()))
    expect("different runs", len(seen), 1)


@test
def seeds(guest):
    """--seed: the guest's random numbers, with --icount the same each time"""
    for machine in ("malta", "octane"):
        one, other, again = (guest.check(
            "--machine", machine, "--icount", "3", "-n", *options, "--", "cat",
            "/proc/sys/kernel/random/uuid") for options in (
                (), ("--seed", "7"), ("--seed", "7")))
        expect(f"{machine}: with the same seed", again, other)
        expect(f"{machine}: different with another", one != other, True)


@test
def icount_ahead(guest):
    """--icount: what a machine prints that is ahead of r10kvm is not lost"""
    file, log = guest.folder / "file", guest.folder / "log"
    file.write_text("from the file\n")
    script = "cat /tmp/0; echo err >&2; echo 'all is said' >/dev/kmsg; exit 3"
    pushes = [word for n in range(5) for word in ("--push", f"{file}:/tmp/{n}")]
    with guest.start("--icount", "3", "-n", "--log", str(log), *pushes, "--",
                     "sh", "-c", script) as process:
        wait_until(lambda: log.exists() and log.stat().st_size, "a boot", 60)
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: "all is said" in log.read_text(), "the command", 60)
        process.send_signal(signal.SIGCONT)
        out, err = ended(process)
    expect("all", (process.returncode, out, err),
           (3, b"from the file\n", b"err\n"))


@test
def icount_no_space(guest):
    """--icount: files that do not fit into the guest are 125, and explained"""
    path = guest.folder / "big"
    with open(path, "wb") as file:
        file.truncate(BIG)
    guest.check("--icount", "3", "-n", "--memory", "80", "--push",
                f"{path}:/x", "true", status=125, says="do not fit into")


@test
def icount_rest(guest):
    """--icount: stdin begins where the file offset is"""
    path = guest.folder / "in"
    path.write_text("one\ntwo\n")
    with open(path, "rb", buffering=0) as file:
        file.seek(4)
        with guest.start("--icount", "3", "--", "sh", "-c",
                         "cat; ls -d /.r10kvm", stdin=file) as process:
            out, err = ended(process)
    expect("stdout", out, b"two\n")
    expect_in(b"No such file", err)


@test
def icount_push_fails(guest):
    """--icount: a push that fails is 125"""
    guest.check("--icount", "3", "-n", "--push", "/etc/passwd:/proc/x/y",
                "true", status=125, says="cannot push")


@test
def quick(guest):
    """The guest is soon at its command"""
    uptime = guest.check("-n", "--icount", "3", "--", "cat", "/proc/uptime")
    seconds = float(uptime.split()[0])
    expect(f"at most {BOOT_SECONDS:g} s of the guest's time ({seconds} s)",
           seconds <= BOOT_SECONDS, True)


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@test
def idle(guest):
    """An idle guest costs no CPU time"""
    mark = f"mark={guest.folder.name}"
    spent = []
    with guest.start("--append", mark, "--timeout", "100", "--", "sh", "-c",
                     "echo; sleep 3; echo; read x", stdin=subprocess.PIPE) as process:
        for _ in range(2):
            process.stdout.readline()
            spent += [cpu_seconds(pid) for pid in emulators(mark)]
        ended(process, b"\n")
    expect("times of one emulator", len(spent), 2)
    expect(f"less than 0.25 s for 3 s ({spent})", spent[1] - spent[0] < 0.25,
           True)


@test
def faithful_idle(guest):
    """With wait=off an idle kernel does without WAIT"""
    for wait, said in (("on", b"yes"), ("off", b"no")):
        out = guest.check("--cpu", f"R10000,wait={wait}", "-n", "--check-log",
                          "grep", "^wait", "/proc/cpuinfo")
        expect_in(said, out)
