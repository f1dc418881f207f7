# SPDX-License-Identifier: GPL-2.0-only
"""The conformance suite: a result for each sentence of r10k_evcntrs(5).

The programs in tests/conformance run on all emulated CPUs, and on this machine
with software events. What other suites show is taken from them if they have run
just before, and run here if it is quick; the rest is said to be left out.
"""

import re
import shlex
import sys

import command
import conformance_doc
import guest
import sentences
import tap
from command import ROOT

CPUS = ("R10000-v2.6", "R10000", "R12000", guest.LITTLE)
HOST = "host"
FOLDER = guest.TESTS + "/conformance"
OUT = ROOT / "build" / "obj" / "host" / "conformance"
HOLDER = OUT / "stage/usr/libexec/irixperf/irixperf-holder"
MAP = ROOT / "tests" / "conformance" / "host.map"
ALONE = "tests/run conformance"

# What takes too long beside all others: left to its own suite
SLOW = {"guest:cycles", "guest:exact", "guest:modes", "guest:rotation",
        "guest:shares", "guest:stress", "accept:modes"}

_LOOP = """
for t in {paths}; do
    cd ${{t%/*}} && [ -x "$t" ] || continue
    echo "@@ begin ${{t##*/}}"
    $t
    echo "@@ end ${{t##*/}} $?"
done
"""


# System mode is the whole machine's: root's programs get a /run of their own, where
# nobody else who counts on this machine finds them
_ON_HOST = """
cd "$1" || exit 1
[ "$(id -u)" = 0 ] || exec "./$2"
unshare -m true 2>/dev/null || {
    echo "1..0 # SKIP root without a mount namespace would disturb others"
    exit 0
}
exec unshare -m sh -c 'mount -t tmpfs none /run && exec "$1"' sh "./$2"
"""


class Evidence:
    """What has run: results by reference and by the place where it ran."""

    def __init__(self):
        self.found = {}

    def add(self, reference, where, results):
        """Results of one run."""
        places = self.found.setdefault(reference, {})
        places.setdefault(where, []).extend(results)

    def of(self, row, reference):
        """{where: results} for a row: those that name it, if any name rows."""
        places = {}
        for where, results in self.found.get(reference, {}).items():
            named = [r for r in results if row.id in sentences.rows_of(r.name)]
            if named or reference.startswith("conformance:"):
                results = named + [r for r in results if _is_end(r)]
            places[where] = results
        return places


def _is_end(result):
    """A failure or a skip of the program as a whole."""
    return not sentences.rows_of(result.name) and result.outcome != tap.PASS


# --- what other suites have left ------------------------------------------------


def _from_unit(evidence, text):
    """Each program's output begins with its name."""
    for chunk in text.split("TAP version 13\n")[1:]:
        name, _, rest = chunk.partition("\n")
        name = name.lstrip("# ")
        results = tap.parse(rest)
        evidence.add("unit:" + name, "unit", results)
        for result in results:
            evidence.add("unit:%s:%s" % (name, result.name), "unit", [result])


def _from_kunit(evidence, text):
    """Cases stand four columns in, below the name of their suite."""
    suite = ""
    for line in text.splitlines():
        title = re.match(r" {4}# Subtest: (\S+)", line)
        case = re.match(r" {4}(not )?ok \d+ (\S+)", line)
        if title:
            suite = title[1]
        elif case:
            outcome = tap.FAIL if case[1] else tap.PASS
            evidence.add("kunit:%s:%s" % (suite, case[2]), "kunit",
                         [tap.Result(case[2], outcome)])


def _from_baremetal(evidence, text):
    """Each result begins with the program's name, the CPU and the byte order."""
    for result in tap.parse(text):
        match = re.match(r"(\S+) \((?:\S+), (be|el), ", result.name)
        if match:
            evidence.add("baremetal:" + match[1], "bare-" + match[2], [result])


def _from_report(evidence, report):
    """Guest and acceptance tests keep what they are called."""
    for where, results in report.seen.items():
        words = where.split()
        if words[0] == "guest" and len(words) == 3:
            evidence.add("guest:" + words[2], words[1], results)
        elif words[0] == "accept" and len(words) == 2:
            evidence.add("accept:" + words[1], "accept", results)


# --- what has to be run ----------------------------------------------------------


def _wanted(rows, kind):
    """The tests of this kind that rows name: first words only."""
    return sorted({ref.split(":")[1] for row in rows for ref in row.covered
                   if ref.startswith(kind + ":")})


def _suite(evidence, report, name, argv, reader, timeout=900):
    """Another suite's output, of this run of the tests or of this one."""
    log = command.log_file(name)
    if any(r.name != "whole suite" for r in report.seen.get(name, [])):
        reader(evidence, log.read_text(errors="replace"))
    else:
        output, _ = command.run(argv, "conformance-" + name, timeout)
        reader(evidence, output)


