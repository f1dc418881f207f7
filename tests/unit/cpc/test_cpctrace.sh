#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# cpctrace's D programs: what is known, what is refused, and the names of probes, on
# machines with fake counters. What the probes do is in accept:cpctrace.
#
# shellcheck disable=SC2016 # programs of D have $ in apostrophes
#
# usage: test_cpctrace.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
build=$2
examples=$(cd "$(dirname "$0")/../../../tools/cpc/examples" && pwd)
IRIXPERF_HOLDER=$build/fake-holder
export IRIXPERF_HOLDER

# on MODEL ARG...: run cpctrace on a fake machine, with its output in ./out and ./err
on()
{
	model=$1
	shift
	FAKE_UID=0 run "$build/fake-machine" "$model" 1000000 1000000 "$build/cpctrace-fake" "$@"
}

v34="R10000 V3.4  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# good NAME WORDS...: these probes exist; bad NAME TEXT WORDS...: they do not
good()
{
	name=$1
	shift
	bad=0
	for word; do
		on "$v34" -l -n "$word"
		[ "$status" -eq 0 ] && [ "$(wc -l < out)" -eq 2 ] || bad=1
	done
	check $bad "$name"
}

bad()
{
	name=$1 text=$2
	shift 2
	bad=0
	for word; do
		on "$v34" -l -n "$word"
		[ "$status" -eq 2 ] && grep -qF -- "$text" err || bad=1
	done
	check $bad "$name"
}

good "cpc.0.01: the probes are cpc's, BEGIN, END and ticks" cpc:::cycles-user-5000 BEGIN END \
	dtrace:::BEGIN tick-1s profile:::tick-250ms tick-2
bad "cpc.0.01: other providers are refused" "cpctrace has the probes" syscall:::entry \
	fbt:::return io:::start nothing :::x-1 cycles-user-5000
good "cpc.1.01: EVENT-MODE-COUNT" cpc:::tlb_misses-user-5000 cpc:::TLB-MISSES-kernel-10000 \
	cpc:::15-all-2147483647 cpc:::PAPI_L2_dcm-all-5000
bad "cpc.1.01: a part is missing" "is named EVENT-MODE-COUNT" cpc:::cycles cpc:::cycles-5000 cpc:::-
bad "cpc.1.01: a wrong mode" "the mode is user, kernel or all" cpc:::cycles-usr-5000 cpc:::cycles-USER-5000
bad "cpc.1.01: a wrong count" "the count is a decimal number" cpc:::cycles-user-5k \
	cpc:::cycles-user-0x5000 cpc:::cycles-user-
bad "cpc.1.01: a count that no counter has room for" "the count is above" cpc:::cycles-user-2147483648 \
	cpc:::cycles-user-99999999999
bad "cpc.1.01: a wrong event" "no such event" cpc:::cyclez-user-5000 cpc:::32-user-5000 cpc:::-user-5000
good "cpc.1.06: the mask may be left out" cpc:::l1d_misses-user-5000
bad "cpc.1.07: the events of these CPUs take no mask" "no event of this machine takes a mask" \
	cpc:::l1d_misses-user-0x1f-5000 cpc:::l1d_misses-user-0xAB-5000
bad "cpc.1.08: generic events take no mask" "no event of this machine takes a mask" \
	cpc:::PAPI_l1_dcm-user-0x1-5000
bad "cpc.1.09: a mask is hexadecimal" "a mask is a hexadecimal number" cpc:::l1d_misses-user-31-5000
bad "cpc.1.09: a mask with bad digits" "a mask is a hexadecimal number" cpc:::l1d_misses-user-0x-5000 \
	cpc:::l1d_misses-user-0xg-5000

