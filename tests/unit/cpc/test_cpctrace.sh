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

# good NAME WORDS...: these probes exist; bad TEXT NAME WORDS...: they do not
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
	text=$1 name=$2
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
bad "cpctrace has the probes" "cpc.0.01: other providers are refused" syscall:::entry \
	fbt:::return io:::start nothing :::x-1 cycles-user-5000
good "cpc.1.01: EVENT-MODE-COUNT" cpc:::tlb_misses-user-5000 cpc:::TLB-MISSES-kernel-10000 \
	cpc:::15-all-2147483647 cpc:::PAPI_L2_dcm-all-5000
bad "is named EVENT-MODE-COUNT" "cpc.1.01: a part is missing" cpc:::cycles cpc:::cycles-5000 cpc:::-
bad "the mode is user, kernel or all" "cpc.1.01: a wrong mode" cpc:::cycles-usr-5000 cpc:::cycles-USER-5000
bad "the count is a decimal number" "cpc.1.01: a wrong count" cpc:::cycles-user-5k \
	cpc:::cycles-user-0x5000 cpc:::cycles-user-
bad "the count is above" "cpc.1.01: a count that no counter has room for" cpc:::cycles-user-2147483648 \
	cpc:::cycles-user-99999999999
bad "no such event" "cpc.1.01: a wrong event" cpc:::cyclez-user-5000 cpc:::32-user-5000 cpc:::-user-5000
good "cpc.1.06: the mask may be left out" cpc:::l1d_misses-user-5000
bad "no event of this machine takes a mask" "cpc.1.07: the events of these CPUs take no mask" \
	cpc:::l1d_misses-user-0x1f-5000 cpc:::l1d_misses-user-0xAB-5000
bad "no event of this machine takes a mask" "cpc.1.08: generic events take no mask" \
	cpc:::PAPI_l1_dcm-user-0x1-5000
bad "a mask is a hexadecimal number" "cpc.1.09: a mask is hexadecimal" cpc:::l1d_misses-user-31-5000
bad "a mask is a hexadecimal number" "cpc.1.09: a mask with bad digits" cpc:::l1d_misses-user-0x-5000 \
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
	# As many at a time as a program may have
	echo "$events" | sed 's/.*/cpc:::&-all-5000/' | xargs -n 32 | tr ' ' ',' > probes
	bad=0
	while read -r probes; do
		on "$model" -l -n "$probes"
		[ "$status" -eq 0 ] || bad=1
		grep -o 'cpc:::[^,]*' <<-END | sed 's/cpc::://' > expected
			$probes
		END
		awk 'NR > 1 { print $3 }' out | cmp -s - expected || bad=1
	done < probes
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
	tr -s ' \t' ' ' < out | grep -q "^ $1$"
	check $? "$2"
}
stability "Provider Evolving Evolving Common" "cpc.6.01: stability of the provider"
stability "Module Private Private Unknown" "cpc.6.02: stability of the module"
stability "Function Private Private Unknown" "cpc.6.03: stability of the function"
stability "Name Evolving Evolving CPU" "cpc.6.04: stability of the name"
stability "Arguments Evolving Evolving Common" "cpc.6.05: stability of the arguments"

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
mkdir -p root/etc/r10kperf
printf '# comment\nname="dcpc" parent="pseudo";\ndcpc-min-overflow=300;\n' > root/etc/r10kperf/dcpc.conf
if mkdir -p /etc/r10kperf 2> /dev/null && mount --bind root/etc/r10kperf /etc/r10kperf 2> /dev/null; then
	on "$v34" -l -n cpc:::cycles-user-300
	status_is 0 "cpc.4.03: so does dcpc.conf"
	on "$v34" -l -n cpc:::cycles-user-299
	status_is 2 "cpc.4.03: its minimum holds"
	umount /etc/r10kperf
else
	skip "cpc.4.03: so does dcpc.conf" "no right to mount"
	skip "cpc.4.03: its minimum holds" "no right to mount"
fi

# refused TEXT PROGRAM: the message has the text
refused()
{
	on "$v34" -l -n "$2"
	[ "$status" -eq 2 ] && grep -qF -- "$1" err
	check $? "refused: $2"
}

