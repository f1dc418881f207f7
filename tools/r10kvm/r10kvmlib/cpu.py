# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated CPU: what --cpu says, and what the kernel has to know of it."""
import mmap

from r10kvmlib.errors import UsageError

MODELS = ("R10000", "R10000-v2.6", "R12000", "R14000")
# After a model: the little-endian one, which has a guest of its own
LITTLE = "-el"
BOARD_HZ = 320000000
# A property that emulators with these CPUs have, and those without have not
OWN_PROPERTY = b"wrong-path-branches"


def without_properties(qemu):
    """Is this an emulator whose CPUs have no properties of ours, but take WAIT
    at any time? One that cannot be looked at (a script, say) is not."""
    with open(qemu, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(OWN_PROPERTY) < 0


class Cpu:
    """MODEL[-el][,PROPERTY=VALUE]..., as the emulator takes it after -cpu. It has
    no models with "-el": which end comes first is a matter of the emulator."""

    def __init__(self, text):
        self.model, *properties = text.split(",")
        self.properties = dict(self._pair(text, p) for p in properties)
        self.guest = LITTLE if self.model.endswith(LITTLE) else ""
        self.model = self.model.removesuffix(LITTLE)
        if not self.model or self.model.startswith("-"):
            raise UsageError(f"--cpu: '{text}' names no model; there are "
                             f"{', '.join(MODELS)}")

    def become_little(self, *properties):
        """What a userland needs; that the user asks for the opposite is said by
        its programs' not starting."""
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
        """For -cpu: the kernel idles with WAIT, which these CPUs do not have
        unless a property says so."""
        properties = dict(self.properties)
        if (self.model in MODELS and "wait" not in properties
                and not without_properties(qemu)):
            properties["wait"] = "on"
        return ",".join([self.model] +
                        [f"{name}={value}" for name, value
                         in properties.items()])

    def kernel_arguments(self):
        """The clock spares the kernel two seconds of measuring it."""
        arguments = f"malta_cpu_hz={self.clock_hz()}"
        if self.properties.get("wait") in ("off", "no", "false", "n"):
            arguments += " nowait"
        return arguments

    def clock_hz(self):
        """The emulator refuses what is not a number."""
        try:
            return int(self.properties.get("clock", "0"), 0) or BOARD_HZ
        except ValueError:
            return BOARD_HZ
