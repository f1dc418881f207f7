# SPDX-License-Identifier: GPL-2.0-or-later
"""The ways in which r10kvm itself can fail, each with its exit status."""


class Failure(Exception):
    """r10kvm cannot go on. The text says why, and what to do."""

    status = 125
    show_log = False        # True: print the end of the kernel's log as well


class UsageError(Failure):
    """The command line is wrong."""


class GuestFailure(Failure):
    """The guest did not start, or ended before its command did."""

    show_log = True


class TimedOut(Failure):
    """The time that the user gave is over."""

    status = 124


class Interrupted(Failure):
    """A signal asks r10kvm to end."""

    def __init__(self, signum):
        super().__init__(f"signal {signum}")
        self.signum = signum
        self.status = 128 + signum
