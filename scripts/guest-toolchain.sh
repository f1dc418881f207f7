#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the compiler for guest programs, build/guest/cc: Debian's MIPS64 cross
# gcc with a MIPS IV musl, libgcc, zlib and libelf and the kernel's headers.
# Nothing that it links has an instruction that an R10000 lacks, which
# check-isa.sh proves.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"

US=$ROOT/integration/userland
# Set by set_tree
LINUX_TREE='' GCC_TREE='' MUSL_TREE='' ZLIB_TREE='' ELFUTILS_TREE=''
TARGET=(-march=mips4 -mabi=64 -mtune=r10000 -mno-fix-r10000 -fno-pie -no-pie)

kernel_headers() {
	mkdir -p "$WORK/headers"
	make -C "$LINUX_TREE" O="$WORK/headers" ARCH=mips -j"$JOBS" headers
	mkdir -p "$SYSROOT/include"
	cp -R "$WORK/headers/usr/include/." "$SYSROOT/include/"
	find "$SYSROOT/include" ! -name '*.h' -type f -delete
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
	cp "$US/cc" "$SYSROOT/bin/cc"
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
	declare -g "${1^^}_TREE=$SRC_TREE"
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

# The folder gets its final name when it is complete; musl does not keep the
# name it was installed under, and cc finds its way by itself.
build_toolchain() {
	need_space toolchain 400
	WORK=$CACHE/build/toolchain.tmp
	SYSROOT=$RESULT.tmp
	rm -rf "$WORK" "$SYSROOT"
	mkdir -p "$WORK" "$SYSROOT"
	step toolchain "kernel headers" kernel_headers
	step toolchain "libgcc for MIPS IV" libgcc
	step toolchain "musl" musl
	step toolchain "compiler wrapper" wrapper
	step toolchain "zlib" zlib
	step toolchain "libelf" libelf
	rm -rf "$WORK" "$RESULT"
	mv "$SYSROOT" "$RESULT"
}

lock toolchain
toolchain_key
RESULT=$CACHE/result/toolchain-$KEY
[ -d "$RESULT" ] || build_toolchain
link_guest "$RESULT/bin/cc" cc
note_version cc "$("${CROSS}gcc" -dumpfullversion)"
