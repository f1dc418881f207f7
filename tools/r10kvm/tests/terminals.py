# SPDX-License-Identifier: GPL-2.0-or-later
"""r10kvm on a terminal, played by a pty."""
import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios

from harness import TIMEOUT, expect, expect_in, test, wait_until


class Screen:
    """A terminal with r10kvm on it."""

    def __init__(self, host, *args, rows=33, columns=77):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.text = ""
        self.process = subprocess.Popen(
            host.argv(*args), env=dict(host.env, TERM="xterm-r10k"),
            stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True)
        os.set_blocking(self.master, False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(TIMEOUT)
        os.close(self.master)
        os.close(self.slave)

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack("4H", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text.encode())

    def shows(self, text):
        def look():
            try:
                self.text += os.read(self.master, 65536).decode()
            except BlockingIOError:
                pass
            return text in self.text
        try:
            wait_until(look, "output", TIMEOUT)
        except AssertionError:
            expect_in(text, self.text)

    def ends(self, status):
        expect("status", self.process.wait(TIMEOUT), status)
        after = termios.tcgetattr(self.slave)
        expect("terminal settings restored", after, self.before)


def shell_session(host):
    with Screen(host) as screen:
        screen.shows("stops the machine")
        screen.type("tty; stty size; echo TERM is $TERM\r")
        screen.shows("/dev/pts/")
        screen.shows("33 77")
        screen.shows("TERM is xterm-r10k")
        screen.resize(40, 100)
        screen.process.send_signal(signal.SIGWINCH)
        screen.type("until stty size | grep '^40 100$'; do sleep 0.1; done\r")
        screen.shows("40 100\r\n")
        # It speaks when it is what ^C goes to; the shell itself might not hear it
        screen.type("sh -c 'echo now; exec sleep 100'\r")
        screen.shows("now\r\n")
        screen.type("\x03")
        screen.type("echo st''ill here\r")
        screen.shows("still here")
        screen.type("exit 9\r")
        screen.ends(9)


@test
def shell(host):
    """Without a command: a shell on a terminal, its size, ^C, its status"""
    shell_session(host)


@test
def guest_shell(guest):
    """The same in the guest"""
    shell_session(guest)


@test
def octane_shell(octane):
    """The same on an Octane"""
    shell_session(octane)


@test
def command(host):
    """-t gives a command the terminal, line ends and all"""
    with Screen(host, "-t", "--", "sh", "-c", "test -t 0 -a -t 1 && echo yes") \
            as screen:
        screen.shows("yes\r\n")
        screen.ends(0)


@test
def end_of_input(host):
    """^D is the end of input on a terminal"""
    with Screen(host, "-t", "cat") as screen:
        screen.type("abc\r")
        screen.shows("abc\r\nabc\r\n")
        screen.type("\x04")
        screen.ends(0)


@test
def no_terminal(host):
    """A command without -t has pipes, even when we have a terminal"""
    with Screen(host, "--", "sh", "-c", "test -t 1 || echo no") as screen:
        screen.shows("no\r\n")
        screen.ends(0)


@test
def way_out(host):
    """^] three times ends a machine that does not listen"""
    with Screen(host, "-t", "--", "sh", "-c",
                "stty raw; echo ready; exec sleep 100") as screen:
        screen.shows("ready")
        screen.type("\x1d\x1d\x1d")
        screen.shows("stopped from the keyboard")
        screen.ends(125)


@test
def ended(host):
    """A signal leaves the terminal as it was"""
    with Screen(host, "-t", "--", "sh", "-c", "echo ready; sleep 100") \
            as screen:
        screen.shows("ready")
        screen.process.send_signal(signal.SIGTERM)
        screen.ends(-signal.SIGTERM)
