#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The headers in every language standard, for both byte orders and both word sizes;
# all ways of linking with one call of pkg-config; the example programs.
#
# usage: test_headers.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
stage=$1

# Those of the other systems' interfaces lie beside the library's
include=$PWD/include
mkdir -p "$include"
for part in irixperf pctr pmc; do
	cp -R "$stage/usr/include/$part/." "$include"
done
warn="-pedantic -Wall -Wextra -Werror"

cat > all.c <<'END'
#include <sys/hwperftypes.h>
#include <sys/hwperfmacros.h>
#include <sys/procfs.h>
#include <sys/profil.h>
#include <sys/syssgi.h>
#include <sys/sysmp.h>
#include <sys/timers.h>
#include <sys/ptimers.h>
#include <sys/sbd.h>
#include <sys/cpu.h>
#include <sys/invent.h>
#include <invent.h>
#include <mutex.h>
#include <time.h>
#include <irixperf.h>
#include <irixperf-door.h>
#include <machine/cpu.h>
#include <machine/pctr.h>
#include <pctr.h>
#include <machine/pmc.h>
#include <sys/pmc.h>
#include <pmc.h>
hwperf_profevctrarg_t arg;
hwperf_prusage_t usage;
prusage_t used;
prpsinfo_t info;
prmap_t map;
inventory_t entry;
struct prof prof;
timespec_t timers[MAX_PROCTIMER];
int clock_number = CLOCK_SGI_CYCLE;
END
cp all.c all.cc

find "$include" -name '*.h' -printf '#include <%P>\n' | sort > there
sed -n '/^#include/p' all.c | sort > asked
diff there asked > log
result $? "all headers are tested"

# Each header alone, and after all others: none needs or disturbs another
for line in $(sed -n 's/^#include <\(.*\)>/\1/p' there); do
	printf '#include <%s>\nextern int alone;\n' "$line" > alone.c
	gcc -std=c89 -pedantic -Wall -Wextra -Werror -I"$include" -c alone.c \
		-o alone.o > log 2>&1 &&
		cat all.c alone.c > both.c &&
		gcc -Wall -Wextra -Werror -I"$include" -c both.c -o both.o \
			> log 2>&1
	result $? "$line needs no other header before it"
done

# Compiling needs no libraries. The C library's headers are the same for all word
# sizes, except lists of functions that a library lacks, which are stubs here
mkdir -p stubs/gnu
for abi in 32 o32_hard o32_hard_2008 n32_hard n32_hard_2008; do
	: > "stubs/gnu/stubs-$abi.h"
done
stubs="-idirafter $PWD/stubs"
half="-m32 $stubs -idirafter /usr/include/$(gcc -print-multiarch)"

# standards COMPILER FILE STANDARD...
standards()
{
	compiler=$1
	file=$2
	shift 2
	shown=${compiler%% -idirafter*}
	if ! command -v "${compiler%% *}" > log 2>&1; then
		skip "headers compile with $shown" "no ${compiler%% *}"
		return
	fi
	for std; do
		# shellcheck disable=SC2086
		$compiler -std="$std" $warn -I"$include" -c "$file" -o all.o \
			> log 2>&1
		result $? "headers compile with $shown as $std"
	done
}

mips=mips64-linux-gnuabi64-gcc
for compiler in "gcc -m64" "gcc $half" clang; do
	standards "$compiler" all.c c89 gnu89 c99 gnu99 c11 gnu11 c17 gnu17 \
		c2x gnu2x
done
for compiler in "clang $half" $mips "$mips -EL" "$mips -mabi=32 $stubs" \
		"$mips -mabi=32 -EL $stubs" "$mips -mabi=n32 $stubs" \
		"$mips -mabi=n32 -EL $stubs"; do
	standards "$compiler" all.c c89 gnu17 c2x
done
for compiler in "g++ -m64" clang++; do
	standards "$compiler" all.cc c++98 gnu++98 c++11 c++14 c++17 c++20 \
		c++2b gnu++2b
done
for compiler in "g++ $half" "clang++ $half"; do
	standards "$compiler" all.cc c++98 c++17 gnu++2b
done

# The same bytes as the control register has: 25 << 5 | 1 << 4 | 8 = 0x338
cat > spec.c <<'END'
#include <sys/hwperftypes.h>
const hwperf_ctrl_t spec __attribute__((section("bits"))) = {
	.hwperf_creg = { .hwp_ev = 25, .hwp_ie = 1, .hwp_mode = 8 },
};
END

