# SPDX-License-Identifier: GPL-2.0-or-later
"""Write patches for a tree: linux-, qemu- and lib-patches-make.py.

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
from dataclasses import dataclass, field
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


@dataclass
class Change:
    """A hook or a port: a patch of ours, if the tree has something, or lacks it."""
    name: str
    path: str = ""
    text: str = ""
    lacks: bool = False

    @classmethod
    def parse(cls, words):
        """From "NAME [if PATH [TEXT]]" or "NAME unless PATH TEXT"."""
        found = re.match(r"(\S+)(?:\s+(if|unless)\s+(.*))?$", words)
        if not found:
            die('"%s" is not a name, or a name with a condition' % words)
        name, word, condition = found.groups("")
        path, _, text = condition.partition(" ")
        return cls(name, path, text.strip(), word == "unless")

    def wanted(self, tree):
        """Say whether the tree is one of those that it is for."""
        if not self.path:
            return True
        file = tree / self.path
        has = file.is_file() and self.text in file.read_text(errors="replace")
        return has != self.lacks


def amiss(what, listed, there):
    """Complaints about a list that has not each of what is there, once."""
    return (["%s %s is in no patch" % (what, n) for n in set(there) - set(listed)]
            + ["%s %s does not exist" % (what, n)
               for n in set(listed) - set(there)]
            + ["%s %s is in two patches" % (what, n) for n in set(listed)
               if listed.count(n) > 1])


def overlaid(name):
    """(file of ours, path in the tree) of what the overlay of integration/NAME adds."""
    overlay = ROOT / "integration" / name / "overlay"
    for line in overlay.read_text().splitlines():
        if line and not line.startswith("#"):
            source, target = line.split()
            source = ROOT / source
            for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
                if path.is_file() and path.suffix != ".o":
                    yield path, Path(target) / path.relative_to(source)


def described(hook):
    """The message of a hook: its subject and the text above the line of dashes."""
    head = hook.read_text().split("\n---\n", 1)[0]
    subject, text = re.search(r"^Subject: (.*)\n\n(.*)", head,
                              re.M | re.S).groups()
    return "%s\n\n%s\n" % (subject, text.strip())


def touched(patch):
    """The files that a patch of ours changes."""
    return re.findall(r"^\+\+\+ [^/\s]*/(\S+)", patch.read_text(), re.M)


def made(patch):
    """The files that a patch of ours makes."""
    return re.findall(r"^--- /dev/null\n\+\+\+ [^/\s]*/(\S+)", patch.read_text(), re.M)


def apply(patch, folder):
    """Apply a patch of ours, to the letter."""
    done = subprocess.run(
        ["patch", "-d", folder, "-p1", "-F0", "-s", "-f",
         "--no-backup-if-mismatch", "-i", patch], capture_output=True,
        text=True, check=False)
    if done.returncode:
        die("%s does not apply" % patch, *done.stdout.splitlines())


@dataclass
class Patch:
    """One patch of a series, the same in each."""
    name: str
    files: list = field(default_factory=list)
    hooks: list = field(default_factory=list)


class Series:
    """What integration/NAME/series/series says. A subclass may know further words."""

    patch = Patch

    def __init__(self, name):
        self.folder = ROOT / "integration" / name / "series"
        self.hooks = self.named("hooks", self.folder.parent) | self.named("hooks")
        self.patches, self.ports = [], []
        self.unused, self.guest = [], []
        self.path = self.folder / "series"
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            word, _, rest = line.strip().partition(" ")
            if word and word[0] != "#" and not self.take(word, rest.strip()):
                die("%s:%d: %s" % (self.path, number, line))

    def take(self, word, rest):
        """Take a line, unless it is not one of a series or has no patch to belong to."""
        if word == "patch":
            self.patches.append(self.patch(rest))
        elif word == "port":
            self.ports.append(Change.parse(rest))
        elif word in ("unused", "guest"):
            getattr(self, word).extend(rest.split())
        elif not self.patches:
            return False
        elif word == "file":
            self.patches[-1].files += rest.split()
        elif word == "hook":
            self.patches[-1].hooks.append(Change.parse(rest))
        else:
            return False
        return True

    def named(self, name, parent=None):
        """{name: file} of the patches in a folder, here or in another parent."""
        return {path.stem: path for path in ((parent or self.folder) / name).glob("*.patch")}

    def check(self, files, *wrong):
        """End with what is wrong: each of our files (names) and each hook is in one
        patch, or stands among those for none; each port is listed, and each message is
        of a patch."""
        hooks = [hook.name for patch in self.patches for hook in patch.hooks]
        messages = {path.name for path in (self.folder / "messages").iterdir()}
        messages -= {patch.name for patch in self.patches} | {"cover-letter"}
        listed = [name for patch in self.patches for name in patch.files]
        wrong = [*wrong, *amiss("file", listed + self.unused, files),
                 *amiss("hook", hooks + self.guest, self.hooks),
                 *amiss("port", [port.name for port in self.ports], self.named("ports")),
                 *("message %s is of no patch" % name for name in messages)]
        if wrong:
            die(*("%s: %s" % (self.path, w) for w in sorted(wrong)))

    def port(self, tree, folder):
        """Make our files in a folder as this tree needs them."""
        for port in self.ports:
            if port.wanted(tree):
                apply(self.named("ports")[port.name], folder)


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
        for path in sorted({p for patch in patches
                            for p in set(touched(patch)) - set(made(patch))}):
            if not (self.tree / path).is_file():
                die("%s is not in %s" % (path, self.tree))
            self.put(self.tree / path, path)
        self.git("init", "-q", "-b", "series")
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", "Pristine")
        self.git("tag", "pristine")

    def add_hook(self, patch):
        """Apply a hook, and fill in the identity."""
        apply(patch, self.dir)
        for name in touched(patch):
            file = self.dir / name
            text = file.read_text(errors="surrogateescape")
            if "@IDENT@" in text:
                file.write_text(text.replace("@IDENT@", self.sign),
                                errors="surrogateescape")

    def commit(self, message):
        """Commit all that is there as one patch, unless there is nothing."""
        self.git("add", "-A", "-f")
        if self.git("status", "--porcelain"):
            self.git("commit", "-q", "-F", "-", input="%s\nSigned-off-by: %s\n"
                     % (message, self.sign))

    def write(self, cover=None):
        """Write the patches, and a cover letter of this text."""
        options = []
        if cover:
            self.git("config", "branch.series.description", cover)
            options = ["--cover-letter", "--cover-from-description=subject"]
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
