#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# cpustat and cputrack as commands, on machines with fake counters and a real holder.
#
# usage: test_cpc_commands.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
build=$2

# golden NAME: the log, without seconds and process numbers, must be the standard input
golden()
{
	cat > expected
	sed -E 's/^ +[0-9]+\.[0-9]{3}/ N/; s/^( N) +[0-9]+ +1 /\1 P 1 /' log |
		diff expected - > differences
	mode=$?
	[ $mode -eq 0 ] || cat differences >> log
	result $mode "$1"
}

IRIXPERF_HOLDER=$build/fake-holder
export IRIXPERF_HOLDER
cpustat=$build/cpustat-fake
cputrack=$build/cputrack-fake
ecadmin=$build/ecadmin-fake
export cpustat cputrack ecadmin

# on MODEL SCRIPT: system mode ends with the machine
on()
{
	"$build/fake-machine" "$1" 1000000 1000000 sh -c "export FAKE_UID=0; $2
		\$ecadmin -r > /dev/null 2>&1" > log 2>&1
}

v34="R10000 V3.4  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# What is in apostrophes below are scripts, which are run later
# shellcheck disable=SC2016
{
on "$v34" '$cpustat -c pic0=graduated_instructions,pic1=tlb_misses,sys 0.01 2; echo "= $?"'
golden "cpustat: rows for each CPU, and totals" <<'END'
   time cpu event      pic0      pic1 
 N   0  tick       115       123 
 N   1  tick      1115      1123 
 N   3  tick      3115      3123 
 N   0  tick         0         0 
 N   1  tick         0         0 
 N   3  tick         0         0 
 N   3 total      4345      4369 
= 0
END

on "$v34" '$cpustat -n -c 15 -c tlb_misses 0.01 2; echo "= $?"'
golden "cpustat: several sets in turn" <<'END'
 N   0  tick       115         -  # 15
 N   1  tick      1115         -  # 15
 N   3  tick      3115         -  # 15
 N   0  tick         -       123  # tlb_misses
 N   1  tick         -      1123  # tlb_misses
 N   3  tick         -      3123  # tlb_misses
 N   3 total      4345         -  # 15
 N   3 total         -      4369  # tlb_misses
= 0
END

on "$v34" '$cpustat -n -p 0.05 -c 15 -c 9,sys,nouser 0.01 1; echo "= $?"'
golden "cpustat: -p counts turns" <<'END'
 N   0  tick       115  # 15
 N   1  tick      1115  # 15
 N   3  tick      3115  # 15
 N   0  tick       109  # 9,sys,nouser
 N   1  tick      1109  # 9,sys,nouser
 N   3  tick      3109  # 9,sys,nouser
 N   3 total      4345  # 15
 N   3 total      4327  # 9,sys,nouser
= 0
END

on "$v34" '$cpustat -D -n -t -T u -c 15 0.01 1 2>&1 | sed "s/^[0-9]*$/SECONDS/; s/15: [0-9]*$/15: N/" | grep -v "  [13] "; $cpustat -n -T d -c 15 0.01 1 | grep -c "^[A-Z][a-z][a-z] [A-Z]"'
golden "cpustat: -D, -t and -T" <<'END'
cpustat: -t has no effect: this CPU has no cycle counter beside its two counters; count the event cycles
cpustat: claim: 15: N
SECONDS
 N   0  tick       115 
1
END

on "$v34" '$cpustat -s -n -c 15,nouser,sys 0.05 1; pgrep -c cpustat'
golden "cpustat: -s leaves no process behind" <<'END'
 N   0  tick       115 
 N   1  tick      1115 
 N   3  tick      3115 
 N   3 total      4345 
0
END

# The counters that events get, which -D shows by the numbers that are counted
on "$v34" 'for spec in cycles,graduated_instructions pic1=cycles,pic0=graduated_instructions \
	tlb_misses,l1i_misses PAPI_tot_ins,PAPI_l2_dcm PAPI_l2_dcm,PAPI_tot_ins \
	17,16 graduated_instructions,issued_loads TLB-Misses; do
	$cpustat -n -c $spec 0.01 1 | grep " 0  tick"; done'
golden "cpustat: events on counters that can count them" <<'END'
 N   0  tick       100       117 
 N   0  tick       115       116 
 N   0  tick       109       123 
 N   0  tick       115       126 
 N   0  tick       115       126 
 N   0  tick       115       116 
 N   0  tick       102       117 
 N   0  tick         -       123 
END

on "$r12k" '$cpustat -n -c 3,2 0.01 1 | grep " 0  tick"; $cpustat -n -c pic1=3 0.01 1 | grep " 0  tick"'
golden "cpustat: any event on any counter of an R12000" <<'END'
 N   0  tick       103       102 
 N   0  tick         -       103 
END

on "$v34" 'for spec in 1,2 pic1=1 pic2=1 1,17,18 9,9 no_such tlb_miss nouser 15,nouser \
	15,fast=1 15,sys=on "" pic0=15,pic0=9 pic=15; do $cpustat -c "$spec" 0.01 1; echo "= $?"; done'
golden "cpustat: bad specifications" <<'END'
cpustat: '1,2': no counter is left that can count 2
cpustat: cpustat -h lists the events of each counter; give option -c again to count it at another time
= 2
cpustat: 'pic1=1': pic1 cannot count 1, or counts another event already
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'pic2': the counters are numbered 0 to 1
= 2
cpustat: '1,17,18': the CPU counts 2 events at a time; give option -c again for others
= 2
cpustat: '9,9': no counter is left that can count 9
cpustat: cpustat -h lists the events of each counter; give option -c again to count it at another time
= 2
cpustat: unknown event 'no_such'
cpustat: cpustat -h lists all events
= 2
cpustat: unknown event 'tlb_miss': did you mean tlb_misses?
cpustat: cpustat -h lists all events
= 2
cpustat: 'nouser' names no event
= 2
cpustat: '15,nouser': with nouser, pic0 counts nothing without sys
= 2
cpustat: 'fast=1': the attributes are nouser and sys; =0 clears one
= 2
cpustat: 'sys=on': the attributes are nouser and sys; =0 clears one
= 2
cpustat: unknown event ''
cpustat: cpustat -h lists all events
= 2
cpustat: 'pic0=15,pic0=9': pic0 cannot count 9, or counts another event already
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'pic': the counters are numbered 0 to 1
= 2
END

on "$v34" '$cpustat; echo "= $?"; $cpustat -c 15 0; echo "= $?"; $cpustat -c 15 1 0; echo "= $?"
	$cpustat -c 15 1 2 3; echo "= $?"; $cpustat -T x -c 15; echo "= $?"; $cpustat -z 2>&1 | tail -1
	$cpustat -c 15 -p -1; echo "= $?"; FAKE_UID=1000 $cpustat -c 15; echo "= $?"'
golden "cpustat: bad command lines, and other users" <<'END'
cpustat: no events to count: -c EVENTSPEC; see cpustat -h
= 2
cpustat: '0': the interval must be a number of seconds, 0.01 or more
= 2
cpustat: '0': the count must be a number from 1; see cpustat -h
= 2
cpustat: '3': the count must be a number from 1; see cpustat -h
= 2
cpustat: 'x': -T takes u or d
= 2
cpustat: unknown option -z; see cpustat --help
cpustat: '-1': the period must be a number of seconds, 0 or more
= 2
cpustat: cannot count: only root can use the counters of all CPUs
= 1
END

on "none" '$cpustat -c 15 1 1 | head -1; $cpustat -h | grep -c "^        event[01]: "'
grep -q 2 log && grep -qi "no.*counters\|event map" log
result $? "cpustat: without counters"

# One has the counters: the other is kept out, in both orders
on "$v34" '$cpustat -n -c 15 60 & first=$!
	until $ecadmin -l 2>/dev/null | grep -q graduated; do sleep 0.05; done
	$cpustat -c 9 1; echo "= $?"; $cputrack -c 9 true 2>&1 | grep "cannot count"
	$ecadmin -e 9; echo "= $?"
	kill $first; wait $first; echo "ended $?"
	$cputrack -n -c 9 true; echo "= $?"
	$ecadmin -e 9; $cpustat -c 15 1; echo "= $?"'
golden "cpustat excludes others while it runs, and they it" <<'END'
cpustat: cannot count: the counters of all CPUs are in use by cpustat, cpctrace, pctr or ecadmin
cpustat: end that command, or as root, run ecadmin -r
= 1
cputrack: cannot count: the counters are given to events of all programs
ecadmin: cannot enable events: another program has the counters (cpustat, cpctrace), or has just started system mode: end it, or try again
= 1
ended 0
 N   1       exit       109 
= 0
cpustat: cannot count: the counters of all CPUs are in use by cpustat, cpctrace, pctr or ecadmin
cpustat: end that command, or as root, run ecadmin -r
= 1
END

on "$v34" '($cpustat -n -c 15 0.2 500 > rows 2>&1; echo "= $?" >> rows) & first=$!
	until $ecadmin -l 2>/dev/null | grep -q graduated; do sleep 0.05; done
	$ecadmin -r; wait $first; tail -2 rows'
golden "cpustat ends when root releases the counters" <<'END'
cpustat: cannot count on: another process has released the counters
= 1
END

on "$v34" '$cputrack -c graduated_instructions,tlb_misses -T 0 sh -c "exit 3"; echo "= $?"'
golden "cputrack: one row at the end, and the command's status" <<'END'
   time lwp      event      pic0      pic1 
 N   1       exit       115       123 
= 3
END

on "$v34" '$cputrack -n -c 15 -T 0.1 -N 2 sh -c "sleep 2"; echo "= $?"'
golden "cputrack: -N" <<'END'
 N   1       tick       115 
 N   1       tick         0 
= 0
END

on "$v34" '$cputrack -nfv -e -T 0 -c 15 sh -c "env true; :"; echo "= $?"; $cputrack -nf -T 0 -c 15 sh -c "(exec true)"'
golden "cputrack: -f, -e and -v" <<'END'
 N P 1       exec         0 
 N P 1       fork         0 
 N P 1       exec         0 
 N P 1       exec         0 
 N P 1   fini_lwp       115 
 N P 1       exit       115 
 N P 1   fini_lwp       115 
 N P 1       exit       115 
= 0
 N P 1       exec       115 
 N P 1       exit       115 
END

on "$v34" '$cputrack -nfe -T 0 -c 15 sh -c "(exec true); (exec true); (exec true); :"
	$cputrack -nf -T 0 -c 15 sh -c "(exec true); (exec true); :"'
golden "cputrack: -f, one child after another" <<'END'
 N P 1       exit       115 
 N P 1       exit       115 
 N P 1       exit       115 
 N P 1       exit       115 
 N P 1       exec       115 
 N P 1       exec       115 
 N P 1       exit       115 
END

on "$v34" 'sleep 0.6 & $cputrack -n -T 0 -c 15 -p $!; echo "= $?"; $cputrack -c 15 -p 99999999; echo "= $?"
	$cputrack -c 15 -p 1 true; echo "= $?"; $cputrack -c 15; echo "= $?"; $cputrack -c 15 -T 1x true; echo "= $?"
	$cputrack -n -c 15 -o /nowhere/x true; echo "= $?"; $cputrack -c 15 /no/such; echo "= $?"
	$cputrack -n -T 0 -o rows -c 15 true && cat rows'
golden "cputrack: -p, -o and bad command lines" <<'END'
 N   1       exit       115 
= 0
cputrack: process 99999999: there is no such process
= 125
cputrack: -p and a command exclude each other; see cputrack -h
= 125
cputrack: no command and no -p PID; see cputrack -h
= 125
cputrack: -T needs a number of seconds, 0.01 or more, or 0; not '1x'
= 125
cputrack: cannot write to /nowhere/x: No such file or directory
= 125
cputrack: /no/such: command not found
= 127
 N   1       exit       115 
END

on "$v34" '$cputrack -n -T 0.1 -c 15 sh -c "sleep 0.35; $cpustat -n -c 9 0.01 1 > /dev/null; sleep 0.5"
	echo "= $?"' 
grep -v "tick" log > rest; mv rest log
golden "cputrack says that cpustat has taken its counters" <<'END'
cputrack: the counters were taken by cpustat, cpctrace, pctr or ecadmin (Resource temporarily unavailable): nothing is counted any more
= 125
END
}
# The words of both, with times that are short
for name in cpustat cputrack; do
	"$(dirname "$0")/../lib/anywords" "$build/fake-machine" "$v34" 1 1 \
		"$build/$name-fake" -- -c 15 cycles,sys pic0=15,pic1=21 pic1=15 nouser -D -n -t \
		-e -f -v -h -T 0 0.01 2 -p 1 -c15 true false cycles, =,= pic9=1 \
		"15,sys=$(printf '\033[31m')" > log 2>&1
	result $? "$name: any words are used or refused"
done
finish
