# SPDX-License-Identifier: GPL-2.0-only
"""What perfex does in the guest, beside each of its options: cases for accept:options,
which says what a case is."""

import csv
import io
import json
import re
import xml.etree.ElementTree

import accept

# Event 21 of wl-matmul 50
EXACT = r"^21 Graduated floating point instructions\.+ +130050$"
SOME_COSTS = (r"^21 .* 99.00 nsec +1.00 clks +200.00 nsec$", r"^25 .* 9.01 clks")


def reports(text):
    """{event number: count} of perfex's reports; the last, if there are several"""
    return {int(m[1]): int(m[2]) for m in re.finditer(
        r"^\s*(\d+) \D.*?\.+ +(\d+)$", text, re.M)}


def rows(text, event=None, scope=None):
    """The rows of CSV among other lines, of an event and a scope if these are given"""
    found = csv.DictReader(io.StringIO(text[text.find("schema,"):]))
    return [row for row in found if row["schema"] == "1" and
            event in (None, row["event"]) and scope in (None, row["scope"])]


def raw(found):
    """The raw counts of rows."""
    return [int(row["raw"]) for row in found]


def costs_of_the_model(text, cpu):
    """-t: the head of the table, and a row of it."""
    chip = "R12000" if cpu == "R12000" else "R10000"
    revision = {"R10000-v2.6": r"2\.6", "R10000": r"3\.4"}.get(cpu, r"\d\.\d")
    return all(re.search(pattern, text, re.M) for pattern in (
        "^Costs for unknown processor$", "^MIPS %s CPU$" % chip,
        "^CPU revision %s$" % revision,
        r"^26 Secondary \(L2\) data cache misses\.+ +377.51 nsec +246.81 nsec +419.94 nsec$"))


def all_can_be_counted(text, _cpu):
    """--list has all events, and that they can be counted."""
    return len(re.findall(r"^ ?\d+ \S+ +(?:0|1|any) +yes ", text, re.M)) == 32


def more_modes_count_more(text, _cpu):
    """-k adds what the kernel does, -x exception level and not the kernel."""
    found = [int(n) for n in re.findall(r"^15 .* (\d+)$", text, re.M)]
    return len(found) == 3 and 2 * found[0] < found[1] and found[0] < found[2] < found[1]


def threads_add_up(there):
    """-mp: threads add up to the total, which is that of a run without -mp, and there are
    so many threads and processes."""
    def check(text, _cpu):
        apart, _, whole = text.partition("whole\n")
        ids = {(row["pid"], row["tid"]) for row in rows(apart) if row["tid"]}
        for event, off in (("15", 0.01), ("21", 0)):
            total, of_whole = (raw(rows(part, event, "total"))[:1] for part in (apart, whole))
            if not of_whole or total != [sum(raw(rows(apart, event, "thread")))] or \
                    abs(total[0] - of_whole[0]) > off * of_whole[0]:
                return False
        return there(len(ids), len({pid for pid, _ in ids}))
    return check


def periods_add_up(text, _cpu):
    """-p: the periods add up to the total, and each begins where the one before ends."""
    parts, total = rows(text, "21", "interval"), rows(text, "21", "total")
    return len(parts) >= 2 and [sum(raw(parts))] == raw(total) and all(
        a["end_s"] == b["start_s"] for a, b in zip(parts, parts[1:]))


def mean_of_runs(text, _cpu):
    """--repeat: mean and standard deviation."""
    found = rows(text, "21")
    return len(found) == 1 and float(found[0]["mean"]) == accept.matmul_fp(50) and \
        float(found[0]["deviation"]) == 0 and text.count("matmul:") == 3


def data_of(text):
    """What --json has printed."""
    try:
        return json.loads(text.rpartition("= ")[0])
    except ValueError:
        return {}


def costs_in_json(text, _cpu):
    """--json has counts, costs and statistics."""
    data = data_of(text)
    return data.get("schema") == 1 and data.get("status") == 0 and \
        data["command"] == ["wl-matmul", "50"] and \
        data["counts"][1]["count"] == accept.matmul_fp(50) and \
        data["counts"][0]["typical_s"] > 0 and \
        any(s["label"].startswith("MFLOPS") for s in data["statistics"])


def time_of_the_kernel(text, _cpu):
    """-y: cycles by the clock are the time in user mode, as the kernel has it. Ticks of
    4 ms find that, so it takes some hundred of them."""
    data = data_of(text)
    return data and abs(data["counts"][0]["typical_s"] / data["user_s"] - 1) <= 0.02


