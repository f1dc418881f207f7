#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# perfex as a command, on a kernel that is a fake: exit statuses, where the
# report goes, and what happens to the command.
#
# usage: test_perfex.sh PERFEX-ON-THE-FAKE PERFEX

fake=$1
real=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
count=0
failed=0

# result STATUS NAME: one line of TAP; what was printed goes along with a failure
result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
		return
	fi
	echo "not ok $count - $2"
	sed 's/^/# stdout: /' out
	sed 's/^/# stderr: /' err
	echo "# status: $status"
	failed=1
}

run()
{
	"$@" > out 2> err < /dev/null
	status=$?
}

# status_is NUMBER NAME
status_is()
{
	[ "$status" -eq "$1" ]
	result $? "$2"
}

# err_has TEXT NAME
err_has()
{
	grep -qF -- "$1" err
	result $? "$2"
}

run "$fake" -e 15 -e 25 sh -c 'echo hello; exit 7'
status_is 7 "the command's status is perfex's"
[ "$(cat out)" = hello ]
result $? "stdout is the command's alone"
cat > expected <<'END'
15 Graduated instructions.....................................              115
25 Primary (L1) data cache misses.............................              125
END
cmp -s expected err
result $? "the report is on stderr"

run "$fake" sh -c 'kill -TERM $$'
status_is 143 "a signal is 128 + its number"
err_has "0 Cycles" "... and the report is there"

run "$fake" no-such-command-here
status_is 127 "command not found: 127"
err_has "no-such-command-here: command not found" "... which is named"
! grep -q Cycles err
result $? "... and nothing is reported"

: > plain
run "$fake" ./plain
status_is 126 "a file that is not executable: 126"

run "$fake" -o report true
status_is 0 "-o: status 0"
grep -q "0 Cycles" report && [ ! -s err ]
result $? "-o: the report is in the file and not on stderr"

run "$fake" -o no/such/folder/report touch ran
status_is 125 "-o to a folder that is not there: 125"
[ ! -e ran ]
result $? "... and the command does not run"

run "$fake" -o /dev/full true
status_is 125 "-o to a full disk: 125"
err_has "/dev/full" "... which is named"

run "$fake" -a true
[ "$(grep -c '^[ 123][0-9] ' err)" -eq 32 ]
result $? "-a reports 32 events"

FAKE_OPEN_ERRNO=13 run "$fake" -e 1 touch ran
status_is 125 "permission denied: 125"
err_has "kernel.perf_event_paranoid" "... with the level"
[ ! -e ran ]
result $? "... and the command does not run"

run "$fake" -e 1 -e 2 touch ran
status_is 125 "conflicting events: 125"
[ ! -e ran ]
result $? "... and the command does not run"

run "$fake" sh -c 'trap "echo caught; exit 3" INT; kill -INT $PPID; kill -INT $$'
status_is 3 "SIGINT is the command's affair"
err_has "0 Cycles" "... and the report is there"

run "$real" --version
status_is 0 "--version"
run "$real" --help
[ "$status" -eq 0 ] && grep -q '^Usage: perfex' out && [ ! -s err ]
result $? "--help goes to stdout"

if [ -e /sys/bus/event_source/devices/cpu/format/exl ]; then
	count=$((count + 1))
	echo "ok $count - without counters # SKIP this machine has R10000 counters"
else
	run "$real" -e 1 touch ran
	[ "$status" -eq 125 ] && grep -q r10kvm err && [ ! -e ran ]
	result $? "without counters: 125, r10kvm is named, nothing runs"
fi

echo "1..$count"
exit $failed
