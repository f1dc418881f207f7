# SPDX-License-Identifier: GPL-2.0-only
"""Stopped emulators, which a monitor controls; and those of bare-metal programs."""

import contextlib
import fcntl
import os
import subprocess
import tempfile
import time
from pathlib import Path

import qmp

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "build" / "baremetal"
STOPPED = "-display none -vga none -monitor none -nic none -parallel none -no-reboot -S".split()
EMULATORS = {"be": ("QEMU", "qemu-system-mips64"),
             "el": ("QEMU_EL", "qemu-system-mips64el")}
END_SECONDS = 60


def build(out=OUT):
    """Make the programs, one process at a time. On a failure return make's output."""
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "-s", "-j2", "-C", ROOT / "tests/baremetal",
             "OUT=%s" % out], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout)


def emulator(order):
    """The emulator that the environment names, or the one that was built."""
    variable, name = EMULATORS[order]
    return os.environ.get(variable) or str(ROOT / "build" / "guest" / name)


class Emulator:
    """A stopped emulator. Leaving the context ends it."""

    def __init__(self, *options, order="be", **more):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.errors = open(self.folder / "errors", "w+", encoding="utf-8")
        socket = self.folder / "qmp"
        self.process = subprocess.Popen(
            [emulator(order), *STOPPED, "-qmp", "unix:%s,server=on,wait=off" % socket,
             *map(str, options)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True, bufsize=1, **more)
        self.qmp = qmp.Qmp(socket)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        with contextlib.suppress(OSError):
            self.qmp.disconnect()
        self.errors.close()
        self._folder.cleanup()

    def said(self):
        """What the emulator has written to stderr."""
        return Path(self.errors.name).read_text(encoding="utf-8")

    def cpu(self):
        """The first CPU's path in QMP."""
        return self.qmp("query-cpus-fast")[0]["qom-path"]

    def get(self, name):
        """A property of the first CPU."""
        return self.qmp("qom-get", path=self.cpu(), property=name)

    def set(self, name, value):
        """Set a property. Return the error message, or None."""
        try:
            self.qmp("qom-set", path=self.cpu(), property=name, value=value)
        except RuntimeError as error:
            return str(error)
        return None

    def awake(self):
        """The models that are awake still when they should sleep: waits a minute for
        them."""
        for _ in range(END_SECONDS * 10):
            if not self.get("pmu-awake"):
                break
            time.sleep(0.1)
        return self.get("pmu-awake")

    def monitor(self, line):
        """A command for people."""
        return self.qmp("human-monitor-command", **{"command-line": line})

    def job(self, command, **arguments):
        """Run a command that is a job, until it ends. Return its error, or None."""
        self.qmp(command, **{"job-id": "job", **arguments})
        for _ in range(END_SECONDS * 100):
            job = [j for j in self.qmp("query-jobs") if j["id"] == "job"][0]
            if job["status"] == "concluded":
                self.qmp("job-dismiss", id="job")
                return job.get("error")
            time.sleep(0.01)
        raise RuntimeError("%s does not end" % command)


class Machine(Emulator):
    """A Malta with one program."""

    def __init__(self, cpu, program, *options, order="be",
                 serial=("-serial", "stdio")):
        super().__init__("-M", "malta", "-m", 256, *serial, "-serial", "null",
                         "-serial", "null", "-cpu", cpu, "-kernel", OUT / order / program,
                         *options, order=order)

    def _answer(self):
        line = self.process.stdout.readline()
        if not line.startswith("# "):
            raise RuntimeError("the guest says %r; %s" % (line, self.said()))
        return line[2:].split()

    def tell(self, command, *numbers):
        """Send one line, and return the words of the answer."""
        words = [command, *("%x" % n for n in numbers)]
        self.process.stdin.write(" ".join(words) + "\n")
        return self._answer()

    def ask(self, command, *numbers):
        """Send one line, and return the numbers of the answer."""
        return [int(word, 16) for word in self.tell(command, *numbers)]

    def run(self, *operations):
        """Memory operations, one after the other."""
        for operation in operations:
            self.tell("o", operation)


class Guest(Machine):
    """A machine with the program observe, which takes commands."""

    def __init__(self, cpu, *options, **more):
        super().__init__(cpu, "observe", *options, **more)
        self.qmp("cont")
        self._answer()
