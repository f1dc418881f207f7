#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The manual pages: each is installed, the pages that they name exist, and their
# example programs compile and print the output shown there, with other numbers.
# Prints TAP.
#
# usage: test_manpages.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
pages=$(cd "$(dirname "$0")/../../../Documentation/man" && pwd)
stage=$1
maps=$3

# The N-th block between .EX and .EE of a page, as a reader sees it
block()
{
	awk -v n="$2" '/^\.EE/ { inside = 0 } inside && nr == n
		/^\.EX/ { nr++; inside = 1 }' "$pages/$1" | sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\e/\\/g'
}

# Replaces numbers of any width by N: only the text between them is compared
layout()
{
	sed 's/ *[0-9][0-9]*/ N/g'
}

# example PAGE: its first block is a program, the second one the program's output
example()
{
	name=${1%.*}
	block "$1" 1 > "$name.c"
	block "$1" 2 > "$name.shown"
	grep -q 'main(' "$name.c" && [ -s "$name.shown" ] 2> log
	result $? "$1 has a program and its output"

	# shellcheck disable=SC2046 # these are words
	gcc -Wall -Wextra -Werror "$name.c" -o "$name" \
		$(PKG_CONFIG_PATH=$stage/usr/lib/pkgconfig \
		pkg-config --cflags --libs irixperf) > log 2>&1
	result $? "$1: the program compiles without a warning"

	IRIXPERF_EVENTMAP=$maps/software.map LD_LIBRARY_PATH=$stage/usr/lib \
		IRIXPERF_HOLDER=$stage/usr/libexec/irixperf/irixperf-holder \
		"./$name" > "$name.printed" 2> log
	status=$?
	if grep -qiE 'permission denied|not permitted' log; then
		skip "$1: the program prints what is shown" \
			"nothing may be counted here"
		return
	fi
	layout < "$name.shown" > shown
	layout < "$name.printed" > printed
	[ $status -eq 0 ] && diff shown printed >> log
	result $? "$1: the program prints what is shown"
}

# Pages of ours that a page names
named()
{
	sed -n 's/^\.BR \([^ ]*\) (\([1-9]\)).*/\1.\2/p' "$pages/$1" |
		sed 's/\\-/-/g' | grep -E '^(lib)?irixperf|^r10k_' | sort -u
}

: > all
for page in "$pages"/*irixperf*.[1-8] "$pages"/r10k_*.[1-8] \
	"$pages"/ec*.1 "$pages"/libperfex.3; do
	page=${page##*/}
	cmp "$pages/$page" "$stage/usr/share/man/man${page##*.}/$page" > log 2>&1
	result $? "$page is installed"
	named "$page" | grep -vx "$page" > names
	cat names >> all
	while read -r name; do
		[ -e "$pages/$name" ] || echo "there is no $name"
	done < names > log
	[ -s names ] && [ ! -s log ]
	result $? "$page names pages that are there"
done
for page in "$pages"/*irixperf*.[1-8] "$pages"/r10k_*.[1-8]; do
	grep -x "${page##*/}" all > log
	result $? "${page##*/} is named by another page"
done

cat "$pages"/* | sed 's/\\-/-/g' | grep -ow 'irixperf_[a-z_]*' | sort -u > told
nm -D --defined-only "$stage/usr/lib/libirixperf.so.0" |
	sed -n 's/.* T \([^@]*\)@.*/\1/p' | sort | comm -23 - told > log
[ ! -s log ]
result $? "each function is in a page"

example libirixperf.3
example r10k_evcntrs.5

finish
