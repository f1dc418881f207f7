#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: libpfm4.sh [el]
#
# Builds libpfm4 with our tables and patches: build/libpfm4/host, with MIPS's
# PMUs, to look names up on this machine; build/libpfm4/native, as this machine
# would have it, to run its tests; build/libpfm4/guest, static MIPS IV programs.
# "el" builds build/libpfm4/el instead, the same as guest, little-endian, and
# libpfm.so.4, which programs of Debian's for mips64el can load.
# The result is kept in the cache.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

[ $# -eq 0 ] || [ "$*" = el ] || die "usage: libpfm4.sh [el]"
NAME=libpfm4${1:+-$1}
OUT=$ROOT/build/libpfm4
CC=$GUEST/cc${1:+-$1}
# Without -Werror, because a new compiler has new remarks on old files
DBG="-Wall -Wextra -Wno-unused-parameter"
OURS=(pfmlib_mips.o pfmlib_mips_r10k.o pfmlib_mips_r10k_perf_event.o)
PROGRAMS=(examples/showevtinfo examples/check_events perf_examples/evt2raw
	perf_examples/task tests/validate)

# pmake FOLDER VARIABLE...: one of its folders, statically
pmake() {
	make -C "$OBJ/$1" CONFIG_PFMLIB_SHARED=n OPTIM=-O2 \
		DBG="$DBG" -j"$JOBS" "${@:2}"
}

# build NAME VARIABLE...: a copy of the tree, since it is built in place
build() {
	local name=$1 path

	shift
	OBJ=$BUILD/$name
	rm -rf "$OBJ"
	mkdir -p "$BUILD"
	cp -al "$TREE" "$OBJ"
	pmake lib "$@"
	pmake tests "$@"
	for path in "${PROGRAMS[@]}"; do
		[ "${path%%/*}" = tests ] || pmake "${path%%/*}" "$@" "${path##*/}"
	done
	mkdir -p "$RESULT.tmp/$name"
	for path in "${PROGRAMS[@]}" lib/libpfm.a; do
		cp "$OBJ/$path" "$RESULT.tmp/$name/"
	done
}

# Our own files must have no warning.
strict() {
	OBJ=$BUILD/host
	(cd "$OBJ/lib" && rm -f "${OURS[@]}")
	pmake lib ARCH=mips DBG="$DBG -Werror" "${OURS[@]}"
}

host() {
	build native OPTIM=-O0
	build host ARCH=mips
	strict
	cp -r "$BUILD/host/include" "$RESULT.tmp/host/"
}

# guest NAME
guest() {
	build "$1" ARCH=mips CC="$REAL_CC" AR="${CROSS}ar"
	(cd "$RESULT.tmp/$1" && "${CROSS}strip" -g "${PROGRAMS[@]##*/}")
}

build_all() {
	step "$NAME" "building $SRC_VERSION for this machine" host
	step "$NAME" "building $SRC_VERSION for the guest" guest guest
}

# It is linked with no C library, and so takes the one that the program has: what
# it wants of one is the same in musl, whose headers it has seen, and in glibc.
shared() {
	OBJ=$BUILD/shared
	rm -rf "$OBJ"
	cp -al "$TREE" "$OBJ"
	pmake lib ARCH=mips OPTIM="-O2 -fPIC -mabicalls" CC="$REAL_CC" \
		AR="${CROSS}ar"
	"${CROSS}ld" -EL -m elf64ltsmip -shared -soname libpfm.so.4 -s \
		-o "$RESULT.tmp/el/libpfm.so.4" --whole-archive "$OBJ/lib/libpfm.a"
}

little() {
	guest el
	shared
}

build_el() {
	step "$NAME" "building $SRC_VERSION for the little-endian guest" little
}

[ -x "$CC" ] || "$ROOT/scripts/guest-toolchain.sh" "$@"
# The real name: the link moves to another toolchain when that changes.
REAL_CC=$(readlink -f "$CC")
lock libpfm4
"$ROOT/scripts/libpfm4-events" "$OUT/events"
work_tree libpfm4
note_version libpfm4 "$SRC_VERSION"
BUILD=$CACHE/build/libpfm4-${SRC_VERSION#*:}
RESULT=$CACHE/result/$NAME-${SRC_VERSION#*:}-$(hash_text "$REAL_CC" \
	"$(overlay_hash)" "$(hash_of "$ROOT/scripts/libpfm4.sh")")
if [ ! -d "$RESULT" ]; then
	need_space "$NAME" 300
	rm -rf "$RESULT.tmp"
	"build_${1:-all}"
	mv "$RESULT.tmp" "$RESULT"
fi
for path in "$RESULT"/*; do
	ln -sfn "$path" "$OUT/${path##*/}"
done
copy_overlay "$OUT/overlay"
ln -sfn "$SRC_TREE" "$OUT/pristine"
