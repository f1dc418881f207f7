# SPDX-License-Identifier: GPL-2.0-or-later
"""Can the guest run a program? Its ELF header says so before a boot."""
import os
import posixpath
import struct

from r10kvmlib.cpu import LITTLE, MODELS
from r10kvmlib.files import ELF_DATA, ELF_LITTLE, ELF_MAGIC

ELF_CLASS, ELF_64 = 4, 2    # offset of the byte, and its value
ET_EXEC, ET_DYN = 2, 3
EM_MIPS = 8
PT_INTERP = 3
INTERP_MAX = 4096

# Of e_flags: what the program is compiled for. The CPUs have MIPS IV and what is
# before it; mips64r2=on gives them all up to MIPS64 release 2
ARCH_SHIFT = 28
ARCHES = dict(enumerate((
    "MIPS I", "MIPS II", "MIPS III", "MIPS IV", "MIPS V", "MIPS32", "MIPS64",
    "MIPS32 release 2", "MIPS64 release 2", "MIPS32 release 6", "MIPS64 release 6")))
ARCH_OWN, ARCH_R2 = 3, 8
# By e_machine: those that a host is likely to be
MACHINES = {3: "x86", 62: "x86-64", 183: "arm64", 40: "arm", 21: "POWER", 22: "s390",
            243: "RISC-V", 258: "LoongArch"}
# Programs of Debian's userland have it
DEBIAN_INTERP = "/lib64/ld.so.1"

# Offsets of the two forms of the header: e_phoff, e_flags, e_phentsize; of a program
# header: its size, p_offset, p_filesz; and how wide an offset is
FORMS = {False: (28, 36, 42, 32, 4, 16, "I"), True: (32, 48, 54, 56, 8, 32, "Q")}


class Program:
    """What an ELF file says of itself. ValueError if it is no program."""

    def __init__(self, fd):
        head = os.pread(fd, 64, 0)
        if not head.startswith(ELF_MAGIC) or len(head) < 64:
            raise ValueError("not ELF")
        self.little = head[ELF_DATA] == ELF_LITTLE
        self.order = "<" if self.little else ">"
        kind, self.machine = self.unpack("HH", head, 16)
        if kind not in (ET_EXEC, ET_DYN):
            raise ValueError("not a program")
        form = FORMS[head[ELF_CLASS] == ELF_64]
        self.arch = self.unpack("I", head, form[1])[0] >> ARCH_SHIFT
        self.interp = self._interp(fd, head, form)

    def unpack(self, fields, data, offset):
        try:
            return struct.unpack_from(self.order + fields, data, offset)
        except struct.error:
            raise ValueError("truncated") from None

    def _interp(self, fd, head, form):
        """The path of the program that loads this one, "" without one."""
        phoff, _, phentsize, expected, p_offset, p_filesz, word = form
        start, = self.unpack(word, head, phoff)
        size, number = self.unpack("HH", head, phentsize)
        if number and size != expected:
            raise ValueError("program headers of another size")
        table = os.pread(fd, size * number, min(start, 2**62))
        for at in range(0, size * number, expected):
            if self.unpack("I", table, at)[0] == PT_INTERP:
                where, = self.unpack(word, table, at + p_offset)
                length, = self.unpack(word, table, at + p_filesz)
                text = os.pread(fd, min(length, INTERP_MAX), min(where, 2**62))
                return os.fsdecode(text.split(b"\0")[0])
        return ""


def read(fd):
    """The program, None if the file is none."""
    try:
        return Program(fd)
    except (ValueError, OSError):
        return None


def provides(push, path):
    """True if this --push makes the path in the guest."""
    for target in (push.guest, posixpath.join(push.guest, push.name)):
        if push.is_folder and path.startswith(target + "/"):
            inner = posixpath.relpath(path, target)
            if os.path.exists(os.path.join(push.host, inner)):
                return True
        elif path == target:
            return True
    return False


def lacks_interp(program, options, pushes):
    """True if the program's interpreter is not in the guest."""
    if not program.interp or options.initrd:
        return False
    if options.userland == "debian" and program.interp == DEBIAN_INTERP:
        return False
    return not any(provides(push, program.interp) for push in pushes)


def lacks_instructions(program, cpu):
    """True if the CPU is one of ours and the program is for a later one."""
    limit = ARCH_R2 if cpu.has_release_2() else ARCH_OWN
    return cpu.model in MODELS and program.arch > limit


def name_of(names, number):
    return names[number] if number in names else f"number {number}"


def trouble(program, options, guest, pushes):
    """Why the guest cannot run it, None if nothing is wrong."""
    if program.machine != EM_MIPS:
        return f"is compiled for {name_of(MACHINES, program.machine)}"
    if program.little != (guest == LITTLE):
        return ("is little-endian, and the guest is big-endian" if program.little else
                "is big-endian, and the guest is little-endian")
    if lacks_instructions(program, options.cpu):
        return (f"is compiled for {name_of(ARCHES, program.arch)}, "
                f"whose instructions an {options.cpu.model} does not have")
    if lacks_interp(program, options, pushes):
        # The file may be anybody's
        shown = "".join(c if c.isprintable() else "?" for c in program.interp)
        return f"needs {shown}, which is not in the guest"
    return None


def cpu_for(program, options, pushes):
    """The --cpu that could run the program as it is, None if there is none."""
    if (program.machine != EM_MIPS or program.arch > ARCH_R2
            or lacks_interp(program, options, pushes)
            or program.little and not options.board.little
            or not program.little and options.userland == "debian"):
        return None
    return (options.cpu.model + (LITTLE if program.little else "")
            + (",mips64r2=on" if program.arch > ARCH_OWN else ""))


def warning(path, fd, options, guest, pushes):
    """The text for the user about a file of this machine; None if it is no program
    or the guest can run it. guest: the suffix of the guest's byte order."""
    program = read(fd)
    why = program and trouble(program, options, guest, pushes)
    if not why:
        return None
    name = os.path.basename(path)
    text = (f"{path} {why}. Compile it with\n"
            f"  r10kvm-cc {'--el ' if guest else ''}-o {name} {name}.c")
    cpu = cpu_for(program, options, pushes)
    return text + (f"\nor run it with --cpu {cpu}" if cpu else "")
