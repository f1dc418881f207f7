#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the driver as a series of patches for one kernel tree.

usage: linux-patches-make.py TREE OUT

integration/linux/series/series says what goes into which patch. How they are
made, and of whom they are, is in patch_series.py.
"""

import re
import shutil
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

import measurements
import patch_series
from patch_series import ROOT, Change, die

DRIVER = Path("drivers/perf/mips_r10k")
PAGE = Path("Documentation/admin-guide/perf/mips_r10k.rst")
MEASUREMENTS = Path("Documentation/measurements.rst")
SELFTESTS = Path("tools/testing/selftests")
GROWING = ("Kconfig", "Makefile")
# The page has no business with what exists in this repository alone.
NOT_UPSTREAM = re.compile(r"r10kvm|perfex|emulat|make check|build/|\.\./", re.I)


@dataclass
class Patch(patch_series.Patch):
    """One patch of the series; its files are the driver's."""
    page: bool = False
    options: list = field(default_factory=list)
    selftests: Change = None
    sources: list = field(default_factory=list)


class Series(patch_series.Series):
    """What the file "series" says."""

    patch = Patch

    def take(self, word, rest):
        """Also take the words of this series alone."""
        if super().take(word, rest):
            return True
        if not self.patches:
            return False
        if word == "page":
            self.patches[-1].page = True
        elif word == "option":
            self.patches[-1].options += rest.split()
        elif word == "selftests":
            self.patches[-1].selftests = Change.parse(rest)
        elif word == "selftest":
            self.patches[-1].sources += rest.split()
        else:
            return False
        return True


def driver_files():
    """The names of the driver's files that a patch adds."""
    return {p.name for p in (ROOT / DRIVER).iterdir()
            if p.is_file() and p.suffix != ".o"} - set(GROWING)


def options_amiss(series):
    """Each option of the driver's Kconfig is in one patch."""
    options = re.findall(r"^(?:menu)?config (\w+)",
                         (ROOT / DRIVER / "Kconfig").read_text(), re.M)
    return patch_series.amiss(
        "option", [name for patch in series.patches for name in patch.options], options)


def grown_kconfig(text, options):
    """Keep the head of a Kconfig and the entries of these options."""
    parts = re.split(r"^(?=(?:menu)?config )", text, flags=re.M)
    kept = [p for p in parts[1:] if p.split()[1] in options]
    return "".join(parts[:1] + kept).rstrip("\n") + "\n"


def grown_makefile(text, options, files):
    """Keep the paragraphs of these options, and the objects of these files.

    An object whose source is not the driver's is a composite, and stays.
    """
    def known(match):
        source = match.group(1) + ".c"
        if source in files or not (ROOT / DRIVER / source).is_file():
            return match.group(0)
        return ""

    kept = []
    for part in text.rstrip("\n").split("\n\n"):
        named = set(re.findall(r"obj-\$\(CONFIG_(\w+)\)", part))
        if named <= set(options):
            part = re.sub(r" ?\b([\w-]+)\.o\b", known, part)
            kept.append(part)
    return "\n\n".join(kept) + "\n"


def page(head):
    """The page: a head of its own, then the sections of driver.rst."""
    body = (ROOT / "Documentation" / "driver.rst").read_text()
    start = re.search(r"^.+\n={4,}\n", body.split("====\n\n", 1)[1], re.M)
    if not start:
        die("Documentation/driver.rst has no sections")
    body = body.split("====\n\n", 1)[1][start.start():]
    body = re.split(r"^In this repository\n=+\n", body, flags=re.M)[0]
    found = NOT_UPSTREAM.search(body)
    if found:
        die('Documentation/driver.rst: "%s" means nothing to readers of the '
            "kernel's documentation" % found.group(0),
            'move it to a last section, "In this repository"')
    return head.read_text() + body.rstrip("\n") + "\n"


def filled(paragraph):
    """Put in what stands for {ROW: WHAT}, figures of measurements.rst."""
    known = (ROOT / MEASUREMENTS).read_text()

    def found(match):
        return measurements.figure(known, *match.groups()) or die(
            '%s has no row "%s" with "%s", or several: a message has %s'
            % (MEASUREMENTS, *match.groups(), match[0]))

    text = re.sub(r"\{([^:}]+): ([^}]+)\}", found, " ".join(paragraph.split()))
    return textwrap.fill(text, 72, break_on_hyphens=False)


def message(path):
    """Read a message; its first line is the licence."""
    text = path.read_text().split("\n", 1)[1]
    return "\n\n".join(filled(part) if "{" in part else part
                       for part in text.rstrip("\n").split("\n\n")) + "\n"


class Maker:
    """Makes the patches in their repository."""

    def __init__(self, repository, series):
        self.repository, self.series = repository, series
        self.tree, self.dir = repository.tree, repository.dir
        self.messages = series.folder / "messages"
        self.staged = repository.out / "driver"
        self.options, self.files = [], []

    def make(self):
        """All of them, and the cover letter."""
        self.repository.begin([self.series.hooks[hook.name]
                               for patch in self.series.patches
                               for hook in patch.hooks
                               if hook.wanted(self.tree)])
        self.port()
        for patch in self.series.patches:
            self.add(patch)
        shutil.rmtree(self.staged)
        self.repository.write(message(self.messages / "cover-letter"))

    def port(self):
        """Make the driver's files as this kernel needs them."""
        target = self.staged / DRIVER
        target.mkdir(parents=True)
        for path in (ROOT / DRIVER).iterdir():
            if path.is_file() and path.suffix != ".o":
                shutil.copy(path, target)
        self.series.port(self.tree, self.staged)

    def add_driver(self, patch):
        """Put in the driver's files of one patch, and what builds them."""
        target = self.dir / DRIVER
        self.options += patch.options
        self.files += patch.files
        target.mkdir(parents=True, exist_ok=True)
        for name in patch.files:
            shutil.copy(self.staged / DRIVER / name, target)
        text = {name: (self.staged / DRIVER / name).read_text()
                for name in GROWING}
        (target / "Kconfig").write_text(
            grown_kconfig(text["Kconfig"], self.options))
        (target / "Makefile").write_text(
            grown_makefile(text["Makefile"], self.options, self.files))

    def add_selftests(self, patch):
        """Put in the tests for the kernel's kselftest."""
        target = self.dir / SELFTESTS / patch.selftests.name
        target.mkdir(parents=True)
        for pattern in patch.sources:
            files = sorted(ROOT.glob(pattern))
            if not files:
                die("%s: there is no %s" % (self.series.path, pattern))
            for file in files:
                shutil.copyfile(file, target / file.name)

    def add(self, patch):
        """Commit one patch, unless it has become empty."""
        if patch.page:
            (self.dir / PAGE).write_text(page(self.series.folder / "page-head.rst"))
        if patch.files or patch.options:
            self.add_driver(patch)
        if patch.selftests and patch.selftests.wanted(self.tree):
            self.add_selftests(patch)
        for hook in patch.hooks:
            if hook.wanted(self.tree):
                self.repository.add_hook(self.series.hooks[hook.name])
        self.repository.commit(message(self.messages / patch.name))


def main(argv):
    """Make the series."""
    if len(argv) != 3:
        sys.exit(__doc__)
    series = Series("linux")
    series.check(driver_files(), *options_amiss(series))
    patch_series.make(argv[1], argv[2],
                      lambda made: Maker(made, series).make())


if __name__ == "__main__":
    main(sys.argv)