# Each event of the CPU in each mode, and as many as cpustat -h names
for model in "$v34" "$r12k"; do
	on "$model" -l -P cpc
	events=$(awk 'NR > 1 { sub(/-(user|kernel|all)-10000$/, "", $3); print $3 }' out | sort -u)
	listed=$("$build/fake-machine" "$model" 1 1 "$build/cpustat-fake" -h |
		sed -n '/event0:/,/^$/p; /generic:/,/^$/p' | sed 's/[a-z0-9]*://' | tr -s ' \t' '\n' |
		sed '/^$/d' | sort -u)
	bad=0
	[ -n "$events" ] && [ "$events" = "$listed" ] || bad=1
	[ "$(wc -l < out)" -eq $((1 + 3 * $(echo "$events" | wc -l))) ] || bad=1
	check $bad "cpc.3.03: ${model%% *}: the events of the probes are those of cpustat -h"
	bad=0
	for event in $events; do
		on "$model" -l -n "cpc:::$event-all-5000"
		[ "$status" -eq 0 ] || bad=1
	done
	check $bad "cpc.1.02: ${model%% *}: each name of cpustat -h is a probe"
done
on "$v34" -l -n cpc:::issued_instructions-user-5000
first=$status
on "$r12k" -l -n cpc:::issued_instructions-user-5000
[ "$first" -eq 0 ] && [ "$status" -eq 2 ]
check $? "cpc.3.02: R10000 and R12000 have different probes"
on "$v34" -l
[ "$status" -eq 0 ] && [ "$(wc -l < out)" -eq 1 ]
check $? "cpc.3.01: there is no probe before somebody asks for one"
on "$v34" -l -v -P cpc
stability()
{
	tr -s ' \t' ' ' < out | grep -q "^ $2$"
	check $? "$1"
}
stability "cpc.6.01: stability of the provider" "Provider Evolving Evolving Common"
stability "cpc.6.02: stability of the module" "Module Private Private Unknown"
stability "cpc.6.03: stability of the function" "Function Private Private Unknown"
stability "cpc.6.04: stability of the name" "Name Evolving Evolving CPU"
stability "cpc.6.05: stability of the arguments" "Arguments Evolving Evolving Common"

on "$v34" -l -n cpc:::cycles-user-4999
[ "$status" -eq 2 ] && grep -q "below the minimum" err
check $? "cpc.4.01: counts below 5000 are refused"
on "$v34" -l -n cpc:::cycles-user-5000
status_is 0 "cpc.4.01: 5000 is accepted"
on "$v34" -l -x minoverflow=100 -n cpc:::cycles-user-100
status_is 0 "cpc.4.02: -x minoverflow lowers the minimum"
on "$v34" -l -n '#pragma D option minoverflow=7
cpc:::cycles-user-7'
status_is 0 "cpc.4.02: so does a pragma"
on "$v34" -l -x minoverflow=0 -n cpc:::cycles-user-100
status_is 2 "cpc.4.02: there is no minimum of 0"
# refused TEXT PROGRAM: the message has the text
refused()
{
	on "$v34" -l -n "$2"
	[ "$status" -eq 2 ] && grep -qF -- "$1" err
	check $? "refused: $2"
}

