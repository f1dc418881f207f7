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

import patch_series
from patch_series import Patch, Series, die

# Our choice of devices for the guest's emulator: QEMU has its own
NOT_UPSTREAM = "configs/"
# What readers of QEMU do not have
UNKNOWN = re.compile(r"r10kvm|make check|Documentation/|scripts/\w+-doc\b")


def ours():
    """{path in the tree: file of ours} of what the series adds."""
    return {str(path): source for source, path in patch_series.overlaid("qemu")
            if not str(path).startswith(NOT_UPSTREAM)}


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
            self.repository.commit(self.message(patch))
        shutil.rmtree(self.staged)
        self.repository.write(self.message(Patch("cover-letter")))

    def message(self, patch):
        """A patch's own message, or that of its first hook."""
        own = self.series.folder / "messages" / patch.name
        if own.is_file():
            return own.read_text().split("\n", 1)[1]
        return patch_series.described(self.series.hooks[patch.hooks[0].name])

    def hooks(self, patch):
        """The files of the hooks that this QEMU needs."""
        wanted = [hook for hook in patch.hooks if hook.wanted(self.repository.tree)]
        if sum(bool(hook.path) for hook in patch.hooks) > 1 and \
                sum(bool(hook.path) for hook in wanted) != 1:
            die("patch %s: of the hooks with a condition, %s needs %s" % (
                patch.name, self.repository.tree,
                [hook.name for hook in wanted if hook.path] or "none"))
        return [self.series.hooks[hook.name] for hook in wanted]

    def stage(self):
        """Make our files as this QEMU needs them."""
        for path, source in ours().items():
            found = UNKNOWN.search(source.read_text())
            if found and path not in self.series.unused:
                die("%s: %s means nothing to readers of QEMU" % (source, found[0]))
            (self.staged / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self.staged / path)
        self.series.port(self.repository.tree, self.staged)


def main(argv):
    """Make the series."""
    if len(argv) != 3:
        sys.exit(__doc__)
    series = Series("qemu")
    series.check(ours())
    patch_series.make(argv[1], argv[2],
                      lambda made: Maker(made, series).make())


if __name__ == "__main__":
    main(sys.argv)
