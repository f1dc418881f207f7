# SPDX-License-Identifier: GPL-2.0-or-later
"""The compiler for the guest, and programs that the guest cannot run."""
import os
import struct
import subprocess

from harness import ELF_LITTLE, TOOL, TOP, expect, expect_in, test

MIPS, X86_64 = 8, 62
MIPS_III, MIPS_IV, MIPS64R2, MIPS64R6 = 2, 3, 8, 10
PROGRAM, OBJECT, SHARED = 2, 1, 3

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n'
COUNT = """
#include <perfex.h>
#include <stdio.h>
int main(void)
{
	long long a = 0, b = 0;

	if (start_counters(15, 26) < 0 || read_counters(15, &a, 26, &b) < 0)
		return 1;
	puts(a > 0 ? "counted" : "nothing");
	return 0;
}
"""
IRIX = """
#include <stdio.h>
#include <sys/types.h>
#include <sys/syssgi.h>
#include <sys/hwperfmacros.h>
int main(void) { printf("%d\\n", HWPERF_CNTEVENTMAX); return 0; }
"""


def elf(order=">", arch=MIPS_IV, machine=MIPS, kind=PROGRAM, interp="", wide=True):
    """A file that says so much of itself, and has nothing else."""
    word, start = ("Q", 64) if wide else ("I", 52)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 2 if order == ">" else 1, 1])
    size = 56 if wide else 32
    text = interp.encode() + b"\0"
    head = struct.pack(f"{order}16sHHI3{word}I6H", ident, kind, machine, 1, 0, start, 0,
                       arch << 28, start, size, 1 if interp else 0, 0, 0, 0)
    at = start + size
    program = (struct.pack(f"{order}II6Q", 3, 4, at, 0, 0, len(text), len(text), 1)
               if wide else
               struct.pack(f"{order}8I", 3, at, 0, 0, len(text), len(text), 4, 1))
    return (head + (program + text if interp else b"")).ljust(64, b"\0")


# What a program is, options, and what is said: the line to type, or nothing
WARNINGS = (
    ({}, "", None),
    ({"arch": MIPS_III}, "", None),
    ({"arch": MIPS_IV, "wide": False}, "", None),
    ({"arch": MIPS64R2}, "", "{0} is compiled for MIPS64 release 2, whose instructions "
     "an R10000 does not have. Compile it with\n  r10kvm-cc -o prog prog.c\nor run it "
     "with --cpu R10000,mips64r2=on\n"),
    ({"arch": MIPS64R2, "wide": False}, "", "is compiled for MIPS64 release 2"),
    ({"arch": MIPS64R2}, "--cpu R12000,mips64r2=on", None),
    ({"arch": MIPS64R2}, "--cpu MIPS64R2-generic", None),
    ({"arch": MIPS64R6}, "--cpu R10000,mips64r2=on",
     "is compiled for MIPS64 release 6, whose instructions an R10000 does not have. "
     "Compile it with\n  r10kvm-cc -o prog prog.c\n"),
    ({"arch": 15}, "", "is compiled for number 15"),
    ({"order": "<"}, "", "is little-endian, and the guest is big-endian. Compile it "
     "with\n  r10kvm-cc -o prog prog.c\nor run it with --cpu R10000-el\n"),
    ({"order": "<"}, "--machine octane", "is little-endian, and the guest is "
     "big-endian. Compile it with\n  r10kvm-cc -o prog prog.c\n"),
    ({}, "--cpu R12000-el", "is big-endian, and the guest is little-endian. Compile it "
     "with\n  r10kvm-cc --el -o prog prog.c\nor run it with --cpu R12000\n"),
    ({"order": "<", "arch": MIPS64R2}, "", "or run it with --cpu R10000-el,mips64r2=on"),
    ({"order": "<", "machine": X86_64}, "", "is compiled for x86-64. Compile it with\n"
     "  r10kvm-cc -o prog prog.c\n"),
    ({"machine": 999}, "", "is compiled for number 999"),
    ({"interp": "/lib64/ld.so.1"}, "", "needs /lib64/ld.so.1, which is not in the "
     "guest. Compile it with\n  r10kvm-cc -o prog prog.c\n"),
    ({"interp": "/lib64/ld.so.1", "wide": False}, "", "needs /lib64/ld.so.1"),
    ({"interp": "/lib64/ld.so.1"}, "--push /etc/passwd:/lib64/ld.so.1", None),
    ({"interp": "/lib64/passwd"}, "--push /etc/passwd:/lib64/", None),
    ({"interp": "/lib64/x/passwd"}, "--push {1}/etc:/lib64/x", None),
    ({"interp": "/lib64/etc/passwd"}, "--push {1}/etc:/lib64", None),
    ({"interp": "/lib64/x/nosuch"}, "--push {1}/etc:/lib64/x", "needs /lib64/x/nosuch"),
    ({"interp": "/\033[31m\n"}, "", "needs /?[31m?, which"),
    ({"arch": MIPS64R2, "kind": OBJECT}, "", None),
    ({"arch": MIPS64R2, "kind": SHARED}, "", "is compiled for MIPS64 release 2"),
)


