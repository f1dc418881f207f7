#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# pmc as it is installed, with software events of this machine; and programs that are
# linked with the installed libpmc, in C and in C++, shared and static.
#
# usage: test_pmc.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
stage=$1
pmc=$1/usr/bin/pmc
IRIXPERF_EVENTMAP=$here/../../conformance/host.map
export IRIXPERF_EVENTMAP

# Touches so many pages
cat > touch.c <<'END'
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, i, size = sysconf(_SC_PAGESIZE);
	char *p = mmap(0, (n + 1) * size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, (n + 1) * size, MADV_NOHUGEPAGE);
	for (i = 0; i < n; i++)
		p[i * size] = 1;
	return argc > 2;
}
END
gcc -O1 touch.c -o touch

# count PAGES: what pmc counts in user mode
count()
{
	"$pmc" -c dcache-miss ./touch "$1" 2>&1 | sed -n 's/^dcache-miss: user \([0-9]*\)$/\1/p'
}

few=$(count 1000)
many=$(count 3000)
echo "$few $many" > log
# The pages of the program itself may be there or not
[ "$((many - few))" -ge 1900 ] && [ "$((many - few))" -le 2100 ]
result $? "user mode: a page fault for each page"

run "$pmc" -c dcache-miss -c 9 sh -c './touch 100 x || ./touch 10 x'
status_is 1 "the command's status is pmc's"
grep -qE '^dcache-miss: user [0-9]+$' err && grep -qE '^9: user [0-9]+$' err &&
	[ "$(wc -l < err)" = 2 ]
check $? "a line for each event, by the name that was typed"

run "$pmc" -c cycles -c 9 ./touch 1
err_has "NOTE: task-clock" "a clock, which knows no modes, is not user mode's"
grep -qx 'cycles: user -' err && grep -qE '^9: user [0-9]+$' err
check $? "... and has no number"

run "$pmc" -h
status_is 0 "-h lists the events"
grep -q '^l1d_misses .*(also dcache-miss, l1cache-data-miss)$' out
check $? "... with NetBSD's names"
[ "$(grep -c '^[a-z0-9_]* ' out)" = 32 ]
check $? "... all of them"

run "$pmc" -c l1d_mises ./touch 1
status_is 125 "an unknown event: 125"
err_has "did you mean l1d_misses (25)" "... and a guess"
run "$pmc" -c l1d_misses -c dcache-miss ./touch 1
status_is 125 "one event by two names: 125"
run "$pmc" ./touch 1
status_is 125 "no event: 125"
run "$pmc" -c 0
status_is 125 "no command: 125"
run "$pmc" -h -c 0 ./touch 1
status_is 125 "-h with a command: 125"
run "$pmc" -c 0 ./not-there
status_is 127 "command not found: 127"
run "$pmc" -c 0 sh -c 'kill -TERM $$'
status_is 143 "a signal is 128 + its number"

IRIXPERF_EVENTMAP=/dev/null run "$pmc" -c 0 ./touch 1
status_is 125 "no counters and no event map: 125"
err_has "not supported by CPU" "... as NetBSD says it"

cat > own.c <<'END'
#include <pmc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void touch(void)
{
	char *p = (char *)mmap(0, 1000 * 4096, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	madvise(p, 1000 * 4096, MADV_NOHUGEPAGE);
	for (i = 0; i < 1000; i++)
		p[i * 4096] = 1;
}

int main(int argc, char **argv)
{
	uint64_t own = 0, children = 0;

	if (argc > 1) {
		touch();
		return 0;
	}
	if (pmc_configure_counter(1, "dcache-miss", 0, 0) || pmc_start_counter(1)) {
		perror("pmc");
		return 1;
	}
	touch();
	pmc_get_counter_value(1, &own);
	if (fork() == 0) {
		execl(argv[0], argv[0], "x", NULL);
		_exit(127);
	}
	wait(NULL);
	pmc_get_accumulated_counter_value(1, &children);
	printf("%s\n", own >= 1000 && own < 1900 && children >= 1000 && children < 1900 ?
	       "right" : "wrong");
	printf("%llu %llu\n", (unsigned long long)own, (unsigned long long)children);
	return 0;
}
END
cp own.c own.cc
PKG_CONFIG_PATH=$stage/usr/lib/pkgconfig
export PKG_CONFIG_PATH

# links NAME COMPILER SOURCE FLAG...: with the flags of pkg-config or with -lpmc alone
links()
{
	name=$1
	compiler=$2
	source=$3
	shift 3
	"$compiler" -Wall -Wextra -Werror "$source" -o own "$@" > log 2>&1 &&
		LD_LIBRARY_PATH=$stage/usr/lib ./own >> log 2>&1 && grep -qx right log
	result $? "$name: it counts itself and its child's next program"
}

# shellcheck disable=SC2046 # these are words
links "pkg-config" gcc own.c $(pkg-config --cflags --libs pmc)
# shellcheck disable=SC2046
links "C++" g++ own.cc $(pkg-config --cflags --libs pmc)
# shellcheck disable=SC2046
links "-static" gcc own.c -static $(pkg-config --cflags --libs pmc)
links "-lpmc alone" gcc own.c "-I$stage/usr/include/pmc" "-L$stage/usr/lib" \
	"-Wl,-rpath-link,$stage/usr/lib" -lpmc

for header in pmc.h sys/pmc.h; do
	for standard in c99 c11 gnu17; do
		echo "#include <$header>" | gcc -x c -std=$standard -pedantic -Wall -Wextra -Werror \
			"-I$stage/usr/include/pmc" -fsyntax-only - > log 2>&1
		result $? "<$header> alone, $standard"
	done
done

for page in pmc.1 pmc_control.2 libpmc.3 pmc.9; do
	cmp "$here/../../../Documentation/man/$page" \
		"$stage/usr/share/man/man${page##*.}/$page" > log 2>&1
	result $? "$page is installed"
done

finish
