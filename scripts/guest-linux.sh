#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the guest's kernel: the Linux of third-party.conf (or LINUX_SRC=) with
# our driver and hooks, configured by integration/linux/guest.config on top of
# allnoconfig. Leaves vmlinux, linux (source) and linux-build in build/guest.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

FRAGMENT=$ROOT/integration/linux/guest.config

kmake() {
	make -C "$TREE" O="$OBJ" ARCH=mips CROSS_COMPILE="$CROSS" \
		KBUILD_BUILD_USER=r10kperf KBUILD_BUILD_HOST=guest \
		-j"$JOBS" "$@"
}

clean_source() {
	make -C "$TREE" ARCH=mips mrproper
}

# A line that Kconfig dropped, because of a dependency or a wrong name, would
# otherwise be noticed only when something is missing in the guest.
check_config() {
	local line lost=0

	while read -r line; do
		case $line in
		CONFIG_*=n) line="# ${line%=n} is not set" ;;
		CONFIG_*=* | '# CONFIG_'*' is not set') ;;
		*) continue ;;
		esac
		if ! config_has "$line"; then
			printf 'error: lost from guest.config: %s\n' "$line"
			lost=1
		fi
	done <"$FRAGMENT"
	return $lost
}

# "is not set" is also true when the option cannot be seen at all.
config_has() {
	local name

	case $1 in
	'#'*)
		name=${1#\# }
		! grep -q "^${name%% *}=" "$OBJ/.config"
		;;
	*) grep -qxF "$1" "$OBJ/.config" ;;
	esac
}

configure() {
	mkdir -p "$OBJ"
	kmake KCONFIG_ALLCONFIG="$FRAGMENT" allnoconfig
	kmake olddefconfig
	check_config
}

# The kernel names its own build date in /proc/version: fixed, so that the same
# input gives the same kernel.
build() {
	KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' kmake vmlinux modules_prepare
}

build_linux() {
	need_space linux 400
	[ ! -e "$TREE/.config" ] || step linux "cleaning the source" clean_source
	step linux "configuring $SRC_VERSION" configure
	step linux "building $SRC_VERSION" build
	keep "$OBJ/vmlinux" "$OBJ/System.map" "$OBJ/.config"
}

lock linux
work_tree linux
RESULT=$CACHE/result/linux-${SRC_VERSION#*:}-$(hash_text "$(overlay_hash)" \
	"$(hash_of "$FRAGMENT" "$0")" "$("${CROSS}gcc" -dumpfullversion)")
link_guest "$TREE" linux
link_guest "$OBJ" linux-build
built || build_linux
link_guest "$RESULT/vmlinux" vmlinux
note_version linux "$SRC_VERSION"
