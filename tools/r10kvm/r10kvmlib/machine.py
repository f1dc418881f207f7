# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator: its command line, its process, the kernel's log.

Nothing of it has a name in a file system that could be left behind: the channel
is a socket pair, the log and a composed initramfs live in memory files, and the
kernel ends the emulator should r10kvm be killed.
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
# What a guest needs beside its initramfs; how often the size of that must fit:
# the archive itself, and its files, which may fill half of what is left.
KERNEL_MIB = 24
COPIES = 3
LIBC = ctypes.CDLL(None)

BOARD = ("-M malta -nodefaults -display none -vga none -monitor none -nic none"
         " -no-reboot").split()
# A panic resets the board, which with -no-reboot ends the emulator.
KERNEL_ARGS = "console=ttyS0 panic=-1 "
# To the agent: the disk that it makes the root (guest/boot.c).
DISK_KERNEL_ARG = "r10kvm_root=/dev/vda"
# The board wants a display of digits, which a small build has no driver for;
# the other is our own doing.
HARMLESS = ("'vc' is not a valid char driver", "terminating on signal 15")


def disk_args(disk):
    """The root as a disk. What the guest writes goes to a temporary file that has
    no name; the image is only read, by many machines at a time."""
    escaped = disk.replace(",", ",,")
    return ["-drive", f"if=none,id=root,file={escaped},format=raw,"
            "snapshot=on,cache=unsafe",
            "-device", "virtio-blk-pci,drive=root"]


def icount_args(shift):
    """What makes two runs the same, to the last digit."""
    return ["-icount", f"shift={shift},sleep=off",
            "-rtc", "base=2026-01-01,clock=vm", "-seed", "42"]


def end_with(parent):
    """In the child: the parent's death, of whatever cause, is ours too."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def fd_path(fd):
    return f"/proc/self/fd/{fd}"


def read_all(fd):
    """What is in a file; nothing if it is a terminal, say."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        return ""
    return os.pread(fd, os.fstat(fd).st_size, 0).decode(errors="replace")


class Machine:
    """One boot of the guest. Enter it to start it, leave it to end it."""

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
        kernel_args = KERNEL_ARGS + opt.cpu.kernel_arguments()
        if opt.icount is not None:
            kernel_args += " nowait"
        if self.files.disk:
            kernel_args += " " + DISK_KERNEL_ARG
        if opt.append:
            kernel_args += " " + " ".join(opt.append)
        initrd = (self.files.initrd if self.initrd_fd is None
                  else fd_path(self.initrd_fd))
        return [self.files.qemu, *BOARD,
                "-cpu", opt.cpu.argument(self.files.qemu),
                "-m", str(opt.memory), "-kernel", self.files.kernel,
                "-initrd", initrd, "-append", kernel_args,
                "-serial", "file:" + fd_path(self.log_fd),
                "-chardev", f"socket,id=agent,fd={agent_fd}",
                # Without ioeventfd the guest's output is taken at once, by
                # the thread of the CPU: quick, and the same at every run.
                "-device", "virtio-serial-pci,max_ports=2,ioeventfd=off",
                "-device", f"virtserialport,chardev=agent,name={PORT_NAME}",
                *(disk_args(self.files.disk) if self.files.disk else []),
                *(icount_args(opt.icount) if opt.icount is not None else []),
                *opt.qemu_arg]

    def use_initrd(self, fd):
        """Boot with this memory file instead of the initramfs as it is."""
        needed = KERNEL_MIB + COPIES * os.fstat(fd).st_size // MIB
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
        """End the emulator, in good order if it lets itself be ended so."""
        self.ended_with = self.process.poll()
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.sock.close()

    def log_text(self):
        """What the kernel has said."""
        return read_all(self.log_fd)

    def said(self):
        """What the emulator itself has said, and how it ended by itself."""
        lines = [line for line in read_all(self.said_fd).splitlines()
                 if not any(text in line for text in HARMLESS)]
        if self.ended_with:
            lines.append(f"(exit status {self.ended_with})")
        return "\n".join(lines)
