# SPDX-License-Identifier: GPL-2.0-only
"""Runs commands at the same time, each in a directory and a session of its own."""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import command

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 5       # seconds between SIGTERM and SIGKILL
FIRST = ".first"    # behind the directory of a job that runs a second time


@dataclass
class Job:
    """One command. What it prints belongs to one test program or to several."""
    name: str                   # unique, and the name of its directory
    argv: list
    read: Callable = None       # (text, status, job) -> [report.Part]
    timeout: int = 300          # seconds
    after: tuple = ()           # names of the jobs that make what this one needs
    builds: bool = False        # for others; a second try would find half of it done
    alone: bool = False         # for hours, after all others and beside none
    seconds: float = 0          # how long it took, if that is noted
    again: str = ""             # the command that runs it by itself

    @property
    def directory(self):
        """Logs and builds of this job only: TEST_DIR in its environment."""
        return command.directory(self.name)

    @property
    def first(self):
        """Where the directory of the first run is during a second one."""
        return self.directory.with_name(self.directory.name + FIRST)


@dataclass
class Ended:
    """How a job ended. status is None after a time-out, negative after a signal."""
    job: Job
    text: str
    status: int
    wall: float
    processor: float


class _Running:
    """A job that runs."""

    def __init__(self, job):
        self.job = job
        shutil.rmtree(job.directory, ignore_errors=True)
        job.directory.mkdir(parents=True)
        self.log = job.directory / "output.log"
        self.start = time.monotonic()
        self.late = False
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(
                [str(a) for a in job.argv], stdout=out, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, cwd=command.ROOT,
                env=dict(os.environ, TEST_DIR=str(job.directory)),
                start_new_session=True)

    def end(self, status, usage):
        """How the job ended."""
        self.process.returncode = status    # Popen must not wait for it again
        return Ended(self.job, self.log.read_text(errors="replace"),
                     None if self.late else status,
                     time.monotonic() - self.start,
                     usage.ru_utime + usage.ru_stime)


def _children():
    """The PIDs of this process's children."""
    path = Path("/proc/self/task/%d/children" % os.getpid())
    return [int(pid) for pid in path.read_text().split()]


def _signal_group(pid, number):
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


class Scheduler:
    """Runs up to "many" jobs at a time, the longest first, and then those that run alone.

    A process that a job leaves behind becomes a child of this process, which ends it
    together with the run.
    """

    def __init__(self, jobs, many, tell):
        """tell(name of an event, job or Ended) is called at each start and end."""
        self._todo = sorted(jobs, key=lambda job: (job.alone, -job.seconds))
        self._many = many
        self._tell = tell
        self._running = {}      # PID: _Running
        self._good = set()      # names of jobs that ended with status 0
        self._bad = set()       # ... that ended with another one, or did not start
        self._wakeup, self._woken = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wakeup, False)
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def run(self):
        """Run all jobs. A signal ends the jobs that run."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        before = signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        try:
            while self._todo or self._running:
                self._start()
                self._wait()
        finally:
            self._end_all()
            signal.set_wakeup_fd(before)

    def names(self):
        """What runs now."""
        return [running.job.name for running in self._running.values()]

    def left(self):
        """How many jobs have not started."""
        return len(self._todo)

    def _start(self):
        """Start as many jobs as may run now."""
        waiting = {job.name for job in self._todo} | set(self.names())
        for job in list(self._todo):
            if any(name in self._bad for name in job.after):
                self._todo.remove(job)
                self._bad.add(job.name)
                self._tell("not started", job)
            elif not self._has_room(job):
                continue
            elif not waiting.intersection(job.after):
                self._todo.remove(job)
                self._begin(job)

    def _has_room(self, job):
        if job.alone or any(running.job.alone for running in self._running.values()):
            return not self._running
        return len(self._running) < self._many

    def _begin(self, job):
        try:
            running = _Running(job)
        except OSError as error:
            self._bad.add(job.name)
            self._tell("end", Ended(job, "%s\n" % error, 127, 0, 0))
            return
        self._running[running.process.pid] = running
        self._tell("start", job)

    def _wait(self):
        """Wait for an event, at most a second."""
        select.select([self._wakeup], [], [], 1)
        try:
            os.read(self._wakeup, 4096)
        except BlockingIOError:
            pass
        while self._running or _children():
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if not pid:
                break
            running = self._running.pop(pid, None)
            if running:
                _signal_group(pid, signal.SIGKILL)
                ended = running.end(os.waitstatus_to_exitcode(status), usage)
                (self._good if ended.status == 0 else self._bad).add(ended.job.name)
                self._tell("end", ended)
        for pid, running in self._running.items():
            if time.monotonic() - running.start > running.job.timeout:
                running.late = True
                _signal_group(pid, signal.SIGKILL)
        self._tell("tick", None)

    def _end_all(self):
        """End what still runs: by SIGTERM, then by SIGKILL."""
        for number, seconds in ((signal.SIGTERM, _PATIENCE), (signal.SIGKILL, 60)):
            for pid in self._running:
                _signal_group(pid, number)
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                # Processes that have lost their parent are children of this one
                for pid in _children():
                    if number == signal.SIGKILL or pid not in self._running:
                        try:
                            os.kill(pid, number)
                        except ProcessLookupError:
                            pass
                try:
                    while os.waitpid(-1, os.WNOHANG)[0]:
                        pass
                except ChildProcessError:
                    return
                time.sleep(0.02)