refused "aggregating function 'quantize' is not supported" 'BEGIN { @ = quantize(1); }'
refused "aggregating function 'sum' is not supported" 'BEGIN { @ = sum(1); }'
refused "action 'trace' is not supported" 'BEGIN { trace(1); }'
refused "action 'system' is not supported" 'BEGIN { system("ls"); }'
refused "action 'stop' is not supported" 'BEGIN { stop(); }'
refused "function 'copyinstr' is not supported" 'BEGIN { printf("%s", copyinstr(arg0)); }'
refused "'self': variables are not supported" 'BEGIN { self->x = 1; }'
refused "'x': variables are not supported" 'BEGIN { x = 1; }'
refused "'self' is not known; variables are not supported" 'BEGIN /self->x/ { }'
refused "'uid' is not known" 'BEGIN { printf("%d", uid); }'
refused "'+' is not supported" 'BEGIN { printf("%d", 1 + 2); }'
refused "'{' is expected before '&&'" 'BEGIN /pid/&& 1 { }'
refused "a number is expected before 'pid'" 'BEGIN { exit(-pid); }'
refused "'==' between a number and a string" 'BEGIN /execname == 1/ { }'
refused "'&&' needs numbers" 'BEGIN /execname && probename/ { }'
refused "'!' needs a number" 'BEGIN /!execname/ { }'
refused "a predicate needs a number" 'BEGIN /execname/ { }'
refused "exit() needs a number" 'BEGIN { exit("a"); }'
refused "trunc() needs a number" 'BEGIN { @ = count(); trunc(@, "a"); }'
refused "func() needs an address" 'BEGIN { @[func("a")] = count(); }'
refused "'func' needs brackets" 'BEGIN { @[func] = count(); }'
refused "no argument \$1 on the command line" 'BEGIN { exit($1); }'
refused "'\$pid' is not supported" 'BEGIN { exit($pid); }'
refused "'}' is expected before the end" 'BEGIN { exit(1);'
refused "';' is expected before 'exit'" 'BEGIN { exit(1) exit(2) }'
refused "a statement is expected before '='" 'BEGIN { = }'
refused "there is no clause" ' '
refused "an expression is expected before ')'" 'BEGIN { exit(); }'
refused "@b is not known here" 'BEGIN { printa(@b); }'
refused "@a has other keys before" 'BEGIN { @a[1] = count(); @a[1, 2] = count(); }'
refused "keys of other types" 'BEGIN { @a[1] = count(); @a["x"] = count(); }'
refused "more than 8 expressions" 'BEGIN { @[1, 2, 3, 4, 5, 6, 7, 8, 9] = count(); }'
refused "printa() of several aggregations is not supported" 'BEGIN { @a = count(); @b = count(); printa(@a, @b); }'
refused "more conversions than there are values" 'BEGIN { printf("%d %d", 1); }'
refused "more values than conversions" 'BEGIN { printf("%d", 1, 2); }'
refused "does not fit the type" 'BEGIN { printf("%s", 1); }'
refused "%@ is for printa()" 'BEGIN { printf("%@d"); }'
refused "the conversions are" 'BEGIN { printf("%n"); }'
refused "a width is above 255" 'BEGIN { printf("%99999d", 1); }'
refused "a string does not end" 'BEGIN { printf("x); }'
refused "a comment does not end" 'BEGIN { /* x'
refused "only #pragma D option is known" '#include <stdio.h>'
refused "the option 'bufsize=1m' is not supported" '#pragma D option bufsize=1m'
refused "ticks are from 100 ms" 'tick-1ms'
refused "the units of tick-" 'tick-1y'
refused "no probe has a module or a function" 'cpc:unix:mutex_enter:cycles-user-5000'
refused "at most four parts" 'a:b:c:d:e'
deep=$(printf '(%.0s' $(seq 200))
refused "an expression is too deep" "BEGIN { exit(${deep}1); }"
long=$(printf '1 || %.0s' $(seq 300))
refused "too many operators" "BEGIN { exit(${long}1); }"

# prints NAME PROGRAM [ARG...]: the output is the standard input; no counter is needed
prints()
{
	name=$1
	cat > expected
	shift
	on "$v34" -q -n "$@"
	diff expected out > differences
	mode=$?
	[ $mode -eq 0 ] || cat differences err > log
	result $mode "$name"
}

prints "expressions are those of C" 'BEGIN {
	printf("%d %d %d %d\n", 1 < 2 && 2 < 1, 1 || 0 && 0, !3, !(1 > 2));
	printf("%d %d %d %d\n", 2 <= 2, 2 >= 3, -1 < 0, 1 != 1);
	printf("%d %d\n", "a" < "b", probename == "BEGIN");
	printf("%x %o %u %c %5d|%-5d|%05d %%\n", 255, 8, -1, 65, 42, 42, 42);
	printf("%5s|%-5s|%.1s %d %d\n", "ab", "ab", "ab", 0x10, 010); exit(0) }' <<'END'
