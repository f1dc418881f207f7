# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of r10kvm share: running it, TAP.

The tests of one module are a part, which is a program of its own: parts can run
side by side. Those of LIVE send input while the guest runs. Their guests go by this
machine's clock.
"""
import argparse
import fcntl
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOL = HERE.parent
TOP = TOOL.parent.parent
R10KVM = str(TOOL / "r10kvm")
FAKE_QEMU = str(HERE / "fake-qemu")
ELF_BIG = b"\x7fELF\x02\x02"
ELF_LITTLE = b"\x7fELF\x02\x01"
TIMEOUT = 120

LIVE = ("machines", "terminals")
# tests/run --long asks for more of the same
LONG = "TEST_LONG" in os.environ
SEED = int(os.environ.get("TEST_SEED") or 1)
TESTS = []


class Skip(Exception):
    """This cannot be tested here; the text says why."""


def test(function):
    """Marks a test; the first line of its description is its name."""
    TESTS.append(function)
    return function


def expect(what, got, wanted):
    if got != wanted:
        raise AssertionError(f"{what}: expected {wanted!r}, got {got!r}")


def expect_in(part, text):
    if part not in text:
        raise AssertionError(f"expected {part!r} in {text!r}")


def random_bytes(size):
    """The same each time; run_all() tells the seed, and TEST_SEED gives another."""
    return random.Random(SEED).randbytes(size)


def fake_guest(folder):
    """A folder that looks like build/guest, for the emulator that is none."""
    for name in ("vmlinux", "vmlinux-octane"):
        (folder / name).write_bytes(ELF_BIG)
    (folder / "initramfs.cpio").write_bytes(b"")
    return folder


def native_agent():
    """The agent built for this machine; parts that start together build it once."""
    if "FAKE_AGENT" in os.environ:
        return os.environ["FAKE_AGENT"]
    with open(TOOL / "Makefile", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run(["make", "-s", "-C", TOOL, "agent"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout.strip()


def ended(process, data=None):
    """What came on stdout and stderr."""
    try:
        return process.communicate(data, TIMEOUT)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise AssertionError(f"no end within {TIMEOUT} s") from None


class Host:
    """Runs r10kvm on the fake emulator, with a temporary folder of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.guest = self.folder / "guest"
        self.guest.mkdir()
        fake_guest(self.guest)
        self.options = ["--qemu", FAKE_QEMU]
        self.env = dict(os.environ, R10KVM_GUEST=str(self.guest),
                        TMPDIR=str(self.temporary))

    def argv(self, *args):
        return [R10KVM, *self.options, *args]

    def start(self, *args, fake="", **how):
        how.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(self.argv(*args), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE,
                                env=dict(self.env, FAKE_QEMU=fake), **how)

    def run(self, *args, data=None, fake=""):
        how = {} if data is None else {"stdin": subprocess.PIPE}
        with self.start(*args, fake=fake, **how) as process:
            out, err = ended(process, data)
        return process.returncode, out, err.decode()

    def check(self, *args, status=0, out=None, says=None, data=None, fake=""):
        """Run and compare; returns what came on stdout."""
        got = self.run(*args, data=data, fake=fake)
        expect(f"status (stderr: {got[2]!r})", got[0], status)
        if out is not None:
            expect("stdout", got[1], out)
        if says is not None:
            expect_in(says, got[2])
        return got[1]

    def nothing_left(self):
        left = os.listdir(self.temporary)
        expect("files left in TMPDIR", left, [])


class Guest(Host):
    """Runs r10kvm on the real thing."""

    kind, target = "", "guest"

    def __init__(self, folder):
        super().__init__(folder)
        self.options = []
        real = os.environ.get("R10KVM_GUEST", str(TOP / "build" / "guest"))
        self.env["R10KVM_GUEST"] = real
        if not os.path.exists(os.path.join(real, f"initramfs{self.kind}.cpio")):
            raise AssertionError(f"there is no {self.target} in {real}: "
                                 f"run 'make {self.target}'")


class Little(Guest):
    """The little-endian one."""

    kind, target = "-el", "guest-el"


class Octane(Guest):
    """The Octane, with two CPUs."""

    def __init__(self, folder):
        super().__init__(folder)
        self.options = ["--machine", "octane", "--cpus", "2"]


# Where a test runs that calls its argument so
PLACES = {"guest": Guest, "little": Little, "octane": Octane}


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.01)


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return state.rsplit(")", 1)[1].split()[0] != "Z"


def run_one(function):
    """"ok", "not ok" or a skip, and the lines that explain it."""
    place = PLACES.get(function.__code__.co_varnames[0], Host)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_DIR")) as folder:
        try:
            host = place(folder)
            if place is not Host and function.__module__ not in LIVE:
                host.options += ["--icount", "3"]
            function(host)
            host.nothing_left()
        except Skip as skip:
            return "ok", f" # SKIP {skip}", []
        except Exception as error:      # a broken test is a failed one
            return "not ok", "", [f"{type(error).__name__}: {error}"]
    return "ok", "", []


def run_all(chosen):
    """One stream of TAP; the status to exit with."""
    print(f"# seed {SEED}\n1..{len(chosen)}")
    failed = 0
    for number, (name, function) in enumerate(chosen.items(), 1):
        verdict, skip, notes = run_one(function)
        failed += verdict != "ok"
        print(f"{verdict} {number} - {function.__name__}: "
              f"{function.__doc__.splitlines()[0]}{skip}")
        for line in "\n".join(notes).splitlines():
            print(f"# {line}")
        if verdict != "ok":
            print(f"# alone: tools/r10kvm/tests/check.py {name}")
        sys.stdout.flush()
    return 1 if failed else 0


def main(argv):
    """All tests, or those of the parts and the single ones that are named."""
    parser = argparse.ArgumentParser(description="Tests of r10kvm: TAP.")
    parser.add_argument("--list", action="store_true", help="print the parts")
    parser.add_argument("names", nargs="*", metavar="PART[:TEST]")
    options = parser.parse_args(argv)
    tests = {f"{t.__module__}:{t.__name__}": t for t in TESTS}
    parts = list(dict.fromkeys(t.__module__ for t in TESTS))
    unknown = set(options.names) - {*tests, *parts}
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    if options.list:
        print(*parts, sep="\n")
        return 0
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["FAKE_AGENT"] = native_agent()
    return run_all({name: t for name, t in tests.items() if not options.names or
                    name in options.names or t.__module__ in options.names})
