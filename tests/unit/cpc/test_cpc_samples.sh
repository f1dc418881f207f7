#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What cpctrace asks of perf, and what it makes of perf's lines, with a fake perf that
# prints lines of files. accept:cpctrace has the real one.
#
# shellcheck disable=SC2016 # programs of D have $ in apostrophes
#
# usage: test_cpc_samples.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
build=$2
IRIXPERF_HOLDER=$build/fake-holder
HERE=$(pwd)
TMPDIR=$HERE/tmp
PATH=$HERE/bin:$PATH
export IRIXPERF_HOLDER HERE TMPDIR PATH
mkdir bin tmp

# It takes commands, and begins another file at SIGUSR2. "script" prints the file
# places or stacks, once for all files
cat > bin/perf <<'END'
#!/bin/sh
case "$1 $*" in
record*)
	echo "$*" > "$HERE/asked"
	control=${*##*fd:}
	control=${control%% *}
	n=0
	trap 'n=$((n + 1)); : > data.$n' USR2
	trap ': > data; exit 0' INT TERM
	read -r word < "/proc/self/fd/${control%,*}"
	echo "$word" > "$HERE/word"
	echo ack > "/proc/self/fd/${control#*,}"
	while :; do sleep 0.02; done ;;
report*)
	cat "$HERE/stats" ;;
*" -G" | *" -G "*)
	echo "$*" > "$HERE/read"
	cat "$HERE/places"
	: > "$HERE/places" ;;
script*)
	cat "$HERE/stacks"
	: > "$HERE/stacks" ;;
esac
END
chmod +x bin/perf
v34="R10000 V3.4  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# trace MODEL PROGRAM: run it with places, stacks and stats, which are removed
trace()
{
	touch places stacks stats
	FAKE_UID=0 run "$build/fake-machine" "$1" 1000000 1000000 "$build/cpctrace-fake" -q \
		-c 'sleep 0.1' -n "$2"
	rm -f places stacks stats
}

# gives NAME: the output is the standard input
gives()
{
	cat > expected
	diff expected out > differences
	mode=$?
	[ $mode -eq 0 ] || cat differences err > log
	result $mode "$1"
}

# asks NAME MODEL PROBES TEXT: perf record gets these events
asks()
{
	trace "$2" "$3 { n++; }"
	grep -qF -- " $4" asked && [ "$(cat word)" = enable ]
	check $? "$1"
}

asks "modes and counts" "$v34" 'cpc:::tlb_misses-kernel-5000,cpc:::l1i_misses-all-6000' \
	'-e cpu/event=0x17,period=5000,name=cpcprobe0/kD -e cpu/event=0x9,period=6000,name=cpcprobe1/D'
asks "R10000: the first probe leaves its counter to one that needs it" "$v34" \
	'cpc:::cycles-user-5000,cpc:::l1i_misses-user-6000' \
	'-e cpu/event=0x10,period=5000,name=cpcprobe0/uD -e cpu/event=0x9,period=6000,name=cpcprobe1/uD'
asks "R10000: one event in two modes, on both counters" "$v34" \
	'cpc:::cycles-user-5000,cpc:::cycles-kernel-5000' \
	'-e cpu/event=0x0,period=5000,name=cpcprobe0/uD -e cpu/event=0x10,period=5000,name=cpcprobe1/kD'
asks "a generic name is an event's" "$v34" 'cpc:::PAPI_l2_dcm-user-5000' \
	'-e cpu/event=0x1a,period=5000,name=cpcprobe0/uD'
asks "R12000: one event in two modes" "$r12k" \
	'cpc:::tlb_misses-user-5000,cpc:::tlb_misses-kernel-5000' \
	'-e cpu/event=0x17,period=5000,name=cpcprobe0/uD -e cpu/event=0x17,period=5000,name=cpcprobe1/kD'

# The names of the kernel's functions are looked up only if the program prints some
for clauses in '{ n++; }' '{ @[arg0, arg1, execname, probefunc] = count(); }'; do
	trace "$v34" "cpc:::cycles-all-5000 $clauses"
	grep -q -- '--kallsyms /dev/null' read
	check $? "no names: $clauses"
done
for call in 'func(arg0)' 'ufunc(arg1)' 'sym(arg0)' 'usym(arg1)' 'stack()' 'ustack()'; do
	trace "$v34" "cpc:::cycles-all-5000 { @[$call] = count(); }"
	! grep -q kallsyms read
	check $? "names: $call"
done

all='{ printf("[%s] %d %d %d %d %x %x %s %s\n", execname, pid, tid, cpu, timestamp, arg0, arg1,
	func(arg0), ufunc(arg1)); }'
