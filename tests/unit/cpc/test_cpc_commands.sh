#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# cpustat and cputrack as commands, on machines with fake counters and a real holder.
#
# usage: test_cpc_commands.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
stage=$1
build=$2

IRIXPERF_HOLDER=$build/fake-holder
export IRIXPERF_HOLDER
cpustat=$build/cpustat-fake
cputrack=$build/cputrack-fake
ecadmin=$build/ecadmin-fake
export cpustat cputrack ecadmin

# on MODEL SCRIPT: run it as root; N stands for the seconds of rows, P for a process
on()
{
	timeout 300 "$build/fake-machine" "$1" 1000000 1000000 sh -c "export FAKE_UID=0
		row() { \$cpustat -n -c \"\$@\" 0.01 1 | grep ' 0  tick'; }
		$2" 2>&1 | sed -E 's/^ +[0-9]+\.[0-9]{3}/ N/; s/^( N) +[0-9]+ +1 /\1 P 1 /
		s/ $//' > log
}

v34="R10000 V3.4  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# What is in apostrophes below are scripts, which are run later
# shellcheck disable=SC2016
{
on "$v34" '$cpustat -c pic0=graduated_instructions,pic1=tlb_misses,sys 0.01 2; echo "= $?"'
golden "rows for each CPU, and totals" <<'END'
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

on "$v34" '$cpustat -n -c 15 -c tlb_misses,sys,nouser 0.01 3; echo "= $?"'
golden "several sets in turn, each from zero" <<'END'
 N   0  tick       115         -  # 15
 N   1  tick      1115         -  # 15
 N   3  tick      3115         -  # 15
 N   0  tick         -       123  # tlb_misses,sys,nouser
 N   1  tick         -      1123  # tlb_misses,sys,nouser
 N   3  tick         -      3123  # tlb_misses,sys,nouser
 N   0  tick       115         -  # 15
 N   1  tick      1115         -  # 15
 N   3  tick      3115         -  # 15
 N   3 total      8690         -  # 15
 N   3 total         -      4369  # tlb_misses,sys,nouser
= 0
END

on "$v34" '$cpustat -n -c 15 -c 9 0.01 1; echo "= $?"'
golden "a set that had no turn has no total" <<'END'
 N   0  tick       115  # 15
 N   1  tick      1115  # 15
 N   3  tick      3115  # 15
 N   3 total      4345  # 15
= 0
END

on "$v34" 'for spec in cycles,graduated_instructions pic1=cycles,pic0=graduated_instructions \
	tlb_misses,l1i_misses PAPI_tot_ins,PAPI_l2_dcm PAPI_l2_dcm,PAPI_tot_ins \
	17,16 graduated_instructions,issued_loads TLB-Misses sys1,9,23 15,sys0=0,nouser=0; do
	row $spec; done'
golden "events on counters that can count them" <<'END'
 N   0  tick       100       117
 N   0  tick       115       116
 N   0  tick       109       123
 N   0  tick       115       126
 N   0  tick       115       126
 N   0  tick       115       116
 N   0  tick       102       117
 N   0  tick         -       123
 N   0  tick       109       123
 N   0  tick       115
END

on "$r12k" 'row 3,2; row pic1=3'
golden "any event on any counter of an R12000" <<'END'
 N   0  tick       103       102
 N   0  tick         -       103
END

on "$v34" 'for spec in 1,2 pic1=1 pic2=1 1,17,18 9,9 no_such tlb_miss nouser 15,nouser \
	15,fast=1 15,sys=on 15,sys= 15,sys2 "" pic0=15,pic0=9 pic=15 pic0= picture=3; do $cpustat -c "$spec" 0.01 1; echo "= $?"; done'
golden "bad specifications" <<'END'
cpustat: '1,2': the counters cannot count these events at the same time; to count them in turn, give option -c for each
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'pic1=1': these counters cannot count these events
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'pic2': the counters are numbered 0 to 1
= 2
cpustat: '1,17,18' names more than 2 events
cpustat: to count others in turn, give option -c again
= 2
cpustat: '9,9': the counters cannot count these events at the same time; to count them in turn, give option -c for each
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: unknown event 'no_such'
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: unknown event 'tlb_miss': did you mean tlb_misses (23)?
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'nouser' names no event
= 2
cpustat: '15,nouser': with nouser and without sys, pic0 counts nothing
= 2
cpustat: 'fast=1': the attributes are nouser and sys
= 2
cpustat: 'sys=on': the value of an attribute is 0 or 1
= 2
cpustat: 'sys=': the value of an attribute is 0 or 1
= 2
cpustat: 'sys2': the counters are numbered 0 to 1
= 2
cpustat: unknown event ''
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'pic0=15,pic0=9': these counters cannot count these events
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'pic': the counters are numbered 0 to 1
= 2
cpustat: unknown event ''
cpustat: cpustat -h lists the events of each counter
= 2
cpustat: 'picture=3': the attributes are nouser and sys
= 2
END

on "$r12k" 'row 9,9,sys1,nouser1; row 0,0; row 1,1'
golden "an event twice" <<'END'
 N   0  tick       109       109
 N   0  tick       100       100
 N   0  tick       101       101
END

on "$r12k" '$cputrack -c 9,9,sys1,nouser1 true; echo "= $?"'
golden "cputrack counts an event once" <<'END'
cputrack: '9,9,sys1,nouser1' names an event twice
cputrack: to count it in another mode, give option -c for each
= 125
END

on "$v34" '$cpustat; echo "= $?"; $cpustat -c 15 0; echo "= $?"; $cpustat -c 15 1 0; echo "= $?"
	$cpustat -c 15 1 2 3; echo "= $?"; $cpustat -c 15 1 2x; echo "= $?"; $cpustat -c 15 1e9; echo "= $?"
	$cpustat -z 2>&1 | tail -1; $cpustat $(seq -f "-c %g" 0 16); echo "= $?"
	FAKE_UID=1000 $cpustat -c 15; echo "= $?"; IRIXPERF_HOLDER=/no/such $cpustat -c 15; echo "= $?"'
# Who runs this may be root, and gets the kernel's reason instead of the user's
sed -i '/^cpustat: kernel.perf_event_paranoid/d; /^cpustat: as root: sysctl/d
	/^cpustat: only root can change the counters of all CPUs$/d' log
golden "bad command lines, and who may not or cannot" <<'END'
cpustat: no events to count: -c EVENTSPEC; see cpustat --help
= 2
cpustat: the interval is a number of seconds, from 0.01 to 1000000, not '0'
= 2
cpustat: '0': the count must be a number from 1
= 2
cpustat: '3': only an interval and a count may follow the options; see cpustat --help
= 2
cpustat: '2x': the count must be a number from 1
= 2
cpustat: the interval is a number of seconds, from 0.01 to 1000000, not '1e9'
= 2
cpustat: see cpustat --help
cpustat: -c may be given up to 16 times
= 2
cpustat: cannot count: permission denied
= 1
cpustat: cannot count: irixperf-holder, which keeps the counters, is not installed, or the kernel is older than 5.6
cpustat: see irixperf-holder(8)
= 1
END

on "none" '$cpustat -c 15 1 1 > /dev/null; echo "= $?"; $cpustat -h | grep -c "^        event[01]: "'
[ "$(tail -2 log | tr '\n' ' ')" = "= 1 2 " ] && grep -q "event map" log
result $? "without counters: a list, but no counts"

# One has the counters: the others are kept out, in both orders
on "$v34" '$cpustat -n -c 15 1000000 & first=$!
	until $ecadmin -l 2>&1 | grep -q "for itself"; do :; done
	$cpustat -c 9 1; echo "= $?"; $ecadmin -e 9; echo "= $?"
	kill $first; wait $first; echo "= $?"
	$ecadmin -e 16 && $cpustat -c 15 1; echo "= $?"; $ecadmin -r && row 15'
golden "cpustat excludes others until it is interrupted, and they it" <<'END'
cpustat: cannot count: a program has the counters of all CPUs for itself
cpustat: they are free again when it ends
= 1
ecadmin: cannot find out which events are enabled: a program has the counters of all CPUs for itself
ecadmin: they are free again when it ends
= 1
 N   0  tick       115
 N   1  tick      1115
 N   3  tick      3115
 N   3 total      4345
= 0
cpustat: cannot count: ecadmin or pctr has given the counters to events of all programs
cpustat: ecadmin -l lists the events, ecstats shows their counts; as root, ecadmin -r releases the counters
= 1
 N   0  tick       115
END

# CPU 5, and CPU 3 when it is back, has its events from the row on that it is not in
on "$v34" 'online() { echo $1 > $FAKE_ROOT/sys/devices/system/cpu/online; echo >&9; }
	next() { read -r row <&3; echo " $row"; }
	rm -f rows now; mkfifo rows now; FAKE_SLEEPS=now $cpustat -c 15 1 > rows & exec 9<> now; exec 3< rows; next
	online 0-1,5; next; next; online 0,3,5; next; next; online 0,3,5; next; next; next
	kill $!; online 0; cat <&3; wait $!; echo "= $?"'
golden "CPUs that come and go" <<'END'
 time cpu event      pic0
 N   0  tick       115
 N   1  tick      1115
 N   0  tick         0
 N   5  tick         0
 N   0  tick         0
 N   3  tick         0
 N   5  tick         0
 N   0  tick         0
 N   1 total      1230
= 0
END

on "$v34" 'i=0; while [ $i -lt 20 ]; do row 15; i=$((i + 1)); done | cut -c8- | sort | uniq -c'
golden "twenty times, one after the other" <<'END'
     20    0  tick       115
END

# Nine seconds late: the second set still has its interval; the rows of a single one come
# when they would have come
on "$v34" 'for sets in "-c 15 -c 9" "-c 15"; do
	rm -f now; mkfifo now; exec 9<> now; printf 9xx >&9
	FAKE_SLEEPS=now $cpustat -n $sets 2 3 | grep -v "  [13]  tick" | sed "s/^/|/"; done'
golden "rows that are late" <<'END'
| 11.000   0  tick       115  # 15
| 13.000   0  tick       109  # 9
| 15.000   0  tick       115  # 15
| 15.000   3 total      8690  # 15
| 15.000   3 total      4327  # 9
| 11.000   0  tick       115
| 11.000   0  tick         0
| 12.000   0  tick         0
| 12.000   3 total      4345
END

# Who reads the rows has stopped: a signal ends cpustat all the same
on "$v34" 'rm -f rows; mkfifo rows; exec 3<> rows; head -c 65536 /dev/zero > rows
	{ $cpustat -c 15 1000000 > rows & until $ecadmin -l 2>&1 | grep -q "for itself"; do :; done
	kill $!; wait $!; } 2> /dev/null; [ $? -ne 0 ] && row 15'
golden "output that cannot be written does not keep the counters" <<'END'
 N   0  tick       115
END

# A full disk; the program ends well, and the counters are free
on "$v34" '$cpustat -c 15 0.01 1 > /dev/full; echo "= $?"; row 15'
golden "what cannot be written" <<'END'
cpustat: cannot write to stdout: No space left on device
= 1
 N   0  tick       115
END

on "$v34" '$cputrack -c graduated_instructions,tlb_misses -T 0 sh -c "exit 3"; echo "= $?"'
golden "cputrack: one row at the end, and the command's status" <<'END'
   time lwp      event      pic0      pic1
 N   1       exit       115       123
= 3
END

on "$v34" 'rm -f go; mkfifo go; $cputrack -n -c 15 -T 0.01 -N 2 cat go; echo "= $?"; true > go'
golden "cputrack: -N" <<'END'
 N   1       tick       115
 N   1       tick         0
= 0
END

on "$v34" '$cputrack -nf -e -T 0 -c 15 sh -c "env true; :"; echo "= $?"
	$cputrack -nf -T 0 -c 15 sh -c "(exec true); :"; $cputrack -n -T 0 -c 15 sh -c "true; :"'
golden "cputrack: -f and -e" <<'END'
 N P 1       exit       115
 N P 1       exit       115
= 0
 N P 1       exec       115
 N P 1       exit       115
 N   1       exit       115
END

# A signal reaches the command before its execve(2)
on "$v34" 'for signal in 28 15 9; do
	FAKE_SIGNAL=$signal $cputrack -n -T 0 -c 15 true; echo "= $?"; done'
golden "cputrack: a signal before the command runs" <<'END'
 N   1       exit       115
= 0
 N   1       exit       115
= 143
 N   1       exit       115
= 137
END

# Of a child that goes on after the command; a signal ends cputrack
on "$v34" 'rm -f go file up; mkfifo go; $cputrack -nf -e -T 0 -c 15 sh -c "(true > up; read x < go) & exit 3" > file &
	until [ -s file ] && [ -e up ]; do :; done; kill $!; wait $!; echo "= $?"
	cat file; true > go'
golden "cputrack: children that outlive the command" <<'END'
= 3
 N P 1       exit       115
 N P 1       tick       115
END

on "$v34" 'sleep 600 & until grep -q sleep /proc/$!/comm; do :; done; $cputrack -n -T 0.1 -N 1 -c 15 -p $!; echo "= $?"; kill $!
	$cputrack -c 15 -p 99999999; echo "= $?"
	$cputrack -c 15 -p 1 true; echo "= $?"; $cputrack -c 15; echo "= $?"
	$cputrack -c 15 -T 1x true; echo "= $?"; $cputrack true; echo "= $?"
	$cputrack -n -c 15 -o /nowhere/x true; echo "= $?"; $cputrack -n -c 15 /no/such; echo "= $?"
	$cputrack -n -T 0 -o file -c 15 true && cat file; $cputrack -n -T 0 -c 15 true > /dev/full
	echo "= $?"'
golden "cputrack: -p, -o and bad command lines" <<'END'
 N   1       tick       115
= 0
cputrack: process 99999999: there is no such process
= 125
cputrack: -p and a command exclude each other; see cputrack --help
= 125
cputrack: no command and no -p PID; see cputrack --help
= 125
cputrack: the interval is a number of seconds, from 0.01 to 1000000, not '1x'
= 125
cputrack: no events to count: -c EVENTSPEC; see cputrack --help
= 125
cputrack: cannot write to /nowhere/x: No such file or directory
= 125
cputrack: /no/such: command not found
= 127
 N   1       exit       115
cputrack: cannot write to stdout: No space left on device
= 125
END

# Event 15 needs counter 0
on "$v34" 'FAKE_TAKEN=0 $cputrack -n -T 0 -c 15 sh -c ": > ran" 2> said; echo "= $?"; head -n 1 said
	[ -e ran ] || echo "not run"
	FAKE_TAKEN=0 $cputrack -n -T 0 -c 19 -c 15 sh -c ": > ran" 2> said; echo "= $?"
	head -n 1 said; [ -e ran ] || echo "not run"
	FAKE_TAKEN=0 FAKE_TAKEN_AFTER=1 $cputrack -n -T 0 -c 15 true; echo "= $?"
	FAKE_TAKEN=1 $cputrack -n -T 0 -c 15 true; echo "= $?"'
golden "cputrack beside others: from the start, later, and with the other counter" <<'END'
= 125
cputrack: cannot count: other users of perf have the counters for themselves
not run
= 125
cputrack: cannot count: other users of perf have the counters for themselves
not run
cputrack: other users of perf had the counters, at least at times: counts are too low
 N   1       exit         -
= 0
 N   1       exit       115
= 0
END

# cpustat has come and gone before cputrack looks
on "$v34" '$cputrack -n -T 0 -c 15 sh -c "$cpustat -n -c 9 0.01 1 > /dev/null"; echo "= $?"
	$cputrack -n -T 0 -c 15 sh -c "$ecadmin -e 0; $ecadmin -r"; echo "= $?"
	$cputrack -n -T 0 -c 15 true; echo "= $?"'
golden "cputrack says that it has lost its counters, if only for a moment" <<'END'
cputrack: another program has taken the counters of all CPUs: nothing is counted any more
= 125
cputrack: another program has taken the counters of all CPUs: nothing is counted any more
= 125
 N   1       exit       115
= 0
END

on "$v34" '$cpustat -n -c 15 1000000 > /dev/null & first=$!
	until $ecadmin -l 2>&1 | grep -q "for itself"; do :; done
	$cputrack -c 9 touch ran; echo "= $?"; kill $first; wait $first
	$ecadmin -e 0; $cputrack -c 9 touch ran; echo "= $?"; $ecadmin -r
	$cputrack -n -T 0 -c 9 test ! -e ran; echo "= $?"'
golden "cputrack fails while others have the counters" <<'END'
cputrack: cannot count: a program has the counters of all CPUs for itself
cputrack: they are free again when it ends
= 125
cputrack: cannot count: ecadmin or pctr has given the counters to events of all programs
cputrack: ecadmin -l lists the events, ecstats shows their counts; as root, ecadmin -r releases the counters
= 125
 N   1       exit       109
= 0
END

# How many turns there are depends on the time
on "$v34" '$cputrack -n -T 0 -c 15 -c 9 true
	rm -f go rows; mkfifo go rows; $cputrack -n -T 0.01 -c 15 -c 9 cat go > rows & exec 3< rows
	read -r row <&3; read -r row <&3; true > go; grep exit <&3 | sed "s/ [0-9]* *-* *#/ #/"'
golden "cputrack: sets in turn; one that had no turn has no total" <<'END'
 N   1       exit       115  # 15
 N   1       exit       # 15
 N   1       exit       # 9
END

# In the fake every thread counts 115
threads="import threading, os
def work(): pass
list = [threading.Thread(target=work) for i in range(3)]
[(t.start(), t.join()) for t in list]"
python=$(python3 -c "import sys; print(sys.executable)")
export threads python
on "$v34" 't() { $cputrack -n -T 0 "$@" | cut -c8- | sort; echo; }
	t -c 15 -v $python -c "$threads"; t -c 15 $python -c "$threads"
	exec="${threads}
threading.Thread(target=os.execvp, args=(\"true\", [\"true\"])).start()"
	t -c 15 -e -v $python -c "$exec"; t -c 15 -v $python -c "$exec"'
golden "cputrack: threads, and execve(2) in one" <<'END'
   1       exit       460
   1   fini_lwp       115
   2   fini_lwp       115
   3   fini_lwp       115
   4   fini_lwp       115

   1       exit       460

   1       exit       575
   1   fini_lwp       115
   2   fini_lwp       115
   3   fini_lwp       115
   4   fini_lwp       115
   5   fini_lwp       115

   1       exec       575
   1   fini_lwp       115
   2   fini_lwp       115
   3   fini_lwp       115
   4   fini_lwp       115

END

# The first thread ends before the others, in a process that runs already
on "$v34" 'rm -f go rows; mkfifo go rows; exec 8<> go; $python -c "
import ctypes, threading
threading.Thread(target=lambda: open(\"go\", \"rb\", 0).read(1)).start()
threading.Thread(target=lambda: open(\"go\", \"rb\", 0).read(1)).start()
ctypes.CDLL(None).pthread_exit(None)" & until grep -q "^State:.*zombie" /proc/$!/status; do :; done
	$cputrack -n -v -T 0.01 -c 15 -p $! > rows & exec 3< rows
	read -r row <&3; read -r row <&3; printf xx >&8; grep -v tick <&3 | cut -c8- | sort; wait'
golden "cputrack: threads whose process runs already" <<'END'
   1       exit       230
   1   fini_lwp         0
   2   fini_lwp         0
END
}

# shellcheck disable=SC2016 # it is bash that expands
PATH=$stage/usr/bin:$PATH bash -c '. "$1"; compopt() { :; }
	for word in tlb_m sys,tl pic1=tlb_m pic0=15,pic1=9,tlb_m PAPI_tlb; do
		COMP_LINE="cpustat -c $word"; COMP_POINT=${#COMP_LINE}; _cpc cpustat
		echo "${COMPREPLY[*]}"
	done' - "$stage/usr/share/bash-completion/completions/cpustat" > out 2> err
printf '%s\n' tlb_misses sys,tlb_misses tlb_misses 9,tlb_misses PAPI_tlb_tl | diff - out > err
check $? "bash completes events"
finish
