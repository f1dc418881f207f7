# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulated CPU: the argument of --cpu, and what the kernel has to know of it."""
import mmap
import re

from r10kvmlib.errors import UsageError

# Models, and what tells each from the others
MODELS = {
    "R10000": "revision 3.4",
    "R10000-v2.6": "an early revision, some of whose events count something else",
    "R12000": "events 0 to 31 of its own, each on either counter",
    "R14000": "the events of the R12000",
}
# CPUs that the tools know and the emulator does not, and the model with their events
SIMILAR = {"R16000": "R14000"}
PROPERTIES = ("l2-size", "l2-line", "clock", "mips64r2", "wait", "timing")
# Multipliers of Hz
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}
# Suffix of a little-endian model. Such a model has a guest of its own
LITTLE = "-el"
# What the guest is told about cycles: without --timing the emulator counts them, and
# does not model how many a CPU needs for anything. irixperf_event_note() of libirixperf
# reads the word on the kernel's command line; perf has metrics by its name of the CPU
# (perf-metrics).
UNMODELLED = "unmodelled"
MODELLED = "modelled"
# Only emulators with our CPU models contain this name of a property
OWN_PROPERTY = b"wrong-path-branches"
# What the emulator says when it refuses a CPU, and what to add to it
ADVICE = {
    r"unable to find CPU model":
        f"r10kvm's own CPU models are {', '.join(MODELS)}; --cpu help tells more",
    r"Property '\S*-mips64-cpu\..*' not found":
        f"properties of r10kvm's CPUs: {', '.join(PROPERTIES)}; Documentation/model.rst "
        "has all",
}


def advice(said):
    """What helps if the emulator has refused the CPU, "" if it has not."""
    return "".join(f"\n{text}" for sign, text in ADVICE.items()
                   if re.search(sign, said))


def table():
    """The text of --cpu help."""
    rows = "".join(f"  {name:<12} {text}\n" for name, text in MODELS.items())
    return (f"CPU models, for --cpu MODEL[-el][,PROPERTY=VALUE]...:\n{rows}"
            "Each is the CPU of --machine malta, big-endian or, with -el, little-endian, "
            "or\nof --machine octane. perfex --list --cpu MODEL lists its events.\n"
            "Other models of QEMU's start as well, without counters.\n")


def hertz(text):
    """A clock as the emulator takes it: 195M is 195000000."""
    number, unit = text[:-1], text[-1:].upper()
    if unit in UNITS and number.isdecimal():
        return str(int(number) * UNITS[unit])
    return text


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
        if "clock" in self.properties:
            self.properties["clock"] = hertz(self.properties["clock"])
        if self.model in SIMILAR:
            raise UsageError(f"--cpu: the emulator has no {self.model}, and "
                             f"{SIMILAR[self.model]} has the same events; the models "
                             f"are {', '.join(MODELS)}")
        if not self.model or self.model.startswith("-"):
            raise UsageError(f"--cpu: '{text}' names no model; choose one of "
                             f"{', '.join(MODELS)}")

    def become_little(self, *properties):
        """Set what a userland needs. Properties that the user has set stay; if the
        userland's programs need other values, they do not start."""
        self.guest = LITTLE
        for name, value in properties:
            self.properties.setdefault(name, value)

    def drive_clock(self, timing):
        """Let the model of the pipeline be the clock, unless --cpu says otherwise."""
        self.properties.setdefault("timing", timing)

    def models_cycles(self):
        return self.properties.get("timing", "off") != "off"

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

    def has_release_2(self):
        """True if it has the instructions of MIPS64 release 2."""
        return self.properties.get("mips64r2") in ("on", "yes", "true", "y")

    def kernel_argument(self):
        """A word that the kernel ignores, and programs read."""
        return f"r10kperf.cycles={MODELLED if self.models_cycles() else UNMODELLED}"

    def environment(self):
        """The environment variables of the guest's programs."""
        if self.models_cycles():
            return {}
        return {"PERF_CPUID": f"{self.model}-{UNMODELLED}"}

    def clock_hz(self, usual):
        """The CPU clock. The emulator reports a value that is not a number."""
        try:
            return int(self.properties.get("clock", "0"), 0) or usual
        except ValueError:
            return usual
