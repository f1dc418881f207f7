# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# How QEMU is configured, the tool that builds it, its tests of our chips, and what
# its checkpatch may say. Sourced after lib.sh and lib-source.sh.

# For all builds of the emulator
QEMU_OPTIONS=(--without-default-features --enable-tcg --enable-fdt=system
	--enable-system --enable-plugins --disable-docs --disable-tools
	--disable-guest-agent --disable-install-blobs --disable-debug-info
	--without-default-devices)

# The tests of the Octane's chips, as targets of QEMU's build
chip_tests() {
	basename -s .c "$ROOT"/integration/qemu/tests/qtest/octane-*-test.c |
		sed 's,^,tests/qtest/,'
}

# may_say FILE: reads FILE, whose lines are a pattern, a tab, and a reason; prints all
# patterns as one
may_say() {
	local patterns

	patterns=$(sed -n 's/^\([^#\t][^\t]*\)\t.*/\1/p' "$1" | paste -sd '|')
	[ -n "$patterns" ] || die "$1 has no pattern"
	printf '%s\n' "$patterns"
}

meson_is_new() {
	local have

	have=$(/usr/bin/meson --version 2>/dev/null) || return 1
	[ "$(printf '%s\n' "$MESON_MIN" "$have" | sort -V | head -n 1)" = "$MESON_MIN" ]
}

# QEMU's configure calls the meson of the Python that it is told to use. PATH must
# not have another Python first.
use_meson() {
	local SRC_VERSION SRC_TREE

	PATH=/usr/bin:/bin:/usr/sbin:/sbin
	unset PYTHONHOME PYTHONPATH PYTHONSTARTUP VIRTUAL_ENV
	meson_is_new && return
	source_of meson
	PATH=$SRC_TREE/usr/bin:$PATH
	export PYTHONPATH=$SRC_TREE/usr/lib/python3/dist-packages
}
