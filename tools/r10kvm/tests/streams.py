# SPDX-License-Identifier: GPL-2.0-or-later
"""Streams and statuses, against the agent on this machine."""
import os
import resource
import signal
import socket
import subprocess
import time
from functools import partial
from pathlib import Path

from harness import (TIMEOUT, Skip, expect, expect_in, is_alive, random_bytes, test,
                     wait_until)
from r10kvmlib.protocol import (FRAME_DATA, FRAME_EXIT, FRAME_HELLO, HELLO,
                                PROTOCOL_VERSION, STREAM_OUT, WORD, Channel,
                                frame)
from r10kvmlib.session import Limits, Session
from r10kvmlib.signals import Signals
from r10kvmlib.streams import Sink

MIB = 1 << 20
BIG = 100 * 1000 * 1000
PEAK_MAX_KIB = 40 * 1024


@test
def statuses(host):
    """The exit status is the command's"""
    for status in (0, 1, 42, 255):
        host.check("--", "sh", "-c", f"exit {status}", status=status)


@test
def killed(host):
    """A command that signal N ended gives 128 + N"""
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM):
        host.check("--", "sh", "-c", f"kill -{number:d} $$",
                   status=128 + number)


@test
def cannot_run(host):
    """127 for a command that is not there, 126 for one that is none"""
    host.check("nosuch", status=127, says="r10kvm: nosuch: not found")
    host.check("/dev/null", status=126, says="/dev/null: Permission denied")
    host.check("--chdir", "/nosuch", "true", status=127, says="/nosuch")


@test
def separate(host):
    """stdout and stderr do not mix"""
    status, out, err = host.run("--", "sh", "-c", "echo o; echo e >&2")
    expect("all", (status, out, err), (0, b"o\n", "e\n"))


@test
def order(host):
    """One file for stdout and stderr gets the lines in their order"""
    script = "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"
    got = subprocess.run(host.argv("--", "sh", "-c", script), env=host.env,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=True).stdout
    expect("lines", got.split(),
           [b"%c%d" % (c, i) for i in range(1, 10) for c in b"oe"])


@test
def arguments(host):
    """Arguments arrive as they are, whatever is in them"""
    args = ["", "two words", "--", "-n", "\\", "'\"$x", "new\nline", "\udcff"]
    out = host.check("--", "printf", "%s\\0", *args)
    expect("arguments", out, b"".join(os.fsencode(a) + b"\0" for a in args))
    host.check("echo", "a", "--", "b", out=b"a -- b\n")


@test
def too_long(host):
    """More arguments than fit are refused"""
    def much_stack():
        resource.setrlimit(resource.RLIMIT_STACK, (64 * MIB, 64 * MIB))

    with host.start("--", "true", *["x" * 100000] * 22,
                    preexec_fn=much_stack) as process:
        err = process.stderr.read().decode()
        expect("status", process.wait(TIMEOUT), 125)
    expect_in("the argument list is too long", err)


@test
def environment(host):
    """The environment is the guest's and what --env says"""
    out = host.check("--env", "A=b=c", "--env", "HOME=/h", "--", "env")
    lines = set(out.decode().splitlines())
    expect("A", "A=b=c" in lines, True)
    expect("HOME", "HOME=/h" in lines, True)
    expect("TMPDIR", any(line.startswith("TMPDIR") for line in lines), False)


@test
def place_and_user(host):
    """--chdir and --uid"""
    host.check("--chdir", "/proc", "pwd", out=b"/proc\n")
    if os.getuid():
        raise Skip("--uid needs root here")
    host.check("--uid", "65534", "--", "sh", "-c", "id -u; id -g; id -G",
               out=b"65534\n65534\n65534\n")


@test
def through(host):
    """20 MB go in and come out unchanged"""
    data = random_bytes(20 * MIB)
    expect("same", host.check("cat", data=data) == data, True)


