#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: guest-linux.sh [VARIANT]
#
# Builds the guest's kernel: the Linux of third-party.conf (or LINUX_SRC=) with
# our driver and hooks, configured by integration/linux/guest.config on top of
# allnoconfig. Leaves vmlinux, modules, linux (source) and linux-build in build/guest.
#
# All have modules: the kernel's own, pmc.ko of drivers/perf/pmc9, and those of
# tests/fixtures/kernel.
#
# A variant has integration/linux/VARIANT.config on top of that. It leaves
# vmlinux-VARIANT, linux-build-VARIANT and modules-VARIANT. What it builds is kept
# beside the main kernel's, and begins as a copy of it if board and byte order are the
# same: kbuild then makes what the configuration changes.
#
# "octane" is the kernel for SGI's IP30: ip30_defconfig without its modules, then its
# own options, and not those of guest.config. "octane-debug" has debug.config and its
# own on top.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

[ $# -le 1 ] || die "usage: guest-linux.sh [VARIANT]"
VARIANT=${1:-}
NAME=linux${VARIANT:+-$VARIANT}
BASE=$ROOT/integration/linux
FRAGMENTS=("$BASE/guest.config" ${VARIANT:+"$BASE/$VARIANT.config"})
BOARD=
case $VARIANT in
octane*)
	BOARD=ip30_defconfig
	FRAGMENTS=("$BASE/octane.config")
	[ "$VARIANT" = octane ] ||
		FRAGMENTS+=("$BASE/${VARIANT#octane-}.config" "$BASE/$VARIANT.config")
	;;
esac
TESTS=$ROOT/tests/fixtures/kernel
PMC9=$ROOT/drivers/perf/pmc9
PMC_INCLUDE=$ROOT/compat/libpmc/include
[ -f "${FRAGMENTS[-1]}" ] || die "there is no ${FRAGMENTS[-1]}"

# The vDSO's build ID is a hash of its debugging information, too, which names files: by
# the same names in each cache.
kmake() {
	make -C "$TREE" O="$OBJ" ARCH=mips CROSS_COMPILE="$CROSS" \
		CC="${CROSS}gcc -ffile-prefix-map=$CACHE/=" \
		KBUILD_BUILD_USER=r10kperf KBUILD_BUILD_HOST=guest \
		-j"$JOBS" "$@"
}

clean_source() {
	make -C "$TREE" ARCH=mips mrproper
}

# The copy gets its name when it is complete.
copy_main() {
	rm -rf "$OBJ.tmp"
	cp -a "$MAIN" "$OBJ.tmp"
	mv "$OBJ.tmp" "$OBJ"
}

# The last word on an option counts.
merge() {
	cat "${FRAGMENTS[@]}" | awk -F= '
		/^CONFIG_/ { if (!($1 in line)) name[++n] = $1; line[$1] = $0 }
		END { for (i = 1; i <= n; i++) print line[name[i]] }'
}

# A line that Kconfig dropped, because of a dependency or a wrong name, would
# otherwise be noticed only when something is missing in the guest.
check_config() {
	local line lost=0

	while read -r line; do
		if ! config_has "$line"; then
			printf 'error: lost from the configuration: %s\n' "$line"
			lost=1
		fi
	done <"$OBJ/.r10kperf-config"
	return $lost
}

# "=n" is also true when the option cannot be seen at all.
config_has() {
	case $1 in
	*=n) ! grep -q "^${1%n}" "$OBJ/.config" ;;
	*) grep -qxF "$1" "$OBJ/.config" ;;
	esac
}

configure() {
	mkdir -p "$OBJ"
	merge >"$OBJ/.r10kperf-config"
	if [ -n "$BOARD" ]; then
		kmake "$BOARD"
		sed -i '/=m$/d' "$OBJ/.config"
		cat "$OBJ/.r10kperf-config" >>"$OBJ/.config"
	else
		kmake KCONFIG_ALLCONFIG="$OBJ/.r10kperf-config" allnoconfig
	fi
	kmake olddefconfig
	check_config
}

# In copies, because the kernel builds such a module where its source is.
build_modules() {
	rm -rf "$OBJ/modules" "$OBJ/tests-kernel" "$OBJ/pmc9"
	mkdir -p "$OBJ/modules"
	kmake modules
	cp -r "$PMC9" "$OBJ/pmc9"
	kmake M="$OBJ/pmc9" PMC_INCLUDE="$PMC_INCLUDE" modules
	cp -r "$TESTS" "$OBJ/tests-kernel"
	kmake M="$OBJ/tests-kernel" PMC_INCLUDE="$PMC_INCLUDE" \
		KBUILD_EXTRA_SYMBOLS="$OBJ/pmc9/Module.symvers" modules
	(cd "$OBJ" && sed 's/o$/ko/' modules.order | xargs -r cp -t modules)
	cp "$OBJ"/pmc9/*.ko "$OBJ"/tests-kernel/*.ko "$OBJ/modules/"
}

# The kernel names the number and the date of its build in /proc/version: fixed,
# so that the same input gives the same kernel.
build() {
	export KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970'
	export KBUILD_BUILD_VERSION=1
	kmake vmlinux modules_prepare
	build_modules
}

build_linux() {
	need_space "$NAME" 400
	[ ! -e "$TREE/.config" ] || step "$NAME" "cleaning the source" clean_source
	[ -d "$OBJ" ] || [ ! -f "$MAIN/vmlinux" ] || [ -n "$BOARD" ] ||
		grep -q '^CONFIG_CPU_LITTLE_ENDIAN=y' "${FRAGMENTS[-1]}" ||
		step "$NAME" "copying what the main kernel has" copy_main
	step "$NAME" "configuring $SRC_VERSION" configure
	step "$NAME" "building $SRC_VERSION" build
	keep "$OBJ/vmlinux" "$OBJ/System.map" "$OBJ/.config" "$OBJ/modules"
}

link_results() {
	if [ -z "$VARIANT" ]; then
		link_guest "$TREE" linux
		note_version linux "$SRC_VERSION"
	fi
	link_guest "$RESULT/modules" "modules${VARIANT:+-$VARIANT}"
	link_guest "$OBJ" "linux-build${VARIANT:+-$VARIANT}"
	link_guest "$RESULT/vmlinux" "vmlinux${VARIANT:+-$VARIANT}"
}

lock linux
work_tree linux
MAIN=$OBJ
OBJ=$CACHE/build/$NAME-${SRC_VERSION#*:}
RESULT=$CACHE/result/$NAME-${SRC_VERSION#*:}-$(hash_text "$(overlay_hash)" \
	"$(hash_of "${FRAGMENTS[@]}" "$0" "$TESTS" "$PMC9" "$PMC_INCLUDE")" \
	"$("${CROSS}gcc" -dumpfullversion)")
built || build_linux
link_results