def _accept(evidence, rows):
    for name in _wanted(rows, "accept"):
        reference = "accept:" + name
        if reference not in SLOW and reference not in evidence.found:
            output, status = command.run([ROOT / "tests/accept" / name],
                                         "conformance-" + name, 300)
            evidence.add(reference, "accept", tap.parse(output, status))


def _others(evidence, rows, report):
    """Everything that needs no program of ours."""
    _from_report(evidence, report)
    _suite(evidence, report, "unit", [
        "make", "-s", "-C", "tests/unit", "check",
        "T=" + " ".join(_wanted(rows, "unit"))], _from_unit)
    _suite(evidence, report, "kunit", ["tests/kunit/run.sh"], _from_kunit, 1800)
    _suite(evidence, report, "baremetal", [
        "tests/baremetal/run", "--way", "plain",
        *_wanted(rows, "baremetal")], _from_baremetal)
    _accept(evidence, rows)


def _guest_paths(evidence, rows, cpu):
    """Those of the guest suite that have not run there, and our programs: some of
    those count who is left of others."""
    others = [name for name in _wanted(rows, "guest")
              if "guest:" + name not in SLOW
              and (cpu != CPUS[0] or _is_the_librarys(name))
              and cpu not in evidence.found.get("guest:" + name, {})]
    return [guest.TESTS + "/" + name for name in others] + \
        [FOLDER + "/" + path.stem for path in _programs()]


# The driver's tests know the CPUs of their own suite
def _is_the_librarys(name):
    return (ROOT / "tests" / "unit" / "guest" / (name + ".c")).exists()


def _programs():
    return sorted(sentences.PROGRAMS.glob("*.c"))


def _guest(evidence, rows, cpu, options):
    """One boot; what it says of itself."""
    if cpu == guest.LITTLE and guest.no_little():
        return guest.no_little()
    name = "conformance-%s" % cpu
    log = command.log_file(name + "-kernel")
    log.unlink(missing_ok=True)
    loop = _LOOP.format(paths=" ".join(_guest_paths(evidence, rows, cpu)))
    output, status = command.run(
        [guest.R10KVM, "--cpu", cpu, "--timeout", "300", "--log", log, "-n",
         *shlex.split(options.r10kvm_options), "--", "sh", "-c", loop],
        name, 330)
    ran = set()
    for program, text, ended in guest.split(output):
        kind = "conformance" if _is_ours(program) else "guest"
        ran.add(program)
        evidence.add("%s:%s" % (kind, program), cpu, tap.parse(text, ended))
    missing = [path.stem for path in _programs() if path.stem not in ran]
    results = guest.check_log(log)
    if missing or status != 0:
        results.append(tap.Result("the boot", tap.FAIL, [
            "r10kvm ended with status %s" % status,
            "not run: %s" % " ".join(missing), *output.splitlines()[-3:]]))
    return results


def _is_ours(program):
    return (sentences.PROGRAMS / (program + ".c")).exists()


def _host(evidence):
    """This machine; what there is to say of the build."""
    output, status = command.run(
        ["make", "-s", "-C", "tests/conformance", "host"],
        "conformance-host-build", 300)
    if status != 0:
        return [tap.Result("build for this machine", tap.FAIL,
                           output.splitlines()[-3:])]
    for path in _programs():
        name = path.stem
        output, status = command.run(
            ["env", "IRIXPERF_EVENTMAP=%s" % MAP, "IRIXPERF_HOLDER=%s" % HOLDER,
             "sh", "-c", _ON_HOST, "sh", OUT, name],
            "conformance-host-" + name, 180)
        evidence.add("conformance:" + name, HOST, tap.parse(output, status))
    return []


# --- what comes of it ------------------------------------------------------------


class Verdict:
    """Of one row: its result, and where it was shown."""

    def __init__(self, row, evidence):
        self.row, self.notes = row, []
        self.shown, self.skipped, self.failed = set(), set(), False
        for reference in row.covered:
            self._look(reference, evidence.of(row, reference))

    def _look(self, reference, places):
        if not places:
            self._not_run(reference)
        for where, results in places.items():
            self._weigh(reference, where, results)

    def _not_run(self, reference):
        self.notes.append("%s was not run" % reference)
        if reference not in SLOW:
            self.failed = True

    def _weigh(self, reference, where, results):
        outcomes = [result.outcome for result in results]
        for result in results:
            if result.outcome == tap.FAIL:
                self.notes.append("%s on %s: %s" % (reference, where,
                                                    result.name))
                self.notes += result.notes[:3]
        if tap.FAIL in outcomes or not outcomes:
            self.failed = True
            self.notes.append("%s on %s: %d results" % (reference, where,
                                                       len(outcomes)))
        elif tap.PASS in outcomes:
            self.shown.add(where)
        else:
            self.skipped.add(where)
            self.notes += [n for r in results for n in r.notes]

    def result(self):
        """For the report."""
        name = "%s %s" % (self.row.id, self.row.says)
        if not self.row.covered:
            return tap.Result(name, tap.FAIL, [
                "there is no test, and no reason why not"])
        if self.failed:
            return tap.Result(name, tap.FAIL, self.notes)
        if not self.shown:
            return tap.Result(name, tap.SKIP, self.notes)
        return tap.Result("%s [%s]" % (name, " ".join(sorted(self.shown))),
                          tap.PASS)