# spec_bytes COMPILER BYTES NAME
spec_bytes()
{
	compiler=$1
	# shellcheck disable=SC2086
	$compiler -I"$include" -c spec.c -o spec.o > log 2>&1 &&
		"$(${compiler%% *} -print-prog-name=objcopy)" -O binary -j bits \
			spec.o spec.bin >> log 2>&1 &&
		[ "$(od -An -tx1 -N2 spec.bin | tr -d ' ')" = "$2" ]
	result $? "$3: hwperf_spec"
	# shellcheck disable=SC2086
	$compiler -D_GNU_SOURCE -I"$include" -I"$here/../lib" -c "$here/test_layout.c" \
		-o layout.o > log 2>&1
	result $? "$3: layout"
}

spec_bytes "gcc -m64" 3803 "little-endian, 64 bits"
spec_bytes "gcc $half" 3803 "little-endian, 32 bits"
spec_bytes "$mips -mabi=32 $stubs" 0338 "big-endian, 32 bits"
spec_bytes "$mips -mabi=n32 $stubs" 0338 "big-endian, 32 bits in 64"
spec_bytes "$mips -mabi=64" 0338 "big-endian, 64 bits"
spec_bytes "$mips -EL" 3803 "little-endian MIPS"
spec_bytes "$mips -mabi=32 -EL $stubs" 3803 "little-endian MIPS, 32 bits"

