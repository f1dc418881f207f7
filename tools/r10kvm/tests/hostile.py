# SPDX-License-Identifier: GPL-2.0-or-later
"""A guest that sends what it likes: frames and archives at random, and such as have
done harm. TEST_SEED gives others."""
import os
import random
import socket
import tarfile
import tracemalloc
from unittest import mock

from harness import SEED, expect, test
from r10kvmlib import cli, protocol, transfer
from r10kvmlib.errors import Failure
from r10kvmlib.session import Limits, Session
from r10kvmlib.signals import Signals
from r10kvmlib.streams import Sink, Source

ROUNDS = 300
MEMORY_MAX = 8 << 20
NUMBERS = (0, 1, 4, 8, 511, 512, 32752, 262144, 262145, 2097152, 2097153,
           0x7fffffff, 0x80000000, 0xffffffff)


class Memory:
    """How much memory of Python's was needed; AssertionError if too much."""

    def __init__(self, most=MEMORY_MAX):
        self.most = most

    def __enter__(self):
        tracemalloc.start()

    def __exit__(self, *_what):
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > self.most:
            raise AssertionError(f"{peak} bytes of memory were needed")


class Talk:
    """A session whose guest is this test: it has sent all that it has to say."""

    def __init__(self, said):
        self.ours, self.guest = socket.socketpair()
        self.pipe = os.pipe()
        self.null = os.open("/dev/null", os.O_RDWR)
        for end in (self.ours, self.guest):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self.guest.setblocking(False)
        try:
            self.guest.send(said)
        except BlockingIOError:
            pass
        self.guest.shutdown(socket.SHUT_WR)
        signals = mock.Mock(spec=Signals, fileno=lambda: self.pipe[0])
        self.session = Session(protocol.Channel(self.ours), signals,
                               Limits(60, 60), 0, lambda text: None)

    def run(self):
        """The status, or the kind of failure, of which there are no others."""
        try:
            return self.session.run(None, Source(self.null), Sink(self.null, "out"),
                                    Sink(self.null, "err"))
        except Failure as failure:
            return type(failure).__name__
        finally:
            self.close()

    def close(self):
        for end in (self.ours, self.guest):
            end.close()
        for fd in (*self.pipe, self.null):
            os.close(fd)


def some_frame(rand):
    """Most have the form of one; the length may be a lie."""
    payload = rand.choice((b"", rand.randbytes(rand.randrange(16)),
                           protocol.WORD.pack(rand.choice(NUMBERS)),
                           protocol.HELLO.pack(2, rand.choice(NUMBERS), 0),
                           bytes(rand.choice((32752, 40000)))))
    length = len(payload)
    if rand.random() < 0.05:
        length = rand.choice(NUMBERS)
    kind = rand.choice((1, 3, 3, 3, 4, 5, 6, 7, 8, 9, rand.randrange(256)))
    return protocol.HEADER.pack(kind, rand.choice((0, 1, 2, 255)), 0,
                                length) + payload


@test
def random_frames(_host):
    """Whatever the guest sends, a session ends, or fails as it may"""
    rand = random.Random(SEED)
    with Memory():
        for _ in range(ROUNDS):
            Talk(b"".join(some_frame(rand)
                          for _ in range(rand.randrange(1, 40)))).run()


@test
def empty_frames(_host):
    """Frames without data take no memory"""
    fd = os.open("/dev/null", os.O_WRONLY)
    sink = Sink(fd, "out")
    for _ in range(1000):
        sink.put(b"")
    os.close(fd)
    expect("queue", len(sink.queue), 0)


