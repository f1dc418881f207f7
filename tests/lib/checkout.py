# SPDX-License-Identifier: GPL-2.0-only
"""Copies of this checkout, and programs that run as somebody else or with less."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from accept import ROOT

NOBODY = 65534
CACHE = Path(os.environ.get("R10KPERF_CACHE") or Path(
    os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "r10kperf")


@contextlib.contextmanager
def folder():
    """A directory of this program's own: below TEST_DIR, which is kept, or a
    temporary one."""
    given = os.environ.get("TEST_DIR")
    if given:
        with_name = tempfile.mkdtemp(prefix="checkout-", dir=given)
        yield Path(with_name)
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


def copy(to):
    """What a clone would have, with the changes that are not committed yet."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
        stdout=subprocess.PIPE, check=True).stdout
    for name in map(os.fsdecode, filter(None, listed.split(b"\0"))):
        source, target = ROOT / name, to / name
        if source.is_symlink() or source.exists():      # not removed since
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return to


def content(top):
    """{path: kind, mode, owner and link} of all that is below."""
    found = {}
    for path in sorted(top.rglob("*")):
        stat = path.lstat()
        found[str(path.relative_to(top))] = (
            oct(stat.st_mode), stat.st_uid,
            os.readlink(path) if path.is_symlink() else "")
    return found
