# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line."""
import argparse

from r10kvmlib import VERSION, boards, userland
from r10kvmlib.cpu import MODELS, Cpu
from r10kvmlib.errors import UsageError

DESCRIPTION = """\
Boot Linux on an emulated SGI CPU, run one command there, stop the machine.
The command has r10kvm's stdin, stdout and stderr, and the environment
variables of --env; r10kvm exits with its status. Without a command: a shell."""

EPILOG = """\
exit status:
  the command's own; 128+N if signal N ended it; 126, 127 if it cannot be
  run or is not found; 124 after --timeout; 125 if r10kvm itself failed

machines:
  malta        a board by MIPS that emulators give an R10000; one CPU
  octane       SGI's Octane (IP30), one CPU or two; its kernel runs on a real
               one, too. It is big-endian: no CPU model with -el, and so no
               userland debian. Linux cannot switch it off: "poweroff" only
               halts it, "reboot -f" ends it.

userlands:
  busybox      our own: a static busybox, perf and the IRIX tools; on a
               little-endian CPU, perfex is the only one of these tools
  debian       packages of Debian 12 for mips64el, on a little-endian CPU with
               mips64r2=on: perf, papi-tools, stress-ng and those of
               --install. apt fetches and checks them; they are kept, with
               the disk that is made of them (a minute the first time, no
               root). Changes to the disk are lost when the machine stops.
               Our own programs are in /r10kperf/usr/bin.

files:
  HOST:GUEST as with cp: into GUEST if that is a directory or ends with a
  slash, else GUEST is the new name; its parents are made. r10kvm pushes
  before the command, and pulls after it, whatever its status.

CPU properties:
  l2-size=512K...16M   size of the level 2 cache (1M)
  l2-line=64|128       bytes of one of its lines (128)
  clock=HZ             CPU clock (malta: 320000000, octane: 250000000)
  mips64r2=on          the CPU has the instructions of MIPS64 release 2
  wait=off             the CPU has no WAIT, as in reality: an idle Linux spins
  and others: see Documentation/model.rst

environment:
  R10KVM_GUEST  the directory with vmlinux, vmlinux-octane, initramfs.cpio and
                the emulators (default: build/guest, which 'make guest' makes;
                'make guest-el': vmlinux-el and initramfs-el.cpio)

examples:
  r10kvm -- uname -a
  r10kvm --cpu R12000,l2-size=4M -- cat /proc/cpuinfo
  r10kvm --machine octane --cpus 2 -- perf stat -a -A -e cycles sleep 1
  r10kvm --cpu R10000-el -- perfex -e 15 ls
  r10kvm --pull /tmp/perf.data:. -- perf record -o /tmp/perf.data ls
  r10kvm --icount 3 -n -- perf stat -e l1d_misses,instructions true
  r10kvm --userland debian --user user -- stress-ng --perf --matrix 1 -t 1
  r10kvm --userland debian --install gdb -- gdb --version"""


class Parser(argparse.ArgumentParser):
    """Raises errors as exceptions, which are reported like all others."""

    def error(self, message):
        raise UsageError(f"{message}\nTry 'r10kvm --help'.")


