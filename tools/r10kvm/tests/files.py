# SPDX-License-Identifier: GPL-2.0-or-later
"""Pushing and pulling; the agent on this machine has this machine's files."""
import io
import os
import stat
import tarfile
from pathlib import Path

from harness import Skip, expect, expect_in, random_bytes, test
from r10kvmlib import cpio, transfer


def tree(folder):
    """A folder with a program, a link, an empty folder, a sealed file."""
    (folder / "sub" / "empty").mkdir(parents=True)
    (folder / "sub" / "run me").write_text("#!/bin/sh\n")
    (folder / "sub" / "run me").chmod(0o755)
    (folder / "link").symlink_to("sub/run me")
    (folder / "sealed").write_text("x")
    (folder / "sealed").chmod(0o400)
    os.link(folder / "sealed", folder / "twin")
    return folder


def listing(folder):
    """All that matters of a tree."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            found[name] = os.readlink(path)
        elif stat.S_ISREG(mode):
            found[name] = (oct(mode), path.read_bytes())
        else:
            found[name] = "folder"
    return found


@test
def push_file(host):
    """A file is pushed with its mode: new name, into a folder, over another"""
    source = host.folder / "a file"
    source.write_bytes(random_bytes(300000))
    source.chmod(0o750)
    folder = host.folder / "to"
    for target, place in ((folder / "new" / "name", folder / "new" / "name"),
                          (folder, folder / "a file"),
                          (str(folder) + "/x/", folder / "x" / "a file"),
                          (folder / "new" / "name", folder / "new" / "name")):
        host.check("--push", f"{source}:{target}", "true")
        expect("content", place.read_bytes() == source.read_bytes(), True)
        expect("mode", stat.S_IMODE(place.stat().st_mode), 0o750)


@test
def push_pipe(host):
    """What is not a regular file is pushed as a file"""
    target = host.folder / "to"
    host.check("--push", f"/dev/stdin:{target}", "-n", "true", data=b"piped")
    expect("content", target.read_bytes(), b"piped")


@test
def push_folder(host):
    """A folder is pushed with all that is in it"""
    source = tree(host.folder / "from")
    into = host.folder / "into"
    into.mkdir()
    host.check("--push", f"{source}:{host.folder}/new",
               "--push", f"{source}:{into}", "true")
    expect("new name", listing(host.folder / "new"), listing(source))
    expect("into", listing(into / "from"), listing(source))


@test
def push_fails(host):
    """A push that fails is 125, names both, and the command does not run"""
    ran = host.folder / "ran"
    host.check("--push", "/etc/passwd:/proc/nosuch/x", "touch", str(ran),
               status=125, says="cannot push /etc/passwd to /proc/nosuch/x")
    expect("ran", ran.exists(), False)


@test
def pull_file(host):
    """A file is pulled: new name, into a folder, over another"""
    out = host.folder / "out"
    out.mkdir()
    for target, place in ((out / "x", out / "x"), (out, out / "made"),
                          (f"{out}/", out / "made"), (out / "x", out / "x")):
        host.check("--pull", f"{host.folder}/made:{target}", "--", "sh", "-c",
                   f"echo data >{host.folder}/made; chmod 700 {host.folder}/*")
        expect("content", place.read_bytes(), b"data\n")
        expect("mode", stat.S_IMODE(place.stat().st_mode), 0o700)
    expect("files", sorted(os.listdir(out)), ["made", "x"])


@test
def pull_proc(host):
    """A file of /proc, which has no length, is pulled whole"""
    host.check("--pull", f"/proc/version:{host.folder}/v", "true")
    expect("content", (host.folder / "v").read_text(),
           Path("/proc/version").read_text())


@test
def pull_folder(host):
    """A folder is pulled with all that is in it"""
    source = tree(host.folder / "from")
    host.check("--pull", f"{source}:{host.folder}/new", "true")
    expect("tree", listing(host.folder / "new"), listing(source))


@test
def pull_fails(host):
    """A pull that fails is 125, unless the command failed; nothing changes"""
    target = host.folder / "x"
    target.write_text("old")
    pull = ("--pull", f"/nosuch/file:{target}")
    host.check(*pull, "true", status=125, says="cannot pull /nosuch/file to "
               f"{target}: it does not exist in the guest")
    host.check(*pull, "--", "sh", "-c", "exit 3", status=3, says="cannot pull")
    expect("content", target.read_text(), "old")


@test
def pull_too_large(host):
    """A pull that is larger than --pull-max is 125 and says so; the next one is whole"""
    out = host.folder / "out"
    out.mkdir()
    pulls = [word for name in ("almost", "large", "folder", "small")
             for word in ("--pull", f"{host.folder}/in/{name}:{out}")]
    script = """
    mkdir -p in/folder && cd in && head -c 1048000 /dev/zero >almost
    cat almost almost >large && cp almost folder/f && echo data >small
    """
    err = host.run("--pull-max", "1", "--chdir", str(host.folder), *pulls, "--", "sh",
                   "-c", script)
    expect("status", err[0], 125)
    for name in ("large", "folder"):
        expect_in(f"cannot pull {host.folder}/in/{name} to {out}: it is larger than "
                  "1 MiB (--pull-max allows more)", err[2])
    expect("sizes", {path.name: path.stat().st_size for path in out.iterdir()},
           {"almost": 1048000, "small": 5})


@test
def pull_unwritable(host):
    """A place that cannot be written is found out before the start"""
    if not os.getuid():
        raise Skip("root can write everywhere")
    sealed = host.folder / "sealed"
    sealed.mkdir(mode=0o500)
    host.check("--pull", f"/etc/passwd:{sealed}/x", "true", status=125,
               says="cannot write in")


def archive(*members):
    """A tar archive in memory, of (name, type, link target)."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, kind, link in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            info.linkname = link
            tar.addfile(info)
    file.seek(0)
    return file