cat > places <<'END'
        wl-split    22/23    [001]     3.565468962: cpcprobe0:     1200012ac thread_work+0x5c (/usr/bin/wl-split)
              dd    30/30    [000]     3.600000001: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])
    a name of 15    31/31    [000]     4.000000000: cpcprobe0: ffffffffc0000010 mod_fn+0x0 ([ext4])
              cc    32/32    [000]     4.000000000: cpcprobe1:        1000 [unknown] ([unknown])
kworker/u4:2-events_unbound    33/33    [000]     5.000000000: cpcprobe0: ffffffff80100000 work+0x4 ([kernel.kallsyms])
END
trace "$v34" "cpc:::cycles-all-5000 $all cpc:::l1i_misses-user-5000 { printf(\"other\n\"); }"
gives "lines without stacks" <<'END'
[wl-split] 22 23 1 3565468962 0 1200012ac 0x0 wl-split`thread_work
[dd] 30 30 0 3600000001 ffffffff80112233 0 vmlinux`memcpy 0x0
[a name of 15] 31 31 0 4000000000 ffffffffc0000010 0 ext4`mod_fn 0x0
other
[kworker/u4:2-events_unbound] 33 33 0 5000000000 ffffffff80100000 0 vmlinux`work 0x0
END

# With stacks perf does not pad names. On MIPS the stack of a program is empty
cat > places <<'END'
        wl-split    22/23    [001]     3.565468962: cpcprobe0:     1200012ac thread_work+0x5c (/usr/bin/wl-split)
              dd    30/30    [000]     3.600000001: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])
END
cat > stacks <<'END'
wl-split    22/23    [001]     3.565468962: cpcprobe0: 

dd    30/30    [000]     3.600000001: cpcprobe0: 
	ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])
	ffffffff80222222 vfs_read+0x20 ([kernel.kallsyms])
	         1234568 main+0x8 (/bin/dd)

END
trace "$v34" 'cpc:::cycles-all-5000 { printf("%s %x %x\n%s%s", execname, arg0, arg1, stack(), ustack()); }'
gives "lines with stacks" <<'END'
wl-split 0 1200012ac

              wl-split`thread_work+0x5c
dd ffffffff80112233 0
              vmlinux`memcpy+0x10
              vmlinux`vfs_read+0x20
              dd`main+0x8
END

# Names that look like perf's lines, or control a terminal
printf '%b\n' '  a 1/1 [0] 1.1:     7/7    [000]     6.000000000: cpcprobe0:    1200000a0 f+0x0 (/tmp/x (y) (/tmp/z))' \
	'       \033[31mred     8/8    [000]     6.100000000: cpcprobe0:    1200000b0 g\033]0;t\007+0x0 (/tmp/x)' \
	'             two' \
	'lines     9/9    [000]     6.200000000: cpcprobe0:    1200000c0 h+0x0 (/tmp/x)' \
	'cpcprobe0: 1200000d0 i+0x0 (/tmp/x)' \
	"$(printf 'x %.0s' $(seq 3000))" \
	'                   10/10   [000]     6.300000000: cpcprobe7:    1200000d0 i+0x0 (/tmp/x)' \
	'                   11/11   [000]     6.400000000: cpcprobe0:    1200000e0 i+0x0 (/tmp/x)' > places
trace "$v34" "cpc:::cycles-all-5000 $all"
gives "names of hostile programs" <<'END'
[a 1/1 [0] 1.1:] 7 7 0 6000000000 0 1200000a0 0x0 z)`f
[?[31mred] 8 8 0 6100000000 0 1200000b0 0x0 x`g?]0;t?
[lines] 9 9 0 6200000000 0 1200000c0 0x0 x`h
[] 11 11 0 6400000000 0 1200000e0 0x0 x`i
END

# A faked sample far in the future costs others no stack
printf '%s\n' 'fake     7/7    [000]     9999.000000000: cpcprobe0:    1200000a0 f+0x0 (/tmp/x)' \
	'dd    30/30    [000]     3.600000001: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])' > places
for i in $(seq 100 399); do
	printf '%s\n' "dd    30/30    [000]     3.600000$i: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])" >> places
	printf '%s\n' "dd    30/30    [000]     3.600000$i: cpcprobe0: " '	ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])' \
		'	ffffffff80222222 vfs_read+0x20 ([kernel.kallsyms])' '' >> stacks
done
trace "$v34" 'cpc:::cycles-all-5000 /stack() != "              vmlinux`memcpy+0x10\n" && execname == "dd"/ { @ = count(); }
	END { printa("%@d\n", @); }'
[ "$(cat out)" -gt 200 ]
check $? "a faked time does not cost others their stacks"

