# SPDX-License-Identifier: GPL-2.0-only
"""Runs of the emulator that are stopped, saved, and go on in another process."""

import time
from pathlib import Path

POINTS = 4
ENOUGH = 2
SECONDS = 300
DISK = "disk"


def attach(vm, path, new=False):
    """The image that holds the snapshots. The build has no qemu-img."""
    file = {"driver": "file", "filename": str(path)}
    if new:
        vm.job("blockdev-create", options={**file, "size": 0})
    vm.qmp("blockdev-add", **file, **{"node-name": "file"})
    if new:
        vm.job("blockdev-create",
               options={"driver": "qcow2", "file": "file", "size": 0})
    vm.qmp("blockdev-add", **{"driver": "qcow2", "file": "file",
                              "node-name": DISK})


def save(vm, tag):
    """The error, or None."""
    return vm.job("snapshot-save", tag=tag, vmstate=DISK, devices=[DISK])


def load(vm, tag):
    """The same."""
    return vm.job("snapshot-load", tag=tag, vmstate=DISK, devices=[DISK])


class Run:
    """One machine, any number of times. All its runs must be the same.

    start(options for the serial port) is a stopped bare.Emulator that will end by itself;
    may_save(it) is true where it is worth a snapshot.
    """

    def __init__(self, folder, start, may_save=None):
        self.start, self.may_save = start, may_save
        self.out = Path(folder, "out")
        self.disk = Path(folder, "disk")

    def machine(self):
        """It is stopped and prints into a file."""
        return self.start(("-serial", "file:%s" % self.out))

    def printed(self):
        """By the present machine, so far."""
        return self.out.read_bytes().decode("ascii")

    def whole(self):
        """What an undisturbed run prints, and how long it takes."""
        with self.machine() as vm:
            start = time.monotonic()
            vm.qmp("cont")
            vm.process.wait(SECONDS)
            return self.printed(), time.monotonic() - start

    def interrupted(self, seconds):
        """Stop it all the time, and save it now and then: what it had printed
        at each snapshot, and all that it prints."""
        saved = []
        self.disk.unlink(missing_ok=True)
        with self.machine() as vm:
            attach(vm, self.disk, new=True)
            try:
                self._stop_and_go(vm, seconds / (POINTS + 1), saved)
            except (RuntimeError, OSError):
                # The program has ended, and the emulator with it.
                vm.process.wait(SECONDS)
            return saved, self.printed()

    def _stop_and_go(self, vm, interval, saved):
        ran = 0.0
        while vm.process.poll() is None:
            start = time.monotonic()
            vm.qmp("cont")
            vm.qmp("stop")
            ran += time.monotonic() - start
            if ran > interval * (len(saved) + 1) and (
                    self.may_save is None or self.may_save(vm)):
                if save(vm, "s%d" % len(saved)):
                    return
                saved.append(self.printed())

    def resumed(self, tag):
        """What a snapshot prints that goes on."""
        with self.machine() as vm:
            attach(vm, self.disk)
            if load(vm, tag):
                return vm.said()
            vm.qmp("cont")
            vm.process.wait(SECONDS)
            return self.printed()


def save_often(run, seconds):
    """interrupted(), until it was saved more than once: on a busy machine the
    program may end sooner than it should."""
    for _ in range(6):
        saved, output = run.interrupted(seconds)
        if len(saved) >= ENOUGH:
            break
        seconds /= 3
    return saved, output


def check(tap, name, run, passes):
    """One program, saved at several points; passes(what it prints)."""
    whole, seconds = run.whole()
    tap.check("%s: the program passes" % name, passes(whole), whole)
    saved, output = save_often(run, seconds)
    tap.equal("%s: stopping it changes nothing" % name, output, whole)
    resumed = [before + run.resumed("s%d" % i)
               for i, before in enumerate(saved)]
    tap.check("%s: each snapshot prints the rest" % name,
              len(saved) >= ENOUGH and set(resumed) == {whole},
              "expected:", whole, "from %d snapshots:" % len(saved),
              *[text for text in resumed if text != whole][:1])
