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

LINUX = ROOT / "integration" / "linux"
SERIES = LINUX / "series"
DRIVER = Path("drivers/perf/mips_r10k")
PAGE = Path("Documentation/admin-guide/perf/mips_r10k.rst")
MEASUREMENTS = Path("Documentation/measurements.rst")
SELFTESTS = Path("tools/testing/selftests")
GROWING = ("Kconfig", "Makefile")
# The page has no business with what exists in this repository alone.
NOT_UPSTREAM = re.compile(r"r10kvm|perfex|emulat|make check|build/|\.\./", re.I)


@dataclass
class Patch:
    """One patch of the series."""
    name: str
    page: bool = False
    driver: list = field(default_factory=list)
    options: list = field(default_factory=list)
    selftests: Change = None
    sources: list = field(default_factory=list)
    hooks: list = field(default_factory=list)


class Series:
    """What the file "series" says."""

    def __init__(self, path):
        self.patches = []
        self.ports = []
        patch_series.read(path, self._line)

    def _line(self, word, rest):
        if word == "patch":
            self.patches.append(Patch(rest))
        elif word == "port":
            self.ports.append(Change.parse(rest))
        elif not self.patches:
            return False
        elif word == "page":
            self.patches[-1].page = True
        elif word == "driver":
            self.patches[-1].driver += rest.split()
        elif word == "option":
            self.patches[-1].options += rest.split()
        elif word == "selftests":
            self.patches[-1].selftests = Change.parse(rest)
        elif word == "selftest":
            self.patches[-1].sources += rest.split()
        elif word == "hook":
            self.patches[-1].hooks.append(Change.parse(rest))
        else:
            return False
        return True

    def check(self):
        """Each of the driver's files is in one patch, each option too."""
        listed = [name for patch in self.patches for name in patch.driver]
        there = {p.name for p in (ROOT / DRIVER).iterdir()
                 if p.is_file() and p.suffix != ".o"} - set(GROWING)
        options = set(re.findall(r"^(?:menu)?config (\w+)",
                                 (ROOT / DRIVER / "Kconfig").read_text(), re.M))
        named = [name for patch in self.patches for name in patch.options]
        wrong = (patch_series.amiss("file", listed, there) +
                 patch_series.amiss("option", named, options))
        if wrong:
            die(*("%s: %s" % (SERIES / "series", w) for w in sorted(wrong)))


def hook_file(name):
    """Find a hook: the series' own, or one of the guest's kernel."""
    for folder in (SERIES / "hooks", LINUX / "hooks"):
        if (folder / (name + ".patch")).is_file():
            return folder / (name + ".patch")
    return die("%s: there is no hook %s" % (SERIES / "series", name))


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


def page():
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
    return (SERIES / "page-head.rst").read_text() + body.rstrip("\n") + "\n"


def filled(paragraph):
    """Put in what stands for {ROW: WHAT}, figures of measurements.rst."""
    known = (ROOT / MEASUREMENTS).read_text()

    def found(match):
        return measurements.figure(known, *match.groups()) or die(
            '%s has no row "%s" with "%s", or several: a message has %s'
            % (MEASUREMENTS, *match.groups(), match[0]))

    text = re.sub(r"\{([^:}]+): ([^}]+)\}", found, " ".join(paragraph.split()))
    return textwrap.fill(text, 72, break_on_hyphens=False)


def message(name):
    """Read a message; its first line is the licence."""
    text = (SERIES / "messages" / name).read_text().split("\n", 1)[1]
    return "\n\n".join(filled(part) if "{" in part else part
                       for part in text.rstrip("\n").split("\n\n")) + "\n"


class Maker:
    """Makes the patches in their repository."""

    def __init__(self, repository, series):
        self.repository, self.series = repository, series
        self.tree, self.dir = repository.tree, repository.dir
        self.staged = repository.out / "driver"
        self.options, self.files = [], []

    def make(self):
        """All of them, and the cover letter."""
        self.repository.begin([hook_file(hook.name)
                               for patch in self.series.patches
                               for hook in patch.hooks
                               if hook.wanted(self.tree)])
        self.port()
        for patch in self.series.patches:
            self.add(patch)
        shutil.rmtree(self.staged)
        self.repository.git("config", "branch.series.description",
                            message("cover-letter"))
        self.repository.write("--cover-letter",
                              "--cover-from-description=subject")

    def port(self):
        """Make the driver's files as this kernel needs them."""
        target = self.staged / DRIVER
        target.mkdir(parents=True)
        for path in (ROOT / DRIVER).iterdir():
            if path.is_file() and path.suffix != ".o":
                shutil.copy(path, target)
        for port in self.series.ports:
            if port.wanted(self.tree):
                patch_series.apply(SERIES / "ports" / (port.name + ".patch"), self.staged)

    def add_driver(self, patch):
        """Put in the driver's files of one patch, and what builds them."""
        target = self.dir / DRIVER
        self.options += patch.options
        self.files += patch.driver
        target.mkdir(parents=True, exist_ok=True)
        for name in patch.driver:
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
                die("%s: there is no %s" % (SERIES / "series", pattern))
            for file in files:
                shutil.copyfile(file, target / file.name)

    def add(self, patch):
        """Commit one patch, unless it has become empty."""
        if patch.page:
            (self.dir / PAGE).write_text(page())
        if patch.driver or patch.options:
            self.add_driver(patch)
        if patch.selftests and patch.selftests.wanted(self.tree):
            self.add_selftests(patch)
        for hook in patch.hooks:
            if hook.wanted(self.tree):
                self.repository.add_hook(hook_file(hook.name))
        self.repository.commit(message(patch.name))


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
