# SPDX-License-Identifier: GPL-2.0-or-later
"""The guest's programs: BusyBox in its memory, or Debian on a disk."""
import os
import subprocess
from collections import namedtuple

from r10kvmlib.errors import Failure, UsageError
from r10kvmlib.transfer import GUEST_ENV

User = namedtuple("User", "uid home")

# Both userlands have these
USERS = {"root": User(0, "/root"), "user": User(1000, "/home/user")}
LOCAL_PATH = "/usr/local/sbin:/usr/local/bin:"
SCRIPT = "guest-debian.sh"


class Userland(namedtuple("Userland", "shell memory path cpu")):
    """A row of the table. cpu: properties of the little-endian CPU that the programs
    need, None if they run on any CPU."""

    def environment(self, who):
        """The environment variables of this user's commands."""
        return {"PATH": self.path, "HOME": USERS[who].home, "USER": who,
                "SHELL": self.shell}


USERLANDS = {
    "busybox": Userland("/bin/sh", 256, GUEST_ENV["PATH"], None),
    "debian": Userland("/bin/bash", 512, LOCAL_PATH + GUEST_ENV["PATH"],
                       (("mips64r2", "on"),)),
}


def apply(options):
    """Set the options that the user has not given to what the userland needs."""
    options.system = USERLANDS[options.userland]
    options.who = options.user or "root"
    if options.install and options.userland != "debian":
        raise UsageError("--install needs --userland debian")
    if options.system.cpu is not None:
        options.cpu.become_little(*options.system.cpu)
    if options.memory is None:
        options.memory = options.system.memory
    if options.uid is None:
        options.uid = USERS[options.who].uid
    if options.chdir is None:
        options.chdir = USERS[options.user].home if options.user else "/"


def script():
    """The path of the script, in the checkout or where r10kvm is installed."""
    base = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    top = os.path.dirname(os.path.dirname(base))
    for folder in (top, base):
        path = os.path.join(folder, "scripts", SCRIPT)
        if os.path.exists(path):
            return path
    raise Failure(f"--userland debian: cannot find scripts/{SCRIPT}, which "
                  f"makes its disk, in {top} or {base}")


def disk(options):
    """The disk image. If it is not in the cache, the script makes it and reports
    its progress."""
    if options.userland != "debian":
        return None
    try:
        done = subprocess.run([script(), *options.install], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    except OSError as error:
        raise Failure(f"--userland debian: {error}") from error
    path = os.fsdecode(done.stdout).strip()
    if done.returncode or not os.path.isfile(path):
        raise Failure("--userland debian: its disk could not be made, see above")
    return path
