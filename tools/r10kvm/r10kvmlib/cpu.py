# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated CPU: the argument of --cpu, and what the kernel has to know of it."""
import mmap

from r10kvmlib.errors import UsageError

MODELS = ("R10000", "R10000-v2.6", "R12000", "R14000")
# Suffix of a little-endian model. Such a model has a guest of its own
LITTLE = "-el"
# What the guest is told about cycles: the emulator counts them, and does not model how
# many a CPU needs for anything. irixperf_event_note() of libirixperf reads the word on
# the kernel's command line; perf has metrics by its name of the CPU (perf-metrics).
CYCLES = "unmodelled"
# Only emulators with our CPU models contain this name of a property
OWN_PROPERTY = b"wrong-path-branches"


def without_properties(qemu):
    """True for an emulator whose CPUs lack our properties and always have WAIT.

    A file that is not ELF, such as a script, is taken for one of our emulators."""
    with open(qemu, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(OWN_PROPERTY) < 0


class Cpu:
    """MODEL[-el][,PROPERTY=VALUE]..., the argument of --cpu.

    The emulator's -cpu takes the same, but no "-el": there is an emulator for each
    byte order."""

    def __init__(self, text):
        self.model, *properties = text.split(",")
        self.properties = dict(self._pair(text, p) for p in properties)
        self.guest = LITTLE if self.model.endswith(LITTLE) else ""
        self.model = self.model.removesuffix(LITTLE)
        if not self.model or self.model.startswith("-"):
            raise UsageError(f"--cpu: '{text}' names no model; choose one of "
                             f"{', '.join(MODELS)}")

    def become_little(self, *properties):
        """Set what a userland needs. Properties that the user has set stay; if the
        userland's programs need other values, they do not start."""
        self.guest = LITTLE
        for name, value in properties:
            self.properties.setdefault(name, value)

    @staticmethod
    def _pair(text, part):
        name, equals, value = part.partition("=")
        if not name or not equals or not value:
            raise UsageError(f"--cpu: '{part}' in '{text}' is not "
                             "PROPERTY=VALUE")
        return name, value

    def argument(self, qemu):
        """The argument of the emulator's -cpu. It switches on WAIT, with which the
        kernel idles and which these CPUs do not have by default."""
        properties = dict(self.properties)
        if (self.model in MODELS and "wait" not in properties
                and not without_properties(qemu)):
            properties["wait"] = "on"
        return ",".join([self.model] +
                        [f"{name}={value}" for name, value
                         in properties.items()])

    def has_wait(self):
        """True if the kernel can use WAIT when it idles."""
        return self.properties.get("wait") not in ("off", "no", "false", "n")

    @staticmethod
    def kernel_argument():
        """A word that the kernel ignores, and programs read."""
        return f"r10kperf.cycles={CYCLES}"

    def environment(self):
        """The environment variables of the guest's programs."""
        return {"PERF_CPUID": f"{self.model}-{CYCLES}"}

    def clock_hz(self, usual):
        """The CPU clock. The emulator reports a value that is not a number."""
        try:
            return int(self.properties.get("clock", "0"), 0) or usual
        except ValueError:
            return usual
