#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a library's support as a series of patches for one of its trees.

usage: lib-patches-make.py libpfm4|papi TREE OUT

Each hook of integration/NAME, and each that is made of the event table, is a
patch, with its own message; one of them takes our new files along. How they are
made, and of whom they are, is in patch_series.py.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import patch_series
from patch_series import ROOT


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


def fill(repository, name):
    """Our patches, in their order, which is that of scripts/overlay.sh."""
    library = LIBRARIES[name]
    patch_series.run(ROOT / "scripts" / library.script, library.made)
    hooks = sorted((ROOT / "integration" / name / "hooks").glob("*.patch")) + \
        sorted(library.made.glob("*.patch"))
    repository.begin(hooks)
    for hook in hooks:
        patch_series.apply(hook, repository.dir)
        if hook.name == library.with_new_files:
            for source, path in patch_series.overlaid(name):
                repository.put(source, path)
        repository.commit(patch_series.described(hook))
    repository.write()


def main(argv):
    """The program."""
    if len(argv) != 4 or argv[1] not in LIBRARIES:
        sys.exit(__doc__)
    patch_series.make(argv[2], argv[3], lambda made: fill(made, argv[1]))


if __name__ == "__main__":
    main(sys.argv)
