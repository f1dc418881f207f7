# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# The part that the build scripts share: paths, and how a long step reports progress
# and errors. Sourced, never run. It fetches and builds nothing.

set -euo pipefail
umask 022
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS
unset T	# make check sets it; to tests/unit/Makefile it means something else
export LC_ALL=C

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/third-party.conf
. "$ROOT/scripts/third-party.conf"

CONF=scripts/third-party.conf
CACHE=${R10KPERF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/r10kperf}
case $CACHE in
/*) ;;
*) CACHE=$PWD/$CACHE ;;
esac
export R10KPERF_CACHE=$CACHE
GUEST=$ROOT/build/guest
CACHE_MARK=r10kperf-cache
LOGS=$CACHE/log
CROSS=mips64-linux-gnuabi64-
JOBS=$(nproc)
# Types of checkpatch that do not suit programs: they have no ARRAY_SIZE and no
# __noreturn, and tests generate code with macros. One example is IRIX's own text.
NOT_KERNEL=PREFER_DEFINED_ATTRIBUTE_MACRO,EMBEDDED_FUNCTION_NAME,ENOSYS
NOT_KERNEL+=,MACRO_WITH_FLOW_CONTROL,AVOID_EXTERNS,ARRAY_SIZE,NEW_TYPEDEFS
NOT_KERNEL+=,VOLATILE,SPDX_LICENSE_TAG,SPLIT_STRING,COMPLEX_MACRO
NOT_KERNEL+=,MULTISTATEMENT_MACRO_USE_DO_WHILE,MACRO_ARG_UNUSED
NOT_KERNEL+=,TRAILING_SEMICOLON,STATIC_CONST_CHAR_ARRAY

say() {
	printf '[%s] %s\n' "$1" "$2" >&2
}

die() {
	printf 'error: %s\n' "$@" >&2
	exit 1
}

duration() {
	if [ "$1" -ge 60 ]; then
		printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
	else
		printf '%ds' "$1"
	fi
}

# On a terminal: one line, updated each second. Otherwise: a line each half minute.
progress() {
	local start=$SECONDS period=30 form='[%s] %s ... %s\n'

	if [ -t 2 ]; then
		period=1 form='\r[%s] %s ... %s '
	fi
	# Whoever kills the script may miss this process, which shares the script's locks
	while sleep "$period" && kill -0 "$$" 2>/dev/null; do
		# shellcheck disable=SC2059
		printf "$form" "$1" "$2" "$(duration $((SECONDS - start)))" >&2
	done
}

no_space() {
	die "the disk that holds $1 is full" \
	    "free some space, or move the cache: R10KPERF_CACHE=/other/disk make ..."
}

step_failed() {
	local name=$1 text=$2 log=$3 errors

	printf '\n[%s] %s: FAILED, the end of its log:\n' "$name" "$text" >&2
	tail -n 20 "$log" | sed 's/^/    /' >&2
	errors=$(head -n -20 "$log" | grep ' error: ' || :)
	if [ -n "$errors" ]; then
		printf '  and before that:\n' >&2
		head -n 5 <<<"$errors" | sed 's/^/    /' >&2
	fi
	if grep -q 'No space left on device' "$log"; then
		no_space "$CACHE"
	fi
	die "[$name] $text failed; the whole log is $log"
}

# Ends this shell with its jobs. One that has just been forked may lose a signal,
# because it still has the trap of this shell, so the signal is repeated. Neither
# question is enough alone: bash may still call a job running that has just ended, and
# a group exists until somebody has waited for each of its processes.
interrupted() {
	local alive=yes job

	while [ -n "$alive" ]; do
		alive=
		for job in $(jobs -pr); do
			! kill -- "-$job" || alive=yes
		done
		sleep 0.1
	done 2>/dev/null
	exit 130
}

# step NAME TEXT COMMAND...: runs the command with its output in a log. The command
# has a process group of its own, so ^C ends a whole make and not just its parent.
step() {
	local name=$1 text=$2 start=$SECONDS rc=0 pid watch
	local log=$LOGS/$name-${text//[^a-zA-Z0-9._]/-}.log

	shift 2
	make_cache
	mkdir -p "$LOGS"
	trap interrupted INT TERM HUP
	set -m
	("$@") >"$log" 2>&1 </dev/null &
	pid=$!
	progress "$name" "$text" &
	watch=$!
	set +m
	wait "$pid" || rc=$?
	kill -- "-$watch" 2>/dev/null || :
	wait "$watch" 2>/dev/null || :
	trap - INT TERM HUP
	[ "$rc" -eq 0 ] || step_failed "$name" "$text" "$log"
	[ ! -t 2 ] || printf '\r\033[K' >&2
	say "$name" "$text: done in $(duration $((SECONDS - start)))"
}

# The mark tells distclean that the directory is ours. A directory with other files
# is refused, because distclean would remove them.
make_cache() {
	if ! mkdir -p "$CACHE" 2>/dev/null || [ ! -w "$CACHE" ]; then
		die "the cache directory $CACHE cannot be made or written to" \
		    "choose another: R10KPERF_CACHE=/other/directory make ..."
	fi
	if [ ! -O "$CACHE" ] || [ -n "$(find "$CACHE" -prune -perm -o=w)" ]; then
		die "other users can change the cache directory $CACHE, whose programs run here" \
		    "choose one of your own: R10KPERF_CACHE=/other/directory make ..."
	fi
	[ ! -e "$CACHE/$CACHE_MARK" ] || return 0
	# Another checkout may be making it
	if [ -n "$(ls -A "$CACHE")" ] && [ ! -e "$CACHE/$CACHE_MARK" ]; then
		die "the directory $CACHE is not empty, and not a cache of r10kperf" \
		    "name a new one: R10KPERF_CACHE=$CACHE/r10kperf make ..."
	fi
	: >"$CACHE/$CACHE_MARK"
}

# need_space NAME MEGABYTES: fails before a step that the disk has no space for.
need_space() {
	local free

	make_cache
	free=$(df -Pm "$CACHE" | awk 'NR == 2 { print $4 }')
	if [ "$free" -lt "$2" ]; then
		die "[$1] needs $2 MB in $CACHE, and only $free MB are free" \
		    "free some space, or move the cache: R10KPERF_CACHE=/other/disk make ..."
	fi
}

# Two makes that share a cache take turns, and the second one finds the work done.
# The kernel releases a lock when its process ends.
lock() {
	local fd

	make_cache
	mkdir -p "$CACHE/lock"
	exec {fd}>"$CACHE/lock/$1"
	if ! flock -n "$fd"; then
		say "$1" "waiting for another build that uses this cache"
		flock "$fd"
	fi
}

# hash_of FILE|DIRECTORY...: prints a hash of the contents and the relative names.
hash_of() {
	local path

	for path in "$@"; do
		if [ -d "$path" ]; then
			(cd "$path" && find . -type f -print0 | sort -z | xargs -0r sha256sum)
		else
			sha256sum <"$path"
		fi
	done | sha256sum | cut -c1-16
}

hash_text() {
	printf '%s\n' "$@" | sha256sum | cut -c1-16
}

# in_series VERSION SERIES: compares the version, without its epoch, with a series.
in_series() {
	local version=${1#*:}

	case $version in
	"$2" | "$2".* | "$2"[!0-9]*) return 0 ;;
	*) return 1 ;;
	esac
}

# link_guest TARGET NAME: makes one entry of build/guest.
link_guest() {
	mkdir -p "$(dirname "$GUEST/$2")"
	ln -sfn "$1" "$GUEST/$2"
}

# note_version NAME VERSION: writes one line of build/guest/versions.
note_version() (
	file=$GUEST/versions
	mkdir -p "$GUEST"
	exec {fd}>"$file.lock"
	flock "$fd"
	touch "$file"
	{
		awk -v name="$1" '$1 != name' "$file"
		printf '%s %s\n' "$1" "$2"
	} | sort >"$file.new"
	mv "$file.new" "$file"
)
