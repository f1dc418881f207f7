# SPDX-License-Identifier: GPL-2.0-or-later
"""Files into the guest and out of it: as stdin and stdout of small scripts.

A single file travels as it is, a folder as a tar archive. Both wait in a file
without a name until they are complete, so a failure on either side changes
nothing on the other.
"""
import os
import posixpath
import stat
import tarfile
import tempfile

from r10kvmlib.errors import Failure
from r10kvmlib.protocol import Request

GUEST_ENV = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

# $1 target, $2 name to take if the target is a folder, $3 mode
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
# The first line says what follows.
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
    """One --push: checked and opened at once, before the machine starts."""

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
    """The file; what is not a regular file is read to its end first."""
    file = open(path, "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    with file:
        spool = tempfile.TemporaryFile()
        copy(file, spool)
    spool.seek(0)
    return spool


def pack(folder):
    """An archive of what is in the folder, everything owned by root."""
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
    """One --pull: the host's side is checked before the machine starts."""

    def __init__(self, text):
        self.guest, self.host = split(text, "--pull", "GUEST", "HOST")
        self.name = posixpath.basename(self.guest.rstrip("/")) or "root"
        self.target = self.host
        if self.host.endswith("/") or os.path.isdir(self.host):
            self.target = os.path.join(self.host, self.name)
        parent = os.path.dirname(self.target) or "."
        if not os.path.isdir(parent):
            raise Failure(f"--pull {text}: there is no folder {parent}")
        if not os.access(parent, os.W_OK):
            raise Failure(f"--pull {text}: cannot write in {parent}")
        self.spool = tempfile.TemporaryFile()

    def request(self):
        return shell(PULL, self.guest)

    def describe(self):
        return f"cannot pull {self.guest} to {self.host}"

    def finish(self):
        """What has come from the guest goes to its place."""
        self.spool.seek(0)
        try:
            kind, _, mode = self.spool.readline(64).decode().strip().partition(" ")
            if kind == "folder":
                unpack(self.spool, self.target)
            else:
                store(self.spool, self.target, int(mode, 8) & 0o777)
        except (OSError, ValueError, tarfile.TarError) as error:
            raise Failure(f"{self.describe()}: {error}") from error


def copy(source, target):
    while data := source.read(1 << 20):
        target.write(data)


def store(source, path, mode):
    """The file appears complete or not at all. Devices are written to."""
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
    """An archive that the guest made: nothing lands outside of the folder, and what
    has been there keeps its mode, unless it is a file that is replaced."""
    os.makedirs(folder, exist_ok=True)
    top = os.path.realpath(folder)
    with tarfile.open(fileobj=source, mode="r|") as archive:
        for member in archive:
            unpack_member(archive, member, top, inside(top, member.name))


def inside(top, name):
    """Where a name of the archive lies in the folder, if it does."""
    place = os.path.normpath(os.path.join(top, name))
    parent = os.path.realpath(os.path.dirname(place))
    if place != top and os.path.commonpath([top, parent]) != top:
        raise ValueError(f"{name} would leave the folder")
    return place


def unpack_member(archive, member, top, place):
    """Files, folders and links; the rest means nothing outside the guest. A link is
    replaced, and never followed: the archive may have made it."""
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
    with open(place, "xb") as target:
        copy(archive.extractfile(member), target)
        os.fchmod(target.fileno(), member.mode & 0o777)
    os.utime(place, (member.mtime, member.mtime))
