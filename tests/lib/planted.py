# SPDX-License-Identifier: GPL-2.0-only
"""Faults that the tests must find: tests/long/planted.tsv lists them.

Each is planted in a copy, where the named case of a test run must fail. A copy is a
pair of overlays, which only the processes of that run see, mounted over this checkout
and the cache. So nothing must be restored, and what is built is not built again.
"""

import fnmatch
import os
import re
import shutil
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path

import accept

TABLE = accept.ROOT / "tests" / "long" / "planted.tsv"
CACHE = Path(os.environ.get("R10KPERF_CACHE") or Path(
    os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "r10kperf"))
SECONDS = 3600

# A user becomes root to mount, and then the same user again
_NAMESPACES = ["unshare", "--mount", "--pid", "--kill-child", "--mount-proc"]
_USER = ["unshare", "--map-user=%d" % os.getuid(), "--map-group=%d" % os.getgid()]
if os.getuid():
    _NAMESPACES[1:1] = ["--user", "--map-root-user"]
else:
    _USER = []

# sh is process 1, and reaps the orphans
_MOUNT = 'mount -t overlay -o "$1" planted "$2" || exit 125; shift 2\n'
_RUN = 'cd "$1" || exit 125; shift\n"$@"; exit $?\n'


@dataclass
class Row:
    """A line of the table."""
    name: str
    file: str
    line: str           # without its indentation
    becomes: str
    build: str          # a command of the shell, or "-"
    run: str            # the words after "tests/run"
    fails: str          # a pattern of the case in build/tests/results.tap

    def text(self):
        """The file with the fault in it."""
        lines = (accept.ROOT / self.file).read_text(encoding="utf-8").split("\n")
        found = [i for i, line in enumerate(lines) if line.strip() == self.line]
        if len(found) != 1:
            raise ValueError("%s: %s has this line %d times, not once: %s"
                             % (self.name, self.file, len(found), self.line))
        line = lines[found[0]]
        lines[found[0]] = line[:len(line) - len(line.lstrip())] + self.becomes
        return "\n".join(lines)


def table():
    """All rows."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")]
    return [Row(*line.split("\t")) for line in lines[1:]]


def stale(rows):
    """The rows that cannot be planted any more, because their file has changed."""
    for row in rows:
        try:
            row.text()
        except (OSError, ValueError) as error:
            yield str(error)


class Copy:
    """This checkout and the cache, and the changes to them in a directory."""

    def __init__(self, directory, below=None):
        """below is a Copy whose changes this one starts with."""
        self.directory, self.below = directory, below
        (directory / "tmp").mkdir(parents=True)
        self.trees = [accept.ROOT]
        if CACHE.is_dir() and accept.ROOT not in CACHE.resolve().parents:
            self.trees.append(CACHE.resolve())
        for number in range(len(self.trees)):
            for kind in ("upper", "scratch"):
                (directory / str(number) / kind).mkdir(parents=True)

    def _lower(self, number):
        """The directories under this copy's changes, the topmost first."""
        if not self.below:
            return [self.trees[number]]
        # pylint: disable=protected-access
        return [self.below.directory / str(number) / "upper",
                *self.below._lower(number)]

    def run(self, *argv):
        """Run a command at the top of the copy."""
        script, words = "", []
        for number, tree in enumerate(self.trees):
            mine = self.directory / str(number)
            words += ["lowerdir=%s,upperdir=%s,workdir=%s" % (
                ":".join(str(path) for path in self._lower(number)),
                mine / "upper", mine / "scratch"), tree]
            script += _MOUNT
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("TEST_DIR", "T", "MAKEFLAGS", "MFLAGS")}
        environment["TMPDIR"] = str(self.directory / "tmp")
        return accept.run([*_NAMESPACES, "sh", "-c", script + _RUN, "sh", *words,
                           accept.ROOT, *_USER, *argv], SECONDS, env=environment)

    def failed(self):
        """The cases that the last tests/run here saw fail."""
        path = self.directory / "0" / "upper" / "build" / "tests" / "results.tap"
        return re.findall(r"^not ok \d+ - (.*)$", path.read_text(
            encoding="utf-8"), re.M) if path.exists() else []

    def remove(self):
        """Remove the copy. The kernel leaves a directory in it that cannot be read."""
        for path in self.directory.glob("*/scratch/work"):
            path.chmod(0o700)
        shutil.rmtree(self.directory)


def _plant(copy, row, directory):
    """Change the file in the copy."""
    new = directory / "new"
    new.write_text(row.text(), encoding="utf-8")
    return copy.run("sh", "-c", 'cat "$1" >"$2"', "sh", new, row.file)


def _tests(copy, row):
    return copy.run("sh", "-c", "tests/run --strict " + row.run)


def _check_clean(tap, copy, rows):
    """Run the tests without faults, where they must pass. Return the runs that do."""
    for build in dict.fromkeys(row.build for row in rows):
        if build != "-":
            tap.ended("planted: with nothing planted, %s" % build,
                      copy.run("sh", "-c", build))
    good = set()
    for row in {row.run: row for row in rows}.values():
        if tap.ended("planted: tests/run %s passes with nothing planted" % row.run,
                     _tests(copy, row)):
            good.add(row.run)
    return good


def _check_row(tap, row, clean, directory):
    """One fault, in a copy of its own."""
    copy = Copy(directory / row.name, clean)
    steps = [_plant(copy, row, directory)]
    if row.build != "-":
        steps.append(copy.run("sh", "-c", row.build))
    bad = [ran for ran in steps if ran.status != 0]
    ran = bad[0] if bad else _tests(copy, row)
    failed = copy.failed()
    tap.check("planted %s: tests/run %s fails at %s" % (row.name, row.run,
                                                        row.fails),
              not bad and ran.status == 1 and fnmatch.filter(failed, row.fails),
              *ran.notes(), *("failed: " + case for case in failed[:9]))
    copy.remove()


def _stop(number, _frame):
    raise SystemExit(128 + number)


def check(tap, names=()):
    """All rows of the table, or those named."""
    # A signal must end what runs in a copy, and remove the copies
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    rows = [row for row in table() if not names or row.name in names]
    unknown = set(names) - {row.name for row in rows}
    if not tap.check("planted: there are such rows", not unknown, *unknown) or \
            not tap.equal("planted: the files have the lines", list(stale(rows)), []):
        return
    with tempfile.TemporaryDirectory() as folder:
        clean = Copy(Path(folder, "0clean"))
        if tap.ended("planted: a copy can be mounted; its changes are in TMPDIR",
                     clean.run("true")):
            good = _check_clean(tap, clean, rows)
            for row in rows:
                if row.run in good:
                    _check_row(tap, row, clean, Path(folder))
        clean.remove()