0 1 0 1
1 0 1 0
1 1
ff 10 18446744073709551615 A    42|42   |00042 %
   ab|ab   |a 16 8
END
prints "predicates and arguments" 'BEGIN /$1 == 5 && $$2 == "word"/ { printf("%d %s\n", $1, $$2); }
	BEGIN /$$2 < "word"/ { printf("not this\n"); }
	BEGIN { printf("%s %s|%s|%s %s\n", probename, probeprov, probemod, probefunc, execname); exit($1); }' 5 word <<'END'
5 word
BEGIN dtrace|| cpctrace
END
status_is 5 "exit() decides the status"
prints "aggregations are sorted by their values" 'BEGIN { @a["x"] = count(); @a["y"] = count();
	@a["y"] = count(); @s[1, "k"] = count(); @s[1, "k"] = count(); @s[2, "k"] = count();
	@n = count(); printa(@a); printa("%d/%s=%@d\n", @s); exit(0); }
	END { trunc(@s, 1); printa("%@x\n", @s); trunc(@a, -1); printa("%s\n", @a); trunc(@s); printa(@s); }' <<'END'

  x                                                                 1
  y                                                                 2
2/k=1
1/k=2
2
x


                1
END
prints "END follows exit()" 'BEGIN { exit(0); } tick-1s { printf("no\n"); } END { printf("end\n"); }' <<'END'
end
END
prints "ticks" 'tick-100ms { printf("%s\n", probename); exit(0); }' <<'END'
tick-100ms
END
on "$v34" -q -c 'true' -n 'END { printf("%d\n", $target > 1); }'
out_has 1 "-c ends with the command"
on "$v34" -q -c /no/such -n 'BEGIN { }'
[ "$status" -eq 1 ] && grep -q "command not found" err
check $? "-c: a command that is not there"
on "$v34" -n 'BEGIN { printf("x"); exit(0); }'
grep -q "^  0      1                           :BEGIN x$" out && grep -q "matched 1 probe$" err &&
	grep -q "^CPU     ID                    FUNCTION:NAME$" out
check $? "headings as dtrace has them"
rm -f file
on "$v34" -q -o file -n 'BEGIN { printf("x\n"); exit(0); }'
[ "$(stat -c %a file)" = 600 ] && [ "$(cat file)" = x ]
check $? "-o: only the owner can read a new file"
printf '#!/usr/bin/env -S cpctrace -s\nBEGIN { printf("%%d\\n", $1); exit(0); }\n' > script.d
on "$v34" -q -s script.d 42
out_has 42 "-s: a script with arguments"
head -c 70000 /dev/zero | tr '\0' ' ' > large.d
on "$v34" -s large.d
err_has "longer than 65536 bytes" "-s: a file that is too large"
on "$v34" -s /no/such
status_is 2 "-s: a file that is not there"

for words in "-n" "-z" "" "-P cpc" "-l -P syscall" "-p 99999999 -n BEGIN" "-n BEGIN -s x" \
	"-x foo -n BEGIN" "-v -l -n BEGIN" "-c a -p 1 -n BEGIN"; do
	# shellcheck disable=SC2086 # these are words
	on "$v34" $words
	status_is 2 "bad command line: $words"
done
FAKE_UID=1000 run "$build/fake-machine" "$v34" 1 1 "$build/cpctrace-fake" -n 'BEGIN, cpc:::cycles-kernel-5000'
[ "$status" -eq 1 ] && grep -q "cannot enable the probes: permission denied" err && [ ! -s out ]
check $? "other users cannot enable probes"
on none -n cpc:::cycles-kernel-5000
[ "$status" -eq 1 ] && grep -q "cannot enable probes" err
check $? "without counters there is no probe"

for example in "$examples"/*.d; do
	on "$v34" -l -s "$example"
	[ "$status" -eq 0 ] && grep -q cpc out
	check $? "example ${example##*/} is a program"
done
finish