def times_and_statistics(text, cpu):
    """-y, with the clock that is given."""
    whose = r" \(R10000\)" if cpu == "R12000" else ""
    found = re.search(r"^ 0 Cycles\.+ +(\d+) +([\d.]+)", text, re.M)
    return all(re.search(pattern, text, re.M) for pattern in (
        r"^ +Based on 100 MHz, costs of IP27%s$" % whose, r"^ +Typical +Minimum +Maximum$",
        r"^   Event Counter Name +Counter Value +Time \(sec\)", "^=+$",
        r"^ 0 Cycles\.+ +\d+ +\d+\.\d{6} +\d+\.\d{6} +\d+\.\d{6}$",
        "^Statistics$", r"^MFLOPS \(average per process\)\.+ +\d+\.\d{6}$")) and \
        abs(int(found[1]) / 100e6 - float(found[2])) < 1e-6


def drawn(*words):
    """--plot: SVG with a title, and with these words."""
    def check(text, cpu):
        try:
            svg = xml.etree.ElementTree.fromstring(text.rpartition("= ")[0])
        except xml.etree.ElementTree.ParseError:
            return False
        texts = [element.text for element in svg.iter() if element.text]
        whose = "IP27 (R10000)" if cpu == "R12000" else "IP27"
        return all(any(word.replace("IP27", whose) in found for found in texts)
                   for word in ("wl-matmul 50", *words))
    return check


def left_counter(text, _cpu):
    """Of two counters ecadmin has one: -e counts with the other, -a half of all."""
    one, _, every = text.partition("= 0\n")
    return list(reports(one)) == [25] and reports(every) and \
        re.search("had no turn: others have a counter.*; ecadmin -l lists", every)


def elapsed(text, _cpu):
    """What has elapsed is no less than what was counted."""
    last = rows(text)[-1:]
    return last and float(last[0]["end_s"]) * 1e9 >= int(last[0]["enabled_ns"]) > 0


# What is computed from cycles and seconds, and what is said in its place
DERIVED = re.compile(r"/cycle|MFLOPS|bandwidth|Total time|Time \(sec\)|>time \(s\)|"
                     r"a second|per second")
NOTE = "cycles and seconds are the emulator's, "

DD = "dd if=/dev/zero of=/dev/null bs=64k count=200"
THREADS = "perfex -mp --csv -e 15 -e 21 %s; echo whole; perfex --csv -e 15 -e 21 %s"
MANY = "sh -c 'wl-int 1; wl-threads 2; (wl-matmul 50; true)'"
REPORT = r"^15 Graduated instructions\.+ +\d+$"
PARTS = "wl-matmul 50; read a < f; wl-matmul 50; read a < f; wl-matmul 50"
CHILDREN = 500

