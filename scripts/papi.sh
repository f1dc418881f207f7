#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: papi.sh guest|host...
#
# Builds PAPI with our presets and our libpfm4: build/papi/guest, static MIPS IV
# programs, or build/papi/host, for this machine. The result is kept in the
# cache.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

OUT=$ROOT/build/papi
PFM=$ROOT/build/libpfm4
PROGRAMS=(papi_avail papi_native_avail papi_command_line papi_event_chooser)
# perf_event alone; the library's own test programs are not built
COMMON=(--with-perf-events --with-static-lib=yes --with-shared-lib=no
	--with-static-tools --with-libsde=no --with-tests=no --with-components=
	F77=no)
# What configure would find out by running programs
CROSSED=(--host=mips64-linux-musl --with-arch=mips --with-OS=linux
	--with-CPU=mips --with-ffsll --with-tls=__thread --with-nativecc=gcc
	--with-virtualtimer=clock_thread_cputime_id --with-walltimer=clock_realtime)

# build KIND LIBPFM4 CC AR CONFIGURE-ARGUMENT...
build() {
	local lib=$2 cc=$3 ar=$4 src=$OBJ/src

	rm -rf "$OBJ"
	mkdir -p "${OBJ%/*}"
	cp -a "$TREE" "$OBJ"
	(cd "$src" && ./configure CC="$cc" AR="$ar" "${COMMON[@]}" "${@:5}" \
		--with-pfm-incdir="$PFM/host/include" --with-pfm-libdir="$lib")
	make -C "$src" CC="$cc" AR="$ar" libpapi.a
	make -C "$src/testlib" CC="$cc" do_loops.o
	make -C "$src/utils" CC="$cc" PAPILIB="$src/libpapi.a" \
		LDFLAGS="-static $lib/libpfm.a" \
		DOLOOPS=../testlib/do_loops.o "${PROGRAMS[@]}"
	mkdir -p "$RESULT.tmp/include"
	cp "${PROGRAMS[@]/#/$src/utils/}" "$src/libpapi.a" "$RESULT.tmp/"
	cp "$src/papi.h" "$src/papiStdEventDefs.h" "$RESULT.tmp/include/"
}

build_host() {
	build host "$(readlink -f "$PFM/native")" gcc ar
}

build_guest() {
	build guest "$(readlink -f "$PFM/guest")" "$REAL_CC" "${CROSS}ar" \
		"${CROSSED[@]}" "--with-OSVER=${LINUX_SERIES}.0"
	(cd "$RESULT.tmp" && "${CROSS}strip" -g "${PROGRAMS[@]}")
}

# One machine, from the cache if it is there
make_one() {
	RESULT=$CACHE/result/papi-$1-${SRC_VERSION#*:}-$KEY
	OBJ=$CACHE/build/papi-${SRC_VERSION#*:}/$1
	if [ ! -d "$RESULT" ]; then
		need_space papi 300
		rm -rf "$RESULT.tmp"
		step papi "building $SRC_VERSION for the $1" "build_$1"
		mv "$RESULT.tmp" "$RESULT"
	fi
	ln -sfn "$RESULT" "$OUT/$1"
}

[ $# -gt 0 ] || die "usage: papi.sh guest|host..."
"$ROOT/scripts/libpfm4.sh"
REAL_CC=$(readlink -f "$GUEST/cc")
lock papi
"$ROOT/scripts/papi-presets" "$OUT/hooks"
work_tree papi presets '*' "$OUT/hooks"
note_version papi "$SRC_VERSION"
KEY=$(hash_text "$REAL_CC" "$(readlink -f "$PFM/guest")" "$(overlay_hash)" \
	"$(hash_of "$ROOT/scripts/papi.sh")")
for machine; do
	make_one "$machine"
done
