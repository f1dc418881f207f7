#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What scripts make of events.def, and what perfex prints, against the list of
events and of PAPI's presets that are written by hand. Prints TAP.

usage: test_event_tables.py STAGE BUILD MAPS
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "lib"), str(ROOT / "tools" / "r10kvm")]
# pylint: disable=wrong-import-position
import accept       # noqa: E402
import irix_events  # noqa: E402
from r10kvmlib.cpu import MODELS, Cpu  # noqa: E402

CPUS = ("V2", "V3", "R12")
PERFEX = {"V2": "R10000-v2.6", "V3": "R10000", "R12": "R12000"}
PMUS = {"V2": ["mips_r10000_v2"], "V3": ["mips_r10000"],
        "R12": ["mips_r12000", "mips_r14000"]}

# What the documentation calls sets of CPUs
DOCUMENTED = {"": CPUS, "all": CPUS, "R10000": ("V2", "V3"),
              "R10000 2.x": ("V2",), "R10000 3.x": ("V3",),
              "R12000 and later": ("R12",),
              "R10000 3.x, R12000 and later": ("V3", "R12")}


def made(script, *words):
    """What a script of the project writes, to stdout or into a directory."""
    return subprocess.run([ROOT / "scripts" / script, *words], check=True,
                          capture_output=True, text=True).stdout


def libpfm4(tap, folder):
    """The tables of libpfm4-events."""
    made("libpfm4-events", folder)
    for cpu in CPUS:
        text = Path(folder, PMUS[cpu][0] + "_events.h").read_text(encoding="ascii")
        rows = re.findall(r'\.name = "(\w+)",\s*\.code = (\w+),\s*'
                          r'\.mask = (\w+),', text)
        tap.equal("%s: libpfm4's names, numbers and counters" % cpu,
                  [(name, int(code, 0), int(mask, 0))
                   for name, code, mask in rows],
                  [(event.name.upper(), event.number, event.counters)
                   for event in irix_events.of(cpu)])


def papi(tap, folder):
    """PAPI's presets: blocks of CPUs, and their presets."""
    made("papi-presets", folder)
    text = Path(folder, "0002-presets.patch").read_text(encoding="ascii")
    found, names, before = {}, [], ""
    for line in re.findall(r"^\+(CPU|PRESET),(.*)$", text, re.M):
        kind, rest = line
        if kind == "CPU":
            names = names + [rest] if before == "CPU" else [rest]
            found[rest] = {}
        else:
            preset, *how = rest.split(",")
            for name in names:
                found[name][preset] = tuple(how)
        before = kind
    tap.equal("PAPI has a block for each PMU of libpfm4", sorted(found),
              sorted(sum(PMUS.values(), [])))
    for cpu in CPUS:
        for pmu in PMUS[cpu]:
            tap.equal("%s: PAPI's presets" % pmu, found.get(pmu),
                      irix_events.presets(cpu))


def pcp(tap):
    """PCP's configurations: each event once."""
    text = made("pcp-events")
    for cpu in CPUS:
        section = re.search(r"^\[%s\]\n((?:\w+ cpu\n)*)" %
                            " ".join(PMUS[cpu]), text, re.M)
        tap.equal("%s: PCP's section" % cpu,
                  re.findall(r"^(\w+) cpu$", section[1], re.M),
                  [event.name.upper() for event in irix_events.once(cpu)])
    tap.equal("PCP by the kernel's names",
              set(re.findall(r"^cpu\.(\w+)$", made("pcp-events", "--sysfs"),
                             re.M)),
              {event.name for cpu in CPUS for event in irix_events.once(cpu)})


def perf(tap, folder):
    """perf's tables of events, and what its metrics are made of."""
    made("perf-metrics", folder)
    text = Path(folder, "0001-r10000.patch").read_text(encoding="ascii")
    files = {name: json.loads(re.sub(r"^\+", "", body, flags=re.M))
             for name, body in re.findall(
                 r"^\+\+\+ b/\S+/mips/(\S+\.json)\n@@.*\n((?:\+.*\n)*)", text,
                 re.M)}
    for cpu, directory in zip(CPUS, ("r10000-v2", "r10000", "r12000")):
        tap.equal("%s: perf's events" % cpu,
                  [(row["EventName"], int(row["EventCode"], 0))
                   for row in files[directory + "/events.json"]],
                  [(event.name, event.number)
                   for event in irix_events.of(cpu)])
        used = {word for row in files[directory + "/metrics.json"]
                for word in re.findall(r"[a-z]\w*", row["MetricExpr"])}
        tap.equal("%s: perf's metrics are of these events" % cpu, used - {
            event.name for event in irix_events.of(cpu)}, {"duration_time"})