refused "aggregating function 'quantize' is not supported" 'BEGIN { @ = quantize(1); }'
refused "aggregating function 'avg' is not supported" 'BEGIN { @ = avg(1); }'
refused "action 'trace' is not supported" 'BEGIN { trace(1); }'
refused "action 'system' is not supported" 'BEGIN { system("ls"); }'
refused "action 'stop' is not supported" 'BEGIN { stop(); }'
refused "action 'copyout' is not supported" 'BEGIN { copyout(1, 2, 3); }'
refused "function 'copyinstr' is not supported" 'BEGIN { x = copyinstr(arg0); }'
refused "'self->' is not supported" 'BEGIN { self->x = 1; }'
refused "'self->' is not supported" 'BEGIN { x = self->x; }'
refused "the array 'a' is not supported" 'BEGIN { a[1] = 2; }'
refused "'uid' is not known" 'BEGIN { x = uid; }'
refused "'curthread->' is not supported" 'BEGIN { x = curthread->t_pid; }'
refused "'y' is not known" 'BEGIN { x = y; }'
refused "'pid' cannot be assigned to" 'BEGIN { pid = 1; }'
refused "'x' is a number" 'BEGIN { x = 1; x = "a"; }'
refused "'==' between a number and a string" 'BEGIN /execname == 1/ { }'
refused "'+' needs numbers" 'BEGIN { x = "a" + "b"; }'
refused "a predicate needs a number" 'BEGIN /execname/ { }'
refused "no argument \$1 on the command line" 'BEGIN { exit($1); }'
refused "'\$pid' is not supported" 'BEGIN { exit($pid); }'
refused "cannot begin with 'the end'" 'BEGIN { x = 1;'
refused "';' is expected before 'y'" 'BEGIN { x = 1 y = 2 }'
refused "there is no clause" ' '
refused "an expression is expected before ';'" 'BEGIN { x = ; }'
refused "expression alone does nothing" 'BEGIN { x; }'
refused "@b is not known here" 'BEGIN { printa(@b); }'
refused "other keys or another function" 'BEGIN { @a[1] = count(); @a[1, 2] = count(); }'
refused "keys of other types" 'BEGIN { @a[1] = count(); @a["x"] = count(); }'
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
refused "an expression is too deep" "BEGIN { x = ${deep}1; }"
long=$(printf '1+%.0s' $(seq 300))
refused "too many operators" "BEGIN { x = ${long}1; }"

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
	printf("%d %d %d %d %d\n", 2 + 3 * 4, (2 + 3) * 4, 7 / 2, -7 % 3, 1 << 4 | 3);
	printf("%d %d %d %d\n", 1 < 2 && 2 < 1, 1 || 0, 5 ^^ 3, !3);
	printf("%x %o %u %c %5d|%-5d|%05d %%\n", 255, 8, ~0, 65, 42, 42, 42);
	printf("%c%c%c%c\n", 200, 27, 127, 0x141);
	printf("%s %d\n", 1 ? "yes" : "no", 0x10 + 010);
	x = 9223372036854775807; x++; printf("%d %d\n", x, x / -1); exit(0) }' <<'END'
14 20 3 -1 19
0 1 0 0
ff 10 18446744073709551615 A    42|42   |00042 %
???A
yes 24
-9223372036854775808 -9223372036854775808
END
prints "variables, predicates and arguments" 'BEGIN { n = $1; s = $$2; n += 2; n--; }
	BEGIN /n == 6 && s == "word"/ { printf("%d %s %d\n", n, s, n++ + 10); }
	BEGIN /s < "word"/ { printf("not this\n"); }
	BEGIN { printf("%d %s %s|%s|%s\n", n, probename, probeprov, probemod, probefunc); exit(n); }' 5 word <<'END'
6 word 16
7 BEGIN dtrace||
END
status_is 7 "exit() decides the status"
prints "aggregations are sorted by their values" 'BEGIN { @a["x"] = count(); @a["y"] = count();
	@a["y"] = count(); @s[1, "k"] = sum(40); @s[1, "k"] = sum(2); @s[2, "k"] = sum(-1);
	@n = count(); printa(@a); printa("%d/%s=%@d\n", @s); exit(0); } END { trunc(@s, 1); printa("%@x\n", @s);
	trunc(@s); printa(@s); }' <<'END'

  x                                                                 1
  y                                                                 2
2/k=-1
1/k=42
2a


                1
END
prints "a division by zero ends its clause" 'BEGIN { z = 0; printf("a\n"); x = 1 / z; printf("b\n"); }
	BEGIN { printf("c\n"); exit(0); }' <<'END'
