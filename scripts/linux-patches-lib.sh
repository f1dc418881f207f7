# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# Makes a kernel tree with the series in it, for the scripts that build it. Sourced
# after lib.sh and lib-tree.sh. REPO is a git repository with the files that the
# series touches, on branch series; TREE is the pristine kernel.

DRIVER=drivers/perf/mips_r10k

# Objects that only some configurations have, and the option that they need
declare -A NEEDS=(
	[arch/mips/kernel/sync-r4k.o]=SYNC_R4K
	[arch/mips/pci/pci-xtalk-bridge.o]=PCI_XTALK_BRIDGE
	[arch/mips/sgi-ip30/ip30-smp.o]=SGI_IP30
)

# version_of TREE: prints its version, as VERSION.PATCHLEVEL
version_of() {
	awk '$1 == "VERSION" { v = $3 } $1 == "PATCHLEVEL" { print v "." $3; exit }' \
		"$1/Makefile"
}

in_repo() {
	git -C "$REPO" -c user.name=check -c user.email=check@localhost "$@"
}

# series_tree VERSION: sets WORK and OBJ. WORK has links to the files of TREE, of
# which "put" replaces those that the series touches. Files that only an earlier
# series has touched become links again. OBJ is for builds.
series_tree() {
	local path

	WORK=$CACHE/work/series-$1
	OBJ=$CACHE/build/series-$1
	need_space "series-$1" 1500
	[ "${LOCKED:-}" = "$1" ] || lock "series-$1"
	LOCKED=$1
	[ -d "$WORK" ] || step "series-$1" "copying the source" copy_tree "$TREE" "$WORK"
	mkdir -p "$OBJ"
	touch "$WORK/.series-files"
	in_repo ls-tree -r --name-only series | sort >"$WORK/.series-files.new"
	comm -23 "$WORK/.series-files" "$WORK/.series-files.new" |
		while read -r path; do
			rm -f "${WORK:?}/$path"
			[ ! -f "$TREE/$path" ] || ln "$TREE/$path" "$WORK/$path"
		done
	mv "$WORK/.series-files.new" "$WORK/.series-files"
}

# put COMMIT: puts this commit's files into WORK. It replaces a file that differs,
# which may be a link to TREE, by a new one; the other files stay.
put() {
	local path

	in_repo checkout -q "$1"
	while read -r path; do
		if [ ! -f "$REPO/$path" ]; then
			rm -f "${WORK:?}/$path"
		elif ! cmp -s "$REPO/$path" "$WORK/$path"; then
			mkdir -p "$(dirname "$WORK/$path")"
			rm -f "${WORK:?}/$path"
			cp "$REPO/$path" "$WORK/$path"
		fi
	done <"$WORK/.series-files"
	in_repo checkout -q series
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