@test
def frames_after_the_end(_host):
    """What the guest sends after its command has ended takes no memory"""
    talk = Talk(b"")
    channel = talk.session.channel
    read, write = os.pipe()
    os.set_blocking(write, False)
    sink = Sink(write, "out")
    try:
        while os.write(write, bytes(4096)):
            pass
    except BlockingIOError:
        pass
    talk.session.status = 0
    talk.session.sinks = {protocol.STREAM_OUT: sink}
    sink.put(b"x")
    end = 4 * protocol.FRAME_MAX
    flood = mock.Mock(recv=lambda size: bytes(size), fileno=talk.null.__index__)
    channel.sock = flood
    with mock.patch.object(Limits, "left", side_effect=lambda booted: 0):
        # pylint: disable=protected-access
        for _ in range(end // channel.CHUNK):
            talk.session._step()
    for fd in (read, write):
        os.close(fd)
    kept = len(channel.got)
    talk.close()
    expect("kept", kept < end / 2, True)


@test
def words_without_end(_host):
    """What our scripts say in the guest takes only so much memory"""
    frames = 0

    def talk(_request, _source, _out, err):
        nonlocal frames
        while frames < 1000 and not err.broken:
            err.put(bytes(protocol.FRAME_DATA_MAX))
            err.pump()
            err.take_ack()
            frames += 1
        return 1

    try:
        cli.Job.helper(mock.Mock(session=mock.Mock(run=talk)), None, "x")
    except Failure:
        pass
    expect(f"{frames} frames, less than 1000", frames < 1000, True)


NAMES = ("a", "b", "a/b", "d", "d/a", "..", "../x", "a/../../x", "/x", ".", "./a",
         "", "d/../a", "a" * 300, "x\ny", "{out}", "{out}/x", "a/b/c/d")
KINDS = (tarfile.REGTYPE, tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE,
         tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE,
         tarfile.GNUTYPE_SPARSE, tarfile.CONTTYPE, b"Z")
TIMES = (0, 1, -1, 1 << 33, 1 << 62, -(1 << 62))
PAX = ({}, {}, {}, {"mtime": "nan"}, {"mtime": "inf"}, {"mtime": "1e300"},
       {"path": "../x"}, {"linkpath": "{out}"}, {"size": "99999999999999"},
       {"size": "-1"}, {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"},
       {"GNU.sparse.map": "0,1,x"}, {"GNU.sparse.size": "5"},
       {"path": "a\0b"}, {"hdrcharset": "BINARY"})


def some_member(rand, out):
    """Headers and data of one member."""
    info = tarfile.TarInfo(rand.choice(NAMES).format(out=out))
    info.type = rand.choice(KINDS)
    info.linkname = rand.choice(NAMES).format(out=out)
    info.mode = rand.choice((0o644, 0o7777, 0))
    info.mtime = rand.choice(TIMES)
    info.size = rand.choice((0, 0, 5, 600))
    if rand.random() < 0.05:
        info.size = rand.choice(NUMBERS)
    data = rand.randbytes(min(info.size, 600))
    data += bytes(-len(data) % 512)
    pax = {key: value.format(out=out) for key, value in rand.choice(PAX).items()}
    if pax:
        info.pax_headers = pax
        return info.tobuf(tarfile.PAX_FORMAT) + data
    return info.tobuf(tarfile.GNU_FORMAT) + data


def some_archive(rand, out):
    """Members, of which some bytes are others, and the end may be missing."""
    data = bytearray(b"".join(some_member(rand, out)
                              for _ in range(rand.randrange(1, 8))))
    if rand.random() < 0.3:
        for _ in range(rand.randrange(1, 6)):
            data[rand.randrange(len(data))] = rand.randrange(256)
    if rand.random() < 0.3:
        del data[rand.randrange(len(data)):]
    return bytes(data + bytes(1024))


def pull(host, data):
    """Unpack it as --pull does; what it fails with, if it fails as it may."""
    job = transfer.Pull(f"/g:{host.folder / 'in'}")
    with job.spool:
        job.spool.write(b"folder\n")
        job.spool.write(data)
        try:
            job.finish()
        except Failure as failure:
            return str(failure)
    return None


def outside(host):
    """All that is not in the folder that is pulled to."""
    found = {}
    for name in ("out", "."):
        for entry in os.scandir(host.folder / name):
            if entry.name not in ("in", "tmp"):
                info = entry.stat(follow_symlinks=False)
                found[entry.path] = (info.st_mode, info.st_nlink, info.st_mtime_ns)
    return found


@test
def random_archives(host):
    """Whatever an archive has, nothing is written outside, and little memory needed"""
    rand = random.Random(SEED)
    out = host.folder / "out"
    out.mkdir()
    (out / "secret").write_text("s")
    before = outside(host)
    with Memory():
        for number in range(ROUNDS):
            pull(host, some_archive(rand, out))
            expect(f"outside after archive {number}", outside(host), before)


def member(mtime=0, pax=None):
    info = tarfile.TarInfo("a")
    info.mtime = mtime
    info.pax_headers = pax or {}
    form = tarfile.PAX_FORMAT if pax else tarfile.GNU_FORMAT
    return info.tobuf(form) + bytes(1024)


@test
def impossible_times(host):
    """A file of a time that cannot be is refused"""
    for data in (member(1 << 70), member(pax={"mtime": "inf"}),
                 member(pax={"mtime": "nan"})):
        expect("refused", bool(pull(host, data)), True)


@test
def impossible_sizes(host):
    """A member that is larger than the archive is refused at once"""
    info = tarfile.TarInfo("a")
    info.type = b"Z"
    for size in ("99999999999999999", "-99999"):
        info.pax_headers = {"size": size}
        expect("refused", bool(pull(host, info.tobuf(tarfile.PAX_FORMAT))), True)


@test
def holes(host):
    """A hole of an archive takes no place on the disk"""
    hole = 64 << 20
    info = tarfile.TarInfo("a")
    info.size = 2
    info.pax_headers = {"GNU.sparse.map": f"0,1,{hole},1",
                        "GNU.sparse.size": str(2 * hole)}
    data = info.tobuf(tarfile.PAX_FORMAT) + b"xy" + bytes(510 + 1024)
    expect("failure", pull(host, data), None)
    place = host.folder / "in" / "a"
    content = place.read_bytes()
    expect("size", len(content), 2 * hole)
    expect("data", (content[:1], content[hole:hole + 1]), (b"x", b"y"))
    expect("zeros", content.count(0), 2 * hole - 2)
    used = place.stat().st_blocks * 512
    expect(f"{used} bytes of the disk, less than the hole", used < hole, True)


@test
def headers_without_end(host):
    """Thousands of headers before a member are refused"""
    info = tarfile.TarInfo("././@LongLink")
    info.type = tarfile.GNUTYPE_LONGNAME
    expect("refused", bool(pull(host, info.tobuf() * 5000 + member())), True)


@test
def members_without_end(host):
    """Members take no memory when they have been unpacked"""
    info = tarfile.TarInfo("a")
    info.type = tarfile.FIFOTYPE
    data = info.tobuf() * 10000
    with Memory(2 << 20):
        pull(host, data)
