# SPDX-License-Identifier: GPL-2.0-only
"""Runs one command of a suite: output into a log, a time limit, its status."""

import os
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOGS = ROOT / "build" / "test-logs"


def shown(argv):
    """A command as a person would type it at the top of the checkout."""
    return " ".join(str(a).replace(str(ROOT) + "/", "") for a in argv)


def log_file(name):
    """Where the output called name is kept."""
    LOGS.mkdir(parents=True, exist_ok=True)
    return LOGS / (name.replace("/", "-") + ".log")


def run(argv, log_name, timeout, env=None, stdin=subprocess.DEVNULL):
    """(output, status): status is None after a time-out, negative if killed.

    stderr goes with stdout. All processes that the command started in its
    session end with it.
    """
    log = log_file(log_name)
    with open(log, "wb") as out:
        try:
            process = subprocess.Popen(
                [str(a) for a in argv], stdout=out, stderr=subprocess.STDOUT,
                stdin=stdin, cwd=ROOT, env=env, start_new_session=True)
        except OSError as error:
            return "%s\n" % error, 127
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end_group(process)
    return log.read_text(errors="replace"), status


def _end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
