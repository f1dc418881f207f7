#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: guest-qemu.sh [stock|asan]
#
# Builds the emulator: the QEMU of third-party.conf (or QEMU_SRC=) with the
# R10000 and its counters, for both byte orders, without the parts that we do not
# use. Leaves qemu-system-mips64 and qemu-system-mips64el in build/guest. Leaves in
# build/guest/plugins the plugins of QEMU that the tests compare with, and the
# header to build another, and in build/guest/qtest the tests of the Octane's chips.
#
# "stock" builds stock/qemu-system-mips64, to compare speed with: the same version
# and options, with only three parts of ours: the table of CPU types, the Octane, so
# that both have the same list of devices, and the hooks of integration/qemu/stock,
# which our kernel needs. One tree serves for both, as most of their objects are the
# same.
#
# "asan" builds asan/qemu-system-mips64, which has no other difference than that
# AddressSanitizer and UndefinedBehaviorSanitizer watch it.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"
. "$ROOT/scripts/lib-qemu.sh"
shopt -s extglob

OPTIONS=("${QEMU_OPTIONS[@]}" --with-devices-mips64=r10kperf
	--with-devices-mips64el=r10kperf
	"--target-list=mips64-softmmu,mips64el-softmmu")
TARGETS=(mips64 mips64el)
QEMU=$ROOT/integration/qemu
HOOKS=("$QEMU/hooks")
ONLY=()
PLUGINS=(contrib/plugins/libcache.so tests/tcg/plugins/libinsn.so
	tests/tcg/plugins/libmem.so)
mapfile -t QTESTS < <(chip_tests)

configure() {
	rm -rf "$OBJ"
	mkdir -p "$OBJ"
	cd "$OBJ"
	"$TREE/configure" --python=/usr/bin/python3 "${OPTIONS[@]}"
}

build() {
	ninja -C "$OBJ" -j "$JOBS" "${TARGETS[@]/#/qemu-system-}" "${PLUGINS[@]}" \
		"${QTESTS[@]}"
}

# configure writes build.ninja last, so an interrupted one runs again. Each set of
# options has its own directory: an older commit may have other options.
build_qemu() {
	need_space "$NAME" 800
	work_tree qemu "${ONLY[@]}"
	OBJ+=-$(hash_text "${OPTIONS[*]}")
	use_meson
	[ -f "$OBJ/build.ninja" ] || step "$NAME" "configuring $SRC_VERSION" configure
	step "$NAME" "building $SRC_VERSION" build
	keep "${TARGETS[@]/#/$OBJ/qemu-system-}" "${PLUGINS[@]/#/$OBJ/}" \
		"${QTESTS[@]/#/$OBJ/}" "$TREE/include/qemu/qemu-plugin.h"
}

NAME=qemu${1:+-$1}
if [ $# -gt 0 ]; then
	TARGETS=(mips64)
	PLUGINS=()
	QTESTS=()
fi
case $* in
"") ;;
stock)
	# The hook with the CPU types, and those that add a device or a machine
	mapfile -t HOOKS < <(printf '%s\n' "$QEMU"/hooks/*-cpu-types.patch
		grep -l '^+config ' "$QEMU"/hooks/*.patch)
	ONLY=('' "@($(basename -as .patch "${HOOKS[@]}" | paste -sd '|'))" "$QEMU/stock/hooks")
	HOOKS+=("$QEMU/stock/hooks")
	;;
asan)
	OPTIONS=("${QEMU_OPTIONS[@]}" --with-devices-mips64=r10kperf
		--target-list=mips64-softmmu --enable-asan --enable-ubsan
		"--extra-cflags=-O1 -g1")
	;;
*) die "usage: guest-qemu.sh [stock|asan]" ;;
esac
lock qemu
source_of qemu
RESULT=$CACHE/result/$NAME-${SRC_VERSION#*:}-$(hash_text "$(hash_of "${HOOKS[@]}" \
	"$QEMU/overlay" "$QEMU"/devices*.mak "$QEMU/hw" "$QEMU/include" "$QEMU/target" \
	"$QEMU/tests" "$QEMU/series/series" "$QEMU/series/ports" \
	"$ROOT/drivers/perf/mips_r10k/events.def")" \
	"${OPTIONS[*]} ${TARGETS[*]} ${PLUGINS[*]} ${QTESTS[*]}" "$(gcc -dumpfullversion)")
[ -d "$RESULT" ] || build_qemu
for target in "${TARGETS[@]}"; do
	link_guest "$RESULT/qemu-system-$target" "${1:+$1/}qemu-system-$target"
done
[ $# -ne 0 ] || PLUGINS+=(qemu-plugin.h)
for plugin in "${PLUGINS[@]##*/}"; do
	link_guest "$RESULT/$plugin" "plugins/$plugin"
done
for qtest in "${QTESTS[@]##*/}"; do
	link_guest "$RESULT/$qtest" "qtest/$qtest"
done
note_version "$NAME" "$SRC_VERSION"
