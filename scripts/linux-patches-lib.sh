# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# What the scripts share that build a kernel with the series in it. Sourced after
# lib.sh, lib-tree.sh and lib-series.sh.

DRIVER=drivers/perf/mips_r10k

# Objects that only some configurations have, and the option that they need
declare -A NEEDS=(
	[arch/mips/kernel/smp.o]=SMP
	[arch/mips/kernel/sync-r4k.o]=SYNC_R4K
	[arch/mips/pci/pci-xtalk-bridge.o]=PCI_XTALK_BRIDGE
	[arch/mips/sgi-ip27/ip27-irq.o]=SGI_IP27
	[arch/mips/sgi-ip27/ip27-smp.o]=SGI_IP27
	[arch/mips/sgi-ip30/ip30-irq.o]=SGI_IP30
	[arch/mips/sgi-ip30/ip30-smp.o]=SGI_IP30
)

# version_of TREE: prints its version, as VERSION.PATCHLEVEL
version_of() {
	awk '$1 == "VERSION" { v = $3 } $1 == "PATCHLEVEL" { print v "." $3; exit }' \
		"$1/Makefile"
}

kmake() {
	make -C "$WORK" O="$OBJ" ARCH=mips CROSS_COMPILE="$CROSS" -j"$JOBS" "$@"
}

# Prints the objects of the kernel's own sources that the series touches and that the
# configuration has. Of perf's MIPS part only perf_event.o is in each of them.
touched_objects() {
	local object

	for object in $(in_repo diff --name-only pristine series |
		sed -n "\\#^$DRIVER/#d; /^tools/d; s/\\.c\$/.o/p"); do
		[ -z "${NEEDS[$object]:-}" ] ||
			grep -q "^CONFIG_${NEEDS[$object]}=y" "$OBJ/.config" ||
			continue
		printf '%s\n' "$object"
	done
	echo arch/mips/kernel/perf_event.o
}
