#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# perfex as a command, on a kernel that is a fake: exit statuses, where the
# report goes, and what happens to the command.
#
# The real one counts with the event maps.
#
# usage: test_perfex_command.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
fake=$2/perfex-fake
real=$1/usr/bin/perfex
maps=$3

run "$fake" -e 15 -e 25 sh -c 'echo hello; exit 7'
status_is 7 "the command's status is perfex's"
[ "$(cat out)" = hello ]
check $? "stdout is the command's alone"
cat > expected <<'END'
15 Graduated instructions.....................................              115
25 Primary (L1) data cache misses.............................              125
END
cmp -s expected err
check $? "the report is on stderr"

run "$fake" sh -c 'kill -TERM $$'
status_is 143 "a signal is 128 + its number"
err_has "0 Cycles" "... and the report is there"

run "$fake" no-such-command-here
status_is 127 "command not found: 127"
err_has "no-such-command-here: command not found" "... which is named"
! grep -q Cycles err
check $? "... and nothing is reported"

: > plain
run "$fake" ./plain
status_is 126 "a file that is not executable: 126"

run "$fake" -o report true
status_is 0 "-o: status 0"
grep -q "0 Cycles" report && [ ! -s err ]
check $? "-o: the report is in the file and not on stderr"

run "$fake" -o no/such/folder/report touch ran
status_is 125 "-o to a folder that is not there: 125"
[ ! -e ran ]
check $? "... and the command does not run"

run "$fake" -o /dev/full true
status_is 125 "-o to a full disk: 125"
err_has "/dev/full" "... which is named"

for form in -y --json --csv; do
	"$fake" "$form" --mhz 196 true 2> /dev/full
	status=$?
	status_is 125 "$form to a stderr that is a full disk: 125"
done

run "$fake" -a true
[ "$(grep -c '^[ 123][0-9] ' err)" -eq 32 ]
check $? "-a reports 32 events"

FAKE_OPEN_ERRNO=13 run "$fake" -e 1 touch ran
status_is 125 "permission denied: 125"
err_has "kernel.perf_event_paranoid" "... with the level"
[ ! -e ran ]
check $? "... and the command does not run"

run "$fake" -e 1 -e 2 touch ran
status_is 125 "conflicting events: 125"
[ ! -e ran ]
check $? "... and the command does not run"

run "$fake" sh -c 'trap "echo caught; exit 3" INT; kill -INT $PPID; kill -INT $$'
status_is 3 "SIGINT is the command's affair"
err_has "0 Cycles" "... and the report is there"

run "$fake" -mp -e 15 -e 25 sh -c 'true & wait'
[ "$(grep -c '^Thread ' err)" -eq 2 ] && grep -q "^Total of 2 threads in 2 processes" err
check $? "-mp has each process"
run "$fake" -mp -o mp sh -c 'kill -TERM $$'
[ "$status" -eq 143 ] && [ "$(ls mp.* | wc -l)" -eq 1 ]
check $? "-mp: a command killed by a signal, and a file for its thread"
for signal in 28 9; do
	FAKE_SIGNAL=$signal run timeout -s KILL 60 "$fake" -mp -e 15 true
	[ "$status" -eq "$([ $signal -eq 9 ] && echo 137 || echo 0)" ] &&
		grep -q "^15 Graduated instructions.* 115$" err
	check $? "-mp: signal $signal reaches the command before its execve(2)"
done

