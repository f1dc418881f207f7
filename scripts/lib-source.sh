# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Finds the source of a third-party package: what fetch.sh has left in the cache, or
# a tree that the user names. Sourced after lib.sh.

cross_major() {
	local major

	major=$("${CROSS}gcc" -dumpversion 2>/dev/null) ||
		die "there is no ${CROSS}gcc" "run scripts/deps.sh"
	printf '%s' "${major%%.*}"
}

# source_wanted NAME: prints its series and suite.
source_wanted() {
	case $1 in
	gcc) printf '%s %s' "$(cross_major)" "$GCC_SUITE" ;;
	*)
		local series=${1^^}_SERIES suite=${1^^}_SUITE

		printf '%s %s' "${!series}" "${!suite}"
		;;
	esac
}

source_file() {
	local wanted

	wanted=$(source_wanted "$1")
	printf '%s' "$CACHE/fetched/$1-${wanted// /-}"
}

source_record() {
	local file

	file=$(source_file "$1")
	mkdir -p "${file%/*}"
	printf '%s %s\n' "$2" "$3" >"$file.new"
	mv "$file.new" "$file"
}

source_known() {
	local file version tree

	file=$(source_file "$1")
	[ -f "$file" ] || return 1
	read -r version tree <"$file"
	[ -n "$version" ] && [ -d "$tree" ]
}

# A stamp of the names, sizes and times of the files in the user's tree: if a file
# changes, a new copy replaces the last one.
user_stamp() {
	(cd "$1" && find . -name .git -prune -o -type f -printf '%P %s %T@\n' |
		sort) | sha256sum | cut -c1-12
}

forget_user_tree() {
	rm -rf "$CACHE/src/"*"-$1-"* "$CACHE/work/"*"-$1-"* "$CACHE/build/"*"-$1-"*
}

copy_user_tree() {
	rm -rf "$2.tmp"
	mkdir -p "$2.tmp"
	tar -C "$1" --exclude=./.git --exclude=./build -cf - . | tar -C "$2.tmp" -xf -
	mv "$2.tmp" "$2"
}

use_user_tree() {
	local name=$1 tree=$2 id

	[ -d "$tree" ] || die "${name^^}_SRC=$tree: no such directory"
	tree=$(cd "$tree" && pwd)
	id=user-$(hash_text "$tree")
	SRC_VERSION=$id-$(user_stamp "$tree")
	SRC_TREE=$CACHE/src/$name-$SRC_VERSION
	(
		lock user-tree
		[ -d "$SRC_TREE" ] || forget_user_tree "$id"
		[ -d "$SRC_TREE" ] ||
			step "$name" "copying $tree" copy_user_tree "$tree" "$SRC_TREE"
	)
}

# source_of NAME: sets SRC_VERSION and SRC_TREE. QEMU_SRC= and LINUX_SRC= name
# the user's own tree, which is copied and never written to.
source_of() {
	local user=${1^^}_SRC

	if [ -n "${!user:-}" ]; then
		use_user_tree "$1" "${!user}"
		return
	fi
	source_known "$1" || "$ROOT/scripts/fetch.sh" "$1"
	read -r SRC_VERSION SRC_TREE <"$(source_file "$1")"
}
