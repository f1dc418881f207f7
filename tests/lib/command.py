# SPDX-License-Identifier: GPL-2.0-only
"""Where things are: this checkout, and what a run of the tests leaves."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# A test that calls tests/run has a directory of its own for that run, too
OUT = Path(os.environ["TEST_DIR"]) / "tests" if "TEST_DIR" in os.environ \
    else ROOT / "build" / "tests"


def shown(path):
    """A path or word as a person types it at the top of the checkout."""
    return str(path).replace(str(ROOT) + "/", "")


def directory(name):
    """Where the job with this name keeps its logs and builds."""
    return OUT / name.replace(":", "/").replace("@", "-")


def log_file(name):
    """Where a test program that runs as a job, or by hand, keeps some output."""
    folder = Path(os.environ.get("TEST_DIR", OUT / "by-hand"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (name + ".log")