def warned(host, path, options):
    """What r10kvm says before it starts the emulator, which ends at once."""
    said = host.run(*options.format(path, host.folder).split(), "--push",
                    f"{path}:/tmp/", "true", fake="panic")[2]
    first, _, rest = said.partition("r10kvm: warning: ")
    expect("before the warning", first if rest else "", "")
    return rest.partition("r10kvm: the emulator")[0]


@test
def program_warnings(host):
    """Before a boot: programs of another CPU, order or loader, and what to type"""
    (host.guest / "vmlinux-el").write_bytes(ELF_LITTLE)
    (host.guest / "initramfs-el.cpio").write_bytes(b"")
    (host.folder / "etc").mkdir()
    (host.folder / "etc" / "passwd").write_bytes(b"")
    path = host.folder / "prog"
    for what, options, wanted in WARNINGS:
        path.write_bytes(elf(**what))
        path.chmod(0o755)
        got = warned(host, path, options)
        if wanted is None:
            expect(f"{what} {options}", got, "")
        else:
            expect_in(wanted.format(path), got)


@test
def no_warnings(host):
    """Files that are no programs, and broken ones, are pushed as they are"""
    path = host.folder / "prog"
    good = elf(arch=MIPS64R2, interp="/x")
    far = good[:32] + b"\xff" * 8 + good[40:]
    large = good[:54] + b"\xff" * 4 + good[58:]
    # No file, a part of one, an offset out of reach, a large table, one that is cut off
    for data, mode in ((b"#!/bin/sh\n", 0o755), (b"", 0o755), (good[:40], 0o755),
                       (far, 0o755), (large, 0o755), (good[:80], 0o755), (good, 0o644)):
        path.write_bytes(data)
        path.chmod(mode)
        expect(f"{data[:48]!r} {mode:o}", warned(host, path, ""), "")


@test
def program_of_host(guest):
    """A command that is a file of this machine is not found; what to type is said"""
    path = guest.folder / "prog"
    path.write_text("#!/bin/sh\n")
    guest.check("-n", "--", str(path), status=127, says="r10kvm: "
                f"{path} is a file of this machine. To run it in the guest:\n"
                f"  r10kvm --push {path}:/tmp/ -- /tmp/prog\n")


def compile_with(host, *words, status=0):
    """Run r10kvm-cc in the host's folder; what it prints."""
    ran = subprocess.run([TOOL / "r10kvm-cc", *words], cwd=host.folder, env=host.env,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False)
    expect(f"{' '.join(words)}: status ({ran.stderr})", ran.returncode, status)
    return ran.stdout + ran.stderr


@test
def compiler_mistakes(host):
    """r10kvm-cc: libraries that are none, other languages, no compiler, --help"""
    for words, says in ((("--with", "foo"), "--with 'foo': choose one of irixperf, "),
                        (("--with",), "--with '': choose one of"),
                        (("x.cc",), "x.cc: this compiler is for C; 'r10kvm-cc --help'"),
                        (("x.f90",), "x.f90: this compiler is for C"),
                        (("x.c",), f"no compiler: {host.guest}/cc does not exist. Run "
                         "'make guest' in the directory of r10kperf\n"),
                        (("--el", "x.c"), f"no compiler: {host.guest}/cc-el does not "
                         "exist. Run 'make guest-el'")):
        expect_in("r10kvm-cc: " + says, compile_with(host, *words, status=1))
    (host.guest / "cc").write_bytes(b"")
    expect_in("no library for the guest", compile_with(
        host, "--with", "pmc", "x.c", status=1))
    text = compile_with(host, "--help")
    expect("long lines", [line for line in text.splitlines() if len(line) > 80], [])
    for name in ("irixperf", "perfex", "pmc", "pctr"):
        expect_in(name, text)
        expect(f"description of {name}", len(list((TOP / "compat").glob(
            f"lib{name}/{name}.pc.in"))), 1)


def runs(host, cpu, *words):
    """Compile a.c with these words, and run it without a warning."""
    compile_with(host, "-O2", "-Wall", "-Werror", "-o", "prog", "a.c", *words)
    status, out, err = host.run("--cpu", cpu, "-n", "--push",
                                f"{host.folder}/prog:/tmp/", "/tmp/prog")
    expect("said", err, "")
    return status, out


def compiled(host, cpu, *words):
    """A program of C, and those with each library."""
    (host.folder / "a.c").write_text(HELLO)
    expect("hello", runs(host, cpu, *words), (3, b"hello\n"))
    (host.folder / "a.c").write_text(COUNT)
    expect("perfex", runs(host, cpu, *words, "--with", "perfex"), (0, b"counted\n"))
    (host.folder / "a.c").write_text(IRIX)
    expect("the others", runs(host, cpu, *words, "--with=irixperf", "--with=pmc",
                              "--with=pctr"), (0, b"16\n"))
    for name in ("a.c", "prog"):
        os.unlink(host.folder / name)


@test
def compiler(guest):
    """r10kvm-cc: programs that print, count, and use each library, in the guest"""
    compiled(guest, "R10000")


@test
def compiler_little(little):
    """The same with --el in the little-endian guest"""
    compiled(little, "R10000-el", "--el")
