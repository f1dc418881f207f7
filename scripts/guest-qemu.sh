#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: guest-qemu.sh [stock]
#
# Builds the emulator: the QEMU of third-party.conf (or QEMU_SRC=) with the
# R10000 and its counters, for both byte orders, and nothing that we do not use.
# Leaves qemu-system-mips64 and qemu-system-mips64el in build/guest, and in
# build/guest/plugins those plugins of QEMU that the tests compare with, and the
# header to build another. "stock" builds the same version with the same options
# and of our hooks only the table of CPU types, and what of integration/qemu/stock
# our kernel needs, as stock/qemu-system-mips64, to compare speed with. Both are
# built in one tree, one after the other, since most of their objects are the same.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

OPTIONS=(--without-default-features --enable-tcg --enable-fdt=system
	--enable-system --enable-plugins --disable-docs --disable-tools
	--disable-guest-agent --disable-install-blobs --disable-debug-info
	--without-default-devices --with-devices-mips64=r10kperf
	--with-devices-mips64el=r10kperf
	"--target-list=mips64-softmmu,mips64el-softmmu")
TARGETS=(mips64 mips64el)
QEMU=$ROOT/integration/qemu
HOOKS=("$QEMU/hooks")
ONLY=()
PLUGINS=(contrib/plugins/libcache.so tests/tcg/plugins/libinsn.so
	tests/tcg/plugins/libmem.so)

meson_is_new() {
	local have

	have=$(/usr/bin/meson --version 2>/dev/null) || return 1
	[ "$(printf '%s\n' "$MESON_MIN" "$have" | sort -V | head -n 1)" = "$MESON_MIN" ]
}

# QEMU's configure calls a meson of the Python that it is told to use; other
# Pythons that come first in PATH are kept out of the way.
use_meson() {
	local SRC_VERSION SRC_TREE

	PATH=/usr/bin:/bin:/usr/sbin:/sbin
	unset PYTHONHOME PYTHONPATH PYTHONSTARTUP VIRTUAL_ENV
	meson_is_new && return
	source_of meson
	PATH=$SRC_TREE/usr/bin:$PATH
	export PYTHONPATH=$SRC_TREE/usr/lib/python3/dist-packages
}

configure() {
	rm -rf "$OBJ"
	mkdir -p "$OBJ"
	cd "$OBJ"
	"$TREE/configure" --python=/usr/bin/python3 "${OPTIONS[@]}"
}

build() {
	ninja -C "$OBJ" -j "$JOBS" "${TARGETS[@]/#/qemu-system-}" "${PLUGINS[@]}"
}

# build.ninja comes last, so that an interrupted configure is run again. Other
# options have another directory: an older commit's do not fit this tree.
build_qemu() {
	need_space "$NAME" 800
	work_tree qemu "${ONLY[@]}"
	OBJ+=-$(hash_text "${OPTIONS[*]}")
	use_meson
	[ -f "$OBJ/build.ninja" ] || step "$NAME" "configuring $SRC_VERSION" configure
	step "$NAME" "building $SRC_VERSION" build
	keep "${TARGETS[@]/#/$OBJ/qemu-system-}" "${PLUGINS[@]/#/$OBJ/}" \
		"$TREE/include/qemu/qemu-plugin.h"
}

[ $# -eq 0 ] || [ "$*" = stock ] || die "usage: guest-qemu.sh [stock]"
NAME=qemu${1:+-$1}
if [ "$NAME" = qemu-stock ]; then
	HOOKS=("$QEMU"/hooks/0001-* "$QEMU/stock/hooks")
	ONLY=('' '0001-*' "$QEMU/stock/hooks")
	TARGETS=(mips64)
	PLUGINS=()
fi
lock qemu
source_of qemu
RESULT=$CACHE/result/$NAME-${SRC_VERSION#*:}-$(hash_text "$(hash_of "${HOOKS[@]}" \
	"$QEMU/overlay" "$QEMU/devices.mak" "$QEMU/target" \
	"$ROOT/drivers/perf/mips_r10k/events.def")" "${OPTIONS[*]} ${TARGETS[*]} ${PLUGINS[*]}" \
	"$(gcc -dumpfullversion)")
[ -d "$RESULT" ] || build_qemu
for target in "${TARGETS[@]}"; do
	link_guest "$RESULT/qemu-system-$target" "${1:+$1/}qemu-system-$target"
done
[ $# -ne 0 ] || PLUGINS+=(qemu-plugin.h)
for plugin in "${PLUGINS[@]##*/}"; do
	link_guest "$RESULT/$plugin" "plugins/$plugin"
done
note_version "$NAME" "$SRC_VERSION"
