#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs a command on a terminal of 24 lines, presses keys, prints the screen.

usage: screen.py [--until TEXT] [--pace SECONDS | --then LINE...] COMMAND [ARG]... KEYS

Presses the first key when the command has printed TEXT, and another one each SECONDS.
Prints the screen before the key q, or at the command's end. With --then, which is given
once for each key before q, presses the next key when LINE is the last line of the screen,
and prints the screen after each; after ^L it shows only what the command draws again. The
terminal is a vt100, with the functions that a program needs to draw lines of text.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

ROWS, COLUMNS = 24, 80
HANGS = 120     # seconds for what is waited for
PATTERN = re.compile(rb"\x1b\[([?\d;]*)([A-Za-z])|\x1b[()].|\x1b.|[\x0e\x0f\x00]"
                     rb"|([\r\n\b\t])|(.)", re.S)


def start(argv):
    """The command on a terminal of its own: process, descriptor."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ,
                    struct.pack("4H", ROWS, COLUMNS, 0, 0))
        os.execv(argv[0], argv)
    return pid, terminal


def collect(terminal, seconds, until=None):
    """The output of the command in this time, or until it ends."""
    data = b""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (until and until in data):
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data += os.read(terminal, 65536)
            except OSError:
                break
    return data


class Screen:
    """The characters on the screen, and the cursor."""

    def __init__(self):
        self.y = self.x = 0
        self.grid = [[" "] * COLUMNS for _ in range(ROWS)]

    def clear_line(self):
        """Clear the line from the cursor on."""
        self.grid[self.y][self.x:] = [" "] * (COLUMNS - self.x)

    def command(self, letter, numbers):
        """Do a control sequence."""
        if letter == b"H":
            self.y, self.x = (numbers + [1])[0] - 1, (numbers + [1])[1] - 1
        elif letter == b"J":
            self.clear_line()
            for row in range(self.y + 1, ROWS):
                self.grid[row] = [" "] * COLUMNS
        elif letter == b"K":
            self.clear_line()
        elif letter in b"ABCD":
            self.y += {b"A": -1, b"B": 1}.get(letter, 0) * numbers[0]
            self.x += {b"C": 1, b"D": -1}.get(letter, 0) * numbers[0]

    def control(self, char):
        """A control character."""
        if char == b"\r":
            self.x = 0
        elif char == b"\n":
            self.y = min(self.y + 1, ROWS - 1)
        elif char == b"\t":
            self.x += 8 - self.x % 8
        else:
            self.x -= 1

    def put(self, char):
        """A character."""
        self.grid[self.y][min(self.x, COLUMNS - 1)] = char.decode()
        self.x += 1

    def draw(self, data):
        """Draw the output of a program."""
        for match in PATTERN.finditer(data):
            arguments, letter, control, char = match.groups()
            if letter:
                numbers = [int(n or 1) for n in arguments.strip(b"?").split(b";")]
                self.command(letter, numbers)
            elif control:
                self.control(control)
            elif char:
                self.put(char)

    def text(self):
        """The lines, without trailing blanks."""
        lines = ["".join(row).rstrip() for row in self.grid]
        return "\n".join(lines).rstrip("\n")


def keys_of(text):
    """The keys of a text. An arrow's code is one key."""
    return re.findall(r"\x1bO.|.", text, re.S)


def press(terminal, keys, pace):
    """Press the keys, and return the output of the command."""
    data = b""
    for key in keys_of(keys):
        os.write(terminal, key.encode())
        data += collect(terminal, pace)
    return data


def drawn(data):
    """The text on the screen after this output, whose last sequence may not be complete."""
    screen = Screen()
    screen.draw(re.sub(rb"\x1b([\[(][?\d;]*)?$", b"", data))
    return screen.text()


def press_each(terminal, data, keys, lines):
    """Print the screen after each key. The command has printed the data before."""
    for key, line in zip(keys_of(keys), lines):
        os.write(terminal, key.encode())
        if key == "\f":
            data = b""
        end = time.monotonic() + HANGS
        while drawn(data).split("\n")[-1] != line and time.monotonic() < end:
            data += collect(terminal, 0.05)
        print("== %r\n%s" % (key, drawn(data)))


def main():
    """Print the screen, and how the command ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--until", default="")
    parser.add_argument("--pace", type=float, default=0.4)
    parser.add_argument("--then", action="append")
    parser.add_argument("argv", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    keys, quits, _ = args.argv[-1].encode().decode("unicode_escape").partition("q")

    pid, terminal = start(args.argv[:-1])
    if args.until:
        data = collect(terminal, HANGS, args.until.encode())
    else:
        data = collect(terminal, 2 * args.pace)
    if args.then:
        press_each(terminal, data, keys, args.then)
    else:
        data += press(terminal, keys, args.pace)
    press(terminal, quits, args.pace)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not args.then:
        print(drawn(data))
    print("= %d" % status)


if __name__ == "__main__":
    main()