# The library's own files compile for 32 bits; they cannot be linked here
# half_compiles COMPILER
half_compiles()
{
	compile="$1 -std=gnu11 -Wall -Wextra -Werror -fsyntax-only
		-D_FILE_OFFSET_BITS=64 -I$include
		$(grep -v '^#' "$lib/src/layers" | sed "s|^|-I$lib/src/|")
		-I$top/drivers/perf/mips_r10k"
	files=
	for file in "$lib"/src/*/*.c "$lib"/door/*.c "$lib"/holder/*.c; do
		[ "${file##*/}" = preload.c ] || files="$files $file"
	done
	# shellcheck disable=SC2086
	$compile $files > log 2>&1 &&
		$compile @preload.flags "$lib"/door/*.c >> log 2>&1
	result $? "the library compiles with ${1%% -idirafter*}"
}

lib=$top/compat/libirixperf
# The object for LD_PRELOAD has compiler flags of its own
# shellcheck disable=SC2016
printf 'include %s/door/wrap.mk\n$(file >preload.flags,$(PRELOAD))\nall: ;\n' \
	"$lib" | make -s --no-print-directory -f - > /dev/null
half_compiles "gcc $half"
half_compiles "$mips -mabi=n32 $stubs"

export PKG_CONFIG_PATH="$stage/usr/lib/pkgconfig"
examples=$top/compat/libirixperf/examples

# compile WORD...: "pkg" stands for pkg-config's words
compile()
{
	# shellcheck disable=SC2046
	gcc $(for word in "$@"; do
		if [ "$word" = pkg ]; then
			pkg-config --cflags --libs irixperf
		else
			echo "$word"
		fi
	done) > log 2>&1
}

# A user's compiler must print nothing about these programs
for source in "$examples"/*-style.c; do
	name=$(basename "$source" .c)
	compile pkg "$source" -o "$name" && [ ! -s log ]
	result $? "$name compiles as it is, without a warning"
	compile -Wall -Wextra -Werror pkg "$source" -o "$name"
	result $? "$name compiles without a warning if asked for some"
	compile -O2 -static "$source" pkg -o "$name.static"
	result $? "$name links statically"
done
compile pkg "$examples/evcntrs-example.c" -o example && [ ! -s log ]
result $? "the worked example compiles as it is, without a warning"

# A map without events
: > empty.map

# Without counters the programs say so, and do what needs none
have_counters()
{
	[ -e /sys/bus/event_source/devices/cpu/format/exl ]
}

# runs PROGRAM WORDS: its output has these words, with or without counters
runs()
{
	IRIXPERF_EVENTMAP=$PWD/empty.map LD_LIBRARY_PATH=$stage/usr/lib \
		"./$1" > out 2>&1
	status=$?
	{ cat out; echo "status $status"; } > log
	if have_counters; then
		[ $status -eq 0 ] && grep -q "$2" out
	else
		[ $status -eq 1 ] && grep -q 'No such device' out &&
			grep -q "$2" out
	fi
	result $? "$1 runs"
}

runs papi-style "^program: papi-style, arguments: ./papi-style, text: found"
runs papi-style.static "^program: papi-style.static,"
runs paradyn-style "^clock: clock_gettime, "
runs paradyn-style "^runtime: .* go on"
runs paradyn-style.static "^runtime: .* go on"
runs charm-style .
runs charm-style.static .

# counts PROGRAM WORDS: the same with a map of software events
counts()
{
	IRIXPERF_EVENTMAP=$stage/usr/share/irixperf/maps/software.map \
		LD_LIBRARY_PATH=$stage/usr/lib "./$1" > log 2>&1
	status=$?
	if grep -qE 'Permission denied|not permitted' log; then
		skip "$1 counts by an event map" "nothing may be counted here"
		return
	fi
	[ $status -eq 0 ] && grep -qE "$2" log
	result $? "$1 counts by an event map"
}

for static in "" .static; do
	counts "papi-style$static" "^first run: instructions [1-9]"
	counts "paradyn-style$static" "^daemon: 10 samples, 0 went back"
	counts "charm-style$static" "^generation: positive"
done

names=$here/../lib/names.c

# A program may have functions of its own with these names
cat > own.c <<'END'
#include <stddef.h>
long syssgi(int request) { return request; }
long sysmp(int cmd) { return cmd; }
int get_cpu(void) { return -7; }
void *getinvent(void) { return NULL; }
int open(const char *path, int flags, ...);
int main(void)
{
	return syssgi(1) != 1 || sysmp(2) != 2 || get_cpu() != -7 ||
	       getinvent() || open("/proc/0", 0) >= 0;
}
END

# link NAME WORD...: compiles the example with these words for gcc, and runs it
link()
{
	name=$1
	shift
	compile "$@" "$examples/evcntrs-example.c" -o example
	result $? "the example links: $name"
	IRIXPERF_EVENTMAP=$PWD/empty.map LD_LIBRARY_PATH=$stage/usr/lib \
		./example > log 2>&1
	status=$?
	if have_counters; then
		[ $status -eq 0 ]
	else
		grep -q 'failed to acquire counters: No such device' log
	fi
	result $? "the example's calls arrive: $name"
	compile "$@" "$names" -o names &&
		LD_LIBRARY_PATH=$stage/usr/lib ./names > log 2>&1
	result $? "IRIX's functions are there: $name"
	compile "$@" own.c -o own &&
		LD_LIBRARY_PATH=$stage/usr/lib ./own > log 2>&1
	result $? "a program keeps functions of its own: $name"
}

# The example has no code for other CPUs, but it counts there by a map
mapped()
{
	compile "$@" "$examples/evcntrs-example.c" -o example
	IRIXPERF_EVENTMAP=$stage/usr/share/irixperf/maps/software.map \
		LD_LIBRARY_PATH=$stage/usr/lib ./example > log 2>&1
	status=$?
	if grep -qE 'Permission denied|not permitted' log; then
		skip "the example counts by an event map: $*" \
			"nothing may be counted here"
		return
	fi
	[ $status -eq 0 ]
	result $? "the example counts by an event map: $*"
}

link "library first" pkg
link "static" -static pkg
link "fortified" -O2 -D_FORTIFY_SOURCE=2 pkg
link "64-bit offsets" -D_FILE_OFFSET_BITS=64 pkg
link "position-dependent" -no-pie pkg
link "only what is needed" -Wl,--as-needed pkg
mapped pkg
mapped -static pkg

for source in "$examples/evcntrs-example.c" "$names" own.c; do
	name=$(basename "$source" .c)
	compile "$source" pkg -o last
	result $? "$name links: file first"
	compile -static "$source" pkg -o last
	result $? "$name links: file first, static"
done

nm -D --defined-only "$stage/usr/lib/libirixperf.so.0" |
	sed -n 's/.* [A-Z] \([^@]*\)@.*/\1/p' | grep -v '^IRIXPERF' |
	sort > exported
sed -n 's/^\t\t\([a-z_]*\);.*/\1/p' "$top/compat/libirixperf/libirixperf.map" |
	sort > listed
diff exported listed > log
result $? "the library exports what the version map lists"
grep -o 'irixperf_[a-z_]*(' "$include/irixperf.h" | tr -d '(' | sort -u > declared
diff exported declared > log
result $? "the header declares what the library exports"
nm -D --defined-only "$stage/usr/lib/libirixperf.so.0" |
	grep -vE '@@IRIXPERF_0\.1$|A IRIXPERF_0\.1$' > log
[ ! -s log ]
result $? "each exported symbol has the version IRIXPERF_0.1"

finish
