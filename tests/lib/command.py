# SPDX-License-Identifier: GPL-2.0-only
"""Paths: this checkout, and the files that a run of the tests leaves."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

CACHE = Path(os.environ.get("R10KPERF_CACHE") or Path(
    os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "r10kperf")
CCACHE = Path("/usr/lib/ccache")    # compilers that remember what they have compiled

# TEST_DIR is for a test that calls tests/run: that run has a directory of its own
OUT = Path(os.environ["TEST_DIR"]) / "tests" if "TEST_DIR" in os.environ \
    else ROOT / "build" / "tests"


def environment(folder):
    """The environment of a job, which has this directory. The same sources in another
    checkout, too, are compiled once."""
    return dict(os.environ, TEST_DIR=str(folder), CCACHE_DIR=str(CACHE / "ccache"),
                CCACHE_BASEDIR=str(ROOT), CCACHE_NOHASHDIR="1", CCACHE_MAXSIZE="500M",
                PATH="%s:%s" % (CCACHE, os.environ["PATH"]))


def shown(path):
    """A path or word in the form to type at the top of the checkout."""
    return str(path).replace(str(ROOT) + "/", "")


def directory(name):
    """The directory of this job's logs and builds."""
    return OUT / name.replace(":", "/").replace("@", "-")


def log_file(name):
    """A file for some output of a test program, which runs as a job or by hand."""
    folder = Path(os.environ.get("TEST_DIR", OUT / "by-hand"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (name + ".log")
