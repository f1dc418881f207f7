# SPDX-License-Identifier: GPL-2.0-or-later
"""The conversation with the agent: one event loop for all events."""
import select
import signal
import struct
import time
from contextlib import contextmanager

from r10kvmlib import protocol
from r10kvmlib.errors import Failure, GuestFailure, TimedOut
from r10kvmlib.protocol import (FRAME_ACK, FRAME_CLOSE, FRAME_DATA, FRAME_ERROR,
                                FRAME_EXIT, FRAME_HELLO, FRAME_POWEROFF,
                                FRAME_SIGNAL, FRAME_WINSIZE, STREAM_ERR,
                                STREAM_IN, STREAM_OUT, frame)

STOP_SECONDS = 3            # that a command has to end after a signal


class Limits:
    """The time limits of a run, by time.monotonic()."""

    def __init__(self, total, boot):
        self.total = total
        self.boot = boot
        self.start = time.monotonic()

    def left(self, booted):
        """Seconds until the next limit, None without one. Raises if one is over."""
        used = time.monotonic() - self.start
        if self.total and used >= self.total:
            raise TimedOut(f"timed out after {self.total:g} s: "
                           "the emulator was stopped")
        if not booted and used >= self.boot:
            raise GuestFailure(f"the guest has not started within {self.boot:g}"
                               " s (--boot-timeout gives it more time)")
        ends = [self.total, None if booted else self.boot]
        left = [end - used for end in ends if end]
        return min(left) if left else None


class Session:
    """Runs requests one after the other, on a machine that may still be booting."""

    def __init__(self, channel, signals, limits, script, note):
        self.channel = channel
        self.signals = signals
        self.limits = limits
        self.script = script    # size of the requests in the initramfs
        self.note = note
        self.booted = False
        self.status = None
        self.source = None
        self.sinks = {}
        self.terminal = None

    def run(self, request, source=None, out=None, err=None, terminal=None):
        """Run one request, or the guest's next one if request is None. Return the
        exit status."""
        self.source = source
        self.sinks = {STREAM_OUT: out, STREAM_ERR: err}
        self.terminal = terminal
        self.status = None
        with self._emulator():
            self._converse(request)
        return self.status

    @contextmanager
    def _emulator(self):
        """Explain the end of the emulator."""
        try:
            yield
        except EOFError:
            raise GuestFailure("the emulator ended before the command"
                               if self.booted else
                               "the emulator ended before the guest was up"
                               ) from None

    def running(self):
        """True if a request has begun and not ended."""
        return self.booted and self.status is None

    def stop(self, number):
        """Send the running command a signal, and SIGKILL if it does not end soon."""
        limits = self.limits
        with self._emulator():
            for each in (number, signal.SIGKILL):
                self.limits = Limits(STOP_SECONDS, STOP_SECONDS)
                self.channel.send(frame(FRAME_SIGNAL, 0, protocol.WORD.pack(each)))
                try:
                    self._finish()
                    break
                except TimedOut:
                    pass
            else:
                raise Failure("the command does not end")
        self.limits = limits

    def _converse(self, request):
        if request:
            self.channel.send(protocol.run_frame(request))
            if not request.input and not self.source:
                self._close(STREAM_IN)
        self._finish()

    def _finish(self):
        """Wait until the request has ended and its output is written."""
        self._take_frames()
        while self.status is None:
            self._step()
        while any(sink and sink.queue for sink in self.sinks.values()):
            self._step()

    def power_off(self, seconds):
        """Switch the guest off. True if it did so in time."""
        self.limits = Limits(seconds, seconds)
        self.sinks = {}
        self.source = None
        try:
            self.channel.send(frame(FRAME_POWEROFF))
            while True:
                self._step()
                self.channel.got.clear()
        except EOFError:
            return True
        except TimedOut:
            return False

    def _close(self, stream):
        self.channel.send(frame(FRAME_CLOSE, stream))

    def _step(self):
        """Wait for events and handle all that have happened."""
        poll = select.poll()
        actions = {}

        def watch(what, events, action):
            fd = what if isinstance(what, int) else what.fileno()
            poll.register(fd, events)
            actions.setdefault(fd, []).append(action)

        watch(self.signals, select.POLLIN, self._on_signal)
        self._watch_streams(watch)
        watch(self.channel, (0 if self.channel.full() else select.POLLIN) |
              (select.POLLOUT if self.channel.out else 0), self._on_channel)
        left = self.limits.left(self.booted)
        for fd, _ in poll.poll(None if left is None else left * 1000 + 1):
            for action in actions[fd]:
                action()

    def _watch_streams(self, watch):
        waiting = {}
        for stream, sink in self.sinks.items():
            if sink and sink.queue:
                waiting.setdefault(sink.fd, []).append(stream)
        for fd, streams in waiting.items():
            watch(fd, select.POLLOUT, lambda s=streams[0]: self._on_sink(s))
        if self.status is None and self.source and self.source.wanted():
            if self.source.fd not in waiting:
                watch(self.source.fd, select.POLLIN, self._on_source)

    def _on_signal(self):
        self.signals.clear()
        self.signals.check()
        if self.signals.take_resized() and self.terminal:
            size = protocol.TWO_WORDS.pack(*self.terminal.size())
            self.channel.send(frame(FRAME_WINSIZE, 0, size))

    def _on_sink(self, stream):
        sink = self.sinks[stream]
        if not sink.pump() and self.status is None:
            self._close(stream)
        ack = sink.take_ack()
        if ack and self.status is None:
            self.channel.send(frame(FRAME_ACK, stream,
                                    protocol.WORD.pack(ack)))

    def _on_source(self):
        data = self.source.read()
        if data:
            self.channel.send(data)

    def _on_channel(self):
        self.channel.flush()
        self.channel.receive()
        self._take_frames()

    def _take_frames(self):
        """Handle frames up to the end of the request. The guest may have started its
        next request already; those frames stay until it is run."""
        try:
            while self.status is None and (got := self.channel.next()):
                self._on_frame(got)
        except (struct.error, ValueError) as error:
            raise Failure("the guest's agent breaks the protocol "
                          f"({error}): run 'make guest'") from error

    def _on_frame(self, got):
        if got.type == FRAME_DATA and self.sinks.get(got.stream):
            self.sinks[got.stream].put(got.payload)
        elif got.type == FRAME_ACK and self.source:
            self.source.take_ack(protocol.WORD.unpack(got.payload)[0])
        elif got.type == FRAME_CLOSE and self.source:
            self.source.ended = True
        elif got.type == FRAME_EXIT:
            self.status = protocol.WORD.unpack(got.payload)[0]
        elif got.type == FRAME_HELLO:
            self._on_hello(got.payload)
        elif got.type == FRAME_ERROR:
            raise Failure("the guest cannot run "
                          + got.payload.decode(errors="replace"))

    def _on_hello(self, payload):
        version, = protocol.WORD.unpack_from(payload)
        if version != protocol.PROTOCOL_VERSION:
            raise Failure(f"the guest's agent speaks version {version} of the "
                          f"protocol, not {protocol.PROTOCOL_VERSION}: "
                          "run 'make guest'")
        _, uptime, script = protocol.HELLO.unpack(payload)
        if script != self.script:
            raise GuestFailure("the files to push do not fit into the guest's "
                               "memory: --memory gives it more")
        self.booted = True
        self.note(f"agent up, {uptime / 1000:.3f} s of kernel time")
