# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs that the guest has: ours in its memory, or Debian's on a disk."""
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
    """One row of the table: cpu are the properties that its programs need, None
    that any CPU will do."""

    def environment(self, who):
        """The variables of a command that this user calls."""
        return {"PATH": self.path, "HOME": USERS[who].home, "USER": who,
                "SHELL": self.shell}


USERLANDS = {
    "busybox": Userland("/bin/sh", 256, GUEST_ENV["PATH"], None),
    "debian": Userland("/bin/bash", 512, LOCAL_PATH + GUEST_ENV["PATH"],
                       (("mips64r2", "on"),)),
}


def apply(options):
    """What the user has left open follows from the userland."""
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
    """In the checkout, or beside us when installed."""
    base = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    top = os.path.dirname(os.path.dirname(base))
    for folder in (top, base):
        path = os.path.join(folder, "scripts", SCRIPT)
        if os.path.exists(path):
            return path
    raise Failure(f"--userland debian: there is no scripts/{SCRIPT}, which "
                  "makes its disk, beside this r10kvm")


def disk(options):
    """The image, made if it is not in the cache; the script says how that goes."""
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