# Symbols with lines of their own fake stacks, not places: three hundred and more of them
for i in $(seq 100 399); do
	printf '%s\n' "dd    30/30    [000]     3.600000$i: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])" >> places
	printf '%s\n' "dd    30/30    [000]     3.600000$i: cpcprobe0: " '	ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])' \
		'	ffffffff80222222 vfs_read+0x20 ([kernel.kallsyms])' '' \
		"x 1/1 [000] 999999.000000$i: cpcprobe0: " '	1234 evil+0x0 (/tmp/x)' '' >> stacks
done
trace "$v34" 'cpc:::cycles-all-5000 /stack() == "              vmlinux`memcpy+0x10\n              vmlinux`vfs_read+0x20\n"/ { @ = count(); }
	END { printa("%@d\n", @); }'
[ "$(cat out)" -eq 300 ]
check $? "nor do faked stacks"
{
	for i in $(seq 100 299); do
		printf '%s\n' "x 1/1 [000] 999999.000000$i: cpcprobe0: " '	1234 evil+0x0 (/tmp/x)' ''
	done
	for i in $(seq 100 699); do
		printf '%s\n' "dd    30/30    [000]     3.600000$i: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])" >> places
		printf '%s\n' "dd    30/30    [000]     3.600000$i: cpcprobe0: " '	ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])' \
			'	ffffffff80222222 vfs_read+0x20 ([kernel.kallsyms])' ''
	done
} > stacks
trace "$v34" 'cpc:::cycles-all-5000 /stack() == "              vmlinux`memcpy+0x10\n              vmlinux`vfs_read+0x20\n"/ { @ = count(); }
	END { printa("%@d\n", @); }'
[ "$(cat out)" -ge 400 ]
check $? "two hundred at once cost others no more than that"

# After exit() only END fires
until_exit()
{
	touch stacks stats
	FAKE_UID=0 run "$build/fake-machine" "$v34" 1000000 1000000 "$build/cpctrace-fake" -q -n "$1"
}
cat > places <<'END'
dd    30/30    [000]     3.600000001: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])
END
until_exit 'cpc:::cycles-all-5000 { exit(5); } tick-100ms { printf("tick\n"); exit(7); }'
[ "$status" -eq 5 ] && [ ! -s out ]
check $? "a tick that finds the sample that has ended the program does not fire"
cat > places <<'END'
dd    30/30    [000] 99999999.600000001: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])
END
trace "$v34" 'BEGIN { exit(6); } cpc:::cycles-all-5000 { printf("fired\n"); }'
[ "$status" -eq 6 ] && [ ! -s out ]
check $? "no sample fires after the exit() of BEGIN"
cat > places <<'END'
dd    30/30    [000] 99999999.600000001: cpcprobe0: ffffffff80112233 memcpy+0x10 ([kernel.kallsyms])
END
until_exit 'cpc:::cycles-all-5000 { n++; } tick-100ms { exit(8); } END { printf("%d\n", n); }'
[ "$status" -eq 8 ] && [ "$(cat out)" = 0 ]
check $? "nor one that is later than that of a tick"

printf '%s\n' '        wl-split    22/23    [001]     3.565468962: PERF_RECORD_LOST lost 12' \
	'        wl-split    22/23    [001]     3.565468963: PERF_RECORD_LOST_SAMPLES lost 30' > places
printf '%s\n' '      THROTTLE events:          3  ( 5.3%)' > stats
trace "$v34" 'cpc:::cycles-all-5000 { n++; }'
err_has "42 drops: perf could not keep up" "lost samples are told"
err_has "stopped a counter 3 times" "so are those that the kernel has not taken"

# Each second, and at the end: the statistics of all files are added up
printf '%s\n' '      THROTTLE events:          3  ( 5.3%)' > stats
cat > places <<'END'
        wl-split    22/23    [001]     3.565468962: cpcprobe0:     1200012ac thread_work+0x5c (/usr/bin/wl-split)
END
touch stacks
FAKE_UID=0 run "$build/fake-machine" "$v34" 1000000 1000000 "$build/cpctrace-fake" -q -n 'cpc:::cycles-all-5000 { n++; }
	tick-200ms { i++; printf("tick %d %d\n", i, n); } tick-200ms /i == 2/ { exit(3); }'
gives "a tick sees the samples before it" <<'END'
tick 1 1
tick 2 1
END
[ "$status" -eq 3 ] && grep -q "stopped a counter 9 times" err
check $? "all files count"
[ -z "$(ls tmp)" ]
check $? "no file is left behind"
rm bin/perf
PATH=$HERE/bin:/nowhere FAKE_UID=0 run "$build/fake-machine" "$v34" 1 1 "$build/cpctrace-fake" -q -n 'cpc:::cycles-all-5000 { n++; }'
[ "$status" -eq 1 ] && grep -q "perf, which takes the samples, does not start" err
check $? "without perf it is said what to install"
finish
