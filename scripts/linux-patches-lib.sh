# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# A kernel tree with the series in it, for the scripts that build it. Sourced
# after lib.sh and lib-tree.sh. REPO is a git repository with the files that
# the series touches, on branch series; TREE is the pristine kernel.

DRIVER=drivers/perf/mips_r10k

# The pristine TREE's version, as VERSION.PATCHLEVEL
version_of() {
	awk '$1 == "VERSION" { v = $3 } $1 == "PATCHLEVEL" { print v "." $3; exit }' \
		"$1/Makefile"
}

in_repo() {
	git -C "$REPO" -c user.name=check -c user.email=check@localhost "$@"
}

# series_tree VERSION: sets WORK, links to TREE that "put" makes the series'
# own, and OBJ, for builds of it. What an earlier series has touched and this
# one does not is made pristine again.
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

# put COMMIT: its state of all files that the series touches, into WORK. Only
# what differs is written, as a new file: the others are links into TREE.
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

# The objects of the kernel's own sources that the series touches. Of those of
# perf's MIPS part one is always there; Kconfig decides about others.
touched_objects() {
	in_repo diff --name-only pristine series |
		sed -n "\\#^$DRIVER/#d; /^tools/d; s/\\.c\$/.o/p"
	echo arch/mips/kernel/perf_event.o
}
