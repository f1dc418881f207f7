#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a library's support as a series of patches for one of its trees.

usage: lib-patches-make.py libpfm4|papi TREE OUT

Each hook of integration/NAME, and each that is made of the event table, is a
patch, with its own message; one of them takes our new files along. How they are
made, and of whom they are, is in patch_series.py.
"""

import re
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
            for source, path in new_files(name):
                repository.put(source, path)
        repository.commit(message(hook))
    repository.write()


def main(argv):
    """The program."""
    if len(argv) != 4 or argv[1] not in LIBRARIES:
        sys.exit(__doc__)
    patch_series.make(argv[2], argv[3], lambda made: fill(made, argv[1]))


if __name__ == "__main__":
    main(sys.argv)
