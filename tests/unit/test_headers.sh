#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The headers in every language standard, for both ends and both word sizes,
# and all ways of linking with one call of pkg-config.
#
# usage: test_headers.sh STAGE BUILD

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
stage=$1
dir=$2/headers
count=0
failed=0
mkdir -p "$dir" && cd "$dir" || exit 1

result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
		return
	fi
	echo "not ok $count - $2"
	sed 's/^/# /' log
	failed=1
}

skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

include=$stage/usr/include/irixperf
warn="-pedantic -Wall -Wextra -Werror"

cat > all.c <<'END'
#include <sys/hwperftypes.h>
#include <sys/hwperfmacros.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <irixperf.h>
hwperf_profevctrarg_t arg;
hwperf_prusage_t usage;
END
cp all.c all.cc

for std in c99 gnu99 c11 gnu17; do
	# shellcheck disable=SC2086
	gcc -std=$std $warn -I"$include" -c all.c -o all.o > log 2>&1
	result $? "headers compile as $std"
done
for std in c++98 c++11 c++20; do
	# shellcheck disable=SC2086
	g++ -std=$std $warn -I"$include" -c all.cc -o all.o > log 2>&1
	result $? "headers compile as $std"
done

# The same bytes as the control register has: 25 << 5 | 1 << 4 | 8 = 0x338
cat > spec.c <<'END'
#include <sys/hwperftypes.h>
const hwperf_ctrl_t spec __attribute__((section("bits"))) = {
	.hwperf_creg = { .hwp_ev = 25, .hwp_ie = 1, .hwp_mode = 8 },
};
END

# spec_bytes COMPILER OPTION BYTES NAME
spec_bytes()
{
	if ! command -v "$1" > log 2>&1; then
		skip "$4" "no $1"
		return
	fi
	if ! echo '#include <sched.h>' | "$1" "$2" -E - > /dev/null 2> log; then
		skip "$4" "$1 has no C library for $2"
		return
	fi
	"$1" "$2" -I"$include" -c spec.c -o spec.o > log 2>&1 &&
		"$("$1" -print-prog-name=objcopy)" -O binary -j bits spec.o \
			spec.bin >> log 2>&1 &&
		[ "$(od -An -tx1 -N2 spec.bin | tr -d ' ')" = "$3" ]
	result $? "$4: hwperf_spec"
	"$1" "$2" -I"$include" -I"$here" -c "$here/test_layout.c" -o layout.o \
		> log 2>&1
	result $? "$4: layout"
}

spec_bytes gcc -m64 3803 "little-endian, 64 bits"
spec_bytes gcc -m32 3803 "little-endian, 32 bits"
spec_bytes mips64-linux-gnuabi64-gcc -mabi=64 0338 "big-endian, 64 bits"
spec_bytes mips64-linux-gnuabi64-gcc -EL 3803 "little-endian MIPS"

export PKG_CONFIG_PATH="$stage/usr/lib/pkgconfig"
example=$top/compat/libirixperf/examples/evcntrs-example.c

# link NAME WORD...: "pkg" stands for pkg-config's words
link()
{
	name=$1
	shift
	# shellcheck disable=SC2046
	gcc $(for word in "$@"; do
		if [ "$word" = pkg ]; then
			pkg-config --cflags --libs irixperf
		else
			echo "$word"
		fi
	done) -o example > log 2>&1
	result $? "the example links: $name"
	: > empty.map
	IRIXPERF_EVENTMAP=$PWD/empty.map LD_LIBRARY_PATH=$stage/usr/lib \
		./example > log 2>&1
	status=$?
	if [ -e /sys/bus/event_source/devices/cpu/format/exl ]; then
		[ $status -eq 0 ]
	else
		grep -q 'failed to acquire counters: No such device' log
	fi
	result $? "the example's calls arrive: $name"
}

# Not a line of the example is for other CPUs, and still it counts there
mapped()
{
	IRIXPERF_EVENTMAP=$stage/usr/share/irixperf/maps/software.map \
		LD_LIBRARY_PATH=$stage/usr/lib ./example > log 2>&1
	status=$?
	if grep -qE 'Permission denied|not permitted' log; then
		skip "the example counts by an event map: $1" \
			"nothing may be counted here"
		return
	fi
	[ $status -eq 0 ]
	result $? "the example counts by an event map: $1"
}

link "library first" pkg "$example"
mapped "library first"
link "file first" "$example" pkg
link "static" -static pkg "$example"
mapped "static"
link "fortified" -O2 -D_FORTIFY_SOURCE=2 pkg "$example"
link "64-bit offsets" -D_FILE_OFFSET_BITS=64 pkg "$example"
link "position-dependent" -no-pie pkg "$example"

nm -D --defined-only "$stage/usr/lib/libirixperf.so.0" |
	sed -n 's/.* T \([^@]*\).*/\1/p' | sort > exported
sed -n 's/^\t\t\([a-z_]*\);.*/\1/p' "$top/compat/libirixperf/libirixperf.map" |
	sort > listed
diff exported listed > log
result $? "the library exports what the version map lists"
grep -o 'irixperf_[a-z_]*(' "$include/irixperf.h" | tr -d '(' | sort -u > declared
diff exported declared > log
result $? "the header declares what the library exports"

echo "1..$count"
exit $failed
