#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The installed irixperf-holder with this machine's own kernel: software events
# of all CPUs by an event map. Each case has a /run and processes of its own, and so
# disturbs no other program on this machine.
#
# usage: test_holder.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
stage=$1
maps=$3
examples=$here/../../../compat/libirixperf/examples

cat > sys.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <unistd.h>
#include <irixperf.h>
#include "children.h"

#define MANY	1000

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;

static long eventctr(int command, void *first)
{
	return irixperf_syssgi(SGI_EVENTCTR, command, (uintptr_t)first, 0, 0);
}

static int open_self(void)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%05d", (int)getpid());

	return irixperf_proc_open(path, O_RDWR);
}

static long proc(unsigned int request, void *data)
{
	static int fd = -1;

	if (fd < 0)
		fd = open_self();

	return irixperf_proc_ioctl(fd, request, data);
}

static int ready[2];

static void user(void)
{
	arg.hwp_evctrargs.hwp_evctrl[15].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	if (irixperf_proc_ioctl(open_self(), PIOCENEVCTRS, &arg) > 0 &&
	    write(ready[1], "", 1) == 1)
		sleep_for_ever();
	_exit(1);
}

/* Many programs that count and sleep */
static long crowd(void)
{
	static pid_t pid[MANY];
	char byte;
	int i;

	if (pipe(ready))
		return -1;
	for (i = 0; i < MANY; i++)
		pid[i] = start_child(user);
	for (i = 0; i < MANY; i++)
		if (read(ready[0], &byte, 1) != 1)
			return -1;
	for (i = 0; i < MANY; i++)
		wait_asleep(pid[i]);

	return i;
}

static long run(const char *what)
{
	if (strcmp(what, "crowd") == 0)
		return crowd();
	if (strcmp(what, "proc") == 0)
		return proc(PIOCENEVCTRS, &arg);
	if (strcmp(what, "end") == 0)
		return proc(PIOCRELEVCTRS, NULL);
	if (strcmp(what, "enable") == 0)
		return eventctr(HWPERF_ENSYSCNTRS, &arg);
	if (strcmp(what, "read") == 0)
		return eventctr(HWPERF_GET_SYSCNTRS, &counts);
	if (strcmp(what, "counts") == 0)
		return counts.hwp_evctr[15] > 0;
	if (strcmp(what, "release") == 0)
		return eventctr(HWPERF_RELSYSCNTRS, NULL);
	if (strcmp(what, "root") == 0)
		return -(setuid(0) < 0);

	return -1;
}

int main(int argc, char **argv)
{
	int i;

	arg.hwp_evctrargs.hwp_evctrl[15].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U | HWPERF_CNTEN_K;
	for (i = 1; i < argc; i++)
		printf("%s %ld\n", argv[i], run(argv[i]));

	return 0;
}
END
PKG_CONFIG_PATH=$stage/usr/lib/pkgconfig
export PKG_CONFIG_PATH
gcc -I"$stage/usr/include/irixperf" -I"$here/../lib" sys.c \
	"$stage/usr/lib/libirixperf.a" -o sys > log 2>&1
result $? "a program that asks for system mode is built"
# shellcheck disable=SC2046
gcc $(pkg-config --define-variable=prefix="$stage/usr" --cflags irixperf) \
	"$examples/paradyn-style.c" -o paradyn \
	$(pkg-config --define-variable=prefix="$stage/usr" --libs irixperf) \
	>> log 2>&1
result $? "a program in IRIX style is built"

export IRIXPERF_HOLDER="$stage/usr/libexec/irixperf/irixperf-holder"
export IRIXPERF_EVENTMAP="$maps/software.map"

# alone SIZE COMMAND...: runs it with a /run of that size, and no other processes
alone()
{
	size=$1
	shift
	timeout 300 unshare -m -p -f --mount-proc sh -c \
		'mount -t tmpfs -o size='"$size"' none /run && "$@"' sh "$@" \
		> log 2>&1
}

if [ "$(id -u)" -ne 0 ]; then
	reason="only root can be in system mode"
elif ! alone 1m true; then
	reason="no namespaces can be made here"
elif ! alone 1m ./sys enable || grep -q 'enable -1$' log; then
	reason="no events of CPUs can be opened here"
fi
cases="it counts
an event map may be named from the program's folder
when /run is full nothing begins
when /run is read-only nothing begins
root of a user namespace alone is no root
a setuid program's holder knows nothing of its user
a thousand programs lose their counters
who takes U and K for himself as root is in system mode
the program in IRIX style works in system mode"
if [ -n "$reason" ]; then
	printf '%s\n' "$cases" | {
		while read -r name; do
			count=$((count + 1))
			echo "ok $count - $name # SKIP $reason"
		done
		echo "1..$count"
	}
	exit $failed
fi

alone 1m ./sys enable read counts release read release
printf 'enable 1\nread 1\ncounts 1\nrelease 0\nread 1\nrelease -22\n' |
	cmp -s - log
result $? "it counts"

cp "$maps/software.map" here.map
IRIXPERF_EVENTMAP=here.map alone 1m ./sys enable release
printf 'enable 1\nrelease 0\n' | cmp -s - log
result $? "an event map may be named from the program's folder"

# shellcheck disable=SC2016
alone 8k sh -c 'mkdir /run/irixperf && head -c 8192 /dev/zero > /run/fill &&
	./sys enable; rm /run/fill; ./sys read'
printf 'enable -28\nread -22\n' | cmp -s - log
result $? "when /run is full nothing begins"

alone 1m sh -c 'mount -o remount,ro /run; ./sys enable read'
printf 'enable -30\nread -22\n' | cmp -s - log
result $? "when /run is read-only nothing begins"

alone 1m sh -c 'chmod 755 /run; setpriv --reuid 1000 --regid 1000 \
	--clear-groups unshare -r ./sys enable read'
printf 'enable -1\nread -22\n' | cmp -s - log
result $? "root of a user namespace alone is no root"

# A program finds the installed holder and map. The user's map would have no events.
cat > installed <<'END'
mount -t tmpfs none /usr/libexec
mount -t tmpfs none /usr/share
mkdir -p /usr/libexec/irixperf /usr/share/irixperf/maps
cp "$IRIXPERF_HOLDER" /usr/libexec/irixperf/
cp "$IRIXPERF_EVENTMAP" /usr/share/irixperf/maps/any.map
chown 0:0 secure && chmod 4755 secure
IRIXPERF_EVENTMAP=/nowhere LEAK=1 setpriv --reuid 1000 --clear-groups \
	./secure root enable
pid=$(pidof irixperf-holder)
grep ^Uid: "/proc/$pid/status"
tr '\\0' '\\n' < "/proc/$pid/environ"
./sys release
END
cp sys secure
alone 1m sh installed
printf 'root 0\nenable 1\nUid:\t0\t0\t0\t0\nrelease 0\n' | cmp -s - log
result $? "a setuid program's holder knows nothing of its user"

alone 1m ./sys crowd proc end enable release
printf 'crowd 1000\nproc 1\nend 0\nenable 2\nrelease 0\n' | cmp -s - log
result $? "a thousand programs lose their counters"

export LD_LIBRARY_PATH="$stage/usr/lib"
alone 1m ./paradyn
mode=$?
cp log paradyn.log
[ $mode -eq 0 ] && grep -q '^runtime: cycles go on' log
result $? "who takes U and K for himself as root is in system mode"
grep -q 'daemon: 10 samples, 0 went back' log && ! grep -q warning log
result $? "the program in IRIX style works in system mode"

finish
