#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a library's support as a series of patches for one of its trees.

usage: lib-patches-make.py libpfm4|papi TREE OUT

Each hook of integration/NAME, and each that is made of the event table, is a
patch, with its own message; one of them takes our new files along. The patches
are made by git, in a repository that has only the files of TREE that they touch
and that stays in OUT/git. TREE is only read. Author and sign-off are the git
identity of this checkout.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Library:
    """What is particular to one."""
    script: str                 # makes files of the event table
    made: Path                  # in this folder
    with_new_files: str = ""    # the hook that takes our new files along


LIBRARIES = {
    "libpfm4": Library("libpfm4-events", ROOT / "build/libpfm4/events",
                       "0002-r10000.patch"),
    "papi": Library("papi-presets", ROOT / "build/papi/hooks"),
}


def die(*lines):
    """End with an error."""
    sys.exit("\n".join("error: " + line for line in lines))


def run(*argv, **more):
    """The output of a command that must work."""
    done = subprocess.run([str(a) for a in argv], capture_output=True,
                          text=True, check=False, **more)
    if done.returncode:
        die("%s failed" % " ".join(str(a) for a in argv[:4]),
            *done.stdout.splitlines(), *done.stderr.splitlines())
    return done.stdout


def own(*argv):
    """What git says of this checkout."""
    return run("git", "-C", ROOT, *argv).strip()


def identity(key, committer):
    """Who makes the patches: git's user, or else who made the last commit."""
    return own("config", "--get", "--default",
               own("log", "-1", "--format=" + committer), "user." + key)


def hooks(name):
    """Our patches, in their order, which is that of scripts/overlay.sh."""
    return sorted((ROOT / "integration" / name / "hooks").glob("*.patch")) + \
        sorted(LIBRARIES[name].made.glob("*.patch"))


def touched(hook):
    """The files that a hook changes."""
    return re.findall(r"^\+\+\+ [^/\s]*/(\S+)", hook.read_text(), re.M)


def message(hook):
    """The subject and the text above the line of dashes."""
    head = hook.read_text().split("\n---\n", 1)[0]
    subject, text = re.search(r"^Subject: (.*)\n\n(.*)", head,
                              re.M | re.S).groups()
    return "%s\n\n%s\n" % (subject, text.strip())


def new_files(name):
    """(file of ours, path in the tree) of what the overlay adds."""
    overlay = ROOT / "integration" / name / "overlay"
    for line in overlay.read_text().splitlines():
        if line and not line.startswith("#"):
            source, target = line.split()
            for path in sorted((ROOT / source).iterdir()):
                if path.suffix != ".o":
                    yield path, Path(target) / path.name


class Repository:
    """The git repository in which the patches are made."""

    def __init__(self, name, tree, out):
        self.name = name
        self.tree, self.out, self.dir = tree, out, out / "git"
        self.who = (identity("name", "%cn"), identity("email", "%ce"))
        date = own("log", "-1", "--format=%ct") + " +0000"
        self.env = dict(PATH=os.environ["PATH"], HOME=str(out), LC_ALL="C",
                        GIT_CONFIG_NOSYSTEM="1")
        for role in ("AUTHOR", "COMMITTER"):
            self.env.update({"GIT_%s_NAME" % role: self.who[0],
                             "GIT_%s_EMAIL" % role: self.who[1],
                             "GIT_%s_DATE" % role: date})

    def git(self, *argv, **more):
        """Run git there, the same on every machine."""
        return run("git", "-C", self.dir, *argv, env=self.env, **more)

    def put(self, source, path):
        """Copy one file into the repository."""
        (self.dir / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, self.dir / path)

    def begin(self):
        """Commit the pristine files that the patches touch."""
        self.dir.mkdir(parents=True)
        for path in sorted({p for hook in hooks(self.name)
                            for p in touched(hook)}):
            if not (self.tree / path).is_file():
                die("%s is not in %s" % (path, self.tree))
            self.put(self.tree / path, path)
        self.git("init", "-q", "-b", "series")
        self.commit("Pristine")
        self.git("tag", "pristine")

    def commit(self, text):
        """Commit all that is there."""
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-F", "-", input=text)

    def add(self, hook):
        """One patch."""
        run("patch", "-d", self.dir, "-p1", "-F0", "-s", "-f",
            "--no-backup-if-mismatch", "-i", hook)
        if hook.name == LIBRARIES[self.name].with_new_files:
            for source, path in new_files(self.name):
                self.put(source, path)
        self.commit("%s\nSigned-off-by: %s <%s>\n"
                    % (message(hook), *self.who))

    def write(self):
        """Write the patches."""
        self.git("format-patch", "-q", "--no-signature", "-o", self.out,
                 "pristine..series")


def main(argv):
    """The program."""
    if len(argv) != 4 or argv[1] not in LIBRARIES:
        sys.exit(__doc__)
    name, tree, out = argv[1], Path(argv[2]).resolve(), Path(argv[3]).resolve()
    new = out.with_name(out.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    library = LIBRARIES[name]
    run(ROOT / "scripts" / library.script, library.made)
    repository = Repository(name, tree, new)
    repository.begin()
    for hook in hooks(name):
        repository.add(hook)
    repository.write()
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)


if __name__ == "__main__":
    main(sys.argv)
