# SPDX-License-Identifier: GPL-2.0-only
"""The conformance suite: a verdict on each sentence of the manual pages.

The programs in tests/conformance run on all emulated CPUs and on an Octane with two, one
boot each; all but a few (ONLY of their Makefile) also run on this machine, with software
events. A verdict depends on their results and on those of other suites in the same run:
evidence is {(SUITE:PROGRAM, place): [results]}.
"""

import fnmatch
import sys

import command
import conformance_doc
import guest
import jobs
import report as reports
import sentences
import tap
from command import ROOT
from sentences import CPUS, GUESTS, HOST, OCTANE, OCTANE_OPTIONS

FOLDER = guest.TESTS + "/conformance"
OUT = ROOT / "build" / "obj" / "host" / "conformance"
HOLDER = OUT / "stage/usr/libexec/irixperf/irixperf-holder"
MAP = ROOT / "tests" / "conformance" / "host.map"
TABLE = "conformance:table"     # the tables themselves, as a program
HOST_SECONDS = 600
MODULES = "/tmp/modules"        # of the guest's kernel, where its programs look for them
BUILT_MODULES = {guest.LITTLE: "modules-el", OCTANE: "modules-octane"}  # others: "modules"

# Programs that take too long to run in addition: only their own suite runs them
SLOW = {"guest:cycles", "guest:exact", "guest:modes", "guest:rotation",
        "guest:shares", "guest:stress", "accept:modes"}


# --- what runs ----------------------------------------------------------------------


def programs_of(rows):
    """All programs that rows name, as SUITE:PROGRAM."""
    return {test.program for row in rows for test in row.covered}


def selected(names):
    """Names for the runner: if there are rows, add the programs that they name."""
    asked = [name.partition(":")[2] or "*" for name in names
             if name.partition(":")[0] == "conformance"]
    rows = [row for row in sentences.read_all()
            if any(fnmatch.fnmatchcase(row.id, pattern) for pattern in asked)]
    return [*names, *sorted(programs_of(rows) - SLOW)]


# System mode is the whole machine's. Programs of root get a /run and processes of their
# own, so that they do not disturb other programs that count on this machine
_ON_HOST = """
cd "${TEST_DIR:-.}" || exit 1
[ "$(id -u)" = 0 ] || exec "$1"
alone="unshare --mount --pid --net --kill-child --mount-proc"
$alone true 2>/dev/null || {
    echo "1..0 # SKIP root without namespaces would disturb others"
    exit 0
}
exec $alone sh -c 'mount -t tmpfs none /run && "$1"; exit $?' sh "$1"
"""


def _on_host(name):
    def read(text, status, _job):
        return [reports.Part("conformance:" + name, HOST, tap.parse(text, status))]
    return jobs.Job("conformance:%s@%s" % (name, HOST), [
        "env", "IRIXPERF_EVENTMAP=%s" % MAP, "IRIXPERF_HOLDER=%s" % HOLDER,
        "sh", "-c", _ON_HOST, "sh", OUT / name], read, HOST_SECONDS,
        ("conformance:build",), again="tests/run conformance:" + name)


def _build():
    def read(text, status, _job):
        if status == 0:
            return []
        return [reports.Part("conformance:build", "-", [tap.Result(
            "is built", tap.FAIL, text.splitlines()[-8:])])]
    return jobs.Job("conformance:build", [
        "make", "-s", "-C", "tests/conformance", "host"], read, 600, seconds=600, builds=True,
        again="make -C tests/conformance host")


def _machines(cpus):
    """Each machine for guest.boot(), with the modules of its kernel."""
    machines = [(cpu, ("--cpu", cpu)) for cpu in cpus or CPUS]
    if not cpus:
        machines.append((OCTANE, OCTANE_OPTIONS))
    for place, arguments in machines:
        modules = guest.GUEST / BUILT_MODULES.get(place, "modules")
        push = ("--push", "%s:%s" % (modules.resolve(), MODULES)) \
            if modules.exists() else ()
        yield place, (*arguments, *push)


def conformance_jobs(wanted, options):
    """One boot for each CPU, the build for this machine, and each program there."""
    for name in (TABLE, *(row.program for row in sentences.read_all())):
        wanted(name)
    names = [name for name in sentences.programs() if wanted("conformance:" + name)]
    for machine in _machines(options.cpu) if names else ():
        yield guest.boot("conformance:boot@" + machine[0], machine,
                         ["%s/%s" % (FOLDER, name) for name in names],
                         lambda program: "conformance:" + program, options)
    here = [] if options.cpu else sorted(set(names).intersection(command.made("conformance")))
    if here:
        yield _build()
        yield from map(_on_host, here)


# --- verdicts ---------------------------------------------------------------------


def _is_end(result):
    """A failure or a skip of the program as a whole."""
    return not sentences.rows_of(result.name) and result.outcome != tap.PASS


def _of_row(row, test, results):
    """The results of a program that concern the row."""
    if test.case:
        return [r for r in results if test.names(r)]
    return [r for r in results
            if row.id in sentences.rows_of(r.name) or _is_end(r)]


