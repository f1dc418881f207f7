#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The same programs through each way to the library: linked, linked statically,
# preloaded, and with the library's own names; see doors.h.
#
# usage: test_doors.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
stage=$1

export PKG_CONFIG_PATH="$stage/usr/lib/pkgconfig"
export LD_LIBRARY_PATH="$stage/usr/lib"
export IRIXPERF_EVENTMAP="$3/software.map"
export IRIXPERF_HOLDER="$stage/usr/libexec/irixperf/irixperf-holder"
preload=$stage/usr/lib/libirixperf_preload.so.0
include=-I$stage/usr/include/irixperf
warn="-std=gnu11 -O1 -Wall -Wextra -Werror"

# through WAY PRELOAD WORD...: runs all programs, and prints their results
through()
{
	way=$1
	object=$2
	shift 2
	for program in doors doors_children; do
		# shellcheck disable=SC2086
		gcc $warn -I"$here/.." "$here/$program.c" -o "$program.$way" "$@" > log 2>&1
		result $? "$program is built: $way"
		results_of "$program" "$way" "$object"
	done
}

# results_of PROGRAM WAY PRELOAD
results_of()
{
	LD_PRELOAD=$3 timeout 300 "./$1.$2" > log 2>&1
	status=$?
	if grep -q '^1\.\.0 # SKIP' log; then
		skip "all of $1: $2" "$(sed -n 's/^1\.\.0 # SKIP //p' log)"
		return
	fi
	while read -r line; do
		case $line in
		"ok "*) count=$((count + 1))
			echo "ok $count - $2: ${line#ok * - }" ;;
		"not ok "*) count=$((count + 1)); failed=1
			echo "not ok $count - $2: ${line#not ok * - }" ;;
		"#"*)	echo "$line" ;;
		esac
	done < log
	[ $status -eq 0 ] && grep -q '^1\.\.[1-9]' log
	result $? "$1 comes to its end: $2"
}

flags=$(pkg-config --cflags --libs irixperf)
# shellcheck disable=SC2086
through linked "" $flags
# shellcheck disable=SC2086
through static "" -static $flags
through preloaded "$preload" "$include"
through by-name "" -DDOORS_API "$include" -L"$stage/usr/lib" -lirixperf
# Two doors, one behind the other, count nothing twice
# shellcheck disable=SC2086
through both "$preload" $flags

# Like users' programs, this one is not linked with the library
readelf -d doors_children.preloaded > log
! grep -q 'irixperf' log
result $? "the preloaded program is linked with nothing of ours"

names=$here/../lib/names.c

for how in "" -no-pie -fPIC "-O2 -D_FORTIFY_SOURCE=2" "-fno-plt -Wl,-z,now"; do
	# shellcheck disable=SC2086
	gcc -Wall -Wextra -Werror -Wno-address $how -DIRIXPERF_PRELOAD \
		"$include" "$names" -o names > log 2>&1 &&
		LD_PRELOAD=$preload ./names >> log 2>&1
	result $? "IRIX's functions by preloading alone: gcc $how"
done
./names > log 2>&1 || echo "status $?" >> log
grep -q '^status 3' log && grep -q '^no library' log
result $? "without it they are not there, as the program can see"
! gcc "$include" "$names" -o unlinked > log 2>&1
result $? "and who forgets to ask for that is told by the linker"

# The object exports the functions that it replaces, and no others
# shellcheck disable=SC2016
printf 'include %s/door/wrap.mk\nall:\n\t@echo $(WRAPPED)\n' \
	"$here/../../../compat/libirixperf" | make -s --no-print-directory -f - | tr ' ' '\n' |
	sort > wanted
nm -D --defined-only "$preload" | sed -n 's/.* T //p' | sort > exported
diff wanted exported > log
result $? "the object has the functions of wrap.mk, and no others"

# A user may preload it everywhere: other programs must not change
for command in "ls /proc/1" "sh -c 'echo a | cat'" "env true" "gcc --version" \
		"python3 -c 'import subprocess; subprocess.run([\"true\"])'"; do
	sh -c "$command" > before 2>&1
	before=$?
	LD_PRELOAD=$preload sh -c "$command" > after 2>&1
	after=$?
	diff before after > log && [ $before -eq $after ]
	result $? "it changes nothing for: $command"
done

# A set-user-ID program of another user gets nothing from its caller
secure()
{
	cat > which.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/auxv.h>
int main(void)
{
	printf("secure %lu syssgi %d\n", getauxval(AT_SECURE),
	       dlsym(RTLD_DEFAULT, "syssgi") != NULL);
	return 0;
}
END
	gcc which.c -o which > log 2>&1 || return 1
	LD_PRELOAD=$preload ./which > log 2>&1
	grep -q 'secure 0 syssgi 1' log || return 1
	[ "$(id -u)" -eq 0 ] && chown 65534 which && chmod u+s which ||
		return 2
	LD_PRELOAD=$preload ./which > log 2>&1
	grep -q 'secure 1' log || return 2
	grep -q 'secure 1 syssgi 0' log
}

secure
case $? in
2) skip "a setuid program ignores LD_PRELOAD" "no setuid programs here" ;;
0) result 0 "a setuid program ignores LD_PRELOAD" ;;
*) result 1 "a setuid program ignores LD_PRELOAD" ;;
esac

finish
