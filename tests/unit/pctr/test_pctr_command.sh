#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# pctr as a command, on machines with fake counters and a real holder; its list on x86
# CPUs, with the libpfm4 of this machine.
#
# usage: test_pctr_command.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
build=$2

IRIXPERF_HOLDER=$build/fake-holder
p=$build/pctr-fake
e=$build/ecadmin-fake
s=$build/ecstats-fake
export IRIXPERF_HOLDER p e s

v34="R10000 V3.4  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# on MODEL SCRIPT [ENABLED RUNNING]: what it prints, without the time stamp; functions end with the machine.
# The fake counts 100 + event + 1000 x CPU
on()
{
	"$build/fake-machine" "$1" "${3:-1000}" "${4:-1000}" taskset -c 0 sh -c "$2
		FAKE_UID=0 \$p -r > /dev/null 2>&1" 2>&1 |
		sed 's/^tsc  *[1-9][0-9]*$/tsc/' > log
}

# What is in apostrophes below are scripts, which are run later
# shellcheck disable=SC2016
{
on "$v34" '$p; echo "= $?"'
golden "without a function there is the time stamp alone" <<'END'
tsc
ctr0                    -  off
ctr1                    -  off
= 0
END

on "$v34" '$p -s 0 -f f -u; echo "= $?"; $p; $p -s 1 -f tlb_misses -uk; $p; $p -r; $p'
golden "functions stay until they are cleared" <<'END'
= 0
tsc
ctr0                  115  0f u   graduated_instructions
ctr1                    -  off
tsc
ctr0                  115  0f u   graduated_instructions
ctr1                  123  17 uk  tlb_misses
tsc
ctr0                    -  off
ctr1                    -  off
END

on "$v34" '$p -s 0 -f f; $p -s 1 -f 17 -k; $p; $p -s 0; $p; $p -s 1; $p'
golden "OpenBSD's short forms: without -u and -k both modes; without -f clear a counter" <<'END'
tsc
ctr0                  115  0f uk  graduated_instructions
ctr1                  123  17 k   tlb_misses
tsc
ctr0                    -  off
ctr1                    0  17 k   tlb_misses  (stopped: counter 0 has no PCTR_EN)
tsc
ctr0                    -  off
ctr1                    -  off
END

name="-a shows two CPUs, whose counts are their own"
if [ "$(taskset -c 0,1 nproc)" -eq 2 ]; then
	on "$v34" '$p -s 0 -f 0 -u; $p; taskset -c 0,1 $p -a'
	golden "$name" <<'END'
tsc
ctr0                  100  00 u   cycles
ctr1                    -  off
cpu0
tsc
ctr0                  100  00 u   cycles
ctr1                    -  off
cpu1
tsc
ctr0                 1100  00 u   cycles
ctr1                    -  off
END

else
	skip "$name" "this machine has one CPU"
fi

on "$v34" '$p -s 0 -f f -u; $p; echo "= $?"; $p -s 0 -f e -u; echo "= $?"' 1000 0
golden "a count that was not taken is not a 0, and the function can be replaced" <<'END'
pctr: cannot read the counters: a function has had no counter since it was set
pctr: there are too many functions, or other users of perf have the counters
= 1
= 0
END

# Function f needs counter 0
on "$v34" 'export FAKE_TAKEN=0; $p -s 0 -f f -u 2> said; echo "= $?"; head -n 1 said
	$p -s 1 -f 0x19 -k; $p'
golden "a function whose counter others have cannot be set" <<'END'
= 1
pctr: cannot set the function: other users of perf have the counters for themselves
tsc
ctr0                    -  on, and counts nothing
ctr1                  125  19 k   l1d_misses
END

on "$v34" '$p -s 0 -f f -u; $p' 1000 500
golden "a count of half of the time is scaled" <<'END'
tsc
ctr0                  230  0f u   graduated_instructions
ctr1                    -  off
NOTE: projected from 50.0 % of the time or more
END

on "$v34" '$e -e 0,1,2; $p; $e -r; $p' 1000 500
golden "the share of ecadmin's events is none of pctr's" <<'END'
tsc
ctr0                    -  off
ctr1                    -  off
tsc
ctr0                    -  off
ctr1                    -  off
END

on "$v34" '$p -s 1 -f 0x19 -k; $p'
golden "counter 1 counts without a function of counter 0" <<'END'
tsc
ctr0                    -  on, and counts nothing
ctr1                  125  19 k   l1d_misses
END

on "$v34" '$p -s 0 -f 0 -u; taskset -c 0 $p -a'
golden "-a shows each CPU that the caller may use" <<'END'
cpu0
tsc
ctr0                  100  00 u   cycles
ctr1                    -  off
END

on "$v34" 'FAKE_UID=1000 $p -s 0 -f f -u; echo "= $?"; FAKE_UID=1000 $p; echo "= $?"'
golden "every user reads, root sets" <<'END'
pctr: cannot open /dev/pctr: permission denied
pctr: only root can change the counters of all CPUs
= 1
tsc
ctr0                    -  off
ctr1                    -  off
= 0
END

on none 'export IRIXPERF_EVENTMAP=/no/such; $p -s 0 -f f -u; echo "= $?"; $p; echo "= $?"; $p -l; echo "= $?"'
grep -c '^pctr: cannot count: ' log | grep -qx 2 && grep -qx tsc log &&
	[ "$(grep -c '^= 1$' log)" -eq 2 ] && grep -qx '= 0' log
result $? "without counters there is the time stamp, and nothing else works"

for words in "-s 0 -f 21 -u" "-s 0 -f 10 -u" "-s 1 -f xyz -u" "-s 1 -f tlb_mises -u" \
		"-s 2 -f 1 -u" "-s 2" "-s 9 -f 1 -u" "-s 0 -u" "-f f -u" "-u" \
		"-s 0 -f f -u -e" "-s 0 -f f -u -m 1" "-s 0 -f f -u -m 1ff" "-s 0 -f f -u -t 256" \
		"-s 0 -f f -u -t -1" "-s 0 -t 0" "-m 0" "-a -l" "-r -l" "word" "-s 0 -f -u" "-Z" "-s" "-s 0 -f ffffffffff -k"; do
	on "$v34" "\$p $words; echo \"= \$?\"; \$p"
	{ grep -q '^pctr: ' log || grep -q 'invalid option\|requires an argument' log; } &&
		grep -qx '= 2' log && [ "$(grep -c ' off$' log)" -eq 2 ]
	result $? "refused, with a message, and nothing is set: $words"
done

on "$v34" '$p -s 0 -f 15 -u; $p -s 1 -f 25 -u; $p -s 1 -f f -u; $p -s 1 -f tlb_mises -u'
golden "messages say what to type" <<'END'
pctr: counter 0 cannot count event 15 (graduated_fp_instructions): set counter 1 (-s 1)
pctr: unknown event 25: numbers are hexadecimal and end at 1f; event 25 is 19
pctr: pctr -l lists all events
pctr: counter 1 cannot count event 0f (graduated_instructions): set counter 0 (-s 0)
pctr: unknown event 'tlb_mises': did you mean tlb_misses (17)?
pctr: pctr -l lists all events
END

on "$r12k" '$p -s 0 -f 15 -u; $p -s 1 -f 15 -u; $p; $p -s 1 -f 15 -k; echo "= $?"; $p'
golden "an R12000 counts any event on either counter, and one event in two ways" <<'END'
tsc
ctr0                  121  15 u   graduated_fp_instructions
ctr1                  121  15 u   graduated_fp_instructions
= 0
tsc
ctr0                  121  15 u   graduated_fp_instructions
ctr1                  121  15 k   graduated_fp_instructions
END

on "$v34" '$p -s 0 -f f -u; $e -e 3; $e -d 3; echo "= $?"; $e -l'
golden "ecadmin leaves no system mode without an event in kernel mode" <<'END'
ecadmin: cannot leave only events of pctr, in user mode; to release the counters: ecadmin -r
= 1
 3 issued_stores                      Stores issued to the address unit, store conditionals included
15 graduated_instructions             Instructions graduated; integer multiply and divide count two [only user]
END

on "$r12k" '$p -s 0 -f 15 -u; $e -l; $p -s 1 -f 15 -k; $e -l; $s -s 1 0.1; echo "= $?"'
golden "ecadmin and ecstats show functions by number, and say who shows the others" <<'END'
21 graduated_fp_instructions          Floating-point operations graduated; a multiply-add counts one [only user]
ecadmin: system mode counts nothing that has a number here; pctr -a shows functions
ecstats: system mode counts nothing that has a number here; pctr -a shows functions
= 1
END

for model in "$v34" "$r12k"; do
	on "$model" '$p -l'
	"$build/fake-machine" "$model" 1 1 "$build/ecadmin-fake" -e '?' | awk '{
		$1 = sprintf("%02x", $1); print }' > expected
	awk 'NR > 1 { $2 = ""; $0 = $0; $1 = $1; print }' log > listed
	diff expected listed > log
	result $? "-l lists each event with its counter: $model"