# {what it does: (line, what it prints)}
CASES = {
    "without -e cycles are counted": ("perfex true", r"^ 0 Cycles\.+ +\d+$"),
    "-e takes a name in any case":
        ("perfex -e Graduated-FP-instructions wl-matmul 50", EXACT),
    "-k and -x add what other modes do":
        ("for m in '' -k -x; do perfex $m -e 15 -e 21 %s; done" % DD,
         more_modes_count_more),
    "/etc/perfex.costs is read":
        ("echo '21 99 nsec 1 clks 200 nsec' > /etc/perfex.costs; perfex -t; s=$?; "
         "rm /etc/perfex.costs; (exit $s)", SOME_COSTS),
    "-y and --mhz": ("clock perfex -y --mhz 100 -e 0 -e 21 wl-matmul 50",
                     times_and_statistics),
    "-y: cycles / clock is the user time, +- 2 %":
        ("clock perfex -y --json -e 0 wl-matmul 280 2>&1 > /dev/null",
         time_of_the_kernel),
    "-y on the emulated CPU computes nothing from cycles, and says so, once":
        ("perfex -a -y wl-matmul 100 2>&1 > /dev/null", lambda text, _:
         not DERIVED.search(text) and text.count(NOTE) == 1),
    "-y with a clock does, and says nothing":
        ("clock perfex -a -y wl-matmul 100 2>&1 > /dev/null", lambda text, _:
         DERIVED.search(text) and NOTE not in text),
    "--json: counts, costs and statistics":
        ("clock perfex -y --json -e 0 -e 21 wl-matmul 50 2>&1 > /dev/null",
         costs_in_json),
    "--plot: costs":
        ("clock perfex -y -e 0 -e 21 --plot p wl-matmul 50 > /dev/null 2>&1; cat p",
         drawn("time (s)", "0 Cycles", " MHz, costs of IP27:")),
    "--plot: a series":
        ("clock perfex -p 20 -a --plot p wl-matmul 50 > /dev/null 2>&1; cat p",
         drawn("Events a second", "0 Cycles", "time (s)")),
    "-o to a folder that is not there: nothing runs":
        ("perfex -o no/folder touch ran; s=$?; ls ran; (exit $s)",
         ("cannot write to no/folder", "ran: No such file", "^= 125$")),
    "--list --csv --cpu": ("perfex --list --csv --cpu R12000",
                           ("^16,.*xecuted prefetch", "^17,")),
    "--check: a conflict, and a command":
        ("perfex --check -e 2 -e 3; echo \"= $?\"; perfex --check -e 2 true; "
         "echo \"= $?\"", lambda text, cpu: re.findall(r"^= (\d+)$", text, re.M) ==
         ["0" if cpu == "R12000" else "1", "125", "0"]),
    "--check: all events do not fit": ("perfex --check -a", ("^does not fit", "^= 1$")),
    "-mp: threads": (THREADS % (2 * ("wl-threads 3",)), threads_add_up(
        lambda threads, processes: (threads, processes) == (4, 1))),
    "-mp: processes": (THREADS % (MANY, MANY), threads_add_up(
        lambda threads, processes: threads == processes + 2 >= 6)),
    "-mp -o: a file for each thread, and the total":
        ("perfex -mp -o mp -e 21 wl-threads 2; ls | grep -c '^mp[.][0-9]*$'; ls",
         ("^3$", "^mp$")),
    "-mp without descriptors: whose threads they are":
        ("(ulimit -n 40; setuidgid nobody perfex -mp -e 15 wl-threads 30); true",
         ("^Total of 31 threads in 1 process$",
          r"^WARNING: \d+ threads could not be counted: .*open files\.$")),
    "-pp: a thread that is not there":
        ("perfex -pp 2 -e 21 sh -c 'wl-int 1; true'; true", "no thread number 2"),
    "-pp 2: that thread alone, and the total":
        ("perfex -pp 2 --csv -e 15 wl-threads 2", lambda text, _: [
            row["scope"] for row in rows(text, "15")] == ["thread", "total"]),
    "-p: periods and their total":
        ("perfex -p 50 --csv -e 21 wl-matmul 150", periods_add_up),
    "--repeat: mean and standard deviation":
        ("perfex --repeat 3 --csv -e 21 wl-matmul 50", mean_of_runs),
    "a counter that ecadmin has left is used":
        ("ecadmin -e 15; perfex -e 25 wl-int 1; echo \"= $?\"; perfex -a wl-int 1; s=$?; "
         "ecadmin -r; (exit $s)", left_counter),
    "what has elapsed": ("perfex --csv -e 15 wl-int 1 2>&1 > /dev/null", elapsed),
    "-s: from SIGUSR1 to SIGUSR2 alone":
        ("mkfifo f; perfex -s -e 21 sh -c '%s' & sleep 1; kill -USR1 $!; sleep .2; "
         "echo > f; sleep 1; kill -USR2 $!; sleep .2; echo > f; wait $!; true" % PARTS,
         lambda text, _: re.search(EXACT, text, re.M) and text.count("matmul:") == 3),
    "--pid of what sleeps has 0, and no warning":
        ("sleep 100 & perfex --pid $! -e 15 -e 21 sleep .2; s=$?; kill $!; (exit $s)",
         lambda text, _: re.findall(r"\.+ +(\S.*)", text) == ["0", "0"] and
         "WARNING" not in text),
    # pgrep finds no shell that has 77 in its own words
    "-mp: SIGTERM ends the command, the report is there, and nothing is left":
        ("n=77; timeout -s TERM 1 perfex -mp -e 15 sh -c \"sleep $n & sleep $n\"; "
         "echo status $?; pgrep -f 'sleep 7[7]'; true", lambda text, _:
         re.search(REPORT, text, re.M) and "status 143\n" in text and
         not re.search(r"^\d+$", text, re.M)),
    "the third signal kills, and the report is printed":
        ("sh -c 'exec perfex -e 15 sh -c \"trap : INT TERM; while :; do :; done\"' & "
         "for n in 1 .2 .2; do sleep $n; kill -TERM $!; done; wait $!",
         (REPORT, "^= 137$")),
    "-k without privilege: the level, nothing runs; user mode needs none":
        ("chmod 777 .; p=/proc/sys/kernel/perf_event_paranoid; old=$(cat $p); echo 2 > $p; "
         "setuidgid nobody perfex -k -e 15 touch ran; echo \"= $?\"; ls ran; "
         "setuidgid nobody perfex -e 21 wl-matmul 50; s=$?; echo $old > $p; (exit $s)",
         ("perf_event_paranoid is 2", "^= 125$", "ran: No such file", EXACT, r"^= 0\n\Z")),
    "%d descendants are counted exactly" % CHILDREN:
        ("perfex -e 21 sh -c 'i=0; while [ $i -lt %d ]; do wl-matmul 4; i=$((i + 1)); "
         "done > /dev/null'" % CHILDREN,
         r"^21 .* %d$" % (CHILDREN * accept.matmul_fp(4))),
}

# Those that differ by model
BY_MODEL = ("without -e cycles are counted", "-e takes a name in any case", "-y and --mhz",
            "-y: cycles / clock is the user time, +- 2 %", "--plot: costs",
            "--plot: a series", "--list --csv --cpu", "--check: a conflict, and a command")