# shellcheck disable=SC3045 # both sh and bash have it
(ulimit -Sn 99 && "$fake" --pid $$ sh -c '
	sed -n "s/^Max open files *//p" /proc/$PPID/limits; ulimit -n') > out 2> err
status=$?
# shellcheck disable=SC2046 # these are words
set -- $(cat out)
[ $# -eq 4 ] && [ "$1" = "$2" ] && [ "$4" -eq 99 ]
check $? "--pid raises perfex's limit of open files, and not the command's"
# A process with two threads, which ends when descriptor 9 is closed
mkfifo gate
victim()
{
	rm -f tid
	python3 -c 'import sys, threading
held = threading.Event()
thread = threading.Thread(target=held.wait)
thread.start()
print(thread.native_id, flush=True)
sys.stdin.read()
held.set()' < gate > tid &
	pid=$!
	exec 9> gate
	until [ -s tid ]; do sleep .05; done
}

# counted_to_its_end ID: it ends when perfex has begun
counted_to_its_end()
{
	rm -f err
	timeout 60 "$fake" -p 200 --pid "$1" > out 2> err 9>&- &
	perfex=$!
	until [ -s err ]; do sleep .05; done
	exec 9>&-
	wait $perfex
	status=$?
}

victim
counted_to_its_end $pid
[ "$status" -eq 0 ] && grep -q "^ 0 Cycles" err
check $? "--pid lasts until the process ends"
victim
run "$fake" --json --pid "$(cat tid)" true
err_has "\"pid\": $pid," "--pid with a thread's ID counts its process"
counted_to_its_end "$(cat tid)"
[ "$status" -eq 0 ] && grep -q "^ 0 Cycles" err
check $? "... until that ends"
victim
export FAKE_PIDFD=none
counted_to_its_end $pid
[ "$status" -eq 0 ] && grep -q "^ 0 Cycles" err
check $? "--pid ends with the process without pidfd_open(2)"
victim
export FAKE_PIDFD=late
counted_to_its_end $pid
[ "$status" -eq 0 ] && grep -q "^ 0 Cycles" err
check $? "... and if it ended before that"
unset FAKE_PIDFD
victim
run timeout 60 "$fake" --pid $pid sh -c "kill -9 $pid; exit 4" 9>&-
exec 9>&-
status_is 4 "--pid with a command lasts until that ends"

run "$fake" --repeat 3 sh -c 'echo x'
[ "$(wc -l < out)" -eq 3 ] && grep -q "^Mean and standard deviation of 3 runs" err
check $? "--repeat"
run "$fake" --repeat 3 no-such-command-here
[ "$status" -eq 127 ] && [ "$(grep -c found err)" -eq 1 ]
check $? "--repeat ends if the command is not there"

# The command sees what has been counted so far
run timeout 60 "$fake" -p 50 --csv -o report sh -c \
	'until grep -q "^1,interval," report; do sleep .05; done'
status_is 0 "-p --csv has rows while the command runs"
[ "$(grep -c '^schema,' report)" -eq 1 ] && [ "$(grep -c '^1,total,' report)" -eq 1 ] &&
	head -n 1 report | grep -q '^schema,' && tail -n 1 report | grep -q '^1,total,'
check $? "... after one line of names, and before the total"
run python3 -c 'import socket, subprocess, sys
here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
with there:
    subprocess.run(sys.argv[1:], stderr=there, check=True)
texts = list(iter(lambda: here.recv(65536), b""))
print(texts)
sys.exit(not texts or not all(text.endswith(b"\n") for text in texts))' \
	"$fake" -p --csv true
status_is 0 "stderr gets whole lines, as the command writes there as well"

# 20 lines take two seconds or more, however late they are
FAKE_TURNS_AFTER=1 run timeout 60 "$fake" -p 100 -o report sh -c \
	'until [ "$(wc -l < report)" -ge 20 ]; do sleep .05; done'
[ "$status" -eq 0 ] && grep -q "^NOTE: in 95 of 100 runs" report &&
	! grep -q "^NOTE: too short" report
check $? "an event that has to take turns later has a bound"
grep -q "^ *[0-9.]* .*  50.0 %$" report
check $? "... and each line of -p its share"
FAKE_TURNS_AFTER=0 run "$fake" -mp -a true
grep -q "^NOTE: with -mp and -pp the error of projections is not known.$" err &&
	! grep -q "^NOTE: too short" err
check $? "-mp -a has no bounds, and says why"

# Others have a counter: events count apart, and what they miss is told
export FAKE_TAKEN=0
run "$fake" -e 21 true
[ "$status" -eq 0 ] && grep -q "^21 .* 121$" err && ! grep -q "Cycles\|WARNING" err
check $? "one counter taken: an event of the other counts, without cycles"
run "$fake" -e 5 -e 21 true
[ "$status" -eq 0 ] && grep -q "^21 .* 121$" err && grep -q "^ 5 .* not counted$" err &&
	grep -q "^WARNING: 1 of 2 events had no turn: others have the counters" err
check $? "... two events count apart, and one is told to miss"
run "$fake" --json -e 5 -e 21 true
err_has '"warning": "1 of 2 events had no turn: others' "... by --json as well"
run "$fake" -a true
[ "$(grep -c '^[ 123][0-9] .* not counted$' err)" -eq 16 ] &&
	grep -q "^WARNING: 16 of 32 events had no turn: others" err
check $? "... and -a counts half of all"
run "$fake" -e 5 touch ran
status_is 125 "... none for the event: 125"
err_has "other users of perf have the counters" "... which is told"
[ ! -e ran ]
check $? "... and the command does not run"
run "$fake" --check -a
status_is 1 "... --check -a does not fit"
grep -q "events that need it are not counted, others take turns$" out
check $? "... and says why"
export FAKE_TAKEN_AFTER=1
run "$fake" -e 5 true
grep -q "^WARNING: 2 of 2 events had no turn: others have the counters" err
check $? "... who comes when it counts already is told as well"
unset FAKE_TAKEN FAKE_TAKEN_AFTER

export FAKE_REALLOC_MAX=512
run "$fake" -p 3600000 --json true
[ "$status" -eq 125 ] && grep -q "lacks 1 of its samples" err
check $? "-p --json without memory: what is missing is told, 125"
run "$fake" -p --csv true
[ "$status" -eq 0 ] && grep -q "^1,interval," err
check $? "-p --csv needs none"
unset FAKE_REALLOC_MAX

# The N-th run does what is told
cat > nth <<'END'
#!/bin/sh
echo >> runs
if [ "$(wc -l < runs)" -eq "$1" ]; then
	shift
	"$@"
fi
END
chmod +x nth
run "$fake" --repeat 3 ./nth 2 sh -c 'exit 7'
[ "$status" -eq 7 ] && [ "$(wc -l < runs)" -eq 3 ] &&
	grep -q "^WARNING: 1 of 3 runs failed.$" err
check $? "--repeat: a run that fails between others gives the status, and is told"
rm runs
run "$fake" --repeat 3 --json ./nth 1 sh -c 'kill -SEGV $$'
[ "$status" -eq 139 ] &&
	grep -q '"status": 139, "runs": 3, "failed_runs": 1, ' err
check $? "... in JSON as well"
rm runs
# The first event is for finding out whether others have the counters
FAKE_OPEN_ERRNO=24 FAKE_OPEN_FAIL_AT=3 run "$fake" --repeat 3 ./nth 4
[ "$status" -eq 125 ] && grep -q "too many open files" err &&
	[ "$(wc -l < runs)" -eq 2 ] &&
	grep -q "^Mean and standard deviation of 2 runs" err
check $? "--repeat: runs before one that cannot be counted are reported"
rm runs
run "$fake" --repeat 3 ./nth 2 chmod -x nth
[ "$status" -eq 126 ] && grep -q "^Mean and standard deviation of 2 runs" err
check $? "... and those before one that cannot be started"

printf '26 1 clks 2 clks x clks\n' > bad.costs
run "$fake" -y -c bad.costs touch ran
[ "$status" -eq 125 ] && grep -q "bad.costs:1:18: 'x' is not a cost" err && [ ! -e ran ]
check $? "a bad file of costs is told with line and column, nothing runs"
run "$fake" --mhz 196 --plot no/such/folder/x touch ran
[ "$status" -eq 125 ] && grep -q "cannot write to no/such/folder/x" err && [ ! -e ran ]
check $? "--plot to a folder that is not there: nothing runs"
run "$fake" --plot clock.svg touch ran
[ "$status" -eq 125 ] && grep -q "the clock .* use --mhz" err && [ ! -e ran ]
check $? "--plot of costs without a clock: --mhz is named, nothing runs"
run "$fake" --mhz 196 --plot clock.svg true
[ "$status" -eq 0 ] && grep -q "at 196 MHz, costs of IP27:" clock.svg
check $? "... and with --mhz it is drawn"
run "$fake" -p --plot clock.svg true
[ "$status" -eq 0 ] && grep -q "over time (s)" clock.svg
check $? "--plot of a series needs no clock"

# What is computed from cycles: on an emulated CPU, and on one with a clock
derived='/cycle|MFLOPS|bandwidth|Total time|Time \(sec\)'
export FAKE_CMDLINE="r10kperf.cycles=unmodelled"
run "$fake" --mhz 196 -a -y true
[ "$status" -eq 0 ] && ! grep -qE "$derived" err && grep -q "^L1 Data Cache Hit Rate" err &&
	[ "$(grep -c '^NOTE: cycles and seconds are the emulator.s, not a CPU.s: ' err)" -eq 1 ] &&
	grep -qE '^ 0 Cycles\.+ +100 +- +- +-$' err
check $? "-y on an emulated CPU computes nothing from cycles, and says so once"
run "$fake" --mhz 196 -a -y --json true
python3 -c 'import json, sys
data = json.load(open("err"))
sys.exit(not data["note"].startswith("cycles ") or
         any(row["typical_s"] for row in data["counts"]) or
         any("cycle" in row["label"] for row in data["statistics"]))'
check $? "... nor --json"
run "$fake" --mhz 196 -a --plot emulated.svg true
grep -q ">26 Secondary" emulated.svg && ! grep -qE ">(0|16) Cycles|time \(s\)" emulated.svg &&
	grep -q ">cycles and seconds are the emulator's, not a CPU's: " emulated.svg
check $? "... nor --plot"
run "$fake" -p -a --plot emulated.svg true
grep -q ">26 Secondary" emulated.svg && grep -q ">Events in each period, " emulated.svg &&
	grep -q ">cycles and seconds are the emulator's, not a CPU's: " emulated.svg
check $? "... nor --plot of a series, which has counts in place of rates"
run "$fake" -p -e 2 -e 25 --plot emulated.svg true
grep -q ">Events in each period, " emulated.svg &&
	grep -q ">cycles and seconds are the emulator's, not a CPU's: " emulated.svg &&
	grep -q "^NOTE: cycles and seconds are the emulator's, not a CPU's: " err
check $? "... not even of other events"
run "$fake" --mhz 196 -y -mp -o emulated true
tail -n 1 emulated.[0-9]* | grep -q "^NOTE: cycles and seconds are the emulator's, "
check $? "-mp -o: a thread's file has the note, too"
run "$fake" -e 2 -e 25 true
! grep -q NOTE err
check $? "two other events need no note"
unset FAKE_CMDLINE
run "$fake" --mhz 196 -a -y --plot clock.svg true
[ "$(grep -cE "$derived" err)" -ge 8 ] && ! grep -q NOTE err &&
	grep -q ">0 Cycles" clock.svg
check $? "with a clock -y and --plot have all"

run "$fake" --mhz 196 --json --plot odd.svg sh -c : "$(printf 'gr\374\337 \001\033 \303\274')"
python3 - > out 2>> err <<'END'
import json
import xml.etree.ElementTree
odd = "gr\ufffd\ufffd %s \u00fc"
text = xml.etree.ElementTree.parse("odd.svg").getroot()[0].text
assert text == "perfex: sh -c : " + odd % "\ufffd\ufffd", ascii(text)
with open("err", encoding="utf-8") as file:
    words = json.load(file)["command"]
assert words == ["sh", "-c", ":", odd % "\x01\x1b"], ascii(words)
END
check $? "--plot and --json are XML and JSON, whatever bytes the words are"

run timeout 60 "$fake" -e 1 sh -c \
	'sleep 600 & echo $! > pids; sleep 600 & echo $! >> pids; kill -INT $PPID; wait'
[ "$status" -eq 130 ] && grep -q "^ 1 Issued instructions" err
check $? "SIGINT to perfex alone ends the command, and the report is there"
# shellcheck disable=SC2046 # these are numbers
! kill -0 $(cat pids) 2> /dev/null
check $? "... and nothing is left behind"

run "$real" --list --cpu R12000
[ "$status" -eq 0 ] && [ "$(grep -c '^[ 123][0-9] ' out)" -eq 32 ]
check $? "--list --cpu needs no counters"
run "$real" --list --cpu R4000
[ "$status" -eq 125 ] && grep -q "unknown CPU model 'R4000'" err
check $? "--cpu of a CPU without these counters"
for words in --list -t --help --version --check; do
	"$fake" "$words" > /dev/full 2> err
	status=$?
	[ "$status" -eq 125 ] && [ "$(cat err)" = \
		"perfex: cannot write to stdout: No space left on device" ]
	check $? "$words on a full disk: a message, and 125"
done
run "$real" -t
[ "$status" -eq 0 ] && grep -q "^26 .* nsec" out
check $? "-t needs no counters"

prefix=${real%/bin/perfex}
[ -s "$prefix/share/man/man1/perfex.1" ]
check $? "the manual page is installed"
complete=$prefix/share/bash-completion/completions/perfex
PATH=${real%/*}:$PATH bash -c '. "$1" && COMP_WORDS=(perfex -e tlb) COMP_CWORD=2 &&
	_perfex && echo "${COMPREPLY[@]}"' bash "$complete" > out 2> err
[ "$(cat out)" = tlb_misses ]
check $? "bash completes names of events"
"$real" --help | grep -oE '(^|[ ,|[])--?[a-zA-Z]+' | tr -d ' ,|[' | sort -u > words
while read -r word; do
	grep -qE "(^|[^-a-z])$word([^-a-z]|$)" "$complete" || echo "$word"
done < words > out
[ -s words ] && [ ! -s out ]
check $? "bash completes every option of --help"

run "$real" --version
status_is 0 "--version"
run "$real" --help
[ "$status" -eq 0 ] && grep -q '^Usage: perfex' out && [ ! -s err ]
check $? "--help goes to stdout"

# mapped FILE WORD...: the real perfex with this event map
mapped()
{
	map=$1
	shift
	IRIXPERF_EVENTMAP=$map run "$real" "$@"
}

# skip_all REASON NAME...
skip_all()
{
	reason=$1
	shift
	for name in "$@"; do
		skip "$name" "$reason"
	done
}

without="without counters: 125, r10kvm and the map's place are named, nothing runs"
mistake="a mistake in the map is told with its line, nothing runs"
by_map="by an event map: the command's status"
noted="... and the report says that it is no R10000"
stand_ins="-y computes nothing from software events, and says so"
unknown="an event that the map does not have is refused by name"
all="-a reports what the map has"
level="exception level alone is refused, with what helps"

: > empty.map
printf '[any]\n15 instructions\n' > bad.map
printf '[any]\n15 = page-faults\n23 = minor-faults\n' > two.map

if [ -e /sys/bus/event_source/devices/cpu/format/exl ]; then
	skip_all "this machine has R10000 counters" "$without" "$mistake" \
		"$by_map" "$noted" "$stand_ins" "$unknown" "$all" "$level"
else
	mapped empty.map -e 1 touch ran
	[ "$status" -eq 125 ] && grep -q r10kvm err && [ ! -e ran ] &&
		grep -q "empty.map: no section" err
	check $? "$without"
	mapped bad.map -e 15 touch ran
	[ "$status" -eq 125 ] && grep -q "bad.map:2: not understood" err &&
		[ ! -e ran ]
	check $? "$mistake"

	mapped "$maps/software.map" -e 15 sh -c 'exit 7'
	if grep -q "permission denied" err; then
		skip_all "nothing may be counted here" "$by_map" "$noted" \
			"$stand_ins"
	else
		[ "$status" -eq 7 ] &&
			grep -qE '^15 Graduated instructions\.+ +[1-9][0-9]*$' err
		check $? "$by_map"
		grep -q "^NOTE: no R10000: .*/software.map$" err
		check $? "$noted"
		mapped "$maps/software.map" --mhz 100 -y -a true
		grep -q "^NOTE: software events stand in for the CPU's: " err &&
			! grep -qE "^Statistics|[0-9]\.[0-9]{6}$" err
		check $? "$stand_ins"
	fi
	mapped two.map -e 27 touch ran
	[ "$status" -eq 125 ] && [ ! -e ran ] &&
		grep -q "27 (l2_data_way_mispredictions)" err &&
		grep -q "two.map has: 15 (graduated_instructions), 23 (tlb_misses)" err
	check $? "$unknown"
	mapped two.map -a true
	if grep -q "permission denied" err; then
		skip "$all" "nothing may be counted here"
	else
		[ "$status" -eq 0 ] && [ "$(grep -c '^[ 123][0-9] ' err)" -eq 2 ]
		check $? "$all"
	fi
	mapped two.map -x -e 15 true
	[ "$status" -eq 125 ] && grep -q "part of kernel mode" err
	check $? "$level"
fi

finish
