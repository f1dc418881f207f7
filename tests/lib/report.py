# SPDX-License-Identifier: GPL-2.0-only
"""Judges results, counts them, and prints what the user needs to know."""

import re
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from xml.etree import ElementTree

import command
import listed
import tap

_MAX_NOTES = 12         # lines of one failure
_EACH = 60              # seconds between two lines of progress without a terminal

# The part of a case's name that differs between its runs: CPU models, and the byte
# order and way of the bare-metal programs
_PLACE = re.compile(r"\((?:R1\d000)[^()]*, (?:be|el), \w+\)|"
                    r"\bR1\d000(?:-v2\.6|-el)?\b")


@dataclass
class Part:
    """Results of one program in one place."""
    program: str                # SUITE:PROGRAM
    place: str                  # a CPU model, or "-"
    results: list = field(default_factory=list)


@dataclass
class _Spent:
    """Of one job."""
    name: str
    wall: float
    processor: float


class Report:
    """Takes parts as they come; finish() prints the end of the report."""

    def __init__(self, wanted, verbose=False):
        """wanted.cases(program) are the first words of the cases to judge."""
        self.wanted, self.verbose = wanted, verbose
        self.counts = Counter()
        self.parts = []
        self.rows, self.skips = listed.programs(), listed.skips()
        self._failures = []         # text of each, as it was printed
        self._failed = []           # names of the programs
        self._skipped = defaultdict(list)       # by the reason of skips.tsv
        self._spent = []
        self._started = self._told = time.monotonic()

    # --- during the run -----------------------------------------------------

    def add(self, part, again, log=None):
        """Judge the results of a program; "again" runs it by itself."""
        self._judge(part)
        part.results = list(self._looked_at(part))
        self.parts.append(part)
        for result in part.results:
            self.counts[result.outcome] += 1
            if result.outcome == tap.FAIL:
                self._fail(part, result, again, log)
            elif self.verbose:
                self._line("%-4s %s" % ("ok" if result.outcome == tap.PASS else
                                        "SKIP", _name(part, result)))

    def fail(self, program, place, case, notes, again, log=None):
        """Add a failure that no program has reported itself."""
        part = Part(program, place, [tap.Result(case, tap.FAIL, notes)])
        self.parts.append(part)
        self.counts[tap.FAIL] += 1
        self._fail(part, part.results[0], again, log)

    def spent(self, job, wall, processor):
        """Note the seconds of a job."""
        self._spent.append(_Spent(job.name, wall, processor))

    def progress(self, running, left):
        """Print a line with the progress of the run."""
        now = time.monotonic()
        if not sys.stdout.isatty() and now - self._told < _EACH:
            return
        self._told = now
        text = "%s %s, %d jobs to go; running: %s" % (
            _minutes(now - self._started), self.summary(), left + len(running),
            " ".join(running))
        if sys.stdout.isatty():
            print("\r\033[K" + text[:100], end="", flush=True)
        else:
            print(text, flush=True)

    def _judge(self, part):
        """Check that skips are on the list and no case is missing."""
        for result in part.results:
            if result.outcome != tap.SKIP:
                continue
            row = next((row for row in self.skips if
                        row.allows(part.program, part.place, result)), None)
            if row:
                self._skipped[row.reason].append(_name(part, result))
            else:
                result.outcome = tap.FAIL
                result.notes = ["it was skipped: %s" % "; ".join(result.notes),
                                "expected: a result; tests/skips.tsv lists what "
                                "may be skipped"]
        row = self.rows.get((part.program, part.place))
        if row and len(part.results) < row.cases and not any(
                r.outcome == tap.SKIP and r.name == "all tests"
                for r in part.results):
            part.results.append(tap.Result("all cases", tap.FAIL, [
                "expected: %d cases, as in tests/programs.tsv" % row.cases,
                "got: %d" % len(part.results)]))

    def _looked_at(self, part):
        """The results that were asked for."""
        cases = self.wanted.cases(part.program)
        if not cases:
            yield from part.results
            return
        for case in cases:
            found = [r for r in part.results if r.name.startswith(case)]
            yield from found or [tap.Result(case, tap.FAIL, [
                "no case of %s begins so" % part.program])]

    def _fail(self, part, result, again, log):
        said = list(dict.fromkeys(n.strip() for n in result.notes if n.strip()))
        lines = ["FAIL " + _name(part, result)]
        lines += ["     " + note[:400] for note in
                  said[:_MAX_NOTES] or ["nothing was said"]]
        if log:
            lines.append("     log: " + command.shown(log))
        lines.append("     alone: " + again)
        self._failures.append("\n".join(lines))
        self._failed.append(part.program)
        self._line(self._failures[-1])

    @staticmethod
    def _line(text):
        print(("\r\033[K" if sys.stdout.isatty() else "") + text, flush=True)

    # --- at the end -----------------------------------------------------------

    def finish(self, budgets, times):
        """Print everything but the last line; budgets: {suite: seconds of
        processor}; times: print the table of jobs, too."""
        print("\r\033[K" if sys.stdout.isatty() else "", end="")
        self._print_skips()
        if times:
            self._print_jobs()
        self._print_suites(budgets)
        if self._failures:
            print("\nWhat failed:")
            print("\n".join(self._failures))
        distinct = {(p.program, _PLACE.sub("*", r.name))
                    for p in self.parts for r in p.results}
        print("\n%d results of %d distinct cases of %d programs; files: %s" % (
            sum(self.counts.values()), len(distinct),
            len({p.program for p in self.parts}), command.shown(command.OUT)))

    def good(self):
        """True if there is a passed case and no failed one."""
        return bool(self.counts[tap.PASS]) and not self.counts[tap.FAIL]

    def summary(self):
        """The last line, without colours."""
        text = "%d passed, %d failed" % (self.counts[tap.PASS],
                                         self.counts[tap.FAIL])
        if self.counts[tap.SKIP]:
            text += ", %d skipped" % self.counts[tap.SKIP]
        return text

    def _print_skips(self):
        for reason, names in sorted(self._skipped.items()):
            print("SKIP %s%s: %s" % (names[0], " and %d more" % (len(names) - 1)
                                     if names[1:] else "", reason))

    def _print_jobs(self):
        print("\n%-40s %8s %10s" % ("job", "seconds", "processor"))
        for spent in sorted(self._spent, key=lambda s: -s.wall):
            print("%-40s %8.1f %10.1f" % (spent.name, spent.wall, spent.processor))

    def _print_suites(self, budgets):
        """Print the processor time of each suite: jobs run at the same time."""
        print("\n%-12s %8s %7s %10s %10s %7s" % ("suite", "programs", "results",
                                                 "job time", "processor",
                                                 "budget"))
        for suite, budget in budgets.items():
            parts = [p for p in self.parts if p.program.split(":")[0] == suite]
            spent = [s for s in self._spent if s.name.split(":")[0] == suite]
            if not parts and not spent:
                continue
            used = sum(s.processor for s in spent)
            print("%-12s %8d %7d %8.0f s %8.0f s %5d s%s" % (
                suite, len({p.program for p in parts}),
                sum(len(p.results) for p in parts), sum(s.wall for s in spent),
                used, budget, "  over it" if used > budget else ""))
        print("%-29s %8.0f s %8.0f s   in %s" % (
            "all", sum(s.wall for s in self._spent),
            sum(s.processor for s in self._spent),
            _minutes(time.monotonic() - self._started)))

    # --- files ------------------------------------------------------------------

    def write(self):
        """Write results.tap, results.xml (JUnit) and the names of failed programs. The
        seconds of a boot that runs several programs are those of the boot itself."""
        command.OUT.mkdir(parents=True, exist_ok=True)
        (command.OUT / "failed").write_text(
            "".join(name + "\n" for name in dict.fromkeys(self._failed)))
        with open(command.OUT / "results.tap", "w", encoding="utf-8") as out:
            number = 0
            out.write("TAP version 13\n")
            for part in self.parts:
                for number, result in enumerate(part.results, number + 1):
                    out.write(_tap(part, number, result))
            out.write("1..%d\n" % number)
        root = ElementTree.Element("testsuites")
        walls = {spent.name: spent.wall for spent in self._spent}
        for part in self.parts:
            suite = ElementTree.SubElement(
                root, "testsuite", name="%s %s" % (part.program, part.place),
                tests=str(len(part.results)))
            wall = walls.get(part.program + ("" if part.place == "-" else "@" + part.place))
            if wall is not None:
                suite.set("time", "%.1f" % wall)
            for result in part.results:
                case = ElementTree.SubElement(
                    suite, "testcase", classname=part.program,
                    name=_printable(result.name))
                if result.outcome != tap.PASS:
                    ElementTree.SubElement(
                        case, "failure" if result.outcome == tap.FAIL else
                        "skipped").text = _printable("\n".join(result.notes))
        ElementTree.ElementTree(root).write(command.OUT / "results.xml", "utf-8")


def _name(part, result):
    place = "" if part.place == "-" else " (%s)" % part.place
    return "%s: %s%s" % (part.program, result.name, place)


def _tap(part, number, result):
    notes = "".join("# %s\n" % n for n in result.notes)
    return "%s%s %d - %s%s\n" % (
        notes if result.outcome == tap.FAIL else "",
        "not ok" if result.outcome == tap.FAIL else "ok", number,
        _name(part, result).replace("#", "-"),
        " # SKIP" if result.outcome == tap.SKIP else "")


def _printable(text):
    """The text with "?" for characters that XML does not allow."""
    return re.sub(r"[^\t\n -\ud7ff\ue000-\ufffd]", "?", text)


def _minutes(seconds):
    return "%d:%02d" % divmod(int(seconds), 60)
