#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: papi.sh guest|host|tests...
#
# Builds PAPI with our presets and our libpfm4: build/papi/guest, static MIPS IV
# programs, or build/papi/host, for this machine; build/papi/tests, PAPI's own
# tests for the guest. The result is kept in the cache.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

OUT=$ROOT/build/papi
PFM=$ROOT/build/libpfm4
PROGRAMS=(papi_avail papi_native_avail papi_command_line papi_event_chooser)
# perf_event alone
COMMON=(--with-perf-events --with-static-lib=yes --with-shared-lib=no
	--with-static-tools --with-libsde=no F77=no)
PLAIN=(--with-tests=no --with-components=)
# Components that every Linux has something for, since they have tests, too
TESTED=(--with-tests=ctests "--with-components=example io net stealtime")
COMPONENTS=(perf_event perf_event_uncore sysdetect example io net stealtime)
# There is no Fortran, OpenMP or MPI for musl, and a static program loads nothing
NOT_BUILT=(SHARED= OMP=)
# Matrices of the validation tests, which were not seen to end with their own sizes.
# A column of floats still has more pages than the TLB: flops_validation wants that
# to be slow.
SIZES="-DFLOPS_SIZE=400 -DMATRIX_SIZE=256"
# Without this, which PAPI refers to weakly only, four threads initialise it
STATICALLY="-static -Wl,-u,pthread_once"
# What configure would find out by running programs
CROSSED=(--host=mips64-linux-musl --with-arch=mips --with-OS=linux
	--with-CPU=mips --with-ffsll --with-tls=__thread --with-nativecc=gcc
	--with-virtualtimer=clock_thread_cputime_id --with-walltimer=clock_realtime)

# library LIBPFM4 CC AR CONFIGURE-ARGUMENT...: libpapi.a in OBJ/src
library() {
	local lib=$1 cc=$2 ar=$3 src=$OBJ/src

	rm -rf "$OBJ"
	mkdir -p "${OBJ%/*}"
	cp -a "$TREE" "$OBJ"
	(cd "$src" && ./configure CC="$cc" AR="$ar" "${COMMON[@]}" "${@:4}" \
		--with-pfm-incdir="$PFM/host/include" --with-pfm-libdir="$lib")
	make -C "$src" -j"$JOBS" CC="$cc" AR="$ar" libpapi.a
}

# build LIBPFM4 CC AR CONFIGURE-ARGUMENT...
build() {
	local lib=$1 cc=$2 src=$OBJ/src

	library "$@" "${PLAIN[@]}"
	make -C "$src/testlib" CC="$cc" do_loops.o
	make -C "$src/utils" CC="$cc" PAPILIB="$src/libpapi.a" \
		LDFLAGS="-static $lib/libpfm.a" \
		DOLOOPS=../testlib/do_loops.o "${PROGRAMS[@]}"
	mkdir -p "$RESULT.tmp/include"
	cp "${PROGRAMS[@]/#/$src/utils/}" "$src/libpapi.a" "$RESULT.tmp/"
	cp "$src/papi.h" "$src/papiStdEventDefs.h" "$RESULT.tmp/include/"
}

build_host() {
	build "$(readlink -f "$PFM/native")" gcc ar
}

build_guest() {
	build "$(readlink -f "$PFM/guest")" "$REAL_CC" "${CROSS}ar" \
		"${CROSSED[@]}" "--with-OSVER=${LINUX_SERIES}.0"
	(cd "$RESULT.tmp" && "${CROSS}strip" -g "${PROGRAMS[@]}")
}

# tests_in FOLDER MAKE-ARGUMENT...: perf_event's tests lack _GNU_SOURCE
tests_in() {
	make -C "$OBJ/src/$1" -j"$JOBS" CC="$REAL_CC -D_GNU_SOURCE $SIZES" \
		CC_R="$REAL_CC -D_GNU_SOURCE -pthread" AR="${CROSS}ar" F77= \
		LDFLAGS="$STATICALLY $(readlink -f "$PFM/guest")/libpfm.a" "${@:2}"
}

# keep_tests FOLDER...: all programs there
keep_tests() {
	local folder path

	for folder; do
		mkdir -p "$RESULT.tmp/$folder"
		while read -r path; do
			"${CROSS}strip" -o "$RESULT.tmp/$folder/${path##*/}" "$path"
		done < <(find "$OBJ/src/$folder" -maxdepth 1 -type f -perm -100 \
			! -name '*.*')
	done
}

build_tests() {
	local folders=("${COMPONENTS[@]/%//tests}")

	folders=("${folders[@]/#/components/}")
	library "$(readlink -f "$PFM/guest")" "$REAL_CC" "${CROSS}ar" \
		"${CROSSED[@]}" "--with-OSVER=${LINUX_SERIES}.0" "${TESTED[@]}"
	tests_in testlib
	tests_in validation_tests PAPILIB=../libpapi.a
	tests_in ctests PAPILIB=../libpapi.a "${NOT_BUILT[@]}" all
	for folder in "${folders[@]}"; do
		tests_in "$folder"
	done
	keep_tests ctests validation_tests "${folders[@]}"
}

# One machine, from the cache if it is there
make_one() {
	RESULT=$CACHE/result/papi-$1-${SRC_VERSION#*:}-$KEY
	OBJ=$CACHE/build/papi-${SRC_VERSION#*:}/$1
	if [ ! -d "$RESULT" ]; then
		need_space papi 300
		rm -rf "$RESULT.tmp"
		step papi "building $SRC_VERSION: $1" "build_$1"
		mv "$RESULT.tmp" "$RESULT"
	fi
	ln -sfn "$RESULT" "$OUT/$1"
}

[ $# -gt 0 ] || die "usage: papi.sh guest|host|tests..."
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
copy_overlay "$OUT/overlay"
ln -sfn "$SRC_TREE" "$OUT/pristine"
