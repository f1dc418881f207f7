# SPDX-License-Identifier: GPL-2.0-or-later
"""Write patches for a tree: linux-patches-make.py and lib-patches-make.py.

The patches are made by git, in a repository of its own that has only those files
of the tree that they touch; that repository stays in OUT/git, and its first commit
is the pristine state, tagged so. The tree is only read. Author and sign-off are the
git identity of this checkout, or that of its last commit where none is set.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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
    said = run("git", "-C", ROOT, *argv).strip()
    return said or die("git %s says nothing in %s" % (" ".join(argv), ROOT))


def identity(key, committer):
    """Who makes the patches: git's user, or else who made the last commit."""
    return own("config", "--get", "--default",
               own("log", "-1", "--format=" + committer), "user." + key)


def touched(patch):
    """The files that a patch of ours changes."""
    return re.findall(r"^\+\+\+ [^/\s]*/(\S+)", patch.read_text(), re.M)


def apply(patch, folder):
    """Apply a patch of ours, to the letter."""
    done = subprocess.run(
        ["patch", "-d", folder, "-p1", "-F0", "-s", "-f",
         "--no-backup-if-mismatch", "-i", patch], capture_output=True,
        text=True, check=False)
    if done.returncode:
        die("%s does not apply" % patch, *done.stdout.splitlines())


class Repository:
    """The git repository in which the patches are made."""

    def __init__(self, tree, out):
        self.tree, self.out, self.dir = tree, out, out / "git"
        who = identity("name", "%cn"), identity("email", "%ce")
        self.sign = "%s <%s>" % who
        date = own("log", "-1", "--format=%ct") + " +0000"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(out), "LC_ALL": "C",
                    "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            self.env.update({"GIT_%s_NAME" % role: who[0],
                             "GIT_%s_EMAIL" % role: who[1],
                             "GIT_%s_DATE" % role: date})

    def git(self, *argv, **more):
        """Run git there, the same on every machine."""
        return run("git", "-C", self.dir, *argv, env=self.env, **more)

    def put(self, source, path):
        """Copy one file into the repository."""
        (self.dir / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, self.dir / path)

    def begin(self, patches):
        """Commit the pristine files that our patches touch."""
        self.dir.mkdir(parents=True)
        for path in sorted({p for patch in patches for p in touched(patch)}):
            if not (self.tree / path).is_file():
                die("%s is not in %s" % (path, self.tree))
            self.put(self.tree / path, path)
        self.git("init", "-q", "-b", "series")
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", "Pristine")
        self.git("tag", "pristine")

    def commit(self, message):
        """Commit all that is there as one patch, unless there is nothing."""
        self.git("add", "-A", "-f")
        if self.git("status", "--porcelain"):
            self.git("commit", "-q", "-F", "-", input="%s\nSigned-off-by: %s\n"
                     % (message, self.sign))

    def write(self, *options):
        """Write the patches."""
        self.git("format-patch", "-q", "--no-signature", *options, "-o",
                 self.out, "pristine..series")


def make(tree, out, fill):
    """Make a new OUT, whose repository fill() gets; then it takes the old's place."""
    tree, out = Path(tree).resolve(), Path(out).resolve()
    new = out.with_name(out.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    fill(Repository(tree, new))
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
