# SPDX-License-Identifier: GPL-2.0-or-later
"""The host's ends of a command's streams: descriptors, flow control."""
import errno
import math
import os
import stat
from collections import deque

from r10kvmlib import protocol
from r10kvmlib.errors import Failure

HALF_WINDOW = protocol.STREAM_WINDOW // 2

# A pipe or terminal that poll() calls writable takes this much without blocking.
# (O_NONBLOCK would change it for all processes that share it.)
SAFE_WRITE = 4096


class Source:
    """The command's input. It is read at most a window ahead of the command."""

    def __init__(self, fd, translate=None):
        self.fd = fd
        self.credit = protocol.STREAM_WINDOW
        self.translate = translate
        self.ended = False

    def wanted(self):
        return not self.ended and self.credit > 0

    def take_ack(self, size):
        """Note that the command has read size bytes. ValueError if that cannot be."""
        if self.credit + size > protocol.STREAM_WINDOW:
            raise ValueError(f"{size} bytes acknowledged that were never sent")
        self.credit += size

    def read(self):
        """The next frame, or None if there is no input yet."""
        size = min(self.credit, protocol.FRAME_DATA_MAX)
        try:
            data = os.read(self.fd, size)
        except BlockingIOError:
            return None
        except OSError as error:
            if error.errno != errno.EIO:    # EIO: the terminal was hung up
                raise Failure("cannot read the standard input: "
                              f"{error.strerror}") from error
            data = b""
        if not data:
            self.ended = True
            return protocol.frame(protocol.FRAME_CLOSE, protocol.STREAM_IN)
        if self.translate:
            data = self.translate(data)
        self.credit -= len(data)
        return protocol.frame(protocol.FRAME_DATA, protocol.STREAM_IN, data)


class Sink:
    """A destination of the command's output. It buffers at most a window, and takes
    at most so many bytes if most says so."""

    def __init__(self, fd, name, most=math.inf):
        self.fd = fd
        self.name = name
        self.left = most
        self.queue = deque()
        self.consumed = 0
        self.unacknowledged = 0
        self.broken = False
        mode = os.fstat(fd).st_mode
        self.limit = None if stat.S_ISREG(mode) else SAFE_WRITE

    def put(self, data):
        """Buffer data. ValueError if the guest sends more than it may."""
        if self.broken or not data:
            return
        self.unacknowledged += len(data)
        if self.unacknowledged > protocol.STREAM_WINDOW:
            raise ValueError(f"more than {protocol.STREAM_WINDOW} bytes at once")
        self.left -= len(data)
        self.queue.append(memoryview(data))

    def overfull(self):
        """True if the guest has sent more than most."""
        return self.left < 0

    def pump(self):
        """Write without blocking. False if nothing more is taken: nobody reads the
        output any more, or there is too much of it."""
        if self.overfull():
            return self._break()
        data = self.queue[0]
        try:
            done = os.write(self.fd, data[:self.limit])
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return self._break()
        except OSError as error:
            raise Failure(f"cannot write to {self.name}: "
                          f"{error.strerror}") from error
        self.consumed += done
        if done < len(data):
            self.queue[0] = data[done:]
        else:
            self.queue.popleft()
        return True

    def _break(self):
        self.broken = True
        self.queue.clear()
        return False

    def take_ack(self):
        """Bytes to acknowledge, 0 if they are less than half a window."""
        if self.consumed < HALF_WINDOW:
            return 0
        consumed, self.consumed = self.consumed, 0
        self.unacknowledged -= consumed
        return consumed
