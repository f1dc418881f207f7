#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: guest-toolchain.sh [el]
#
# Builds the compiler for guest programs, build/guest/cc: Debian's MIPS64 cross
# gcc with a MIPS IV musl, libgcc, zlib and libelf and the kernel's headers. Its
# programs have only instructions of an R10000; check-isa.sh proves it. "el" builds
# the little-endian one, build/guest/cc-el: the same gcc, without the libraries that
# only perf needs.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"

[ $# -eq 0 ] || [ "$*" = el ] || die "usage: guest-toolchain.sh [el]"
US=$ROOT/integration/userland
NAME=toolchain${1:+-$1}
CC_NAME=cc${1:+-$1}
# Set by set_tree
LINUX_TREE='' LINUX_VERSION='' GCC_TREE='' MUSL_TREE='' ZLIB_TREE='' ELFUTILS_TREE=''
TARGET=(-march=mips4 -mabi=64 -mtune=r10000 -mno-fix-r10000 -fno-pie -no-pie
	${1:+-EL})

kernel_headers() {
	mkdir -p "$WORK/headers"
	make -C "$LINUX_TREE" O="$WORK/headers" ARCH=mips -j"$JOBS" headers
	find "$WORK/headers/usr/include" ! -name '*.h' -type f -delete
	rm -rf "$HEADERS"
	mv "$WORK/headers/usr/include" "$HEADERS"
}

# They are the same for both byte orders.
get_headers() {
	HEADERS=$CACHE/result/headers-$LINUX_VERSION
	[ -d "$HEADERS" ] || step "$NAME" "kernel headers" kernel_headers
	cp -R "$HEADERS" "$SYSROOT/include"
}

libgcc() {
	mkdir -p "$WORK/libgcc" "$SYSROOT/lib"
	make -C "$WORK/libgcc" -f "$US/libgcc.mk" -j"$JOBS" GCC="$GCC_TREE" \
		CC="${CROSS}gcc ${TARGET[*]}" AR="${CROSS}ar" \
		OUT="$SYSROOT/lib/libgcc.a"
}

musl() {
	mkdir -p "$WORK/musl"
	cd "$WORK/musl"
	CC="${CROSS}gcc ${TARGET[*]}" CROSS_COMPILE=$CROSS CFLAGS="-O2 -g0" \
		LIBCC="$SYSROOT/lib/libgcc.a" \
		"$MUSL_TREE/configure" --target=mips64-linux-musl \
		--prefix="$SYSROOT" --syslibdir="$SYSROOT/lib" \
		--disable-shared --disable-wrapper
	make -j"$JOBS" install
}

wrapper() {
	mkdir -p "$SYSROOT/bin"
	cp "$US/cc" "$SYSROOT/bin/$CC_NAME"
	cp "$US/mips4.specs" "$SYSROOT/lib/"
	ln -sfn "$("${CROSS}gcc" -print-file-name=include)" "$SYSROOT/lib/gcc-include"
}

zlib() {
	make -C "$(fresh zlib)" -f "$US/zlib.mk" -j"$JOBS" SRC="$ZLIB_TREE" \
		CC="$SYSROOT/bin/cc" AR="${CROSS}ar" SYSROOT="$SYSROOT"
}

libelf() {
	make -C "$(fresh libelf)" -f "$US/libelf.mk" -j"$JOBS" SRC="$ELFUTILS_TREE" \
		CC="$SYSROOT/bin/cc" AR="${CROSS}ar" SYSROOT="$SYSROOT"
	"$SYSROOT/bin/cc" -x c -o "$WORK/try" - -lelf -lz <<-END
	#include <libelf.h>
	int main(void) { return !elf_begin(0, ELF_C_READ, 0); }
	END
}

fresh() {
	mkdir -p "$WORK/$1"
	printf '%s' "$WORK/$1"
}

set_tree() {
	source_of "$1"
	declare -g "${1^^}_TREE=$SRC_TREE" "${1^^}_VERSION=${SRC_VERSION#*:}"
	KEY+=" $1=$SRC_VERSION"
	note_version "$1" "$SRC_VERSION"
}

# The headers depend on the kernel's version only: our hooks add none.
toolchain_key() {
	local name

	KEY="$("${CROSS}gcc" -dumpfullversion)"
	for name in linux gcc musl zlib elfutils; do
		set_tree "$name"
	done
	KEY=$(hash_text "$KEY" "$(hash_of "$US/libgcc" "$US/libelf" \
		"$US/libgcc.mk" "$US/libelf.mk" "$US/zlib.mk" \
		"$US/cc" "$US/mips4.specs" "$ROOT/scripts/guest-toolchain.sh")")
}

for_perf() {
	step "$NAME" "zlib" zlib
	step "$NAME" "libelf" libelf
}

# The directory gets its final name when it is complete. That works as neither musl
# nor cc contains the name under which it was installed.
build_toolchain() {
	need_space "$NAME" 400
	WORK=$CACHE/build/$NAME.tmp
	SYSROOT=$RESULT.tmp
	rm -rf "$WORK" "$SYSROOT"
	mkdir -p "$WORK" "$SYSROOT"
	get_headers
	step "$NAME" "libgcc for MIPS IV" libgcc
	step "$NAME" "musl" musl
	step "$NAME" "compiler wrapper" wrapper
	[ "$NAME" != toolchain ] || for_perf
	rm -rf "$WORK" "$RESULT"
	mv "$SYSROOT" "$RESULT"
}

lock toolchain
toolchain_key
RESULT=$CACHE/result/$NAME-$KEY
[ -d "$RESULT" ] || build_toolchain
link_guest "$RESULT/bin/$CC_NAME" "$CC_NAME"
note_version cc "$("${CROSS}gcc" -dumpfullversion)"
