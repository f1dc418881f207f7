#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# ecadmin and ecstats as commands, on machines with fake counters and a real
# holder.
#
# usage: test_ec_commands.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
stage=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)

IRIXPERF_HOLDER=$build/fake-holder
TERM=vt100
export IRIXPERF_HOLDER TERM
ecadmin=$build/ecadmin-fake
ecstats=$build/ecstats-fake
screen="python3 $here/../../lib/screen.py --until quits"
# The last line of the screen, by what it shows
enabled="[a]bsolute or r, [e]nabled or f  q quits"
full="[a]bsolute or r, e or [f]ull"
export ecadmin ecstats screen enabled full
# A report of ecstats for each byte, instead of each interval
mkfifo reports.now

# on MODEL ENABLED RUNNING SCRIPT: system mode ends with the machine
on()
{
	timeout 300 "$build/fake-machine" "$1" "$2" "$3" sh -c "$4
		FAKE_UID=0 \$ecadmin -r > /dev/null 2>&1" > log 2>&1
}

v34="R10000 V3.4  FPU V0.0"
v26="R10000 V2.6  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# What is in apostrophes below are scripts, which are run later
# shellcheck disable=SC2016
{
on "$v34" 1000000 1000000 '
$ecadmin -e 15,tlb_misses -l; echo "= $?"
$ecadmin -l -d 15; echo "= $?"
$ecadmin -l; echo "= $?"
$ecadmin -r; echo "= $?"
$ecadmin -l; echo "= $?"'
golden "what is enabled stays until it is disabled or released" <<'END'
15 graduated_instructions             Instructions graduated; integer multiply and divide count two
23 tlb_misses                         TLB refill exceptions
= 0
23 tlb_misses                         TLB refill exceptions
= 0
23 tlb_misses                         TLB refill exceptions
= 0
= 0
= 0
END

on "$v34" 1000000 1000000 '
$ecadmin -e 15; $ecadmin -D -e 15; echo "= $?"
$ecadmin -D -e 15,16 -d 15; $ecadmin -D -d 16; echo "= $?"
$ecadmin -D -r; echo "= $?"; $ecadmin -d 3; echo "= $?"'
golden "-D, and nothing is done where nothing is to be changed" <<'END'
ecadmin: HWPERF_GET_SYSEVCTRL: generation 1
ecadmin: exactly these events are enabled already: nothing is changed
= 0
ecadmin: HWPERF_GET_SYSEVCTRL: generation 1
ecadmin: HWPERF_SET_SYSEVCTRL: generation 2
ecadmin: HWPERF_GET_SYSEVCTRL: generation 2
ecadmin: no events are left: the counters are released
ecadmin: HWPERF_RELSYSCNTRS: status 0
= 0
ecadmin: HWPERF_GET_SYSEVCTRL: Invalid argument
ecadmin: no events are enabled: there is nothing to release
= 0
ecadmin: no events are enabled: nothing is changed
= 0
END

on "$v34" 1000000 1000000 '
$ecadmin -a; $ecadmin -l | wc -l
$ecadmin -d "*"; $ecadmin -l | wc -l
$ecadmin -e "*" -d 16,17 -l | wc -l
$ecadmin -d 0 -e 99; echo "= $?"; $ecadmin -l | wc -l'
golden "all events, and none if the line has a mistake" <<'END'
32
ecadmin: no events are left: the counters are released
0
30
ecadmin: unknown event '99'
ecadmin: ecadmin -e '?' lists all events
= 2
30
END

on "$v34" 1000000 1000000 '$ecadmin -e "?" > all; wc -l < all; sed -n "7p;15p;17p" all'
golden "-e '?' has the events of the R10000" <<'END'
32
 6 resolved_branches                  Conditional branches resolved
14 alu_fpu_progress_cycles            Cycles in which an integer or floating-point unit completed an instruction
16 cycles_ctr1                        CPU clock cycles, by the number for counter 1
END

on "$v26" 1000000 1000000 '$ecadmin -e "?" > all; wc -l < all; sed -n "7p;15p;17p" all'
golden "-e '?' has the events of the R10000 2.6" <<'END'
32
 6 decoded_branches                   Branches decoded, unconditional and killed ones included
14 virtual_coherency_conditions       Secondary cache hits with another virtual index
16 cycles_ctr1                        CPU clock cycles, by the number for counter 1
END

on "$r12k" 1000000 1000000 '$ecadmin -e "?" > all; wc -l < all; sed -n "7p;15p;17p" all'
golden "-e '?' has the events of the R12000" <<'END'
32
 6 resolved_branches                  Conditional branches resolved
14 alu_fpu_progress_cycles            Cycles in which an integer or floating-point unit completed an instruction
16 executed_prefetches                Prefetch instructions that checked the primary data cache tags
END

on "$v34" 1000000 1000000 '
$ecadmin -e 15 --check
$ecadmin -e 15,16 --check; $ecadmin -e 14,15,16 --check; $ecadmin -a --check
$ecadmin -l | wc -l'
golden "--check on an R10000" <<'END'
1 event fits the two counters: exact counts
2 events fit the two counters: exact counts
3 events share two counters: up to 2 take turns on each, and counts are scaled
32 events share two counters: up to 16 take turns on each, and counts are scaled
0
END

on "$v34" 1000000 1000000 '
$ecadmin -e 15; $ecadmin --check -r; echo "= $?"
$ecadmin -d "?"; echo "= $?"; $ecadmin -l'
golden "-r with --check, and -d with a question mark, are refused" <<'END'
ecadmin: -r releases all events: it excludes -a, -d, -e and --check
= 2
ecadmin: unknown event '?'
ecadmin: ecadmin -e '?' lists all events
= 2
15 graduated_instructions             Instructions graduated; integer multiply and divide count two
END

on "$r12k" 1000000 1000000 '
$ecadmin -e 14,15 --check; $ecadmin -e 1,2,3 --check'
golden "--check on an R12000, whose counters count any event" <<'END'
2 events fit the two counters: exact counts
3 events share two counters: up to 2 take turns on each, and counts are scaled
END

on "$v34" 1000000 1000000 '
printf "processor : 1\ncpu model : R12000 V3.5\n" >> $FAKE_ROOT/proc/cpuinfo
$ecadmin -e 0; echo "= $?"
$ecadmin -M -e 0,17; echo "= $?"
$ecadmin -M -a; $ecadmin -l | wc -l; $ecadmin -e "?" | sed -n "17,19p"'
golden "-M: CPUs of two types" <<'END'
ecadmin: this machine has CPUs of several types, whose events differ
ecadmin: -M allows the events that mean the same on all of them
= 1
ecadmin: 17 (graduated_instructions_ctr1) does not mean the same on all CPUs of this machine
ecadmin: ecadmin -e '?' lists all events
= 2
22
16 cycles_ctr1                        CPU clock cycles, by the number for counter 1 [not on all CPUs]
17 graduated_instructions_ctr1        Instructions graduated, by the number for counter 1 [not on all CPUs]
18 graduated_loads                    Loads graduated, prefetches included (on the R10000 also syncs and cache operations)
END

on "$v34" 1000000 1000000 '
export FAKE_UID=1000
$ecadmin -e 15; echo "= $?"; $ecadmin -l; echo "= $?"
$ecstats; echo "= $?"
FAKE_UID=0 $ecadmin -e 16
$ecadmin -l; $ecadmin -r; echo "= $?"
$ecstats -a -s 1 0.01 | tail -n 2'
# Who runs this may be root, and gets the kernel's reason instead of the user's
sed -i '/^ecadmin: kernel.perf_event_paranoid/d; /^ecadmin: as root: sysctl/d
	/^ecadmin: only root can change the counters of all CPUs$/d' log
golden "users may look, but change nothing" <<'END'
ecadmin: cannot enable events: permission denied
= 1
= 0
ecstats: no events are enabled: as root, run ecadmin -e EVENT
= 1
16 cycles_ctr1                        CPU clock cycles, by the number for counter 1
ecadmin: cannot release the counters: permission denied
= 1
16 cycles_ctr1                                        4348

END

# Event 16 has 116 on CPU 0, 1116 on CPU 1 and 3116 on CPU 3
on "$v34" 1000000 1000000 '
$ecadmin -e 16,0; $ecstats -a -s 1 0.01 | tail -n +2
$ecstats -af -s 1 0.01 | sed -n "3,5p"'
golden "ecstats -a and -f: counts of all CPUs" <<'END'
 # event                                             count
 0 cycles                                             4300
16 cycles_ctr1                                        4348

 0 cycles                                             4300
 1 issued_instructions                         not enabled
 2 issued_loads                                not enabled
END

on "$v34" 1000000 1000000 '
echo r10kperf.cycles=unmodelled > $FAKE_ROOT/proc/cmdline
$ecadmin -e 0,9; $ecstats -s 1 0.01 | tail -n +2
$ecstats -a -s 1 0.01 | tail -n +2
$ecstats --csv -s 1 0.01 | cut -d, -f5,8,9; $ecstats --json -s 1 0.01 | grep -o "note.*"
$ecadmin -r; $ecadmin -e 9; $ecstats -s 1 0.01 | grep NOTE
echo > $FAKE_ROOT/proc/cmdline; $ecadmin -r; $ecadmin -e 0
$ecstats -s 1 0.01 | sed "1d;s/cycles *[0-9]*$/cycles N/"'
golden "no rates on an emulated CPU, but counts of the interval; rates with a clock" <<'END'
 # event                                      per interval
 0 cycles                                                0
 9 l1i_misses                                            0
NOTE: cycles and seconds are the emulator's, not a CPU's: no times or rates.

 # event                                             count
 0 cycles                                             4300
 9 l1i_misses                                         4327

event,unit,value
0,per_interval,0.000
9,per_interval,0.000
note":"cycles and seconds are the emulator's, not a CPU's: no times or rates"}
NOTE: cycles and seconds are the emulator's, not a CPU's: no times or rates.
 # event                                        per second
 0 cycles N

END

on "$v34" 4000000 1000000 '
$ecadmin -e 0,1,16; $ecstats -a -s 1 0.01 | sed -n "4p"
$ecstats -a -s 1 --csv 0.01 | sed -n "1p;3p" | cut -d, -f5-
$ecstats -a -s 1 --json 0.01 | grep -o "{\"event\":1,.*}}*,"'
golden "shared counters: scaled by the time that was counted, and marked" <<'END'
 1 issued_instructions                               17212 * 25.0 %
event,name,enabled,unit,value,raw,share
1,issued_instructions,1,count,17212.000,4303,0.250000
{"event":1,"name":"issued_instructions","enabled":true,"value":17212.000,"raw":4303,"share":0.250000},
END

on "$v34" 1000000 0 '$ecadmin -e 9; $ecstats -a -s 1 0.01 | sed -n "3p"'
golden "an event that never had a counter is not 0" <<'END'
 9 l1i_misses                                  not counted
END

on "$v34" 1000000 1000000 '
$ecadmin -e 9
FAKE_SLEEPS=reports.now $ecstats -s 2 --csv 1.5 > reports 2> notes &
exec 9> reports.now; echo >&9
until grep -qs l1i_misses reports; do sleep 0.1; done
$ecadmin -e 10; echo >&9; echo >&9; wait
cat notes; cut -d, -f4,5 reports'
golden "a change of events while ecstats runs, and as many reports as -s says" <<'END'
ecstats: the events were changed: counts start again from zero
generation,event
1,9
2,9
2,10
END

on "$v34" 1000000 1000000 '
$ecadmin -e 9
{ FAKE_SLEEPS=reports.now $ecstats 0.1 2> notes > reports; echo "= $?"; } &
exec 9> reports.now; echo >&9
until grep -qs interval reports; do sleep 0.1; done
$ecadmin -r; echo >&9; wait; cat notes; grep -c interval reports'
golden "ecstats ends when the counters are released" <<'END'
= 1
ecstats: the counters have been released: no events are enabled
1
END

on none 1000000 1000000 '
$ecadmin -e 1; echo "= $?"; $ecstats; echo "= $?"
$ecadmin -e "?" | wc -l'
[ "$(grep -c '^= 1$' log)" -eq 2 ] && grep -q '^32$' log &&
	grep -q '^ecadmin: .*no R10000' log && grep -q '^ecstats: .*r10kvm -- ' log
result $? "without counters both say so, and what helps; -e '?' works"

on "$v34" 1000000 1000000 '
$ecadmin -e 9; $ecstats -s 1 -o no/such/file; echo "= $?"
$ecstats -s 1 -o /dev/full 0.01; echo "= $?"
$ecstats -s 1 --output report 0.01; echo "= $?"; sed -n 2p report
$ecstats -s 1 0.01 > /dev/full; echo "= $?"'
golden "-o, and what cannot be written" <<'END'
ecstats: cannot write to no/such/file: No such file or directory
= 1
ecstats: cannot write to /dev/full: No space left on device
= 1
= 0
 # event                                        per second
ecstats: cannot write to stdout: No space left on device
= 1
END

on "$v34" 1000000 1000000 '
IRIXPERF_HOLDER=/no/such/file $ecadmin -e 9; echo "= $?"
$ecadmin -l -zz; echo "= $?"
$ecstats 99999999999; echo "= $?"
$ecadmin --help | head -n 1; $ecstats --help | head -n 1
$ecadmin --version; $ecstats --version; $ecadmin --help > /dev/full; echo "= $?"
$ecstats --help > /dev/full; echo "= $?"'
# The command is called by its path
sed -i "s#^$build/\(ec[a-z]*\)-fake:#\1:#" log
golden "no holder, bad options, help" <<'END'
ecadmin: cannot enable events: irixperf-holder, which keeps the counters, is not installed, or the kernel is older than 5.6
ecadmin: see irixperf-holder(8)
= 1
ecadmin: invalid option -- 'z'
ecadmin: see ecadmin --help
= 2
ecstats: the interval is a number of seconds, from 0.01 to 1000000, not '99999999999'
= 2
Usage: ecadmin [-aDlMT] [-d EVENT[,EVENT]...] [-e EVENT[,EVENT]...]
Usage: ecstats [-aCDefr] [-s SAMPLES] [-o FILE] [--csv | --json] [INTERVAL]
ecadmin (r10kperf) 0.1.0
ecstats (r10kperf) 0.1.0
ecadmin: cannot write to stdout: No space left on device
= 1
ecstats: cannot write to stdout: No space left on device
= 1
END

# ncurses forgets what it has allocated for a terminal that it does not know
on "$v34" 1000000 1000000 '$ecadmin -e 0,16; $ecstats -C > file; echo "= $?"; cat file
$screen /bin/sh -c "$ecstats -C 900 < /dev/null" ""
ASAN_OPTIONS=detect_leaks=0 TERM=none-such $screen $ecstats -C ""'
golden "-C needs a terminal that it knows" <<'END'
ecstats: -C needs a terminal
= 1
ecstats: -C needs a terminal to read keys from
= 1
ecstats: -C cannot use this terminal: TERM is none-such
= 1
END

on "$v34" 2000000 1000000 '
$ecadmin -e 0,1,16
$screen --then "$enabled" $ecstats -C 0.3 aq'
sed -i 's/^..:..:..  interval [0-9.]* s/TIME/' log
golden "-C shows the last report" <<'END'
== 'a'
TIME  generation 1
 # event                                             count
 0 cycles                                             8600 * 50.0 %
 1 issued_instructions                                8606 * 50.0 %
16 cycles_ctr1                                        8696 * 99.9 %


















[a]bsolute or r, [e]nabled or f  q quits
= 0
END

on "$v34" 1000000 1000000 '
$ecadmin -e 0,16
$screen --then "$full  1-20 of 32  q quits" $ecstats -C -a 0.3 fq | sed "1,2d;6,21d"
$screen --then "$full  1-20 of 32  q quits" --then "$full  2-21 of 32  q quits" \
	--then "$full  2-21 of 32  q quits" $ecstats -C -a 0.3 "f\x1bOB\fq" |
	sed "1,/x0c/d" | sed "1d;4,22d"
$screen --then "a or [r]ates, e or [f]ull  1-20 of 32  q quits" \
	--then "a or [r]ates, [e]nabled or f  q quits" --then "$enabled" \
	$ecstats -C -f -a 0.3 "reaq" | sed "1,/a.$/d" | sed "1d;5,20d"'
golden "keys of -C" <<'END'
 # event                                             count
 0 cycles                                             4300
 1 issued_instructions                         not enabled
18 graduated_loads                             not enabled
19 graduated_stores                            not enabled

[a]bsolute or r, e or [f]ull  1-20 of 32  q quits
= 0
 # event                                             count
 1 issued_instructions                         not enabled

[a]bsolute or r, e or [f]ull  2-21 of 32  q quits
= 0
 # event                                             count
 0 cycles                                             4300
16 cycles_ctr1                                        4348



[a]bsolute or r, [e]nabled or f  q quits
= 0
END
}

# Completion, called as bash does

# tab COMMAND WORD...: what is offered for the last word
tab()
{
	# shellcheck disable=SC2016 # it is bash that expands
	PATH=$stage/usr/bin:$PATH bash -c '. "$0/$1"; COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); "_$1"; printf "%s\n" "${COMPREPLY[*]}"' \
		"$stage/usr/share/bash-completion/completions" "$@" 2> /dev/null
}

{
	tab ecadmin -e tlb
	tab ecadmin -d 3,graduated_fp
	tab ecadmin --c
	tab ecstats --j
	tab ecstats -s 3
} > log
golden "bash completes events, in lists as well, and options" <<'END'
tlb_misses
3,graduated_fp_instructions
--check
--json

END
for p in ecadmin ecstats; do
	"$stage/usr/bin/$p" --help | grep -oE '^  +-[a-zA-Z]|--[a-z]+' | tr -d ' ' | sort -u |
		while read -r option; do
			case " $(tab "$p" "$option") " in
			*" $option "*) ;;
			*) printf "%s\n" "$option" ;;
			esac
		done > log
	[ ! -s log ]
	result $? "bash completes every option of $p --help"
done

finish
