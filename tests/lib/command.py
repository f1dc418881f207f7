# SPDX-License-Identifier: GPL-2.0-only
"""Paths: this checkout, and the files that a run of the tests leaves."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# TEST_DIR is for a test that calls tests/run: that run has a directory of its own
OUT = Path(os.environ["TEST_DIR"]) / "tests" if "TEST_DIR" in os.environ \
    else ROOT / "build" / "tests"


def made(folder):
    """The names of the programs that the Makefile of a directory of tests builds."""
    return subprocess.run(["make", "-s", "-C", ROOT / "tests" / folder, "list"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.split()


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
