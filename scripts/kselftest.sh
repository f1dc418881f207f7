#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: kselftest.sh TREE PATCHED OUT
#
# Builds the driver's tests for the guest in the way in which the kernel builds and
# installs its kselftests: OUT/install, with the kernel's own run_kselftest.sh. TREE
# is a pristine kernel. PATCHED has those of its files that the series of patches
# touches (linux-patches-make.py leaves them in its directory "git").

. "$(dirname "$0")/lib.sh"

SELF=tools/testing/selftests
COLLECTION=drivers/perf/mips_r10k

# Files outside of the collection that kselftest's Makefiles read
PARTS=("$SELF/Makefile" "$SELF/lib.mk" "$SELF/run_kselftest.sh"
	"$SELF/kselftest" "$SELF/kselftest.h" "$SELF/kselftest_harness.h"
	scripts/subarch.include tools/include/uapi)

copy_parts() {
	rm -rf "$OUT"
	mkdir -p "$WORK"
	tar -C "$TREE" -cf - "${PARTS[@]}" | tar -C "$WORK" -xf -
	tar -C "$PATCHED" -cf - "$SELF" drivers/perf/mips_r10k |
		tar -C "$WORK" -xf -
}

build() {
	make -C "$WORK/$SELF" -j"$JOBS" ARCH=mips CC="$CC" TARGETS="$COLLECTION" \
		FORCE_TARGETS=1 USERCFLAGS=-Werror USERLDFLAGS=-static \
		KSFT_INSTALL_PATH="$OUT/install" install
}

[ $# -eq 3 ] || die "usage: kselftest.sh TREE PATCHED OUT"
TREE=$(cd "$1" && pwd)
PATCHED=$(cd "$2" && pwd)
mkdir -p "$3"
OUT=$(cd "$3" && pwd)
WORK=$OUT/tree
CC=$(readlink -f "$GUEST/cc")
copy_parts
lock kselftest
step kselftest "building the tests" build
