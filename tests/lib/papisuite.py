# SPDX-License-Identifier: GPL-2.0-only
"""PAPI's own tests in the guest. A table in Documentation/papi-tests.rst has the
expected result of each."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import accept
import debugvm
from command import ROOT

PAGE = ROOT / "Documentation" / "papi-tests.rst"
BUILT = ROOT / "build" / "papi" / "tests"
COLUMNS = ["test", "result", "run", "why"]

# The ways to boot the guest, for each word in the page's column "run"
WAYS = {"quick": "icount", "model": "icount", "long": "icount",
        "clock": "clock", "debug": "debug"}
WHAT = {"icount": "on the main kernel", "clock": "without --icount",
        "debug": "on the debug kernel"}

# Programs that tests start
HELPERS = ["ctests/attach_target", "ctests/burn", "ctests/child_overflow"]

# Seconds for one test, in the guest's virtual time
LIMIT = 900

SCRIPT = """
cd /tmp/papi
export TESTS_QUIET=1 PATH=/tmp/papi/ctests:$PATH
for test in %s; do
	echo; echo "== $test"; start=$(cut -d' ' -f1 /proc/uptime)
	timeout -s KILL %d ./$test TESTS_QUIET </dev/null >/tmp/said 2>&1
	status=$?
	tail -c 2000 /tmp/said
	echo; echo "-- $status $start $(cut -d' ' -f1 /proc/uptime)"
	rm -rf papi_hl_output*
done
"""


@dataclass
class Row:
    """One test."""
    test: str
    result: str
    run: str
    why: str


def table():
    """The rows of the page."""
    text = PAGE.read_text(encoding="ascii")
    found = re.search(r"^(=+ +=+ +=+ +=+)\ntest .*\n\1\n((?:.*\n)*?)\1\n", text,
                      re.M)
    starts = [m.start() for m in re.finditer("=+", found[1])] + [None]
    rows = []
    for line in found[2].splitlines():
        cells = [line[a:b].strip() for a, b in zip(starts, starts[1:])]
        if cells[0]:
            rows.append(Row(*cells))
        else:
            rows[-1].why += " " + cells[3]
    return rows


def programs():
    """The programs that were built, as paths below their directory."""
    folder = BUILT.resolve()
    return sorted(str(path.relative_to(folder))
                  for path in folder.rglob("*") if path.is_file())


def outcome(test, status, said):
    """pass, skip or fail, by the words that PAPI's test_pass() and so on print. Helpers
    print nothing."""
    if status != 0 or "FAILED" in said:
        return "fail"
    if "SKIPPED" in said:
        return "skip"
    return "pass" if "PASSED" in said or test in HELPERS else "nothing"


def boot(cpu, way, options, timeout):
    """Run the script in one of the ways."""
    options = ("--memory", "512", *options)
    if way == "debug":
        return debugvm.vm("driver; sh /tmp/suite", *options, timeout=timeout,
                          cpu=cpu)
    return accept.vm("sh", "/tmp/suite", timeout=timeout, live=way == "clock",
                     options=("--cpu", cpu, *options))


def run(cpu, way, tests, timeout):
    """How the boot ended, and {test: (outcome, seconds, output)}."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "suite")
        script.write_text(SCRIPT % (" ".join(tests), LIMIT))
        push = [word for name in sorted({*tests, *HELPERS}) for word in
                ("--push", "%s:/tmp/papi/%s" % (BUILT.resolve() / name, name))]
        push += ["--push", "%s:/tmp/suite" % script]
        ran = boot(cpu, way, push, timeout)
    found = {}
    for name, said, status, begin, end in re.findall(
            r"^== (\S+)\n((?:(?!== ).*\n)*?)-- (\d+) (\S+) (\S+)\n", ran.out,
            re.M):
        found[name] = (outcome(name, int(status), said), float(end) - float(begin),
                       said.strip())
    return ran, found


def check(tap, cpu, runs, timeout):
    """Run the rows that the page has under these names, and compare."""
    for way in dict.fromkeys(WAYS[name] for name in runs):
        check_rows(tap, cpu, way, [row for row in table() if row.run in runs
                                   and WAYS[row.run] == way], timeout)


def check_rows(tap, cpu, way, rows, timeout):
    """Run the rows in one boot, and compare."""
    ran, found = run(cpu, way, [row.test for row in rows], timeout)
    tap.ended("%s: PAPI's tests are run to the end: %s" % (cpu, WHAT[way]), ran)
    for row in tap.each("%s: PAPI's tests: %s" % (cpu, WHAT[way]), rows):
        got, seconds, said = found.get(row.test, ("none", 0, "nothing"))
        print("# %s %s: %s in %.1f s of the guest's time" %
              (cpu, row.test, got, seconds))
        tap.equal("%s: PAPI's %s: %s" % (cpu, row.test, row.result), got,
                  row.result, said)
