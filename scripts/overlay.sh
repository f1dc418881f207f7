#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: overlay.sh TREE INTEGRATION [HOOKS [MORE]]
#
# Puts our files and hooks into a third-party tree. INTEGRATION/overlay lists
# "path-in-repository path-in-tree", files or directories to copy. The patches
# INTEGRATION/hooks/*.patch are applied in the order of their names; HOOKS is a
# pattern that chooses some of them, @(0001|0003)-* for example. MORE is another
# directory of patches, which are applied after those. INTEGRATION/series/series can
# name ports, patches for our own files that an older or a newer tree needs.
#
# The script can run again on the same tree. TREE/.r10kperf/ keeps the originals of
# all files that we touch, and the script makes the new state from these, in another
# directory there. It then writes only files whose content differs, so make rebuilds
# no more than what has changed.

. "$(dirname "$0")/lib.sh"

[ $# -ge 2 ] && [ $# -le 4 ] || die "usage: overlay.sh TREE INTEGRATION [HOOKS [MORE]]"
[ -d "$1" ] || die "$1: no such directory"
[ -f "$2/overlay" ] || die "$2/overlay: no such file"
TREE=$(cd "$1" && pwd)
FROM=$(cd "$2" && pwd)
KEEP=$TREE/.r10kperf
STAGE=$KEEP/stage
shopt -s extglob
# shellcheck disable=SC2206 # HOOKS is a pattern
PATCHES=("$FROM/hooks/"${3:-*}.patch ${4:+"$4"/*.patch})

# The files that the hooks name, as paths in the tree.
hooked() {
	cat "${PATCHES[@]}" |
		sed -n 's#^+++ [^/ \t]*/\([^ \t]*\).*#\1#p' | sort -u
}

copied() {
	local source target path

	while read -r source target; do
		case $source in
		'' | '#'*) continue ;;
		esac
		if [ -d "$ROOT/$source" ]; then
			(cd "$ROOT/$source" && find . -type f ! -name '*.o' \
				-printf '%P\n') | while read -r path; do
				printf '%s\t%s\n' "$ROOT/$source/$path" "$target/$path"
			done
		elif [ -f "$ROOT/$source" ]; then
			printf '%s\t%s\n' "$ROOT/$source" "$target"
		else
			die "$FROM/overlay names $source, which does not exist"
		fi
	done <"$FROM/overlay"
}

# The original of a file: the one that was kept, or the tree's if it is not ours.
stage_original() {
	if [ -f "$KEEP/original/$1" ]; then
		copy "$KEEP/original/$1" "$STAGE/$1"
	elif [ -f "$TREE/$1" ] && ! grep -qxF "$1" "$KEEP/files"; then
		copy "$TREE/$1" "$KEEP/original/$1"
		copy "$TREE/$1" "$STAGE/$1"
	fi
}

copy() {
	mkdir -p "$(dirname "$2")"
	cp --remove-destination --preserve=mode "$1" "$2"
}

stage_files() {
	local path source

	while read -r path; do
		stage_original "$path"
	done < <(hooked)
	while IFS=$'\t' read -r source path; do
		stage_original "$path"
		copy "$source" "$STAGE/$path"
	done <"$KEEP/copied"
}

stage_hooks() {
	local hook

	for hook in "${PATCHES[@]}"; do
		[ -e "$hook" ] || die "there is no hook $hook"
		patch -d "$STAGE" -p1 -F0 --no-backup-if-mismatch -s -f <"$hook" >&2 ||
			die "$hook does not apply to $TREE" \
			    "is it the series that $CONF names?"
	done
}

# What is in the cache, or the user's own tree, can be an older state of the series
# that we follow. The lines are "port NAME if FILE TEXT", or "unless" in place of "if".
stage_ports() {
	local word name when file text has

	[ -f "$FROM/series/series" ] || return 0
	while read -r word name when file text; do
		[ "$word" = port ] || continue
		has=unless
		! grep -qsF -- "$text" "$TREE/$file" || has=if
		[ "$when" = "$has" ] || continue
		patch -d "$STAGE" -p1 -F0 --no-backup-if-mismatch -s -f \
			<"$FROM/series/ports/$name.patch" >&2 ||
			die "the port $name does not apply to our files"
	done <"$FROM/series/series"
}

put_new() {
	local path

	while read -r path; do
		cmp -s "$STAGE/$path" "$TREE/$path" || copy "$STAGE/$path" "$TREE/$path"
	done <"$KEEP/files.new"
}

# Removes files, or restores originals, that only an earlier run has touched.
take_back_old() {
	local path

	comm -23 "$KEEP/files" "$KEEP/files.new" | while read -r path; do
		if [ -f "$KEEP/original/$path" ]; then
			copy "$KEEP/original/$path" "$TREE/$path"
		else
			rm -f "${TREE:?}/$path"
		fi
	done
}

mkdir -p "$KEEP"
rm -rf "$STAGE"
mkdir "$STAGE"
touch "$KEEP/files"
copied >"$KEEP/copied"
stage_files
stage_hooks
stage_ports
(cd "$STAGE" && find . -type f ! -name '*.orig' ! -name '*.rej' -printf '%P\n') |
	sort >"$KEEP/files.new"
put_new
take_back_old
mv "$KEEP/files.new" "$KEEP/files"
rm -rf "$STAGE"
