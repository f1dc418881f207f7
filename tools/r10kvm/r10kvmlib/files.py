# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the emulator, the kernel and the initramfs are."""
import os
from collections import namedtuple

from r10kvmlib import userland
from r10kvmlib.cpu import LITTLE
from r10kvmlib.errors import Failure

Files = namedtuple("Files", "qemu kernel initrd disk")

ELF_MAGIC = b"\x7fELF"
ELF_DATA = 5                # offset of the byte that names the byte order
ELF_LITTLE = 1
EMULATORS = {"": "qemu-system-mips64", LITTLE: "qemu-system-mips64el"}


def guest_folder():
    """The guest's directory: R10KVM_GUEST, or build/guest of this checkout, or, if
    r10kvm is installed, the directory of its modules."""
    named = os.environ.get("R10KVM_GUEST")
    if named:
        return named
    base = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    top = os.path.dirname(os.path.dirname(base))
    if os.path.exists(os.path.join(base, "Makefile")):
        return os.path.join(top, "build", "guest")
    return base


def check(path, what, option=None, guest=""):
    """Return the path, or raise a failure that says what to do."""
    if not os.path.exists(path):
        other = f", or name one with {option}" if option else ""
        raise Failure(f"no {what}: {path} does not exist. Run 'make guest{guest}'"
                      f" in the directory of r10kperf{other}")
    if not os.access(path, os.R_OK):
        raise Failure(f"the {what} {path} cannot be read")
    return path


def guest_of(kernel):
    """Return LITTLE for a little-endian kernel and "" for a big-endian one: the
    suffix in the names of the guest's files."""
    with open(kernel, "rb") as file:
        head = file.read(ELF_DATA + 1)
    if len(head) <= ELF_DATA or not head.startswith(ELF_MAGIC):
        raise Failure(f"the kernel {kernel} is not an ELF file")
    return LITTLE if head[ELF_DATA] == ELF_LITTLE else ""


def find(options):
    """Find all files and check them before anything is fetched or started."""
    folder = guest_folder()
    kernel = check(options.kernel or
                   os.path.join(folder, options.board.kernel + options.cpu.guest),
                   "guest kernel", "--kernel", options.cpu.guest)
    guest = guest_of(kernel)
    if options.cpu.guest and not guest:
        raise Failure(f"the kernel {kernel} is big-endian: --cpu without "
                      f"{options.cpu.guest}, or another --kernel")
    if guest and not options.board.little:
        raise Failure(f"the kernel {kernel} is little-endian, and --machine "
                      f"{options.machine} is big-endian: another --kernel")
    initrd = check(options.initrd or
                   os.path.join(folder, f"initramfs{guest}.cpio"),
                   "guest initramfs", "--initrd", guest)
    emulator = os.path.join(folder, EMULATORS[guest])
    qemu = check(options.qemu or emulator, "emulator", "--qemu")
    return Files(os.path.abspath(qemu), kernel, initrd,
                 userland.disk(options))
