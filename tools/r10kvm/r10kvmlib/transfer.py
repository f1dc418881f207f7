# SPDX-License-Identifier: GPL-2.0-or-later
"""Copies files into the guest and out of it, as stdin and stdout of small scripts.

A file is sent as it is, a directory as a tar archive. r10kvm collects each in a
file without a name until it is complete, so a failure on one side changes nothing
on the other. --pull-max limits what is collected from the guest. What is unpacked
has no more data than that: holes stay holes.
"""
import os
import posixpath
import stat
import sys
import tarfile
import tempfile

from r10kvmlib.errors import Failure
from r10kvmlib.protocol import Request

GUEST_ENV = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

# $1 target, $2 the name in it if the target is a directory, $3 mode
TARGET = """
t=$1
if [ -d "$t" ] || [ "${t%/}" != "$t" ]; then t=${t%/}/$2; fi
"""
PUSH_FILE = TARGET + """
case $t in */*) mkdir -p "${t%/*}/" || exit 1 ;; esac
cat >"$t" && chmod "$3" "$t"
"""
PUSH_FOLDER = TARGET + """
mkdir -p "$t" && exec tar -x -f - -C "$t"
"""
# The first line of its output says whether a file or an archive follows.
PULL = """
if [ -d "$1" ]; then
	echo folder && exec tar -c -f - -C "$1" .
fi
[ -e "$1" ] || { echo "it does not exist in the guest" >&2; exit 1; }
: <"$1" || exit 1
echo "file $(stat -c %a "$1")" && exec cat "$1"
"""


def shell(script, *args):
    return Request(["sh", "-c", script, "r10kvm", *args], GUEST_ENV)


def split(text, option, first, second):
    """HOST:GUEST or GUEST:HOST. A guest path has no colon in it."""
    cut = text.find(":") if first == "GUEST" else text.rfind(":")
    left, right = text[:cut], text[cut + 1:]
    if cut < 0 or not left or not right:
        raise Failure(f"{option} {text}: it must be {first}:{second}")
    return left, right


def no_such(path, error):
    return Failure(f"cannot use {path}: {error.strerror}")


class Push:
    """One --push. Its file is checked and opened before the machine starts."""

    def __init__(self, text):
        self.host, self.guest = split(text, "--push", "HOST", "GUEST")
        try:
            info = os.stat(self.host)
            self.name = os.path.basename(os.path.abspath(self.host)) or "root"
            self.is_folder = stat.S_ISDIR(info.st_mode)
            self.file = pack(self.host) if self.is_folder else load(self.host)
        except OSError as error:
            raise no_such(self.host, error) from error
        self.mode = format(stat.S_IMODE(info.st_mode) & 0o777, "o")

    def request(self):
        if self.is_folder:
            return shell(PUSH_FOLDER, self.guest, self.name)
        return shell(PUSH_FILE, self.guest, self.name, self.mode)

    def describe(self):
        return f"cannot push {self.host} to {self.guest} in the guest"


def load(path):
    """Open the file. Read it into a temporary file if it is not a regular one."""
    file = open(path, "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    with file:
        spool = tempfile.TemporaryFile()
        copy(file, spool)
    spool.seek(0)
    return spool


def pack(folder):
    """An archive of the directory's contents, with root as owner of everything."""
    def as_root(info):
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        return info

    spool = tempfile.TemporaryFile()
    with tarfile.open(fileobj=spool, mode="w",
                      format=tarfile.GNU_FORMAT) as archive:
        archive.add(folder, ".", filter=as_root)
    spool.seek(0)
    return spool


class Pull:
    """One --pull. The host's directory is checked before the machine starts."""

    def __init__(self, text):
        self.guest, self.host = split(text, "--pull", "GUEST", "HOST")
        self.name = posixpath.basename(self.guest.rstrip("/")) or "root"
        self.target = self.host
        if self.host.endswith("/") or os.path.isdir(self.host):
            self.target = os.path.join(self.host, self.name)
        parent = os.path.dirname(self.target) or "."
        if not os.path.isdir(parent):
            raise Failure(f"--pull {text}: the directory {parent} does not exist")
        if not os.access(parent, os.W_OK):
            raise Failure(f"--pull {text}: cannot write in {parent}")
        self.spool = tempfile.TemporaryFile()

    def request(self):
        return shell(PULL, self.guest)

    def describe(self):
        return f"cannot pull {self.guest} to {self.host}"

    def finish(self):
        """Move what the guest has sent to its target."""
        self.spool.seek(0)
        try:
            kind, _, mode = self.spool.readline(64).decode().strip().partition(" ")
            if kind == "folder":
                unpack(self.spool, self.target)
            else:
                store(self.spool, self.target, int(mode, 8) & 0o777)
        except (OSError, ValueError, OverflowError, RecursionError,
                tarfile.TarError) as error:
            raise Failure(f"{self.describe()}: {error}") from error


def copy(source, target, size=sys.maxsize):
    """Copy size bytes, or what there is of them."""
    while size > 0 and (data := source.read(min(size, 1 << 20))):
        target.write(data)
        size -= len(data)


def store(source, path, mode):
    """Write a file, which appears when it is complete. If path is a device or pipe,
    write to that."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as target:
            copy(source, target)
        return
    fd, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
    try:
        with os.fdopen(fd, "wb") as target:
            copy(source, target)
            os.fchmod(target.fileno(), mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def unpack(source, folder):
    """Unpack an archive that the guest has made. It cannot write outside of the
    directory. Existing directories keep their mode; existing files are replaced."""
    os.makedirs(folder, exist_ok=True)
    top = os.path.realpath(folder)
    start = source.tell()
    size = source.seek(0, os.SEEK_END) - start
    source.seek(start)
    with tarfile.open(fileobj=source, mode="r|") as archive:
        while member := archive.next():
            # tarfile does not report this
            if archive.offset > size:
                raise ValueError(f"the archive ends within {member.name}")
            unpack_member(archive, member, top, inside(top, member.name))
            # tarfile keeps all members, which could use up the memory
            archive.members = []


def inside(top, name):
    """The path of an archive's member. ValueError if it is outside of top."""
    place = os.path.normpath(os.path.join(top, name))
    parent = os.path.realpath(os.path.dirname(place))
    if place != top and os.path.commonpath([top, parent]) != top:
        raise ValueError(f"{name} would leave the directory")
    return place


def unpack_member(archive, member, top, place):
    """Unpack a file, directory or link. Other kinds mean nothing outside the guest.
    An existing link is replaced, not followed: the archive may have made it."""
    if member.isdir() and os.path.isdir(place) and not os.path.islink(place):
        return
    if not (member.isdir() or member.isreg() or member.issym() or member.islnk()):
        return
    if os.path.lexists(place):
        os.unlink(place)
    if member.isdir():
        os.makedirs(place)
        os.chmod(place, member.mode & 0o777 | stat.S_IRWXU)
        return
    if member.issym():
        os.symlink(member.linkname, place)
    elif member.islnk():
        os.link(inside(top, member.linkname), place, follow_symlinks=False)
    else:
        unpack_file(archive, member, place)


def unpack_file(archive, member, place):
    """Unpack a regular file. Where the archive has a hole, the file gets one: the
    hole of an archive of 10 KB can be larger than the disk."""
    parts = [(0, member.size)] if member.sparse is None else member.sparse
    archive.fileobj.seek(member.offset_data)
    with open(place, "xb") as target:
        for start, size in parts:
            target.seek(start)
            copy(archive.fileobj, target, size)
        target.truncate(member.size)
        os.fchmod(target.fileno(), member.mode & 0o777)
    os.utime(place, (member.mtime, member.mtime))
