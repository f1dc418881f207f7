# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator: its command line, its process, the kernel's log.

A machine leaves nothing behind: the channel is a socket pair, the log and a
composed initramfs are memory files, and the kernel kills the emulator if r10kvm
is killed.
"""
import ctypes
import os
import signal
import socket
import stat
import subprocess
from functools import partial

from r10kvmlib.errors import Failure, GuestFailure
from r10kvmlib.protocol import PORT_NAME

PR_SET_PDEATHSIG = 1
END_SECONDS = 3
MIB = 1 << 20
# A guest needs its board's reserve, and COPIES times the size of its initramfs: once
# for the archive, and twice for its files, which may fill half of the free memory.
COPIES = 3
LIBC = ctypes.CDLL(None)

NOTHING_ELSE = ("-nodefaults -display none -vga none -monitor none -nic none"
                " -no-reboot").split()
# A panic resets the board. With -no-reboot that ends the emulator.
PANIC_ARG = "panic=-1"
# The kernel idles with WAIT, which a real R10000 does not have (wait=on).
WAIT_ARG = "emulated_wait"
# Microseconds of a CPU's turn if there are several. An interrupt for one CPU waits for
# the turn of another. Where time counts instructions, both cost nothing but time, and
# nobody is to notice that a CPU stands still during the turn of another.
TURN = 1000
TURN_ICOUNT = 20
# Of a virtio device: the thread of the CPU takes the guest's requests at once, which is
# quick, and the same at every run.
AT_ONCE = ",ioeventfd=off"
# Tells the agent which disk to make the root (guest/boot.c).
DISK_KERNEL_ARG = "r10kvm_root=/dev/vda"
# The emulator prints the first because the board has a display of digits, for
# which a small build has no driver; the second because r10kvm terminates it.
HARMLESS = ("'vc' is not a valid char driver", "terminating on signal 15")

DEFAULT_SEED = 42       # as --help says


def disk_args(disk, virtio):
    """Arguments for a root on a disk. The guest writes to a temporary file without
    a name. Machines only read the image, so many can use it at a time."""
    escaped = disk.replace(",", ",,")
    return ["-drive", f"if=none,id=root,file={escaped},format=raw,"
            "snapshot=on,cache=unsafe",
            "-device", "virtio-blk-pci,drive=root" + AT_ONCE + virtio]


def smp_args(cpus, turn):
    """Arguments for several CPUs. They take turns in one thread, because the models
    of their caches share state."""
    return ["-smp", str(cpus), "-accel", f"tcg,thread=single,rr-slice={turn}"]


def icount_args(shift, seed):
    """Arguments that make any two runs the same, to the last digit."""
    return ["-icount", f"shift={shift},sleep=off",
            "-rtc", "base=2026-01-01,clock=vm",
            "-seed", str(DEFAULT_SEED if seed is None else seed)]


def end_with(parent):
    """Runs in the child: the kernel kills it when the parent dies, however."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def fd_path(fd):
    return f"/proc/self/fd/{fd}"


def read_all(fd):
    """The contents of a regular file, "" for anything else."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        return ""
    return os.pread(fd, os.fstat(fd).st_size, 0).decode(errors="replace")


class Machine:
    """One boot of the guest. Entering the context starts it, leaving it ends it."""

    def __init__(self, options, files):
        self.options = options
        self.files = files
        self.process = None
        self.ended_with = None
        self.sock = None
        self.initrd_fd = None
        self.log_fd = self._open_log()
        self.said_fd = os.memfd_create("r10kvm-qemu")

    def _open_log(self):
        path = self.options.log
        if path is None:
            return os.memfd_create("r10kvm-log")
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC |
                           os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise Failure(f"cannot write the log {path}: "
                          f"{error.strerror}") from error

    def command_line(self, agent_fd):
        """The arguments of the emulator."""
        opt = self.options
        initrd = (self.files.initrd if self.initrd_fd is None
                  else fd_path(self.initrd_fd))
        return [self.files.qemu, "-M", opt.machine, *NOTHING_ELSE,
                "-cpu", opt.cpu.argument(self.files.qemu),
                *(smp_args(opt.cpus, TURN if opt.icount is None else TURN_ICOUNT)
                  if opt.cpus > 1 else []),
                "-m", str(opt.memory), "-kernel", self.files.kernel,
                "-initrd", initrd, "-append", self.kernel_arguments(),
                "-serial", "file:" + fd_path(self.log_fd),
                "-chardev", f"socket,id=agent,fd={agent_fd}",
                "-device", "virtio-serial-pci,max_ports=2"
                + AT_ONCE + opt.board.virtio,
                "-device", f"virtserialport,chardev=agent,name={PORT_NAME}",
                *(disk_args(self.files.disk, opt.board.virtio)
                  if self.files.disk else []),
                *(icount_args(opt.icount, opt.seed) if opt.icount is not None
                  else []),
                *opt.qemu_arg]

    def kernel_arguments(self):
        """The kernel's command line."""
        opt = self.options
        words = [PANIC_ARG, opt.cpu.kernel_argument(), opt.board.arguments.format(
            hz=opt.cpu.clock_hz(opt.board.hz))]
        if opt.cpu.has_wait():
            words.append(WAIT_ARG)
        if self.files.disk:
            words.append(DISK_KERNEL_ARG)
        # The Octane's firmware gives no seed, but Linux stirs in its command line.
        if opt.seed is not None:
            words.append(f"r10kvm.seed={opt.seed}")
        return " ".join(words + opt.append)

    def use_initrd(self, fd):
        """Boot with this memory file instead of the unchanged initramfs."""
        needed = self.options.board.reserve + COPIES * os.fstat(fd).st_size // MIB
        if needed > self.options.memory:
            raise Failure("the files to push do not fit into the guest's "
                          f"memory: it takes --memory {needed}")
        self.initrd_fd = fd

    def __enter__(self):
        self.sock, theirs = socket.socketpair()
        with theirs:
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
            self.process = self._spawn(theirs.fileno())
        return self

    def _spawn(self, agent_fd):
        fds = [agent_fd, self.log_fd]
        if self.initrd_fd is not None:
            fds.append(self.initrd_fd)
        try:
            return subprocess.Popen(
                self.command_line(agent_fd), stdin=subprocess.DEVNULL,
                stdout=self.said_fd, stderr=self.said_fd, pass_fds=fds,
                start_new_session=True,
                preexec_fn=partial(end_with, os.getpid()))
        except (OSError, subprocess.SubprocessError) as error:
            self.sock.close()
            raise GuestFailure("cannot start the emulator "
                               f"{self.files.qemu}: {error}") from error

    def __exit__(self, *_):
        """Terminate the emulator, and kill it if it does not react."""
        self.ended_with = self.process.poll()
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.sock.close()

    def log_text(self):
        """The kernel's messages."""
        return read_all(self.log_fd)

    def said(self):
        """The emulator's own messages, and its exit status if it ended by itself."""
        lines = [line for line in read_all(self.said_fd).splitlines()
                 if not any(text in line for text in HARMLESS)]
        if self.ended_with:
            lines.append(f"(exit status {self.ended_with})")
        return "\n".join(lines)