def _shown(test, place):
    """The name of the place in the list of a row."""
    suite = test.program.partition(":")[0]
    return {"-": suite, "be": "bare-be", "el": "bare-el"}.get(place, place)


class Verdict:
    """The state of one row, and the places where it was shown.

    The states are shown, partly, unavailable, skipped and failed.
    """

    def __init__(self, row, evidence, wanted=lambda program: True):
        self.row, self.notes = row, []
        self.shown, self.skipped, self.failed = set(), set(), False
        for test in row.covered:
            places = {place: results for (program, place), results
                      in evidence.items() if program == test.program}
            if not places:
                self.notes.append("%s was not run" % test.program)
                self.failed |= wanted(test.program)
            for place, results in places.items():
                if test.holds_in(place):
                    self._weigh(test, place, _of_row(row, test, results))
        self.state = self._state()

    def _weigh(self, test, place, results):
        outcomes = {result.outcome for result in results}
        notes = [note for result in results for note in result.notes]
        if tap.FAIL in outcomes or not outcomes:
            self.failed = True
            self.notes += ["%s on %s: %d results" % (test.text, place, len(results)),
                           *("%s: %s" % (r.name, "; ".join(r.notes[:3]))
                             for r in results if r.outcome == tap.FAIL)]
        elif tap.PASS in outcomes:
            self.shown |= set() if test.differs else {_shown(test, place)}
        elif place in GUESTS:
            self.failed = True
            self.notes += ["%s on %s was skipped:" % (test.text, place), *notes]
        else:
            self.skipped.add(place)
            self.notes += notes

    def _state(self):
        if self.failed or not self.row.covered:
            return "failed"
        if not self.shown:
            return "skipped"
        return self.row.today if self.row.today in ("partly", "unavailable") \
            else "shown"

    def result(self):
        """For the report."""
        name = self.row.says
        if not self.row.covered:
            return tap.Result(name, tap.FAIL, [
                "there is no test, and no reason why not"])
        if self.state in ("failed", "skipped"):
            return tap.Result(name, tap.FAIL if self.failed else tap.SKIP,
                              self.notes)
        if self.state != "shown":
            name += " (%s: %s)" % (self.state, self.row.note)
        return tap.Result("%s [%s]" % (name, " ".join(sorted(self.shown))),
                          tap.PASS)


def mistakes(rows):
    """Results for the tables themselves and for the documents made from them."""
    wrong = list(sentences.wrong(rows))
    yield tap.Result("each reference names a test, each row has its words",
                     tap.FAIL if wrong else tap.PASS, wrong)
    for table in sentences.TABLES:
        wrong = conformance_doc.stale(table)
        yield tap.Result("the document is that of %s" % table.file,
                         tap.FAIL if wrong else tap.PASS, wrong)


def _unshown(rows):
    """The rows without a test and their reasons."""
    for row in rows:
        if not row.covered and row.reason():
            yield "# not tested: %s %s: %s: %s" % (row.id, row.kind, row.says,
                                                  row.reason())


def _places(ours):
    """How many rows were shown where."""
    places = sorted({place for v in ours for place in v.shown})
    text = ", ".join("%s %d" % (place, sum(place in v.shown for v in ours))
                     for place in places)
    little = {"bare-el", guest.LITTLE}
    if sys.byteorder == "little":
        little.add(HOST)
    return "%s; little-endian %d" % (text, sum(bool(little & v.shown) for v in ours))


def summary(table, ours, rows):
    """Lines for the user: the states of a table's rows, and where they were shown."""
    states = [v.state for v in ours]
    unshown = list(_unshown(rows))
    prose = sum(" prose: " in line for line in unshown)
    still = sum(row.today == "open" for row in rows)
    yield "%s: %d rows: %s%d without a behaviour, %d with a reason why there is no " \
        "test (%s)" % (
            table.file, len(rows), "".join(
                "%d %s; " % (number, state) for state, number in (
                    *((s, states.count(s)) for s in (
                        "shown", "partly", "unavailable", "skipped", "failed")),
                    ("STILL OPEN", still)) if number),
            prose, len(unshown) - prose, conformance_doc.name(table))
    if ours:
        yield "shown on: %s" % _places(ours)


def evidence(report):
    """{(SUITE:PROGRAM, place): [results]} of what has run."""
    return {key: part.results for key, part in report.parts.items()}


def verdicts(wanted, report):
    """After all jobs: report a result for each row that was asked for."""
    if wanted(TABLE):
        report.add(reports.Part(TABLE, "-", list(mistakes(sentences.read_all()))),
                   "tests/run " + TABLE)
    for table in sentences.TABLES:
        rows = [row for row in table.read() if wanted(row.program)]
        ours = [Verdict(row, evidence(report), wanted) for row in rows
                if row.covered or not row.reason() and row.today != "open"]
        for verdict in ours:
            report.add(reports.Part(verdict.row.program, "-", [verdict.result()],
                                    listed=False),
                       "tests/run " + verdict.row.program)
        for line in summary(table, ours, rows) if rows else ():
            print("   " + line)
