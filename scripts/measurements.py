# SPDX-License-Identifier: GPL-2.0-or-later
"""Read the figures of Documentation/measurements.rst.

linux-patches-make.py imports this, and the tests that make or check such tables.
"""

import re


def tables(text):
    """The simple tables of a text: [(heads, [cells of a row])]

    A line that has nothing in its first column continues the row above.
    """
    found, lines = [], iter(text.splitlines())
    for rule in lines:
        if not re.fullmatch(r"=+( =+)+", rule):
            continue
        spans = [match.span() for match in re.finditer("=+", rule)]
        spans[-1] = (spans[-1][0], None)
        rows = []
        for line in lines:
            cells = [line[a:b].strip() for a, b in spans]
            if line == rule and len(rows) > 1:
                break
            if line == rule:
                continue
            if cells[0] or not rows:
                rows.append(cells)
            else:
                rows[-1] = [" ".join(both).strip()
                            for both in zip(rows[-1], cells)]
        found.append((tuple(rows[0]), rows[1:]))
    return found


def figure(text, name, what):
    """One figure of the row of this name; None if there is not just one such row.

    What is wanted is the head of a column, or words of the row with "#" for the
    figure, as in "up to # signals".
    """
    rows = [(heads, cells) for heads, rows in tables(text) for cells in rows
            if cells[0] == name]
    if len(rows) != 1:
        return None
    heads, cells = rows[0]
    if what in heads[1:]:
        return cells[heads.index(what)]
    number = r"(?<![\d.])(-?\d+(?:\.\d+)?)(?![\d.])"
    found = re.search(re.escape(what).replace(r"\#", number).replace(
        r"\*", number.replace("(-", "(?:-")), " ".join(cells[1:]))
    return found and found[1]
