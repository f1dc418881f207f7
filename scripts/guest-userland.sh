#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: guest-userland.sh [el]
#
# Builds the guest's root file system, build/guest/initramfs.cpio. It has busybox,
# the kernel's perf and libpfm4's programs, which are kept in the cache together
# with the ncurses for ecstats, and our library, tools, workloads and tests, which
# make rebuilds if they have changed. build/guest/cc makes all programs, which are
# static and MIPS IV.
#
# "el" builds the little-endian one, initramfs-el.cpio, with build/guest/cc-el. It
# lacks perf, libpfm4, ecadmin, ecstats, ssrun and prof, and the tests of the debug
# kernel, which is big-endian.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

[ $# -eq 0 ] || [ "$*" = el ] || die "usage: guest-userland.sh [el]"
VARIANT=${1:+-$1}
US=$ROOT/integration/userland
CC=$GUEST/cc$VARIANT
OUT=$ROOT/build/userland$VARIANT
OBJECTS=$ROOT/build/obj/guest$VARIANT
CPIO=$GUEST/initramfs$VARIANT.cpio
# Its examples, which list events and count them
LIBPFM4=(showevtinfo check_events evt2raw task)

# Directories whose Makefile has a target "guest", each after those that it needs.
OURS=(compat/libirixperf compat/libperfex compat/libpmc compat/libpctr tools/perfex
	tools/pmc tools/pctr tools/cpc tools/r10kvm tests/fixtures/workloads
	tests/guest tests/library tests/conformance)
[ -n "$VARIANT" ] || OURS+=(tools/ec tools/speedshop tests/fixtures/debug tests/fuzz)

# busybox prints the date of its configuration, which is 1970-01-01 each time.
bbmake() {
	SOURCE_DATE_EPOCH=0 make -C "$SRC_TREE" O="$OBJ" ARCH=mips \
		CROSS_COMPILE="$CROSS" CC="$REAL_CC" SKIP_STRIP=y -j"$JOBS" "$@"
}

# The last setting of an option counts, so ours replaces defconfig's.
busybox_config() {
	local line name

	bbmake defconfig
	while read -r line; do
		name=${line%%=*}
		sed -i "/^$name=/d; /^# $name is not set/d" "$OBJ/.config"
		printf '%s\n' "$line" >>"$OBJ/.config"
	done < <(grep '^CONFIG_' "$US/busybox.config")
	bbmake oldconfig < <(yes '')
}

busybox() {
	rm -rf "$OBJ"
	mkdir -p "$OBJ"
	busybox_config
	bbmake busybox busybox.links
	"${CROSS}strip" -g -o "$OBJ/busybox.guest" "$OBJ/busybox_unstripped"
	mv "$OBJ/busybox.guest" "$OBJ/busybox"
}

get_busybox() {
	source_of busybox
	note_version busybox "$SRC_VERSION"
	OBJ=$CACHE/build/busybox$VARIANT-${SRC_VERSION#*:}
	RESULT=$CACHE/result/busybox$VARIANT-${SRC_VERSION#*:}-$(hash_text "$TOOLCHAIN" \
		"$(hash_of "$US/busybox.config")")
	BUSYBOX=$RESULT
	[ ! -d "$RESULT" ] || return 0
	need_space busybox 300
	step "busybox$VARIANT" "building $SRC_VERSION" busybox
	keep "$OBJ/busybox" "$OBJ/busybox.links"
}

perf() {
	rm -rf "$OBJ"
	mkdir -p "$OBJ"
	make -f "$US/perf.mk" -j"$JOBS" TREE="$TREE" OBJ="$OBJ" CC="$REAL_CC" \
		CROSS="$CROSS"
	"${CROSS}strip" -g "$OBJ/perf"
}

# perf's own tree: with our tables, which the kernel's other users do not need
perf_tree() {
	local hooks=$ROOT/build/perf

	"$ROOT/scripts/perf-metrics" --unmodelled "$hooks"
	work_tree linux perf '*' "$hooks"
}

# Our programs need headers of the kernel's source, too.
get_tree() {
	lock linux
	work_tree linux
	link_guest "$TREE" linux
}

get_perf() {
	local TREE OBJ

	perf_tree
	OBJ=$CACHE/build/perf-${SRC_VERSION#*:}
	RESULT=$CACHE/result/perf-${SRC_VERSION#*:}-$(hash_text "$TOOLCHAIN" \
		"$(hash_of "$US/perf.mk")" "$(overlay_hash_under tools include/uapi)")
	PERF=$RESULT
	[ ! -d "$RESULT" ] || return 0
	need_space perf 400
	step perf "building $SRC_VERSION" perf
	keep "$OBJ/perf" "$TREE/tools/perf/Documentation/tips.txt"
}

ncurses() {
	rm -rf "$OBJ" "$OBJ.out"
	mkdir -p "$OBJ" "$OBJ.out"
	make -C "$OBJ" -f "$US/ncurses.mk" -j"$JOBS" SRC="$SRC_TREE" \
		CC="$REAL_CC" CROSS="$CROSS" OUT="$OBJ.out"
}

get_ncurses() {
	source_of ncurses
	note_version ncurses "$SRC_VERSION"
	OBJ=$CACHE/build/ncurses-${SRC_VERSION#*:}
	RESULT=$CACHE/result/ncurses-${SRC_VERSION#*:}-$(hash_text "$TOOLCHAIN" \
		"$(hash_of "$US/ncurses.mk")")
	NCURSES=$RESULT
	[ ! -d "$RESULT" ] || return 0
	need_space ncurses 100
	step ncurses "building $SRC_VERSION" ncurses
	keep "$OBJ.out/lib" "$OBJ.out/include"
	rm -rf "$OBJ.out"
}

gen_init_cpio() {
	gcc -O2 -o "$OUT/gen_init_cpio.tmp" "$TREE/usr/gen_init_cpio.c"
	mv "$OUT/gen_init_cpio.tmp" "$OUT/gen_init_cpio"
}

# Removes objects of another compiler, which make would take for current.
fresh_out() {
	if [ "$(cat "$OUT/toolchain" 2>/dev/null)" != "$TOOLCHAIN" ]; then
		rm -rf "$OUT" "$OBJECTS"
		mkdir -p "$OUT"
		printf '%s\n' "$TOOLCHAIN" >"$OUT/toolchain"
	fi
	[ -x "$OUT/gen_init_cpio" ] ||
		step "$NAME" "building the cpio writer" gen_init_cpio
}

# The guest's root is memory: debugging information stays out of it. It would also name
# this machine's folders, and the length of a name moves all that is after it in memory.
make_ours() {
	local dir

	for dir in "${OURS[@]}"; do
		make -C "$ROOT/$dir" -j"$JOBS" guest OUT="$OUT" CC="$CC" \
			BUILD="$OBJECTS/${dir##*/}" LIBBUILD="$OBJECTS/libirixperf" \
			CURSES="$NCURSES" \
			LDFLAGS=-Wl,-S
	done
}

# Prints our files as gen_init_cpio lines: programs and what they read, but no
# objects, headers or archives.
list_ours() {
	cd "$OUT"
	printf 'file /init %s/init 0755 0 0\n' "$OUT"
	find usr/bin usr/libexec -mindepth 1 \
		\( -type d -printf 'dir /%p 0755 0 0\n' \) -o \
		\( -type f -printf "file /%p $OUT/%p %m 0 0\n" \) -o \
		\( -type l -printf 'slink /%p %l 0777 0 0\n' \)
}

list_third_party() {
	local name

	printf 'file /usr/bin/perf %s/perf 0755 0 0\n' "$PERF"
	printf 'file /usr/share/doc/perf-tip/tips.txt %s/tips.txt 0644 0 0\n' "$PERF"
	for name in "${LIBPFM4[@]}"; do
		printf 'file /usr/bin/%s %s/%s 0755 0 0\n' "$name" \
			"$(readlink -f "$ROOT/build/libpfm4/guest")" "$name"
	done
}

list_all() {
	cat "$US/rootfs.list"
	printf 'file /%s %s 0644 0 0\n' etc/passwd "$US/etc/passwd" \
		etc/group "$US/etc/group" etc/profile "$US/etc/profile"
	printf 'file /bin/busybox %s/busybox 0755 0 0\n' "$BUSYBOX"
	[ -n "$VARIANT" ] || list_third_party
	list_ours | sort >"$OUT/list.ours"
	awk '$1 != "/bin/busybox" { print "slink " $1 " /bin/busybox 0777 0 0" }' \
		"$BUSYBOX/busybox.links" |
		awk 'NR == FNR { ours[$2]; next } !($2 in ours)' "$OUT/list.ours" -
	cat "$OUT/list.ours"
}

# What goes into the cpio: the list and the content of each file in it.
sums() {
	cat "$OUT/list"
	awk '$1 == "file" { print $3 }' "$OUT/list" | xargs -rd '\n' sha256sum
}

# -t: one time stamp for all files, so that the same input gives the same cpio.
pack() {
	"$OUT/gen_init_cpio" -t 0 "$OUT/list" >"$CPIO.tmp"
	mv "$CPIO.tmp" "$CPIO"
	mv "$OUT/sums.new" "$OUT/sums"
}

NCURSES=
NAME=rootfs$VARIANT
[ -x "$CC" ] || "$ROOT/scripts/guest-toolchain.sh" "$@"
lock userland
# The real name: the link moves to another toolchain when that changes.
REAL_CC=$(readlink -f "$CC")
TOOLCHAIN=${REAL_CC%/bin/*}
TOOLCHAIN=${TOOLCHAIN##*/}
get_busybox
get_tree
if [ -z "$VARIANT" ]; then
	get_perf
	get_ncurses
	"$ROOT/scripts/libpfm4.sh"
fi
fresh_out
step "$NAME" "our library, tools, workloads and tests" make_ours
list_all >"$OUT/list"
sums >"$OUT/sums.new"
if [ ! -f "$CPIO" ] || ! cmp -s "$OUT/sums.new" "$OUT/sums"; then
	step "$NAME" "packing ${CPIO##*/}" pack
fi
