#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds libpfm4 with our tables and patches: build/libpfm4/host, with MIPS's
# PMUs, to look names up on this machine; build/libpfm4/native, as this machine
# would have it, to run its tests; build/libpfm4/guest, static MIPS IV programs.
# The result is kept in the cache.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

OUT=$ROOT/build/libpfm4
CC=$GUEST/cc
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

guest() {
	build guest ARCH=mips CC="$REAL_CC" AR="${CROSS}ar"
	(cd "$RESULT.tmp/guest" && "${CROSS}strip" -g "${PROGRAMS[@]##*/}")
}

[ -x "$CC" ] || "$ROOT/scripts/guest-toolchain.sh"
# The real name: the link moves to another toolchain when that changes.
REAL_CC=$(readlink -f "$CC")
lock libpfm4
"$ROOT/scripts/libpfm4-events" "$OUT/events"
work_tree libpfm4
note_version libpfm4 "$SRC_VERSION"
BUILD=$CACHE/build/libpfm4-${SRC_VERSION#*:}
RESULT=$CACHE/result/libpfm4-${SRC_VERSION#*:}-$(hash_text "$REAL_CC" \
	"$(overlay_hash)" "$(hash_of "$ROOT/scripts/libpfm4.sh")")
if [ ! -d "$RESULT" ]; then
	need_space libpfm4 300
	rm -rf "$RESULT.tmp"
	step libpfm4 "building $SRC_VERSION for this machine" host
	step libpfm4 "building $SRC_VERSION for the guest" guest
	mv "$RESULT.tmp" "$RESULT"
fi
for name in host native guest; do
	ln -sfn "$RESULT/$name" "$OUT/$name"
done
ln -sfn "$TREE" "$OUT/source"
