# SPDX-License-Identifier: GPL-2.0-or-later
"""Read the event table, and other files that are lists of macro calls.

The scripts that generate files from the table import this module.
"""

import ast
import re

EVENTS = "drivers/perf/mips_r10k/events.def"
EVENT_MACRO = "R10K_EVENT"
EVENT_COLUMNS = ("num", "twin", "chips", "id", "name", "label", "desc")

# The columns that are strings, in any of the files
TEXTS = {"name", "label", "desc", "rule", "source", "approximation"}

CHIPS = [("V2", "R10000 2.x"), ("V3", "R10000 3.x"),
         ("R12K", "R12000 and later")]
ALIASES = {"R10K": {"V2", "V3"}, "ALL": {name for name, _ in CHIPS}}

TOKEN = re.compile(r'(?P<skip>\s+|/\*.*?\*/)|(?P<text>"(?:[^"\\\n]|\\.)*")|'
                   r'(?P<word>\w+)|(?P<sign>[(),|])', re.DOTALL)


class Problem(Exception):
    """An error in the input; the text says what and where."""


def tokens(text, path):
    """Yield (kind, text, line) of each token but white space and comments."""
    at = 0
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        match = TOKEN.match(text, at)
        if not match:
            raise Problem("%s:%d: cannot read: %s"
                          % (path, line, text[at:].split("\n")[0]))
        if match.lastgroup != "skip":
            yield match.lastgroup, match.group(), line
        at = match.end()


def call(words, macro, where):
    """The arguments of one macro call. Its name has been read already."""
    columns = [[]]
    for kind, word, _ in words:
        if word == ")":
            return columns
        if word == ",":
            columns.append([])
        elif word != "(":
            columns[-1].append((kind, word))
    raise Problem("%s: %s( is never closed" % (where, macro))


def value(column, parts, where):
    """A column: a string joined from its parts, or words with "|" between them."""
    wanted = "text" if column in TEXTS else "word"
    if not parts or any(kind not in (wanted, "sign") for kind, _ in parts):
        raise Problem("%s: the column '%s' is not a %s"
                      % (where, column, wanted))
    if column in TEXTS:
        return "".join(ast.literal_eval(text) for _, text in parts)
    return "|".join(word for kind, word in parts if kind == "word")


def read(root, path, macro, names):
    """The rows of a file of macro calls, as dictionaries."""
    rows = []
    words = tokens((root / path).read_text(encoding="ascii"), path)
    for _, word, line in words:
        where = "%s:%d" % (path, line)
        if word != macro:
            raise Problem("%s: expected %s, got %s" % (where, macro, word))
        columns = call(words, macro, where)
        if len(columns) != len(names):
            raise Problem("%s: %d columns, not %d"
                          % (where, len(columns), len(names)))
        row = {name: value(name, parts, where)
               for name, parts in zip(names, columns)}
        rows.append(dict(row, where=where))
    return rows


def chips(event):
    """The set of chips of a row, from its column R10K_CHIP_V2 | ..."""
    result = set()
    for word in event["chips"].split("|"):
        name = word.replace("R10K_CHIP_", "", 1)
        result |= ALIASES.get(name, {name})
    unknown = result - {name for name, _ in CHIPS}
    if unknown:
        raise Problem("%s: there is no chip %s"
                      % (event["where"], sorted(unknown)[0]))
    return result


def counters(chip, event):
    """The counters that count an event on a chip, as a bit mask."""
    if chip == "R12K":
        return 0x3
    return 0x2 if int(event["num"]) & 16 else 0x1


def read_events(root):
    """The event table."""
    return read(root, EVENTS, EVENT_MACRO, EVENT_COLUMNS)
