# SPDX-License-Identifier: GPL-2.0-or-later
"""From the command line to the exit status."""
import os
import stat
import sys
import time
import traceback
from contextlib import ExitStack, nullcontext

from r10kvmlib import cpio, files, logcheck, options, protocol, signals
from r10kvmlib.errors import Failure, Interrupted
from r10kvmlib.machine import Machine
from r10kvmlib.protocol import RUN_MERGE, Channel, Request, run_frame
from r10kvmlib.session import Limits, Session
from r10kvmlib.streams import Sink, Source
from r10kvmlib.terminal import HINT, Terminal
from r10kvmlib.transfer import Pull, Push

POWER_OFF_SECONDS = 60
ERROR_TEXT_MAX = 2000
SAID_MAX = 1 << 20
MIB = 1 << 20


def say(text):
    sys.stderr.write(f"r10kvm: {text}\n")
    sys.stderr.flush()


class Job:
    """One call of r10kvm: its options, files, machine and session."""

    def __init__(self, opts, sigs):
        self.options = opts
        self.signals = sigs
        self.start = time.monotonic()
        self.terminal = self._terminal()
        self.pushes = [Push(text) for text in opts.push]
        self.pulls = [Pull(text) for text in opts.pull]
        self.machine = Machine(opts, files.find(opts))
        self.input_file = None
        self.script = b""
        self.session = None

    def note(self, text):
        if self.options.verbose:
            say(f"{time.monotonic() - self.start:.3f} s: {text}")

    def _terminal(self):
        opts = self.options
        wanted = opts.tty or (not opts.command and not opts.no_stdin
                              and os.isatty(0))
        if wanted and not os.isatty(0):
            raise Failure("--tty: stdin is not a terminal")
        return Terminal(0) if wanted else None

    def request(self):
        """The user's command as a request to the agent."""
        opts = self.options
        env = opts.system.environment(opts.who) | opts.cpu.environment()
        flags = RUN_MERGE if same_file(1, 2) else 0
        size = (0, 0)
        if self.terminal:
            flags = self.terminal.flags
            size = self.terminal.size()
            env["TERM"] = os.environ.get("TERM", "vt100")
        env.update(opts.env)
        source = ("/dev/null" if opts.no_stdin else
                  self.input_file if self.input_file else "")
        return Request(opts.command or [opts.system.shell], env, opts.chdir,
                       opts.uid, flags, source, size)

    def prepare(self):
        """Put all requests and the files that they read into the initramfs.

        This is for --icount: input that arrives at some moment of its own would
        make each run different."""
        if self.options.icount is None:
            return
        members = [(f"push{i}", push.file.fileno())
                   for i, push in enumerate(self.pushes)]
        if not self.options.no_stdin and is_file(0):
            self.input_file = protocol.SCRIPT_DIR + "stdin"
            members.append(("stdin", 0))
        requests = [push.request()._replace(
                        input=f"{protocol.SCRIPT_DIR}push{i}")
                    for i, push in enumerate(self.pushes)]
        self.script = b"".join(run_frame(request) for request
                               in (*requests, self.request()))
        script = os.memfd_create("r10kvm-script")
        cpio.write_all(script, self.script)
        os.lseek(script, 0, os.SEEK_SET)
        members.append(("script", script))
        self.machine.use_initrd(cpio.compose(
            self.machine.files.initrd, protocol.SCRIPT_DIR.strip("/"), members))
        os.close(script)

    def run(self):
        """Run everything and return the exit status."""
        limits = Limits(self.options.timeout, self.options.boot_timeout)
        self.prepare()
        self.note(" ".join(self.machine.command_line("N")))
        with self.machine:
            self.note("emulator started")
            self.session = Session(Channel(self.machine.sock), self.signals,
                                   limits, len(self.script), self.note)
            for push in self.pushes:
                self.push(push)
            status = self.command()
            self.note(f"command ended with status {status}")
            status = self.pull_all(status)
            if self.options.check_log:
                self.check_log(status)
            self.note("stopping the emulator")
        return status

    def helper(self, request, what, source=None, out=None):
        """Run one of our own scripts. If it fails, its stderr is the message."""
        said = os.memfd_create("r10kvm-said")
        try:
            status = self.session.run(request, source, out,
                                      Sink(said, "memory", SAID_MAX))
            text = os.pread(said, ERROR_TEXT_MAX, 0).decode(errors="replace")
        finally:
            os.close(said)
        if out and out.overfull():
            raise Failure(f"{what}: it is larger than {self.options.pull_max} MiB "
                          "(--pull-max allows more)")
        if status:
            raise Failure(f"{what}: {text.strip() or f'status {status}'}")

    def push(self, push):
        fd = push.file.fileno()
        live = self.options.icount is None
        self.helper(push.request() if live else None, push.describe(),
                    Source(fd) if live else None)
        self.note(f"pushed {push.host}")

    def command(self):
        request = self.request()
        source = Source(0, self.terminal and self.terminal.watch)
        if request.input:
            source = None
        if self.options.icount is not None:
            request = None
        if self.terminal and not self.options.command:
            say(HINT)
        with self.terminal or nullcontext():
            return self.session.run(request, source, Sink(1, "the output"),
                                    Sink(2, "the error output"), self.terminal)

    def pull_all(self, status):
        """Pull all files. A missing file does not hide the command's own failure."""
        for pull in self.pulls:
            try:
                out = Sink(pull.spool.fileno(), "a temporary file",
                           self.options.pull_max * MIB)
                self.helper(pull.request(), pull.describe(), out=out)
                pull.finish()
                self.note(f"pulled {pull.guest}")
            except Failure as failure:
                if failure.show_log or failure.status != Failure.status:
                    raise
                say(failure)
                status = status or failure.status
        return status

    def check_log(self, status):
        if not self.session.power_off(POWER_OFF_SECONDS):
            raise Failure("the guest has not powered off within "
                          f"{POWER_OFF_SECONDS} s (its command ended with "
                          f"status {status})")
        bad = logcheck.bad_lines(self.machine.log_text())
        if bad:
            text = "".join(f"\n  | {line}" for line in bad[:20])
            raise Failure("the kernel log has warnings (the command ended "
                          f"with status {status}):{text}")

    def report(self, failure):
        """The error message, with the machine's messages if they help."""
        if not failure.show_log:
            return str(failure)
        log = self.machine.log_text()
        text = str(failure) + logcheck.cause(log)
        if self.machine.said().strip():
            text += "\nthe emulator's messages:\n"
            text += logcheck.tail(self.machine.said())
        if log.strip():
            text += "\nthe end of the kernel's log" + (
                "" if self.options.log else " (--log FILE keeps it)") + ":\n"
            text += logcheck.tail(log)
        return text.rstrip()


def is_file(fd):
    return stat.S_ISREG(os.fstat(fd).st_mode)


def same_file(first, second):
    """True if both descriptors are of one file. Output to the two must then keep
    its order."""
    a, b = os.fstat(first), os.fstat(second)
    return (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)


def guarded(argv, sigs):
    """Run the job and report its failures. Return the exit status."""
    job = None
    try:
        opts = options.parse(argv)
        job = Job(opts, sigs)
        status = job.run()
        sigs.check()
        return status
    except Interrupted:
        raise
    except Failure as failure:
        say(job.report(failure) if job else failure)
        return failure.status
    except Exception:           # must not look like the command's status
        traceback.print_exc()
        return Failure.status


def hold_standard_streams():
    """Open closed standard streams, or other files would get their numbers."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def main(argv):
    hold_standard_streams()
    with ExitStack() as stack:
        try:
            return guarded(argv, stack.enter_context(signals.Signals()))
        except Interrupted as interrupted:
            stack.close()
            signals.die_of(interrupted.signum)
            return interrupted.status
