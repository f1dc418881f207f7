# SPDX-License-Identifier: GPL-2.0-or-later
"""What a kernel log must not contain, and how to show its end."""
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

# ... and what is there for a good reason
FINE = re.compile(r"panic=|command line:|memory used for stack traces:",
                  re.IGNORECASE)

CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[^\t\n -~]")
TAIL_LINES = 25


# How a guest can end before its command, as the log tells it.
CAUSES = {
    "Kernel panic": "the kernel panicked",
    "reboot: Power down": "the guest switched itself off",
    "reboot: Restarting system": "the guest restarted itself",
}


def bad_lines(text):
    """The lines of a kernel log that tell of trouble."""
    return [line for line in clean(text).splitlines()
            if BAD.search(line) and not FINE.search(line)]


def cause(text):
    """Why the guest ended, if its log tells."""
    found = [f": {meaning}" for sign, meaning in CAUSES.items() if sign in text]
    return found[0] if found else ""


def clean(text):
    """Without what could upset a terminal."""
    return CONTROL.sub("", text)


def tail(text):
    """The last lines, marked as a quotation."""
    lines = [line for line in clean(text).splitlines() if line.strip()]
    return "".join(f"  | {line}\n" for line in lines[-TAIL_LINES:])
