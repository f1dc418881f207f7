# SPDX-License-Identifier: GPL-2.0-or-later
"""Signals as events of a descriptor: they never interrupt work in progress."""
import os
import signal

from r10kvmlib.errors import Interrupted

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Signals:
    """While entered, ending signals and SIGWINCH only make fileno() readable."""

    def __init__(self):
        self.read_end, self.write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.ending = None
        self.resized = False
        self.saved = {}

    def __enter__(self):
        for number in (*ENDING, signal.SIGWINCH):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self.saved[number] = signal.signal(number, self._note)
        signal.set_wakeup_fd(self.write_end, warn_on_full_buffer=False)
        return self

    def __exit__(self, *_):
        signal.set_wakeup_fd(-1)
        for number, handler in self.saved.items():
            signal.signal(number, handler)
        os.close(self.read_end)
        os.close(self.write_end)

    def _note(self, number, _):
        if number == signal.SIGWINCH:
            self.resized = True
        else:
            self.ending = self.ending or number

    def fileno(self):
        return self.read_end

    def clear(self):
        try:
            os.read(self.read_end, 4096)
        except BlockingIOError:
            pass

    def check(self):
        if self.ending:
            raise Interrupted(self.ending)

    def forget(self):
        """Ignore the signal that has asked for the end: the next one counts."""
        self.ending = None

    def take_resized(self):
        resized, self.resized = self.resized, False
        return resized


def die_of(number):
    """End by the signal, as if it had not been caught."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
