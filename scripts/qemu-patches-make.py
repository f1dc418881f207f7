#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the emulated CPUs and the Octane as a series of patches for one QEMU tree.

usage: qemu-patches-make.py TREE OUT

integration/qemu/series/series says what goes into which patch. How they are made,
and of whom they are, is in patch_series.py.
"""

import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import patch_series
from patch_series import ROOT, Change, die

QEMU = ROOT / "integration" / "qemu"
SERIES = QEMU / "series"
# Our choice of devices for the guest's emulator: QEMU has its own
NOT_UPSTREAM = "configs/"
# What readers of QEMU do not have
UNKNOWN = re.compile(r"r10kvm|make check|Documentation/|scripts/\w+-doc\b")


@dataclass
class Patch:
    """One patch of the series."""
    name: str
    files: list = field(default_factory=list)
    hooks: list = field(default_factory=list)


class Series:
    """What the file "series" says."""

    def __init__(self, path):
        self.patches = []
        self.ports = []
        self.unused = []
        patch_series.read(path, self._line)

    def _line(self, word, rest):
        if word == "patch":
            self.patches.append(Patch(rest))
        elif word == "port":
            self.ports.append(Change.parse(rest))
        elif word == "unused":
            self.unused += rest.split()
        elif word in ("file", "hook") and self.patches:
            if word == "file":
                self.patches[-1].files += rest.split()
            else:
                self.patches[-1].hooks.append(Change.parse(rest))
        else:
            return False
        return True

    def check(self):
        """Each of our files and hooks is in one patch, and each message of one."""
        files = [name for patch in self.patches for name in patch.files]
        hooks = [hook.name for patch in self.patches for hook in patch.hooks]
        messages = {path.name for path in (SERIES / "messages").iterdir()}
        names = {patch.name for patch in self.patches} | {"cover-letter"}
        wrong = (patch_series.amiss("file", files + self.unused, ours()) +
                 patch_series.amiss("hook", hooks, hook_files()) +
                 patch_series.amiss("port", [port.name for port in self.ports],
                                    folder_of("ports")) +
                 ["message %s is of no patch" % name for name in messages - names])
        if wrong:
            die(*("%s: %s" % (SERIES / "series", w) for w in sorted(wrong)))


def ours():
    """{path in the tree: file of ours} of what the series adds."""
    return {str(path): source for source, path in patch_series.overlaid("qemu")
            if not str(path).startswith(NOT_UPSTREAM)}


def folder_of(name, parent=SERIES):
    """{name: file} of the patches in a folder."""
    return {path.stem: path for path in (parent / name).glob("*.patch")}


def hook_files():
    """{name: file} of the hooks: those of the guest's emulator, and the series' own."""
    return folder_of("hooks", QEMU) | folder_of("hooks")


def message(patch):
    """A patch's own message, or that of its first hook."""
    own = SERIES / "messages" / patch.name
    if own.is_file():
        return own.read_text().split("\n", 1)[1]
    return patch_series.described(hook_files()[patch.hooks[0].name])


class Maker:
    """Makes the patches in their repository."""

    def __init__(self, repository, series):
        self.repository, self.series = repository, series
        self.staged = repository.out / "files"

    def make(self):
        """All of them, and the cover letter."""
        hooks = {patch.name: self.hooks(patch) for patch in self.series.patches}
        self.repository.begin([file for files in hooks.values() for file in files])
        self.stage()
        for patch in self.series.patches:
            for name in patch.files:
                self.repository.put(self.staged / name, name)
            for file in hooks[patch.name]:
                self.repository.add_hook(file)
            self.repository.commit(message(patch))
        shutil.rmtree(self.staged)
        self.repository.git("config", "branch.series.description",
                            message(Patch("cover-letter")))
        self.repository.write("--cover-letter",
                              "--cover-from-description=subject")

    def hooks(self, patch):
        """The files of the hooks that this QEMU needs."""
        wanted = [hook for hook in patch.hooks if hook.wanted(self.repository.tree)]
        if sum(bool(hook.path) for hook in patch.hooks) > 1 and \
                sum(bool(hook.path) for hook in wanted) != 1:
            die("patch %s: of the hooks with a condition, %s needs %s" % (
                patch.name, self.repository.tree,
                [hook.name for hook in wanted if hook.path] or "none"))
        return [hook_files()[hook.name] for hook in wanted]

    def stage(self):
        """Make our files as this QEMU needs them."""
        for path, source in ours().items():
            found = UNKNOWN.search(source.read_text())
            if found and path not in self.series.unused:
                die("%s: %s means nothing to readers of QEMU" % (source, found[0]))
            (self.staged / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self.staged / path)
        for port in self.series.ports:
            if port.wanted(self.repository.tree):
                patch_series.apply(folder_of("ports")[port.name], self.staged)


def main(argv):
    """Make the series."""
    if len(argv) != 3:
        sys.exit(__doc__)
    series = Series(SERIES / "series")
    series.check()
    patch_series.make(argv[1], argv[2],
                      lambda made: Maker(made, series).make())


if __name__ == "__main__":
    main(sys.argv)