a
c
END
err_has "1 clauses ended early: division by zero" "and is reported"
prints "END follows exit()" 'BEGIN { exit(0); } tick-1s { printf("no\n"); } END { printf("end\n"); }' <<'END'
end
END
prints "ticks" 'tick-100ms { i++; } tick-100ms /i == 3/ { printf("%d\n", i); exit(0); }' <<'END'
3
END
on "$v34" -q -c 'sleep 0.1' -n 'END { printf("%d\n", $target > 1); }'
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
other=/dev/null
[ "$(id -u)" -ne 0 ] || { chown 65534 file 2> log && other="file"; }
on "$v34" -q -o "$other" -n 'BEGIN { printf("y\n"); exit(0); }'
[ "$status" -eq 1 ] && grep -q "belongs to another user" err && [ "$(cat file)" = x ]
check $? "-o: another user's file gets nothing"
ln -s file link
on "$v34" -q -o link -n 'BEGIN { printf("y\n"); exit(0); }'
[ "$status" -eq 1 ] && grep -q "symbolic link" err && [ "$(cat file)" = x ]
check $? "-o: nor does what a symbolic link names"
printf '#!/usr/bin/env -S cpctrace -s\nBEGIN { printf("%%d\\n", $1 + 1); exit(0); }\n' > script.d
on "$v34" -q -s script.d 41
out_has 42 "-s: a script with arguments"
head -c 70000 /dev/zero | tr '\0' ' ' > large.d
on "$v34" -s large.d
err_has "longer than 65536 bytes" "-s: a file that is too large"
on "$v34" -s /no/such
status_is 2 "-s: a file that is not there"

for words in "-n" "-z" "" "-P cpc" "-l -P syscall" "-p 99999999 -n BEGIN" "-n BEGIN -s x" \
	"-x foo -n BEGIN" "-c a -p 1 -n BEGIN"; do
	# shellcheck disable=SC2086 # these are words
	on "$v34" $words
	status_is 2 "bad command line: $words"
done
for word in "" "  "; do
	on "$v34" -c "$word" -n BEGIN
	[ "$status" -eq 2 ] && [ "$(wc -l < err)" -eq 1 ] && grep -qF -- "-c 'sleep 1'" err
	check $? "-c '$word': the message says what to type"
done
# shellcheck disable=SC2046 # these are words
on "$v34" -c "echo $(echo $(seq 64))" -n BEGIN
err_has "up to 64 words" "-c with more words than cpctrace takes"
FAKE_UID=1000 run "$build/fake-machine" "$v34" 1 1 "$build/cpctrace-fake" -n cpc:::cycles-kernel-5000
[ "$status" -eq 1 ] && grep -q "only root" err
check $? "other users cannot enable probes"
for model in "$v34" "$r12k"; do
	on "$model" -q -n 'cpc:::l1i_misses-user-5000,cpc:::l1d_misses-user-5000,cpc:::tlb_misses-user-5000 { }'
	[ "$status" -eq 1 ] && grep -q "no counter is left" err
	check $? "cpc.3.09: ${model%% *}: three probes do not fit two counters"
done
on "$v34" -q -n 'cpc:::l1i_misses-user-5000,cpc:::l2_instruction_misses-user-5000 { }'
[ "$status" -eq 1 ] && grep -q "no counter is left" err
check $? "cpc.3.08: R10000: two probes of one counter do not fit"

for example in "$examples"/*.d; do
	on "$v34" -l -s "$example"
	[ "$status" -eq 0 ] && grep -q cpc out
	check $? "example ${example##*/} is a program"
done

# Another one that is starting: a key's signal ends the wait
exec 9> cpctrace.lock
flock 9
for seconds in 0.5 2 8; do
	FAKE_UID=0 run timeout -s INT -k 5 $seconds "$build/fake-machine" "$v34" 1 1 \
		"$build/cpctrace-fake" -q -n 'cpc:::cycles-user-5000 { }' 9>&-
	[ -s err ] && break
done
exec 9>&-
err_has "another cpctrace is still starting" "a signal ends the wait for a cpctrace that starts"

FAKE_UID=0 "$(dirname "$0")/../lib/anywords" "$build/fake-machine" "$v34" 1 1 \
	"$build/cpctrace-fake" -- -n "BEGIN { exit(0); }" -s large.d -c true -p 1 -l -v -q -P cpc \
	-x quiet minoverflow=1 "nix:::$(printf '\033[31m')" > log 2>&1
result $? "any words are used or refused"
finish
