# SPDX-License-Identifier: GPL-2.0-or-later
"""What only the real guest can show."""
import os
import resource
import signal
import time

from harness import expect, expect_in, test, wait_until

START_SECONDS = 1.5
TRIES = 5
BIG = 100 * 1000 * 1000


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


@test
def clean(guest):
    """A boot and an orderly power-off without a warning"""
    guest.check("--check-log", "uname", "-m", out=b"mips64\n")


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
        file.write(os.urandom(1 << 20) * 96)
    with open(path, "rb") as file, guest.start("cat", stdin=file) as process:
        out, _ = process.communicate(timeout=60)
    expect("same", out == path.read_bytes(), True)


@test
def both_ways(guest):
    """A folder goes in, a folder and a file of /proc come out"""
    (guest.folder / "in" / "sub").mkdir(parents=True)
    (guest.folder / "in" / "sub" / "f").write_text("x")
    guest.check("--push", f"{guest.folder}/in:/data", "--pull",
                f"/data:{guest.folder}/out", "--pull",
                f"/proc/cpuinfo:{guest.folder}/cpu", "--", "sh", "-c",
                "echo y >>/data/sub/f")
    expect("f", (guest.folder / "out" / "sub" / "f").read_text(), "xy\n")
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
            out, err = process.communicate(timeout=60)
        expect("status, stderr", (process.returncode, err), (0, b""))
        expect_in(b"from the file\nfrom stdin\n", out)
        seen.add((out, (guest.folder / "log").read_bytes()))
    expect("different runs", len(seen), 1)


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
        out, err = process.communicate(timeout=60)
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
            out, err = process.communicate(timeout=60)
    expect("stdout", out, b"two\n")
    expect_in(b"No such file", err)


@test
def icount_push_fails(guest):
    """--icount: a push that fails is 125"""
    guest.check("--icount", "3", "-n", "--push", "/etc/passwd:/proc/x/y",
                "true", status=125, says="cannot push")
