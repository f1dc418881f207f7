#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# r10k-metrics on an emulated CPU, which has no metrics of cycles and seconds, and on
# one with a clock. accept:metrics checks the values.
#
# usage: test_metrics.sh

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
top=$(cd "$(dirname "$0")/../../.." && pwd)

# The same script, with the kernel's command line in a file of ours
sed "s,/proc/cmdline,$PWD/cmdline," "$top/tools/metrics/r10k-metrics" > metrics
cat > counts <<'END'
1000,,graduated_instructions,5,100.00,,
500,,cycles:u,5,100.00,,
20,,cpu/l1i_misses/u,5,100.00,,
10,,l2_instruction_misses,5,100.00,,
40,,l1d_misses,5,100.00,,
7,,l1d_writeback_quadwords,5,100.00,,
1000000000,ns,duration_time,5,100.00,,
END
note="cycles and seconds are the emulator's, not a CPU's: no times or rates"

# metrics WORD...: run the script
metrics()
{
	run sh metrics "$@"
}

emulated()
{
	echo "quiet r10kperf.cycles=unmodelled console=ttyS0" > cmdline
}

emulated
metrics counts
cat > expected <<END
       50.0000 %              l2_instruction_hit_rate
       20.0000 misses/kinsn   l1i_mpki
NOTE: $note.
END
diff expected out && [ "$status" -eq 0 ]
check $? "an emulated CPU has the metrics of its caches, and one note"
head -n 2 counts > two
metrics two
[ "$status" -eq 0 ] && [ "$(cat out)" = "NOTE: $note." ]
check $? "... or the note alone"
sed -n 1p counts > one
metrics one
[ "$status" -eq 1 ] && ! grep -q NOTE out err
check $? "events that are not enough need no note"
metrics -e ipc l1i_mpki
[ "$status" -eq 0 ] && [ "$(cat out)" = l1i_misses,graduated_instructions ] &&
	[ "$(cat err)" = "r10k-metrics: $note" ]
check $? "-e leaves out what is not computed, and says so"
metrics -e pipeline
[ "$status" -eq 1 ] && [ ! -s out ] && [ "$(cat err)" = "r10k-metrics: $note" ]
check $? "... and fails if nothing is left"
metrics -e nothing
[ "$status" -eq 1 ] && grep -q 'unknown metric or group "nothing"' err
check $? "... which an unknown group is not"

for line in "r10kperf.cycles=unmodelled r10kperf.cycles=modelled" "quiet" ""; do
	echo "$line" > cmdline
	metrics counts
	[ "$status" -eq 0 ] && ! grep -q NOTE out && grep -q "2.0000 insn/cycle" out &&
		grep -q " MB/s .* l2_bandwidth" out
	check $? "with a clock all metrics are there: '$line'"
done
sed '1s/100.00/33.34/; 3s/^20/<not counted>/; 3s/100.00/0.00/' counts > shared
metrics shared
[ "$status" -eq 0 ] && ! grep -q l1i_mpki out &&
	grep -qx "NOTE: some events were counted for as little as 33.34 % of the time." out &&
	grep -qx "NOTE: not counted, as others .*: l1i_misses." out
check $? "a share of the time is told, and what was not counted"
# perf stat -r adds a column, and -A repeats each event
sed 's/^\(\([^,]*,\)\{3\}\)/\10.52%,/' shared > repeated
cat repeated repeated > intervals
metrics intervals
[ "$status" -eq 0 ] &&
	grep -qx "NOTE: some events were counted for as little as 33.34 % of the time." out &&
	grep -qx "NOTE: not counted, as others .*: l1i_misses." out
check $? "... with the column of perf stat -r, and each event once"
cat > json <<'END'
{"counter-value" : "1000.000000", "unit" : "", "event" : "graduated_instructions", "event-runtime" : 5, "pcnt-running" : 50.25}
{"counter-value" : "500.000000", "unit" : "", "event" : "cycles:u", "event-runtime" : 5, "pcnt-running" : 100.00}
END
metrics json
grep -qx "NOTE: some events were counted for as little as 50.25 % of the time." out
check $? "... with -j as well"
cat > json <<'END'
{"counter-value" : "1000.000000", "event" : "graduated_instructions", "pcnt-running" : 100.00}
{"counter-value" : "20.000000", "event" : "l1i_misses", "pcnt-running" : 100.00}
{"counter-value" : "1000.000000", "event" : "graduated_instructions", "pcnt-running" : 100.00}
{"counter-value" : "<not counted>", "event" : "l1i_misses", "pcnt-running" : 0.00}
END
metrics json
[ "$status" -eq 1 ] && ! grep -q l1i_mpki out
check $? "... and a metric of what was counted in one of two intervals is none"
rm cmdline
metrics -e pipeline
[ "$status" -eq 0 ] && grep -q "cycles" out && [ ! -s err ]
check $? "... and without a command line that can be read"

# The word is written where r10kvm decides, and read in two places
for file in compat/libirixperf/src/machine/cycles.c tools/metrics/r10k-metrics \
	tools/r10kvm/r10kvmlib/cpu.py; do
	sed 's/\\//g' "$top/$file" | grep -q 'r10kperf\.cycles=' &&
		grep -q '"unmodelled"' "$top/$file"
	check $? "$file knows the word"
done
grep -qF "\"$note\"" "$top/compat/libirixperf/src/machine/note.c"
check $? "the note is that of the library"

finish