def peak_kib(pid):
    """The most memory that a process has had."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise AssertionError("no VmHWM in /proc")


@test
def bounded(host):
    """100 MB for a slow reader need no memory to speak of"""
    with host.start("head", "-c", str(BIG), "/dev/zero") as process:
        time.sleep(1)
        # what is left does not fit into the pipe, so the process is there
        got = len(process.stdout.read(BIG - MIB))
        peak = peak_kib(process.pid)
        got += len(process.stdout.read())
        expect("status", process.wait(TIMEOUT), 0)
    expect("bytes", got, BIG)
    if peak > PEAK_MAX_KIB:
        raise AssertionError(f"r10kvm took {peak} KiB")


@test
def unread(host):
    """Input that nobody reads hangs nothing"""
    host.check("true", data=bytes(10 * MIB))
    host.check("--", "sh", "-c", "exec <&-; sleep 0.2", data=bytes(10 * MIB))
    host.check("sleep", "0.2", data=bytes(MIB))


@test
def open_stdin(host):
    """A stdin that stays open and silent does not keep r10kvm"""
    with host.start("true", stdin=subprocess.PIPE) as process:
        expect("status", process.wait(TIMEOUT), 0)


@test
def no_stdin(host):
    """-n leaves stdin to others"""
    status, out, _ = host.run("-n", "cat", data=b"not for you")
    expect("all", (status, out), (0, b""))


@test
def late_stdin(host):
    """Input arrives when it comes, not at the end"""
    with host.start("cat", stdin=subprocess.PIPE) as process:
        for line in (b"one\n", b"two\n"):
            process.stdin.write(line)
            process.stdin.flush()
            expect("echo", process.stdout.readline(), line)
        process.stdin.close()
        expect("status", process.wait(TIMEOUT), 0)


@test
def one_blocked(host):
    """A stdout that nobody reads does not hold up stderr"""
    script = "head -c 5000000 /dev/zero & echo first >&2; wait"
    with host.start("--", "sh", "-c", script) as process:
        expect("stderr", process.stderr.readline(), b"first\n")
        expect("stdout", len(process.stdout.read()), 5000000)


@test
def background(host):
    """A process in the background that keeps stdout open is not waited for"""
    start = time.monotonic()
    pid = int(host.check("--", "sh", "-c", "sleep 100 & echo $!"))
    expect("alive, soon", (is_alive(pid), time.monotonic() - start < 60),
           (True, True))
    os.kill(pid, signal.SIGKILL)
    host.check("--", "sh", "-c", "yes & sleep 0.1")


@test
def last_words(host):
    """What is in the pipe when the command ends comes out"""
    out = host.check("--", "sh", "-c", "head -c 65536 /dev/zero; exit 3",
                     status=3)
    expect("bytes", len(out), 65536)


@test
def closed_reader(host):
    """When our reader goes, the command gets SIGPIPE"""
    with host.start("yes") as process:
        process.stdout.read(10)
        process.stdout.close()
        expect("status", process.wait(TIMEOUT), 128 + signal.SIGPIPE)


@test
def full_disk(host):
    """Output that cannot be written is r10kvm's failure, with its reason"""
    with open("/dev/full", "wb") as full:
        got = subprocess.run(host.argv("echo", "x"), env=host.env, stdout=full,
                             stderr=subprocess.PIPE, check=False)
    expect("status", got.returncode, 125)
    expect_in("cannot write to the output: No space left", got.stderr.decode())


@test
def closed_streams(host):
    """Closed standard streams confuse nothing"""
    got = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh",
                          *host.argv("--", "sh", "-c", "echo x; exit 6")],
                         env=host.env, check=False)
    expect("status", got.returncode, 6)


def agent_of(process):
    """The pid of the agent, from a command that prints its parent's."""
    return int(process.stdout.readline())


@test
def signals(host):
    """SIGINT, SIGTERM and SIGHUP end the emulator and then r10kvm"""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Under nohup(1) and the like we have been started with it ignored
        with host.start("--", "sh", "-c", "echo $PPID; sleep 100",
                        preexec_fn=partial(signal.signal, number,
                                           signal.SIG_DFL)) as process:
            agent = agent_of(process)
            process.send_signal(number)
            expect("status", process.wait(TIMEOUT), -number)
        expect("agent alive", is_alive(agent), False)


@test
def killed_ourselves(host):
    """Even SIGKILL leaves no emulator"""
    with host.start("--", "sh", "-c", "echo $PPID; sleep 100") as process:
        agent = agent_of(process)
        process.kill()
        process.stdout.close()
        wait_until(lambda: not is_alive(agent), "end of the emulator")


@test
def timeout(host):
    """--timeout: 124, it is said, and nothing is left"""
    status, out, err = host.run("--timeout", "5", "--", "sh", "-c",
                                "echo $PPID $$; exec sleep 100")
    expect("status", status, 124)
    expect_in("timed out after 5 s", err)
    agent, command = map(int, out.split())
    expect("agent, command alive", (is_alive(agent), is_alive(command)),
           (False, True))
    os.kill(command, signal.SIGKILL)
    host.check("--timeout", "60", "echo", "x", out=b"x\n")


@test
def orphans(host):
    """The agent reaps what its commands leave behind"""
    script = """
    orphan=$( (sh -c 'echo $$' &) )
    for i in $(seq 300); do [ -e /proc/$orphan ] || break; sleep 0.1; done
    [ ! -e /proc/$orphan ] || cat /proc/$orphan/status
    """
    expect("left of it", host.check("--", "sh", "-c", script), b"")


@test
def ahead(_):
    """What comes together with the end of a request belongs to the next one"""
    said = os.memfd_create("said")
    ours, theirs = socket.socketpair()
    with theirs, Signals() as signals:
        session = Session(Channel(ours), signals, Limits(20, 20), 0,
                          lambda text: None)
        theirs.sendall(
            frame(FRAME_HELLO, 0, HELLO.pack(PROTOCOL_VERSION, 0, 0)) +
            frame(FRAME_EXIT, 0, WORD.pack(0)) +
            frame(FRAME_DATA, STREAM_OUT, b"first\n") +
            frame(FRAME_DATA, STREAM_OUT, b"second\n") +
            frame(FRAME_EXIT, 0, WORD.pack(3)))
        expect("status of the push", session.run(None), 0)
        expect("status of the command",
               session.run(None, None, Sink(said, "memory")), 3)
    expect("output", os.pread(said, 100, 0), b"first\nsecond\n")
