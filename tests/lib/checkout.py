# SPDX-License-Identifier: GPL-2.0-only
"""Copies of this checkout, and programs that run as another user or with less."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from command import CACHE, ROOT

NOBODY = 65534


@contextlib.contextmanager
def folder():
    """A directory of this program's own. Below TEST_DIR it is kept; without TEST_DIR it
    is temporary."""
    given = os.environ.get("TEST_DIR")
    if given:
        with_name = tempfile.mkdtemp(prefix="checkout-", dir=given)
        yield Path(with_name)
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


def copy(to):
    """Copy the files that a clone would have, with uncommitted changes."""
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
    """{path: kind, mode, owner and link} of all files below a directory."""
    found = {}
    for path in sorted(top.rglob("*")):
        stat = path.lstat()
        found[str(path.relative_to(top))] = (
            oct(stat.st_mode), stat.st_uid,
            os.readlink(path) if path.is_symlink() else "")
    return found