def unmodelled(tap, folder):
    """The tables for r10kvm's CPUs that model no time: the same but for cycles and
    seconds, and by the names that r10kvm gives them."""
    made("perf-metrics", "--unmodelled", folder)
    text = Path(folder, "0001-r10000.patch").read_text(encoding="ascii")
    ids = [line.split(",")[0] for line in re.findall(r"^\+(\S+,v1,\S+)$", text, re.M)]
    for model in tap.each("r10kvm's models", MODELS):
        name = Cpu(model).environment()["PERF_CPUID"]
        tap.equal("perf knows %s as one CPU" % name,
                  sum(bool(re.fullmatch(i.replace("[[:digit:]]", "[0-9]"), name))
                      for i in ids), 1)
    for cpu in ("r10000-v2", "r10000", "r12000"):
        metrics = [set(re.findall(r'"MetricExpr": "(.*)"', body)) for body in (
            re.search(r"^\+\+\+ b/\S+/%s/metrics\.json\n((?:[@+].*\n)*)" % name, text,
                      re.M)[1] for name in (cpu, cpu + "-unmodelled"))]
        tap.equal("%s: what is left out has cycles or seconds" % cpu,
                  metrics[0] - metrics[1],
                  {expr for expr in metrics[0]
                   if re.search(r"\bcycles\b|duration_time", expr)})


def documentation(tap):
    """The committed lists."""
    table = (ROOT / "Documentation/event-table.rst").read_text(
        encoding="ascii")
    page = (ROOT / "Documentation/man/r10k_evcntrs.5").read_text(
        encoding="ascii")
    for what, rows in (
            ("event-table.rst", re.findall(
                r"^   \* - (\d+)\n     - ``(\w+)``:.*\n(?:       .*\n)*"
                r"     - (.*(?:\n       .*)*)$", table, re.M)),
            ("r10k_evcntrs(5)", re.findall(
                r'^\.BR? "(\d+) (\w+)"(?: " \((.*)\)")?$', page, re.M))):
        tap.check("%s names sets of CPUs that are known here" % what, all(
            re.sub(r"\s+", " ", cpus) in DOCUMENTED for _, _, cpus in rows),
                  *rows)
        for cpu in CPUS:
            tap.equal("%s: %s" % (cpu, what), sorted(
                (int(number), name) for number, name, cpus in rows
                if cpu in DOCUMENTED.get(re.sub(r"\s+", " ", cpus), ())),
                [(event.number, event.name) for event in irix_events.of(cpu)])


def perfex(tap, stage, build):
    """--list for each CPU, and the report of -a."""
    for cpu in CPUS:
        ran = accept.run([Path(stage, "usr/bin/perfex"), "--list", "--cpu",
                          PERFEX[cpu]])
        tap.equal("%s: perfex --list" % cpu, [
            (int(number), name, where) for number, name, where in
            re.findall(r"^ ?(\d+) (\w+) +(\w+)", ran.out, re.M)],
                  [(event.number, event.name, {1: "0", 2: "1", 3: "any"}[
                      event.counters]) for event in irix_events.of(cpu)],
                  *ran.notes())
    ran = accept.run([Path(build, "perfex-fake"), "-a", "true"])
    tap.equal("V3: the texts of perfex -a",
              sorted((int(number), text) for number, text in re.findall(
                  r"^ ?(\d+) (\S.*?)\.+ +\d+$", ran.err, re.M)),
              [(event.number, event.text) for event in irix_events.of("V3")],
              *ran.notes())


def test(tap):
    """Everything."""
    stage, build = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        libpfm4(tap, folder)
        papi(tap, folder)
        perf(tap, folder)
        unmodelled(tap, folder)
    pcp(tap)
    documentation(tap)
    perfex(tap, stage, build)


if __name__ == "__main__":
    accept.main(test)
