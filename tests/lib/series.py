# SPDX-License-Identifier: GPL-2.0-only
"""Tests of series of patches: scripts/*-patches-make.py makes one, git am takes it, and
the result is the tree that was built. check() has all of it for a library; those of
Linux and of QEMU have more to show."""

import re
import shutil
from pathlib import Path

import accept
from accept import ROOT


def check(tap, name, pristine, source, folder):
    """Test a series. pristine is the library's tree, source has our files in it."""
    out = Path(folder, "series")
    made = tap.ended("the patches can be made", accept.run(
        [ROOT / "scripts/lib-patches-make.py", name, pristine, out], 300))
    if not made:
        return
    patches = sorted(out.glob("0*.patch"))
    tap.check("there are four or more", len(patches) >= 4, *patches)
    for patch in patches:
        head = patch.read_text().split("\n---\n")[0]
        tap.says("%s: it is signed" % patch.name[:4], head,
                 "\n\nSigned-off-by: ")
    _applied(tap, out / "git", Path(folder, "am"), patches, source)


def _applied(tap, repository, copy, patches, source):
    """Check that git am takes the patches on the pristine files."""
    identity = ["-c", "user.name=T", "-c", "user.email=t@localhost"]
    accept.run(["git", "clone", "-q", repository, copy])
    accept.run(["git", "-C", copy, "checkout", "-q", "pristine"])
    tap.ended("git am takes them", accept.run(
        ["git", "-C", copy, *identity, "am", "-q", *patches]))
    files = (source / ".r10kperf/files").read_text().split()
    tap.check("they change some files", len(files) > 4, *files)
    different = [f for f in files if not (copy / f).is_file() or
                 (copy / f).read_bytes() != (source / f).read_bytes()]
    tap.equal("the outcome is what the guest's programs are built from",
              different, [])


def made(tap, what, tree, out):
    """Write the series for Linux or QEMU."""
    return tap.ended("the series can be made", accept.run(
        [ROOT / ("scripts/%s-patches-make.py" % what), tree, out], 300))


def checked(tap, what, tree, out):
    """What scripts/WHAT-patches-check has that needs no build."""
    checks = ("am", "overlay", "checkpatch")
    ran = accept.run([ROOT / ("scripts/%s-patches-check" % what), tree, out, *checks],
                     accept.LOCKED)
    tap.ended("git am and checkpatch have no remark", ran)
    for check in checks:
        tap.says("%s was checked" % check, ran.err, "%s: passed" % check)


def messages(tap, out, least):
    """What a maintainer looks at first in each patch."""
    patches = sorted(out.glob("0*.patch"))
    tap.check("there are a cover letter and %d patches or more" % least,
              len(patches) > least, *patches)
    for patch in patches[1:]:
        text = patch.read_text(errors="replace")
        subject = re.search(r"^Subject: (.*(?:\n .*)*)", text, re.M).group(1)
        subject = re.sub(r"\s+", " ", subject).split("] ")[1]
        name = patch.name[:4]
        tap.check("%s: the subject is short" % name,
                  len(subject) <= 72 and subject[-1] != ".", subject)
        tap.says("%s: it is signed" % name, text.split("\n---\n")[0],
                 "\n\nSigned-off-by: ")
    heads = {patch.name: patch.read_text(errors="replace").split("\n---\n")[0]
             for patch in patches}
    tap.equal("no message is wider than 75 columns",
              [line for patch in patches[1:]
               for line in heads[patch.name].split("\n\n", 1)[1].splitlines()
               if len(line) > 75 and not re.match(r"[A-Z][\w-]+: ", line)], [])
    tap.equal("no placeholder is left",
              [name for name, text in heads.items() if re.search("[{}]", text)],
              [])


class Copy:
    """A copy of what a series is made from, to spoil."""

    def __init__(self, folder, what, tree, parts):
        self.folder, self.what, self.tree = Path(folder), what, tree
        for name in parts:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.folder / name)
            else:
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.folder / name)
        accept.run(["git", "init", "-q", folder], 20)
        for key, value in (("name", "T"), ("email", "t@localhost")):
            accept.run(["git", "-C", folder, "config", "user." + key, value], 20)
        accept.run(["git", "-C", folder, "commit", "-q", "--allow-empty", "-m",
                    "Test"], 20)

    def make(self):
        """Make the series from the copy."""
        return accept.run([
            self.folder / ("scripts/%s-patches-make.py" % self.what), self.tree,
            self.folder / "out"], 300)
