#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A program with more rights than its user must not take an event map from that user.
# The program is a real one: another user owns it, and it is setuid.
#
# usage: test_secure.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
stage=$1
maps=$3

cat > which.c <<'END'
#include <stdio.h>
#include <sys/auxv.h>
#include <irixperf.h>

int main(void)
{
	const char *map = irixperf_map_file();

	printf("secure %lu map %s\n", getauxval(AT_SECURE), map ? map : "none");

	return 0;
}
END
gcc -I"$stage/usr/include/irixperf" which.c "$stage/usr/lib/libirixperf.a" \
	-o which > log 2>&1
result $? "the program is built"

mkdir -p home/.config/irixperf
cp "$maps/software.map" home/.config/irixperf/eventmap
chmod -R go+rX home

# by_env and by_home: run the program with an event map in the variable or in HOME
by_env()
{
	IRIXPERF_EVENTMAP=$maps/software.map HOME=/ ./which > log 2>&1
}

by_home()
{
	env -u IRIXPERF_EVENTMAP -u XDG_CONFIG_HOME HOME="$PWD/home" \
		./which > log 2>&1
}

if [ -e /sys/bus/event_source/devices/cpu/format/exl ]; then
	reason="this machine has R10000 counters"
elif by_env && ! grep -q "map $maps/software.map" log; then
	reason="nothing may be counted here"
elif [ "$(id -u)" -ne 0 ]; then
	reason="only root can make a program of another user"
elif ! { chown 65534 which && chmod u+s which && by_env &&
	grep -q "secure 1" log; }; then
	reason="this file system has no setuid programs"
fi
if [ -n "$reason" ]; then
	for name in "its variable" "its home folder"; do
		count=$((count + 1))
		echo "ok $count - a setuid program ignores $name # SKIP $reason"
	done
	echo "1..$count"
	exit $failed
fi

by_env
grep -q "secure 1 map" log && ! grep -q "$maps" log
result $? "a setuid program ignores its variable"
by_home
grep -q "secure 1 map" log && ! grep -q "$PWD/home" log
result $? "a setuid program ignores its home folder"
chmod u-s which
by_env
grep -q "secure 0 map $maps/software.map" log
result $? "the same program without setuid uses the variable"
by_home
grep -q "secure 0 map $PWD/home" log
result $? "... and the home folder"
env -u IRIXPERF_EVENTMAP XDG_CONFIG_HOME=home/.config ./which > log 2>&1
! grep -q "home/.config" log
result $? "a folder that depends on where the program runs is none"

finish
