# SPDX-License-Identifier: GPL-2.0-only
"""Reads TAP and KTAP: turns the output of a test program into a list of results.

Rules, stricter than TAP's own:
 - a stream without a plan, or with another number of results than planned, is
   a failure of its own;
 - a result that sums up nested ones (KTAP) is counted only if it fails and
   none of the nested ones did;
 - several streams may follow one another.
"""

import re
from dataclasses import dataclass, field

_TIMESTAMP = re.compile(r"^(<\d+>)?\[ *\d+\.\d+\](\[ *[TC]\d+\])? ?")
_LINE = re.compile(r"^(?P<indent> *)(?P<text>.*?)\s*$")
_PLAN = re.compile(r"^1\.\.(\d+)(?:\s+#\s*SKIP\b\s*(.*))?", re.IGNORECASE)
_RESULT = re.compile(r"^(not )?ok\b\s*(\d+)?\s*(?:-\s+)?(.*)$")
_DIRECTIVE = re.compile(r"(?:^|\s)#\s*(SKIP|TODO|XFAIL)\b:?\s*(.*)$",
                        re.IGNORECASE)
_MAX_NOTES = 12

PASS, FAIL, SKIP = "passed", "failed", "skipped"


@dataclass
class Result:
    """One test: its name, how it ended, and what was printed about it."""
    name: str
    outcome: str
    notes: list = field(default_factory=list)
    group: str = ""     # the outermost result that contains it, if any


@dataclass
class _Level:
    """The results at one depth of indentation."""
    indent: int
    plan: int = None
    seen: int = 0
    names: list = field(default_factory=list)
    failed_below: bool = False
    nested: bool = False


class Parser:
    """Feed it lines, then call finish()."""

    def __init__(self):
        self.results = []
        self._grouped = 0       # how many results have their group
        self._levels = [_Level(0)]
        self._begun = False     # a version line has started a stream
        self._notes = []
        self._bailed = False
        self._open_fail = None

    def feed(self, line):
        """One line of output, with or without its end of line."""
        line = _TIMESTAMP.sub("", line.rstrip("\n"))
        match = _LINE.match(line.expandtabs(8))
        indent, text = len(match["indent"]), match["text"]
        if text.startswith("#"):
            self._note(text.lstrip("# "))
        elif _PLAN.match(text):
            self._plan(indent, _PLAN.match(text))
        elif _RESULT.match(text):
            self._result(indent, _RESULT.match(text))
        elif text.startswith(("TAP version", "KTAP version")):
            self._version(indent)
        elif text.startswith("Bail out!"):
            self._bailed = True
            self._fail("bail out", [text])

    def finish(self, status=0):
        """The results; status is how the program ended, None if killed."""
        self._next_stream()
        if not self.results:
            self._fail("no plan was printed", self._notes[-_MAX_NOTES:])
        outcomes = {result.outcome for result in self.results}
        # 4 is how kselftest says that something was skipped
        if status != 0 and FAIL not in outcomes and not (status == 4 and SKIP in outcomes):
            self._fail("ended with status %s and no failed test" % status, [])
        return self.results

    def _fail(self, name, notes):
        self.results.append(Result(name, FAIL, list(notes)))

    def _note(self, text):
        if text.startswith("Subtest:"):
            return
        self._notes.append(text)
        if self._open_fail is not None and \
                len(self._open_fail.notes) < _MAX_NOTES:
            self._open_fail.notes.append(text)

    def _version(self, indent):
        if indent == 0:
            self._next_stream()
            self._begun = True

    def _next_stream(self):
        self._close_to(0)
        top = self._levels[0]
        self._check_plan(top)
        if self._begun and top.plan is None and not top.seen and \
                not self._bailed:
            self._fail("a stream has no plan", self._notes[-_MAX_NOTES:])
        self._begun = False
        self._levels = [_Level(0)]

    def _at(self, indent):
        """The level at this indentation, opened if it is new."""
        self._close_to(indent)
        if self._levels[-1].indent < indent:
            self._levels[-1].nested = True
            self._levels.append(_Level(indent))
        return self._levels[-1]

    def _close_to(self, indent):
        while self._levels[-1].indent > indent:
            level = self._levels.pop()
            if self._check_plan(level):
                self._levels[-1].failed_below = True

    def _check_plan(self, level):
        if self._bailed or level.plan == level.seen:
            return False
        if level.plan is None and not level.seen:
            return False
        if level.plan is None:
            self._fail("%d results without a plan" % level.seen, [])
        else:
            self._fail("planned %d tests, %d reported"
                       % (level.plan, level.seen), level.names[-1:])
        return True

    def _plan(self, indent, match):
        if indent == 0 and self._levels[0].plan is not None:
            self._next_stream()
        level = self._at(indent)
        level.plan = int(match[1])
        if level.plan == 0:
            self.results.append(Result("all tests", SKIP,
                                       [match[2] or "no reason was given"]))

    def _result(self, indent, match):
        level = self._at(indent)
        level.seen += 1
        name, outcome, reason = self._outcome(match)
        level.names.append("last: " + name)
        notes = self._notes[-_MAX_NOTES:] if outcome == FAIL else []
        sums_up, level.nested = level.nested, False
        failed_below, level.failed_below = level.failed_below, False
        self._notes, self._open_fail = [], None
        if outcome == FAIL:
            for above in self._levels[:-1]:
                above.failed_below = True
        if sums_up and indent == 0:
            for below in self.results[self._grouped:]:
                below.group = name
            self._grouped = len(self.results)
        if sums_up and (outcome != FAIL or failed_below):
            return
        result = Result(name, outcome, [reason] if reason else notes)
        self.results.append(result)
        if indent == 0:
            self._grouped = len(self.results)
        if outcome == FAIL and not notes:
            self._open_fail = result

    @staticmethod
    def _outcome(match):
        name = match[3]
        directive = _DIRECTIVE.search(name)
        if directive:
            name = name[:directive.start()].strip()
            if directive[1].upper() == "SKIP":
                reason = directive[2] or "no reason was given"
                return name or reason, SKIP, reason
        name = re.sub(r"\s+#\s.*$", "", name) or "test %s" % match[2]
        return name, FAIL if match[1] else PASS, None


def parse(text, status=0):
    """The results in the whole output of one test program."""
    parser = Parser()
    for line in text.splitlines():
        parser.feed(line)
    return parser.finish(status)
