# SPDX-License-Identifier: GPL-2.0-or-later
"""r10kvm-cc: the guest's compiler, and the guest's libraries by their names."""
import os
import shutil
import subprocess
import sys

from r10kvmlib import files
from r10kvmlib.cpu import LITTLE
from r10kvmlib.errors import Failure

HELP = """\
usage: r10kvm-cc [--el] [--with LIBRARY]... [gcc's options and files]

Compile and link C for the machine that r10kvm emulates: static, for MIPS IV,
the instructions of an R10000, with musl as the C library.

  --el            little-endian, for r10kvm --cpu R10000-el (else: big-endian)
  --with LIBRARY  with its headers and the library: irixperf (IRIX's counter
                  requests), perfex (start_counters() and the like), pmc
                  (NetBSD's), pctr (OpenBSD's)
  --help          show this text; for gcc's own: r10kvm-cc -v --help

examples:
  r10kvm-cc -O2 -o hello hello.c
  r10kvm --push hello:/tmp/ -- /tmp/hello
  r10kvm-cc --with perfex -o count count.c

C++ and Fortran: Debian has their libraries for MIPS64 release 2 only, and
r10kvm's CPUs can have that. Install, as root, g++-mips64-linux-gnuabi64 or
gfortran-mips64-linux-gnuabi64, and then
  mips64-linux-gnuabi64-g++ -static -o prog prog.cc
  r10kvm --cpu R10000,mips64r2=on --push prog:/tmp/ -- /tmp/prog
"""

LIBRARIES = ("irixperf", "perfex", "pmc", "pctr")
# What "cc" in the guest's directory calls
CROSS = "mips64-linux-gnuabi64-gcc"
# Suffixes of sources for which gcc needs the compilers that Debian has apart
OTHERS = (".cc", ".cpp", ".cxx", ".c++", ".C", ".f", ".F", ".for", ".f90", ".F90",
          ".f95", ".F95", ".f03", ".f08")
STATUS = 1                  # of a compiler that fails


def split(argv):
    """The suffix of the byte order, the libraries, and what is for gcc."""
    guest, libraries, rest = "", [], []
    words = iter(argv)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--el":
            guest = LITTLE
        elif option == "--with":
            libraries.append(library(value if equals else next(words, "")))
        else:
            rest.append(word)
    return guest, libraries, rest


def library(name):
    """The name, if it is one."""
    if name not in LIBRARIES:
        raise Failure(f"--with '{name}': choose one of {', '.join(LIBRARIES)}")
    return name


def need(program, package):
    """Raise a failure that names the package if the program is missing."""
    if not shutil.which(program):
        raise Failure(f"{program} is missing: as root, apt install {package}")


def flags(folder, libraries):
    """What the libraries' own descriptions say."""
    need("pkg-config", "pkg-config")
    place = os.path.join(folder, "lib", "pkgconfig")
    done = subprocess.run(["pkg-config", "--static", "--cflags", "--libs", *libraries],
                          env=dict(os.environ, PKG_CONFIG_LIBDIR=place),
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failure(f"pkg-config does not find {' '.join(libraries)} in {place}")
    return done.stdout.split()


def command(argv):
    """The command line of the compiler proper."""
    guest, libraries, rest = split(argv)
    if other := [word for word in rest if word.endswith(OTHERS)]:
        raise Failure(f"{other[0]}: this compiler is for C; 'r10kvm-cc --help' says "
                      "how to compile C++ and Fortran")
    folder = files.guest_folder()
    cc = files.check(os.path.join(folder, f"cc{guest}"), "compiler", guest=guest)
    need(CROSS, "gcc-mips64-linux-gnuabi64")
    if libraries:
        place = files.check(os.path.join(folder, f"usr{guest}"), "library for the guest",
                            guest=guest)
        rest += flags(place, libraries)
    return [cc, *rest]


def main(argv):
    """Become the compiler. Return the status of a failure."""
    if argv == ["--help"]:
        sys.stdout.write(HELP)
        return 0
    try:
        line = command(argv)
        os.execv(line[0], line)
    except (Failure, OSError) as failure:
        sys.stderr.write(f"r10kvm-cc: {failure}\n")
        return STATUS