def _line(number, result):
    good = "not ok" if result.outcome == tap.FAIL else "ok"
    skip = " # SKIP %s" % "; ".join(result.notes[:2]) \
        if result.outcome == tap.SKIP else ""
    notes = "".join("# %s\n" % n for n in result.notes) \
        if result.outcome == tap.FAIL else ""
    return "%s%s %d - %s%s\n" % (notes, good, number, result.name, skip)


def _unshown(rows):
    """The rows without a test and their reasons."""
    for row in rows:
        if not row.covered and row.reason():
            yield "# not tested: %s %s: %s: %s" % (row.id, row.kind, row.says,
                                                  row.reason())


def _places(verdicts):
    """How many rows were shown where."""
    places = sorted({where for v in verdicts for where in v.shown})
    text = ", ".join("%s %d" % (where, sum(where in v.shown for v in verdicts))
                     for where in places)
    little = {"bare-el", guest.LITTLE}
    if sys.byteorder == "little":
        little.add(HOST)
    return "%s; little-endian %d" % (
        text, sum(bool(little & v.shown) for v in verdicts))


def _write(verdicts, rows, results):
    """All of it as TAP, numbered; the file's name."""
    log = command.log_file("conformance")
    with open(log, "w", encoding="utf-8") as out:
        out.write("TAP version 13\n")
        for number, result in enumerate(results, 1):
            out.write(_line(number, result))
        out.write("1..%d\n" % len(results))
        out.writelines(line + "\n" for line in _unshown(rows))
        out.write("# rows shown on: %s\n" % _places(verdicts))
    return log


def _summary(verdicts, rows, log):
    """What a person wants to know of the rows that are no results."""
    unshown = list(_unshown(rows))
    prose = sum(" prose: " in line for line in unshown)
    print("   %d rows: %d with tests, %d without a behaviour, %d with a reason "
          "why there is none (Documentation/conformance.rst)"
          % (len(rows), len(verdicts), prose, len(unshown) - prose))
    print("   shown on: %s" % _places(verdicts))
    print("   each row: %s" % log.relative_to(ROOT))


def _set_up(rows):
    """Mistakes in the table, and missing pieces."""
    mistakes = list(sentences.wrong(rows))
    yield tap.Result("each reference names a test, each row has its words",
                     tap.FAIL if mistakes else tap.PASS, mistakes)
    mistakes = conformance_doc.stale(rows)
    yield tap.Result("the document is that of the table",
                     tap.FAIL if mistakes else tap.PASS, mistakes)
    for needed in (guest.R10KVM, *guest.NEEDED):
        if not needed.exists():
            yield tap.Result("set-up", tap.FAIL, [
                "%s is missing: run make guest" % needed])


def run(items, report, options):
    """The suite "conformance": items are rows, such as 9.13; none means all."""
    rows = sentences.read()
    report.add("conformance", list(_set_up(rows)), ALONE)
    chosen = [row for row in rows if not items or row.id in items]
    for item in set(items) - {row.id for row in rows}:
        report.fail("conformance", item, ["there is no such row"], ALONE)
    evidence = Evidence()
    _others(evidence, chosen, report)
    report.add("conformance host", _host(evidence), ALONE)
    for cpu in options.cpu or CPUS:
        report.add("conformance %s" % cpu,
                   _guest(evidence, chosen, cpu, options), ALONE)
    verdicts = [Verdict(row, evidence) for row in chosen
                if row.covered or not row.reason()]
    results = [verdict.result() for verdict in verdicts]
    report.add("conformance", results, ALONE)
    _summary(verdicts, chosen, _write(verdicts, chosen, results))


# --- for the runner: to be written ---


def conformance_jobs(_wanted, _options):
    """Jobs: one boot per CPU (guest.boot), the host's build and programs."""
    return ()


def verdicts(_wanted, _report):
    """When all jobs have ended: a result for each row, from report.parts, added by
    report.add(report.Part("conformance:rows", "-", results), again)."""
