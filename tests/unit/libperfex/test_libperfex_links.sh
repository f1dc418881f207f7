#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs of users with the installed libperfex: in C, with prototypes of their
# own as on IRIX, in C++, and in Fortran, shared and static. They count page
# faults of this machine, by an event map.
#
# usage: test_libperfex_links.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
lib=$1/usr/lib
include=$1/usr/include
# Nothing is computed from software events: one event is none of them
sed '/^26 /d' "$here/../../conformance/host.map" > host.map
IRIXPERF_EVENTMAP=$PWD/host.map
export IRIXPERF_EVENTMAP
unset T5_EVENT0 T5_EVENT1 T5EVENT0 T5EVENT1

cat > own.c <<'END'
#include <stdio.h>
#include <sys/mman.h>

#ifdef __cplusplus
extern "C" {
#endif
int start_counters(int e0, int e1);
int read_counters(int e0, long long *c0, int e1, long long *c1);
int print_counters(int e0, long long c0, int e1, long long c1);
#ifdef __cplusplus
}
#endif

#define PAGES 1000

int main(void)
{
	char *memory = (char *)mmap(0, PAGES * 4096UL, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long long clock = 0, faults = 0;
	int start, end, i;

	madvise(memory, PAGES * 4096UL, MADV_NOHUGEPAGE);
	start = start_counters(0, 25);
	for (i = 0; i < PAGES; i++)
		memory[i * 4096UL] = 1;
	end = read_counters(0, &clock, 25, &faults);
	if (start < 0 || end != start)
		return 1;
	print_counters(0, clock, 25, faults);
	printf("%s\n", faults >= PAGES && faults < PAGES + 10 && clock > 0 ?
	       "right" : "wrong");
	return 0;
}
END

cat > count.f90 <<'END'
program count
  implicit none
  integer, parameter :: pages = 1000
  integer :: start_counters, read_counters, print_counters, print_costs
  integer :: load_costs
  external :: start_counters, read_counters, print_counters, print_costs
  external :: load_costs
  character, allocatable :: memory(:)
  character(len=40) :: file
  integer :: first, last, i
  integer*8 :: clock, faults

  file = 'my.costs'
  if (load_costs(file) < 0) stop 2
  file = 'none'
  if (load_costs(file) >= 0) stop 3
  allocate(memory(pages * 4096))
  first = start_counters(0, 25)
  do i = 1, pages
    memory(i * 4096) = 'x'
  end do
  last = read_counters(0, clock, 25, faults)
  if (first < 0 .or. last /= first) stop 4
  if (print_counters(0, clock, 25, faults) < 0) stop 5
  if (print_costs(0, clock, 26, faults) < 0) stop 6
  if (memory(4096) /= 'x') stop 7
  ! An allocated array may be in huge pages
  if (faults > 0 .and. faults < pages + 10 .and. clock > 0) print *, 'right'
end program count
END
printf '26 1000000000 nsec 1 nsec 1000000000 nsec\n' > my.costs

# runs NAME: the program has counted right, and said so on stderr
runs()
{
	./"$1" > out 2> err
	status=$?
	cat out err > log
	echo "status $status" >> log
	if grep -q "permission denied" err; then
		skip "$2 counts" "nothing may be counted here"
		return
	fi
	[ $status -eq 0 ] && grep -q right out &&
		grep -q '^ 0 Cycles\.\.* *[1-9][0-9]*$' err &&
		grep -q '^25 Primary (L1) data cache misses\.\.* *[1-9][0-9]*$' err
	result $? "$2 counts"
}

# build WHAT COMMAND...
build()
{
	what=$1
	shift
	"$@" > log 2>&1
	result $? "$what is linked with -lperfex alone"
}

nm -D --defined-only "$lib/libperfex.so.0" | sed -n 's/.* T \([^@]*\)@.*/\1/p' |
	sort > shared
nm --defined-only "$lib/libperfex.a" | sed -n 's/.* [A-Z] //p' |
	grep -v '^libperfex_private_' | sort > static
sed -n 's/^\t\t\([a-z_]*\);/\1/p' "$here/../../../compat/libperfex/libperfex.map" |
	sort > listed
diff listed shared > log
result $? "the shared object has the documented symbols alone"
diff listed static > log
result $? "so has the archive, but for those with a prefix"

LD_LIBRARY_PATH=$lib
export LD_LIBRARY_PATH
build "a C program" gcc -Wall -Werror own.c -o c-shared -L"$lib" -lperfex
runs c-shared "a C program"
ldd c-shared | grep -q libperfex.so.0
result $? "... with the shared object"
build "a static C program" gcc own.c -static -o c-static -L"$lib" -lperfex
runs c-static "a static C program"
build "a C++ program" g++ -x c++ own.c -o cxx -L"$lib" -lperfex
runs cxx "a C++ program"
build "a program with perfex.h and pkg-config" sh -c "sed '/^#ifdef/,/^#define/d; 1i\\
#include <perfex.h>\\
#define PAGES 1000' own.c > header.c && PKG_CONFIG_PATH=$lib/pkgconfig gcc -Wall \
	-Werror header.c -o header \$(PKG_CONFIG_PATH=$lib/pkgconfig \
	pkg-config --cflags --libs perfex)"
runs header "a program with perfex.h"
awk '/^\.EE/ { exit } inside; /^\.EX/ { inside = 1 }' \
	"$here/../../../Documentation/man/libperfex.3" | sed 's/\\-/-/g; s/\\e/\\/g' > page.c
build "the manual page's program" gcc -Wall -Wextra -Werror page.c -o page \
	-I"$include" -L"$lib" -lperfex
for std in c99 c11 c++11; do
	echo '#include <perfex.h>'
	gcc -x "$(case $std in c++*) echo c++ ;; *) echo c ;; esac)" -std=$std \
		-pedantic -Wall -Werror -I"$include" -fsyntax-only - <<-END || exit 1
	#include <perfex.h>
	int (*p)(int, int) = start_counters;
	END
done > log 2>&1
result $? "perfex.h is right in each language standard"

if command -v gfortran > /dev/null; then
	build "a Fortran program" gfortran count.f90 -o f-shared -L"$lib" -lperfex
	runs f-shared "a Fortran program"
	build "a static Fortran program" gfortran -static count.f90 \
		-o f-static -L"$lib" -lperfex
	runs f-static "a static Fortran program"
	build "a Fortran program with two underscores" gfortran \
		-fsecond-underscore count.f90 -o f-second -L"$lib" -lperfex
	runs f-second "a Fortran program with two underscores"
	grep -c 'Secondary (L2) data cache misses\.\.* *[1-9][0-9]* *[1-9][0-9]*\.000000' \
		err > log
	grep -q 'permission denied' err || [ "$(cat log)" -eq 1 ]
	result $? "... and print_costs() has the costs that load_costs() has read"
else
	skip "Fortran programs" "there is no gfortran: apt-get install gfortran"
fi

T5_EVENT1=21 ./c-shared > out 2> err
cat out err > log
if grep -q "permission denied" err; then
	skip "T5_EVENT1 puts another event in the place" "nothing may be counted here"
else
	grep -q '^21 Graduated floating' err
	result $? "T5_EVENT1 puts another event in the place"
fi
finish
