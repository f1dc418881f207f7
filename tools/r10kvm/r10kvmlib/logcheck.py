# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds trouble in a kernel log, and shows the end of one."""
import re

BAD = re.compile("|".join([
    r"WARNING", r"\bBUG\b", r"\bOops\b", r"Call Trace", r"stack trace",
    r"Unhandled", r"soft lockup", r"hard LOCKUP", r"panic", r"unexpected",
    r"INFO: (task|rcu)", r"rcu.*stall", r"do_page_fault",
    r"sysfs: cannot create",
    r"Unable to handle", r"blocked for more than", r"\bstalls? on CPU",
    r"detected stall", r"UBSAN:", r"KCSAN:", r"suspicious RCU usage",
    r"possible (recursive|circular|irq lock)", r"inconsistent lock state",
    r"scheduling while atomic", r"sleeping function called",
    r"\bkmemleak: \d+ new", r"ODEBUG:", r"Out of memory",
    r"Kernel bug detected", r"nobody cared", r"bad page state",
    r"initramfs unpacking failed"]), re.IGNORECASE)

# Harmless lines that match BAD
FINE = re.compile(r"panic=|command line:|memory used for stack traces:",
                  re.IGNORECASE)

# Lines that are harmless on a machine, by a line that only its kernel prints. The
# console of an Octane starts after init, which waits for it (guest/boot.c).
FINE_THERE = {
    "ARCH: SGI-IP30": re.compile("unable to open an initial console"),
}

CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[^\t\n -~]")
TAIL_LINES = 25


# Messages of a guest that ends before its command, and their meanings
CAUSES = {
    "Kernel panic": "the kernel panicked",
    "reboot: Power down": "the guest switched itself off",
    "reboot: Restarting system": "the guest restarted itself",
}


def bad_lines(text):
    """The lines of a kernel log that report trouble."""
    fine = [FINE] + [there for sign, there in FINE_THERE.items() if sign in text]
    return [line for line in clean(text).splitlines()
            if BAD.search(line) and not any(f.search(line) for f in fine)]


def cause(text):
    """Why the guest ended, if its log says so."""
    found = [f": {meaning}" for sign, meaning in CAUSES.items() if sign in text]
    return found[0] if found else ""


def clean(text):
    """The text without characters that could upset a terminal."""
    return CONTROL.sub("", text)


def tail(text):
    """The last lines, marked as a quotation."""
    lines = [line for line in clean(text).splitlines() if line.strip()]
    return "".join(f"  | {line}\n" for line in lines[-TAIL_LINES:])
