# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2153
#
# Checks a series of patches for a tree, and makes a tree with it. Sourced after
# lib.sh and lib-tree.sh. TREE is the pristine tree, OUT what patch_series.py has
# written, and AM and REPO the repository in which git am applies it: it has the
# files that the series touches, on branch series.

in_repo() {
	git -C "$REPO" -c user.name=check -c user.email=check@localhost "$@"
}

patches() {
	find "$OUT" -maxdepth 1 -name '0*.patch' ! -name '0000-*' | sort
}

# The files that the series touches in the pristine tree
pristine_files() {
	git -C "$OUT/git" ls-tree -r --name-only pristine
}

copy_pristine() {
	rm -rf "$1"
	mkdir -p "$1"
	pristine_files | tar -C "$TREE" -cf - -T - | tar -C "$1" -xf -
}

check_am() {
	copy_pristine "$AM"
	in_repo init -q -b series
	in_repo add -A -f
	in_repo commit -q -m Pristine
	in_repo tag pristine
	patches | xargs git -C "$AM" -c user.name=check -c user.email=check@localhost \
		am -q
	[ "$(in_repo rev-parse 'HEAD^{tree}')" = \
		"$(git -C "$OUT/git" rev-parse 'series^{tree}')" ] ||
		die "git am has made another tree than the patches were made from"
}

# series_tree VERSION: sets WORK and OBJ. WORK has links to the files of TREE, of
# which "put" replaces those that the series touches. Files that only an earlier
# series has touched become those of TREE again. OBJ is for builds. A tree of
# another source, or an incomplete one, is removed first.
series_tree() {
	local path

	WORK=$CACHE/work/series-$1
	OBJ=$CACHE/build/series-$1
	need_space "series-$1" 1500
	[ "${LOCKED:-}" = "$1" ] || lock "series-$1"
	LOCKED=$1
	if [ "$(cat "$WORK/.series-tree" 2>/dev/null)" != "$TREE" ]; then
		rm -rf "${WORK:?}" "${OBJ:?}"
		step "series-$1" "copying the source" copy_tree "$TREE" "$WORK"
		echo "$TREE" >"$WORK/.series-tree"
	fi
	mkdir -p "$OBJ"
	touch "$WORK/.series-files"
	in_repo ls-tree -r --name-only series | sort >"$WORK/.series-files.new"
	comm -23 "$WORK/.series-files" "$WORK/.series-files.new" |
		while read -r path; do
			rm -f "${WORK:?}/$path"
			[ ! -f "$TREE/$path" ] || cp "$TREE/$path" "$WORK/$path"
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

# run_checks CHECK...: runs check_CHECK, which can say in "skipped" why it has not
# checked anything
run_checks() {
	local check skipped

	for check; do
		skipped=
		"check_$check"
		say "$NAME" "$check: ${skipped:+SKIP: }${skipped:-passed}"
	done
}
