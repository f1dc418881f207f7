# SPDX-License-Identifier: GPL-2.0-or-later
"""Appends files to an initramfs. The kernel unpacks an archive that follows
another one. The format is "newc": see Documentation/driver-api/early-userspace in
the kernel tree."""
import os

from r10kvmlib.errors import Failure

MAGIC = "070701"
DIRECTORY = 0o040700
REGULAR = 0o100600
TRAILER = "TRAILER!!!"
ALIGN = 4
SEGMENT_ALIGN = 512
CHUNK = 1 << 20


def header(name, mode, size):
    """One entry's header and name. All entries belong to root and have no date."""
    inode = uid = gid = mtime = dev = check = 0
    encoded = os.fsencode(name) + b"\0"
    fields = (inode, mode, uid, gid, 1, mtime, size, dev, dev, dev, dev,
              len(encoded), check)
    text = MAGIC + "".join(f"{field:08x}" for field in fields)
    return pad(text.encode() + encoded, ALIGN)


def pad(data, unit):
    return data + b"\0" * (-len(data) % unit)


def copy(source, target):
    """Copy the rest of one descriptor to another, in pieces."""
    while data := os.read(source, CHUNK):
        write_all(target, data)


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def compose(initrd, folder, members):
    """A memory file: the initramfs, then a directory with members (name, fd)."""
    out = os.memfd_create("r10kvm-initrd")
    try:
        with open(initrd, "rb") as base:
            copy(base.fileno(), out)
        write_all(out, b"\0" * (-os.fstat(out).st_size % SEGMENT_ALIGN))
        write_all(out, header(folder, DIRECTORY, 0))
        for name, fd in members:
            append(out, f"{folder}/{name}", fd)
        write_all(out, header(TRAILER, 0, 0))
    except OSError as error:
        os.close(out)
        raise Failure("cannot compose the initramfs: "
                      f"{error.strerror}") from error
    return out


def append(out, name, fd):
    size = max(0, os.fstat(fd).st_size - os.lseek(fd, 0, os.SEEK_CUR))
    write_all(out, header(name, REGULAR, size))
    copy(fd, out)
    write_all(out, b"\0" * (-size % ALIGN))