done
on "$v34" '$p -l'
awk 'NR > 1 { print $2 }' log | uniq -c | awk '{ print $1, $2 }' > counters
printf '16 0\n16 1\n' | diff - counters > log
result $? "-l lists each event with its counter: half of them have counter 0"
}

# Words that nobody has thought of. TEST_SEED repeats them
python3 - "$build/fake-machine" "$v34" "$p" > log 2>&1 <<'END'
import os, random, subprocess, sys
seed = int(os.environ.get("TEST_SEED", 42))
print("seed", seed)
some = random.Random(seed)
words = ["-s", "0", "1", "3", "-f", "f", "tlb_misses", "1f", "-u", "-k", "-e", "-i", "-m",
         "-M", "-E", "-S", "-I", "-A", "-t", "-a", "-l", "-r", "--help", "--", "", "%s%n",
         "-1", "0x", "9" * 40, "\u00e9", "-s0", "-ff", "-uk", "a" * 5000]
for _ in range(30):
    line = [some.choice(words) for _ in range(some.randrange(7))]
    ran = subprocess.run([sys.argv[1], sys.argv[2], "1", "1", sys.argv[3], *line],
                         capture_output=True, timeout=60)
    if ran.returncode not in (0, 1, 2) or b"Sanitizer" in ran.stderr or \
            (ran.returncode and not ran.stderr):
        sys.exit("%r: %d %s" % (line, ran.returncode, ran.stderr[-500:]))
    subprocess.run([sys.argv[1], sys.argv[2], "1", "1", sys.argv[3], "-r"],
                   capture_output=True, timeout=60)
END
result $? "any words are used or refused"

# Core is the CPU of which libpfm4 has such unit masks
if "$build/pctr-list" > /dev/null 2> log; [ $? -eq 1 ] && grep -q 'not installed' log; then
	for name in "libpfm4 says which events want states of lines" \
			"libpfm4 says which events can have any agent"; do
		skip "$name" "libpfm4 is not installed"
	done
else
	LIBPFM_FORCE_PMU=core "$build/pctr-list" > log
	grep -q '^2e .*L2_RQSTS (MESI): ' log && [ "$(grep -c ' (MESI)' log)" -lt 20 ]
	result $? "libpfm4 says which events want states of lines"
	LIBPFM_FORCE_PMU=core "$build/pctr-list" > log
	grep -q '^70 .*BUS_TRANS_ANY (A): ' log && [ "$(grep -c ' (A)' log)" -lt 60 ]
	result $? "libpfm4 says which events can have any agent"
fi
finish