EVIL = {
    "..": [("../evil", tarfile.REGTYPE, "")],
    "absolute": [("{out}/evil", tarfile.REGTYPE, "")],
    "through a link": [("l", tarfile.SYMTYPE, "{out}"),
                       ("l/evil", tarfile.REGTYPE, "")],
    "hard link": [("evil", tarfile.LNKTYPE, "../secret")],
}


@test
def evil_archives(host):
    """An archive cannot write outside of its folder"""
    (host.folder / "secret").write_text("s")
    for name, members in EVIL.items():
        members = [tuple(x.format(out=host.folder) if isinstance(x, str) else x
                         for x in member) for member in members]
        try:
            transfer.unpack(archive(*members), host.folder / "in")
        except ValueError:
            pass
        else:
            raise AssertionError(f"{name}: unpacked")
        expect(name, (host.folder / "evil").exists(), False)


@test
def links_are_not_followed(host):
    """A folder of an archive is not made where a link leads, and what has been there
    keeps its mode"""
    secret, place = host.folder / "secret", host.folder / "in"
    for folder in (secret, place, place / "old"):
        folder.mkdir(mode=0o750)
    transfer.unpack(archive((".", tarfile.DIRTYPE, ""), ("old", tarfile.DIRTYPE, ""),
                            ("l", tarfile.SYMTYPE, str(secret)),
                            ("l", tarfile.DIRTYPE, ""),
                            ("l/f", tarfile.REGTYPE, "")), place)
    for folder in (secret, place, place / "old"):
        expect(f"mode of {folder.name}", oct(folder.stat().st_mode & 0o777), "0o750")
    expect("secret", os.listdir(secret), [])
    expect("l", (place / "l").is_symlink(), False)
    expect("l/f", (place / "l" / "f").exists(), True)


@test
def devices(host):
    """Devices and pipes of the guest are left out"""
    transfer.unpack(archive(("d", tarfile.CHRTYPE, ""),
                            ("p", tarfile.FIFOTYPE, ""),
                            ("f", tarfile.REGTYPE, "")), host.folder / "in")
    expect("files", os.listdir(host.folder / "in"), ["f"])


@test
def composed(host):
    """Files that are added to an initramfs follow it, aligned"""
    base = host.folder / "base"
    base.write_bytes(b"x" * 700)
    with open(__file__, "rb") as member:
        fd = cpio.compose(base, "dir", [("name", member.fileno())])
    data = os.pread(fd, 1 << 20, 0)
    os.close(fd)
    expect("base", data[:1024], b"x" * 700 + bytes(324))
    expect("magic", data[1024:1030], b"070701")
    expect("member", Path(__file__).read_bytes() in data, True)
    expect("end", data[-124:].startswith(b"070701") and
           b"TRAILER!!!\0" in data[-124:], True)