def number(low, high, kind=int):
    """A converter whose error names the range, if a value is outside it."""
    def convert(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a number from {low} to {high}")
        return value
    return convert


def assignment(text):
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


DAY = 86400
SECONDS = number(0.001, 365 * DAY, float)

# The heading of each group, and its options: names, and arguments for argparse.
GROUPS = {
    "the machine": [
        (["--machine"], dict(metavar="NAME", choices=list(boards.BOARDS),
                             default=boards.DEFAULT, help="malta (default) or "
                             "octane, see below")),
        (["--cpus"], dict(metavar="N", type=number(1, 2), default=1,
                          help="number of CPUs (default: 1; octane: 1 or 2)")),
        (["--cpu"], dict(metavar="MODEL[-el][,PROPERTY=VALUE]...", type=Cpu,
                         default="R10000", help="CPU model: " + ", ".join(MODELS) +
                         " (default: R10000); -el: little-endian; its "
                         "properties: see below")),
        (["--memory"], dict(metavar="MIB", type=number(32, 2048),
                            help="memory in MiB (default: 256; debian: 512; "
                            "octane: at least 128)")),
        (["--append"], dict(metavar="ARGS", action="append", default=[],
                            help="add arguments for the kernel")),
        (["--icount"], dict(metavar="SHIFT", type=number(0, 10),
                            help="the same at every run, to the last digit: "
                            "2^SHIFT ns an instruction (use -n or a file as "
                            "stdin)")),
        (["--seed"], dict(metavar="N", type=number(0, 2**32 - 1),
                          help="with --icount: other random numbers for the "
                          "guest, so that its programs lie elsewhere in memory "
                          "(default: 42)")),
    ],
    "the system": [
        (["--userland"], dict(metavar="NAME", choices=list(userland.USERLANDS),
                              default="busybox", help="its programs: "
                              "busybox (default) or debian, see below")),
        (["--install"], dict(metavar="PACKAGE", action="append", default=[],
                             help="debian: add this package and those "
                             "that it needs")),
    ],
    "files": [
        (["--push"], dict(metavar="HOST:GUEST", action="append", default=[],
                          help="copy a file or directory into the guest")),
        (["--pull"], dict(metavar="GUEST:HOST", action="append", default=[],
                          help="copy a file or directory out of the guest")),
        (["--pull-max"], dict(metavar="MIB", type=number(1, 2**20), default=1024,
                              help="refuse a --pull for which the guest sends more "
                              "(default: 1024)")),
    ],
    "the command": [
        (["--env"], dict(metavar="NAME=VALUE", action="append", default=[],
                         type=assignment, help="set an environment variable")),
        (["--chdir"], dict(metavar="DIRECTORY",
                           help="start in this directory (default: /, or the "
                           "home of --user)")),
        (["--user"], dict(metavar="NAME", choices=list(userland.USERS),
                          help="run as root (default) or user, at home")),
        (["--uid"], dict(metavar="N", type=number(0, 2**31 - 1),
                         help="run as this user and group (default: 0)")),
        (["-n", "--no-stdin"], dict(action="store_true",
                                    help="give it an empty stdin")),
        (["-t", "--tty"], dict(action="store_true",
                               help="give it our terminal")),
    ],
    "control": [
        (["--timeout"], dict(metavar="SECONDS", type=SECONDS,
                             help="stop everything after this time")),
        (["--boot-timeout"], dict(metavar="SECONDS", type=SECONDS, default=120,
                                  help="time for the guest to start (default: "
                                  "120)")),
        (["--log"], dict(metavar="FILE",
                         help="write the kernel's messages to FILE")),
        (["--check-log"], dict(action="store_true",
                               help="power off cleanly, and fail if the kernel "
                               "has printed a warning")),
        (["-v", "--verbose"], dict(action="store_true",
                                   help="print each step, with the time")),
    ],
    "other parts": [
        (["--kernel"], dict(metavar="FILE", help="kernel (ELF)")),
        (["--initrd"], dict(metavar="FILE",
                            help="initramfs with the agent as /init")),
        (["--qemu"], dict(metavar="FILE", help="emulator")),
        (["--qemu-arg"], dict(metavar="ARG", action="append", default=[],
                              help="add an argument for the emulator")),
    ],
}


def parser():
    p = Parser(prog="r10kvm", usage="%(prog)s [options] [--] "
               "[command [argument...]]", description=DESCRIPTION,
               epilog=EPILOG, allow_abbrev=False,
               formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--version", action="version",
                   version=f"r10kvm (r10kperf) {VERSION}")
    p.add_argument("command", nargs=argparse.REMAINDER,
                   help=argparse.SUPPRESS)
    for heading, options in GROUPS.items():
        group = p.add_argument_group(heading)
        for names, details in options:
            group.add_argument(*names, **details)
    return p


def parse(argv):
    """The options; command is a list, empty for a shell."""
    cut = argv.index("--") if "--" in argv else len(argv)
    options = parser().parse_args(argv[:cut])
    if options.command:         # the "--" belongs to the command
        options.command += argv[cut:]
    else:
        options.command = argv[cut + 1:]
    if cut < len(argv) and not options.command:
        raise UsageError("no command after '--'\nTry 'r10kvm --help'.")
    if options.tty and options.no_stdin:
        raise UsageError("--tty and --no-stdin exclude each other")
    if options.seed is not None and options.icount is None:
        raise UsageError("--seed needs --icount: without it no two runs are the "
                         "same")
    if options.user and options.uid is not None:
        raise UsageError("--user and --uid exclude each other")
    userland.apply(options)
    boards.apply(options)
    return options
