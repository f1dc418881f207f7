#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: fetch.sh NAME...      NAME: qemu qemu_new linux linux_old linux_new meson
#                                    musl busybox zlib elfutils ncurses gcc libpfm4
#                                    libpfm4_new papi papi_new pcp
#
# Fetches the packages of third-party.conf from Debian, with the apt of lib-apt.sh,
# and unpacks them in the cache. It does not look up again what it has fetched once
# (make distclean forgets it). The result is a line "VERSION DIRECTORY" in the file
# that lib-source.sh names.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-apt.sh"

own_suite() {
	# shellcheck disable=SC1091
	(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
}

suite_name() {
	local suite=$1

	[ "$suite" != own ] || suite=$(own_suite)
	[ -n "$suite" ] || die "this machine's release has no code name" \
		"name a suite instead of \"own\" in $CONF"
	printf '%s' "$suite"
}

# versions KIND PACKAGE: prints all versions in the suite, oldest first.
versions() {
	local index=Packages

	[ "$1" != source ] || index=Sources
	apt-cache -c "$APT" madison "$2" |
		awk -v index_="$index" '$NF == index_ { print $3 }' | sort -Vu
}

# newest KIND PACKAGE SERIES SUITE CONFNAME
newest() {
	local have version found=

	have=$(versions "$1" "$2")
	for version in $have; do
		! in_series "$version" "$3" || found=$version
	done
	[ -z "$found" ] || { printf '%s' "$found"; return; }
	if [ -n "$have" ]; then
		die "$4 has $2 $(tail -n 1 <<<"$have"), not $3.x" \
		    "change ${5}_SERIES (or ${5}_SUITE) in $CONF"
	fi
	die "$4 has no $1 package $2" \
	    "change ${5}_SUITE or ${5}_SERIES in $CONF"
}

download() {
	local dir=$CACHE/download

	mkdir -p "$dir"
	cd "$dir"
	if [ "$1" = source ]; then
		apt-get -c "$APT" -q source --download-only "$2=$3"
	else
		apt-get -c "$APT" -q download "$2=$3"
	fi || missing "$2" "$3"
}

# Writes to the end of the log, which step prints
missing() {
	echo
	echo "The mirror's lists have $2 of $1, but the mirror does not have the files."
	echo "Try again later, or another mirror in this machine's apt sources, or"
	echo "give a source tree of your own, e.g. LIBPFM4_NEW_SRC=DIR."
	return 1
}

# downloaded PACKAGE VERSION SUFFIX: prints the name of the file that apt has
# fetched. Source files have no epoch in their names; binary ones have it with "%3a".
downloaded() {
	local list

	list=("$CACHE/download/$1_"*"${2#*:}"*".$3")
	[ -e "${list[0]}" ] ||
		die "apt has left no .$3 file of $1 $2 in $CACHE/download"
	printf '%s' "${list[0]}"
}

unpack_source() {
	dpkg-source --no-copy -x "$(downloaded "$1" "$2" dsc)" "$3"
}

unpack_meson() {
	dpkg-deb -x "$(downloaded "$1" "$2" deb)" "$3"
}

# A binary package that holds a source tarball: unpack the tarball.
# unpack_inner DEB FOLDER TAR-ARGUMENTS...
unpack_inner() {
	local deb=$1 dir=$2 outer=$2.outer tarball

	shift 2
	mkdir -p "$dir" "$outer"
	dpkg-deb --fsys-tarfile "$deb" |
		tar -C "$outer" -x --wildcards './usr/src/*.tar.xz'
	tarball=$(find "$outer" -name '*.tar.xz' -size +9999k)
	tar -C "$dir" --strip-components=1 -xf "$tarball" "$@"
	rm -rf "$outer"
}

unpack_linux() {
	unpack_inner "$(downloaded "$1" "$2" deb)" "$3"
}

# Unpacks upstream's perfevent agent only
unpack_pcp() {
	mkdir -p "$3"
	tar -C "$3" --strip-components=4 -xf \
		"$(downloaded "$1" "${2%-*}" orig.tar.gz)" \
		--wildcards '*/src/pmdas/perfevent'
}

unpack_gcc() {
	unpack_inner "$(downloaded "$1" "$2" deb)" "$3" --wildcards \
		--no-wildcards-match-slash '*/libgcc' '*/include' '*/gcc/tsystem.h'
}

# unpack HOW PACKAGE VERSION DIRECTORY: the directory appears when it is complete.
unpack() {
	local tmp=$4.tmp

	rm -rf "$tmp" "$tmp.outer"
	"unpack_$1" "$2" "$3" "$tmp"
	rm -rf "$4"
	mv "$tmp" "$4"
}

# get NAME KIND UNPACK PACKAGE CONFNAME MEGABYTES
get() {
	local name=$1 kind=$2 how=$3 package=$4 prefix=$5 mb=$6
	local series suite version tree

	read -r series suite <<<"$(source_wanted "$name")"
	suite=$(suite_name "$suite")
	need_space "$name" "$mb"
	use_suite "$suite"
	version=$(newest "$kind" "$package" "$series" "$suite" "$prefix")
	tree=$CACHE/src/$name-${version#*:}
	mkdir -p "$CACHE/src"
	step "$name" "fetching $version" download "$kind" "$package" "$version"
	step "$name" "unpacking $version" unpack "$how" "$package" "$version" "$tree"
	rm -f "$CACHE/download/${package}_"*
	source_record "$name" "$version" "$tree"
}

get_linux() {
	get "$1" binary linux "linux-source-$2" "${1^^}" 2500
}

fetch() {
	case $1 in
	qemu | qemu_new) get "$1" source source qemu "${1^^}" 700 ;;
	linux) get_linux linux "$LINUX_SERIES" ;;
	linux_old) get_linux linux_old "$LINUX_OLD_SERIES" ;;
	linux_new) get_linux linux_new "$LINUX_NEW_SERIES" ;;
	meson) get meson binary meson meson MESON 50 ;;
	musl) get musl source source musl MUSL 50 ;;
	busybox) get busybox source source busybox BUSYBOX 100 ;;
	zlib) get zlib source source zlib ZLIB 50 ;;
	elfutils) get elfutils source source elfutils ELFUTILS 150 ;;
	ncurses) get ncurses source source ncurses NCURSES 60 ;;
	libpfm4 | libpfm4_new) get "$1" source source libpfm4 "${1^^}" 50 ;;
	papi | papi_new) get "$1" source source papi "${1^^}" 150 ;;
	pcp) get pcp source pcp pcp PCP 150 ;;
	gcc) get gcc binary gcc "gcc-$(cross_major)-source" GCC 300 ;;
	*) die "fetch.sh: unknown package $1" ;;
	esac
}

[ $# -gt 0 ] || die "usage: fetch.sh NAME..."
lock fetch
for name in "$@"; do
	source_known "$name" || fetch "$name"
done
