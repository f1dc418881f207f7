# SPDX-License-Identifier: GPL-2.0-only
"""Tests of a series of patches for a library: scripts/lib-patches-make.py makes it, git
am takes it, and the result is the tree that was built."""

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
