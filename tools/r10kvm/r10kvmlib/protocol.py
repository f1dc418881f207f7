# SPDX-License-Identifier: GPL-2.0-or-later
"""Frames between r10kvm and the agent: guest/protocol.h describes them."""
import os
import struct
from collections import namedtuple

from r10kvmlib.errors import Failure

PROTOCOL_VERSION = 3
PORT_NAME = "r10kvm.agent"
SCRIPT_DIR = "/.r10kvm/"

FRAME_HELLO = 1
FRAME_RUN = 2
FRAME_DATA = 3
FRAME_ACK = 4
FRAME_CLOSE = 5
FRAME_WINSIZE = 6
FRAME_EXIT = 7
FRAME_ERROR = 8
FRAME_POWEROFF = 9
FRAME_SIGNAL = 10

FRAME_HEADER = 8
FRAME_DATA_MAX = 32752
FRAME_MAX = 2097152

STREAM_IN = 0
STREAM_OUT = 1
STREAM_ERR = 2
STREAM_WINDOW = 262144

RUN_TTY = 1
RUN_MERGE = 2

HEADER = struct.Struct(">BBHI")
RUN_WORDS = struct.Struct(">6I")
WORD = struct.Struct(">I")
TWO_WORDS = struct.Struct(">2I")
HELLO = struct.Struct(">3I")

Frame = namedtuple("Frame", "type stream payload")

# A command for the agent. input: a file of the guest as stdin, "" for the stream.
Request = namedtuple("Request", "argv env cwd uid flags input size",
                     defaults=({}, "/", 0, 0, "", (0, 0)))


def frame(kind, stream=0, payload=b""):
    return HEADER.pack(kind, stream, 0, len(payload)) + payload


def run_frame(request):
    env = [f"{name}={value}" for name, value in request.env.items()]
    words = RUN_WORDS.pack(request.flags, request.uid, *request.size,
                           len(request.argv), len(env))
    strings = [request.cwd, request.input, *request.argv, *env]
    payload = words + b"".join(os.fsencode(s) + b"\0" for s in strings)
    if len(payload) > FRAME_MAX:
        raise Failure("the argument list is too long")
    return frame(FRAME_RUN, 0, payload)


class Channel:
    """Frames over a non-blocking socket."""

    CHUNK = 1 << 18

    def __init__(self, sock):
        sock.setblocking(False)
        self.sock = sock
        self.out = bytearray()
        self.got = bytearray()

    def fileno(self):
        return self.sock.fileno()

    def send(self, data):
        self.out += data
        self.flush()

    def flush(self):
        """Send what the socket takes. EOFError if the other side is gone."""
        while self.out:
            try:
                del self.out[:self.sock.send(self.out[:self.CHUNK])]
            except BlockingIOError:
                return
            except OSError as error:
                raise EOFError from error

    def receive(self):
        """Read what has arrived. EOFError if the other side is gone."""
        try:
            data = self.sock.recv(self.CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            raise EOFError from error
        if not data:
            raise EOFError
        self.got += data

    def full(self):
        """True if no more need be read: the buffer holds at least a whole frame."""
        return len(self.got) >= FRAME_HEADER + FRAME_MAX

    def next(self):
        """The next frame, or None if it is incomplete. ValueError if it is longer
        than allowed, or the guest could use up all of the host's memory."""
        if len(self.got) < FRAME_HEADER:
            return None
        kind, stream, _, length = HEADER.unpack_from(self.got)
        if length > FRAME_MAX:
            raise ValueError(f"a frame of {length} bytes")
        end = FRAME_HEADER + length
        if end > len(self.got):
            return None
        payload = bytes(self.got[FRAME_HEADER:end])
        del self.got[:end]
        return Frame(kind, stream, payload)
