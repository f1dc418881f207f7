# SPDX-License-Identifier: GPL-2.0-or-later
"""The user's terminal, while a program of the guest uses it."""
import fcntl
import struct
import termios
import time
import tty

from r10kvmlib.errors import Failure
from r10kvmlib.protocol import RUN_MERGE, RUN_TTY

ESCAPE = b"\x1d"        # ^]
ESCAPE_TIMES = 3
ESCAPE_SECONDS = 1
HINT = "^] three times within a second stops the machine"


class Terminal:
    """A terminal in raw mode while entered. It watches input for the escape."""

    flags = RUN_TTY | RUN_MERGE

    def __init__(self, fd):
        self.fd = fd
        self.saved = None
        self.escapes = []

    def __enter__(self):
        self.saved = termios.tcgetattr(self.fd)
        tty.setraw(self.fd, termios.TCSADRAIN)
        return self

    def __exit__(self, *_):
        termios.tcsetattr(self.fd, termios.TCSADRAIN, self.saved)

    def size(self):
        """Rows and columns."""
        answer = fcntl.ioctl(self.fd, termios.TIOCGWINSZ, b"\0" * 8)
        return struct.unpack("4H", answer)[:2]

    def watch(self, data):
        """Return the input. Raises if it holds the escape from a stuck machine."""
        now = time.monotonic()
        if data.strip(ESCAPE):
            self.escapes = []
            return data
        self.escapes += [now] * len(data)
        recent = [t for t in self.escapes if now - t <= ESCAPE_SECONDS]
        if len(recent) >= ESCAPE_TIMES:
            raise Failure("the machine was stopped from the keyboard")
        self.escapes = recent
        return data
