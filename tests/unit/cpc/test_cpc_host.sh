#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The four examples of the provider's description on this machine, with software events
# in place of those of the R10000. perf record takes its samples of the same event at the
# same time, so that what else this machine does is in both.
#
# shellcheck disable=SC2016 # programs of D have $ in apostrophes
#
# usage: test_cpc_host.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
IRIXPERF_HOLDER=$1/usr/libexec/irixperf/irixperf-holder
IRIXPERF_EVENTMAP=$3/software.map
cpctrace=$1/usr/bin/cpctrace
examples=$(cd "$(dirname "$0")/../../../tools/cpc/examples" && pwd)
export IRIXPERF_HOLDER IRIXPERF_EVENTMAP

# heavy() has three of four page faults; with an argument, so many times 10^5
cat > brendan.c <<'END_OF_C'
#include <stdlib.h>
#include <sys/mman.h>

/* No part of a period, so that samples come from everywhere */
#define PAGES 1777

__attribute__((noinline)) static void heavy(char *area)
{
	long page;

	for (page = 0; page < 3 * PAGES; page++)
		*(volatile char *)(area + page * 4096) = 1;
}

__attribute__((noinline)) static void light(char *area)
{
	long page;

	for (page = 0; page < PAGES; page++)
		*(volatile char *)(area + page * 4096) = 1;
}

int main(int argc, char **argv)
{
	size_t size = 4 * PAGES * 4096L;
	char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	int round = 100000 * (argc > 1 ? atoi(argv[1]) : 1) / (4 * PAGES);

	madvise(area, size, MADV_NOHUGEPAGE);
	for (; round > 0; round--) {
		heavy(area);
		light(area + 3 * PAGES * 4096L);
		madvise(area, size, MADV_DONTNEED);
	}

	return 0;
}
END_OF_C
cc -O1 -o brendan brendan.c 2> log
result $? "the program that has page faults is built"

# both EVENT PERIOD FIELDS CPCTRACE'S WORDS...: ./out is what cpctrace prints, ./samples
# are perf's
both()
{
	event=$1 period=$2 fields=$3
	shift 3
	run perf record -q -B -N -a -e "$event" -c "$period" -o data "$cpctrace" "$@"
	perf script -i data -F "$fields" > samples 2>> err
}

# near A B BY
near()
{
	[ "${1:-0}" -gt 0 ] && [ $((${1:-0} - ${2:-0})) -le "$3" ] &&
		[ $((${2:-0} - ${1:-0})) -le "$3" ]
}

# fired PATTERN: the firings of a key
fired()
{
	sed -n "s/^  $1  *\([0-9]*\)\$/\1/p" out
}

first="cpc.5.01: the example by program: 5 x 10^5 page faults are 5 firings, as perf record says"
kernel="cpc.5.02: the example by function of the kernel: the same functions as perf record"
places="arg0 is 0 and arg1 the program's place, which ustack() begins with"

if ! perf record -q -B -N -a -e page-faults:u -c 1000 -o data true > out 2>&1; then
	for name in "$first" "$kernel" "cpc.5.03: the example by function" \
		"cpc.5.04: the same by the generic name" "$places"; do
		skip "$name" "no perf, or no right to use it for all CPUs"
	done
	finish
fi

# Which of a CPU's faults is sampled is random beside programs that have many: try again
for try in 1 2 3; do
	both page-faults:u 100000 comm -q -s "$examples/user-insts.d" -c './brendan 5'
	recorded=$(grep -c brendan samples)
	echo "try $try, perf record: $recorded" >> err
	near "$(fired brendan)" "$recorded" 1 && near "$recorded" 5 1 && break
done
check $? "$first"

both task-clock:k 110017 comm,time,ip,sym -q -s "$examples/kerncycprof.d" -c './brendan 2'
# perf record also samples cpctrace's start and end. So only its samples between the first
# and the last of the command are compared. Its period is another one: with the same, each
# of its samples would come the same time after one of cpctrace's, and so always in what
# follows such an interrupt. Of the functions that fire a hundred times: the part that
# each has among them
awk '
	NR == FNR {
		if (/^ *brendan /) {
			first = first ? first : NR
			last = NR
		}
		next
	}
	FNR >= first && FNR <= last {
		for (i = 2; i < NF; i++)
			if ($i ~ /^ffff/)
				print $(i + 1)
	}' samples samples | sort | uniq -c > recorded
sed -n 's/^  vmlinux`\([^ ]*\)  *\([0-9]*\)$/\2 \1/p' out | awk '
	NR == FNR { perf[$2] = $1; next }
	$1 >= 100 { fired[$2] = $1; all += $1; recorded += perf[$2]; n++ }
	END {
		for (f in fired) {
			differs = fired[f] / all - perf[f] / (recorded ? recorded : 1)
			print f ": " fired[f] ", perf record: " perf[f] + 0
			bad += differs > 0.1 || differs < -0.1
		}
		exit bad || n < 3
	}' recorded - > compared
status=$?
mv compared out
[ $status = 0 ]
check $? "$kernel"

# shares EXAMPLE: its firings by function are those of perf record
shares()
{
	cp "$1" out
	near "$(fired 'brendan`heavy')" "$heavy" 12 &&
		near "$(fired 'brendan`light')" "$light" 12 &&
		near "$heavy" 90 12 && near "$light" 30 12
}

# The two count the same: one perf record samples both
for try in 1 2 3; do
	run perf record -q -B -N -a -e minor-faults:u -c 1000 -o data sh -c '
		for example in brendan-l2miss papi-l2miss; do
			"$1" -q -s "$2/$example.d" -c "./brendan 6" > $example
		done' sh "$cpctrace" "$examples"
	perf script -i data -F comm,ip,sym > samples 2>> err
	heavy=$(($(grep -c '^ *brendan .* heavy$' samples) / 10))
	light=$(($(grep -c '^ *brendan .* light$' samples) / 10))
	echo "try $try, perf record: a tenth of its samples: $heavy and $light" >> err
	shares brendan-l2miss && shares papi-l2miss && break
done
shares brendan-l2miss
check $? "cpc.5.03: the example by function"
shares papi-l2miss
check $? "cpc.5.04: the same by the generic name"

run "$cpctrace" -q -c ./brendan -n 'cpc:::graduated_instructions-user-5000 /execname == "brendan"/ {
	@n = count(); @k[arg0 == 0 && arg1 != 0, ustack() != "\n"] = count(); }
	END { printa("fired %@d\n", @n); printa("places %d %d %@d\n", @k); }'
[ "$(sed -n 's/^places //p' out)" = "1 1 $(sed -n 's/^fired //p' out)" ]
check $? "$places"
finish
