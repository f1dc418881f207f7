# SPDX-License-Identifier: GPL-2.0-only
"""Judges results, counts them, and prints what the user needs to know.

A program that failed once and passed once is unsteady. Its results are those of the run
that passed, and the report shows how the two runs differ.
"""

import difflib
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
_MAX_DIFFERENCE = 60    # lines of the two outputs of an unsteady program
_EACH = 60              # seconds between two lines of progress without a terminal
_MAX_UNSTEADY = 2       # programs: a run with more of them has failed

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
    text: str = ""              # its output
    listed: bool = True         # programs.tsv has its program

    @property
    def key(self):
        """Its place in the report."""
        return self.program, self.place

    def failures(self):
        """The results that failed."""
        return [result for result in self.results if result.outcome == tap.FAIL]


@dataclass
class _Unsteady:
    """The two runs of a program of which one failed."""
    runs: tuple                 # Part
    bad: Part                   # the one that failed
    said: str                   # for the user

    @property
    def outputs(self):
        """Both, with a head."""
        return "".join("The %s run:\n%s\n" % (which, run.text)
                       for which, run in zip(("first", "second"), self.runs))


@dataclass
class _Spent:
    """Of one job."""
    name: str
    wall: float
    processor: float


class Report:
    """Takes parts as they come; finish() prints the end of the report."""

    def __init__(self, wanted, verbose=False, some_cpus=False):
        """wanted.cases(program) are the first words of the cases to judge. On some CPUs
        more programs run if only some are wanted."""
        self.wanted, self.verbose, self.some_cpus = wanted, verbose, some_cpus
        self.parts = {}             # (program, place): Part
        self.unsteady = {}          # (program, place): _Unsteady
        # rows is None while programs.tsv is written: then nothing is compared with it
        self.rows, self.skips = listed.programs(), listed.skips()
        self._failures = defaultdict(list)      # (program, place): texts as printed
        self._spent = []
        self._started = self._told = time.monotonic()

    @property
    def counts(self):
        """How many results have each outcome."""
        return Counter(result.outcome for part in self.parts.values()
                       for result in part.results)

    def failed(self):
        """The keys of the parts that failed."""
        return {key for key, part in self.parts.items() if part.failures()}

    def may_be_unsteady(self):
        """Whether the run could still pass if what failed turned out to be unsteady."""
        return len(_programs(self.failed())) <= _MAX_UNSTEADY

    # --- during the run -----------------------------------------------------

    def add(self, part, again, log=None):
        """Judge the results of a program; "again" runs it by itself."""
        self._judge(part)
        self._keep(part)
        for result in part.results:
            if result.outcome == tap.FAIL:
                self._fail(part, result, again, log)
            elif self.verbose:
                self.line("%-4s %s" % ("ok" if result.outcome == tap.PASS else
                                       "SKIP", _name(part, result)))

    def add_second(self, part, job):
        """Judge the results of a program in the second run of its job."""
        first = self.parts.pop(part.key, None)
        said = self._failures.pop(part.key, [])
        self.add(part, job.again, job.directory / "output.log")
        if not first or bool(first.failures()) == bool(part.failures()):
            return
        good, bad, how = (part, first, "passed when it ran again, alone") \
            if first.failures() else (first, part, "had passed, and failed in a second run")
        if not _has_passed(good, bad):
            self.parts[part.key] = bad
            self._failures[part.key] = said or self._failures[part.key]
            return
        said = [text.replace(command.shown(job.directory) + "/",
                             command.shown(job.first) + "/") for text in said] or \
            self._failures.pop(part.key)
        self.parts[part.key] = good
        self.unsteady[part.key] = _Unsteady((first, part), bad, "\n".join([
            *(re.sub("^FAIL", "UNSTEADY", text) for text in said),
            "     It %s. %s" % (how, _difference(first, part))]))

    def fail(self, program, place, case, notes, again):
        """Add a failure that no program has reported itself."""
        part = Part(program, place, [tap.Result(case, tap.FAIL, notes)])
        self._keep(part)
        self._fail(part, part.results[0], again)

    def settle(self):
        """All second runs have ended: if too many programs are unsteady, they failed."""
        if self._too_unsteady():
            self.parts.update((key, two.bad) for key, two in self.unsteady.items())

    def _too_unsteady(self):
        return len(_programs(self.unsteady)) > _MAX_UNSTEADY

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

    def _keep(self, part):
        if part.key in self.parts:
            raise ValueError("two jobs have results of %s" % _place(part.key))
        self.parts[part.key] = part

    def _judge(self, part):
        """Check that the program and its skips are listed; leave the results that were
        asked for."""
        for result in part.results:
            if result.outcome != tap.SKIP:
                continue
            if not self._skip_row(part, result):
                result.outcome = tap.FAIL
                result.notes = ["it was skipped: %s" % "; ".join(result.notes),
                                "expected: a result; tests/skips.tsv lists what "
                                "may be skipped"]
        if part.results and not part.failures() and not self._is_listed(part):
            part.results.append(tap.Result("is listed", tap.FAIL, [
                "expected: its name and place in tests/programs.tsv, without which nobody "
                "would miss it; tests/run --record %s writes it" % part.program]))
        part.results = list(self._looked_at(part))

    def _is_listed(self, part):
        return self.rows is None or not part.listed or any(
            program == part.program and (self.some_cpus or place == part.place)
            for program, place in self.rows)

    def _skip_row(self, part, result):
        """The row of skips.tsv that allows it."""
        return next((row for row in self.skips if
                     row.allows(part.program, part.place, result)), None)

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

    def _fail(self, part, result, again, log=None):
        said = list(dict.fromkeys(n.strip() for n in result.notes if n.strip()))
        lines = ["FAIL " + _name(part, result)]
        lines += ["     " + note[:400] for note in
                  said[:_MAX_NOTES] or ["nothing was said"]]
        if log:
            lines.append("     log: " + command.shown(log))
        lines.append("     alone: " + again)
        text = "\n".join(lines)
        self._failures[part.key].append(text)
        self.line(text)

    @staticmethod
    def line(text):
        """Print lines in the midst of the progress."""
        print(("\r\033[K" if sys.stdout.isatty() else "") + text, flush=True)

    # --- at the end -----------------------------------------------------------

    def finish(self, suites, times):
        """Print everything but the last line; suites: their names; times: print the
        table of jobs, too."""
        print("\r\033[K" if sys.stdout.isatty() else "", end="")
        self._print_skips()
        if times:
            self._print_jobs()
        self._print_suites(suites)
        if self.unsteady:
            print("\nWhat is unsteady, as it failed once and passed once%s:" % (
                "; more than %d programs are, so they failed" % _MAX_UNSTEADY
                if self._too_unsteady() else ""))
            print("\n".join(two.said for two in self.unsteady.values()))
        if self._failures:
            print("\nWhat failed:")
            print("\n".join(text for texts in self._failures.values() for text in texts))
        distinct = {(p.program, _PLACE.sub("*", r.name))
                    for p in self.parts.values() for r in p.results}
        print("\n%d results of %d distinct cases of %d programs; files: %s" % (
            sum(self.counts.values()), len(distinct),
            len({program for program, _ in distinct}), command.shown(command.OUT)))
        if self.unsteady:
            print("%d unsteady: %s" % (len(self.unsteady), " ".join(
                sorted(map(_place, self.unsteady)))))

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
        reasons = defaultdict(list)
        for part in self.parts.values():
            for result in part.results:
                if result.outcome == tap.SKIP:
                    row = self._skip_row(part, result)
                    reasons[row.reason].append(_name(part, result))
        for reason, names in sorted(reasons.items()):
            print("SKIP %s%s: %s" % (names[0], " and %d more" % (len(names) - 1)
                                     if names[1:] else "", reason))

    def _print_jobs(self):
        print("\n%-40s %8s %10s" % ("job", "seconds", "processor"))
        for spent in sorted(self._spent, key=lambda s: -s.wall):
            print("%-40s %8.1f %10.1f" % (spent.name, spent.wall, spent.processor))

    def _print_suites(self, suites):
        """Print the processor time of each suite: jobs run at the same time."""
        print("\n%-12s %8s %7s %10s %10s" % (
            "suite", "programs", "results", "job time", "processor"))
        for suite in suites:
            parts = [p for p in self.parts.values() if p.program.split(":")[0] == suite]
            spent = [s for s in self._spent if s.name.split(":")[0] == suite]
            if not parts and not spent:
                continue
            print("%-12s %8d %7d %8.0f s %8.0f s" % (
                suite, len({p.program for p in parts}),
                sum(len(p.results) for p in parts), sum(s.wall for s in spent),
                sum(s.processor for s in spent)))
        print("%-29s %8.0f s %8.0f s   in %s" % (
            "all", sum(s.wall for s in self._spent),
            sum(s.processor for s in self._spent),
            _minutes(time.monotonic() - self._started)))

    # --- files ------------------------------------------------------------------

    def write(self):
        """Write results.tap, results.xml (JUnit) and the names of the programs that
        failed or are unsteady."""
        command.OUT.mkdir(parents=True, exist_ok=True)
        bad = _programs((*self.failed(), *self.unsteady))
        # A boot or a build is no program: its suite can run again
        (command.OUT / "failed").write_text("".join(sorted(
            {(name if name in self.wanted.programs else name.split(":")[0]) + "\n"
             for name in bad})))
        with open(command.OUT / "results.tap", "w", encoding="utf-8") as out:
            number = 0
            out.write("TAP version 13\n")
            for key, part in self.parts.items():
                if key in self.unsteady:
                    out.write("# unsteady: %s\n" % _place(key))
                for number, result in enumerate(part.results, number + 1):
                    out.write(_tap(part, number, result))
            out.write("1..%d\n" % number)
        root = ElementTree.Element("testsuites")
        for part in self.parts.values():
            self._write_suite(root, part)
        ElementTree.ElementTree(root).write(command.OUT / "results.xml", "utf-8")

    def _write_suite(self, root, part):
        """An element of results.xml. A failure of an unsteady program is a
        flakyFailure, as Maven Surefire writes it."""
        two = self.unsteady.get(part.key)
        flaky = two.bad.failures() if two and part is not two.bad else []
        names = {result.name for result in flaky}
        results = [result for result in part.results if result.name not in names]
        suite = ElementTree.SubElement(
            root, "testsuite", name="%s %s" % (part.program, part.place),
            tests=str(len(results) + len(flaky)))
        for kind, some in (("", results), ("flakyFailure", flaky)):
            for result in some:
                case = ElementTree.SubElement(
                    suite, "testcase", classname=part.program,
                    name=_printable(result.name))
                if result.outcome != tap.PASS:
                    ElementTree.SubElement(
                        case, kind or ("failure" if result.outcome == tap.FAIL else
                                       "skipped")).text = _printable(
                                           "\n".join(result.notes))
        if two:
            ElementTree.SubElement(suite, "system-out").text = _printable(two.outputs)


def _programs(keys):
    return {program for program, _ in keys}


def _has_passed(good, bad):
    """Whether a run without failures has the cases that failed in the other one, and
    they passed. A part for a job itself has no cases."""
    outcomes = {result.name: result.outcome for result in good.results}
    return not outcomes or tap.PASS in outcomes.values() and all(
        outcomes.get(result.name, tap.PASS) == tap.PASS for result in bad.failures())


def _place(key):
    """SUITE:PROGRAM, with @PLACE if it has one."""
    return key[0] if key[1] == "-" else "@".join(key)


def _difference(first, second):
    """What is different in the outputs of two runs."""
    lines = list(difflib.unified_diff(
        first.text.splitlines(), second.text.splitlines(), "the first run",
        "the second run", lineterm="", n=1))
    more = len(lines) - _MAX_DIFFERENCE
    return "\n".join([
        "The two outputs %s" % ("differ:" if lines else "are the same."),
        *("     " + line[:400] for line in lines[:_MAX_DIFFERENCE]),
        *(["     and %d more lines" % more] if more > 0 else [])])


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
