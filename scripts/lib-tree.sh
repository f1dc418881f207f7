# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Work trees: a copy of a third-party source with our overlay in it, kept for
# each version so that a changed overlay rebuilds only what it touches. Sourced
# after lib.sh and lib-source.sh.

# The pristine source stays as it is; its files are shared by hard links, which
# is safe because overlay.sh never writes into an existing file.
copy_tree() {
	rm -rf "$2.tmp"
	mkdir -p "${2%/*}"
	cp -al "$1" "$2.tmp"
	mv "$2.tmp" "$2"
}

# work_tree NAME [VARIANT HOOKS [MORE]]: sets SRC_VERSION, TREE (the source with
# our overlay) and OBJ. A variant is a second tree with some of the hooks only,
# or with those of one more folder. Without its name the tree itself is made so.
work_tree() {
	local name=$1${2:+-$2}

	source_of "$1"
	TREE=$CACHE/work/$name-${SRC_VERSION#*:}
	OBJ=$CACHE/build/$name-${SRC_VERSION#*:}
	[ -d "$TREE" ] || step "$name" "copying the source" copy_tree "$SRC_TREE" "$TREE"
	"$ROOT/scripts/overlay.sh" "$TREE" "$ROOT/integration/$1" "${@:3}"
}

# overlay_hash: of all files that our overlay has put into TREE.
overlay_hash() {
	(cd "$TREE" && xargs -rd '\n' sha256sum <.r10kperf/files) |
		sha256sum | cut -c1-16
}

# overlay_hash_under FOLDER...: of those below some folders of the tree.
overlay_hash_under() {
	local folder

	for folder in "$@"; do
		(cd "$TREE" && grep "^$folder/" .r10kperf/files |
			xargs -rd '\n' sha256sum) || :
	done | sha256sum | cut -c1-16
}

# keep FILE|FOLDER...: copies results of a build into RESULT in one move.
keep() {
	rm -rf "$RESULT.tmp"
	mkdir -p "$RESULT.tmp"
	cp -r "$@" "$RESULT.tmp/"
	rm -rf "$RESULT"
	mv "$RESULT.tmp" "$RESULT"
	printf '%s\n' "$RESULT" >"$OBJ/.r10kperf-result"
}

# built: whether RESULT is there and OBJ is what made it.
built() {
	[ -d "$RESULT" ] && [ "$(cat "$OBJ/.r10kperf-result" 2>/dev/null)" = "$RESULT" ]
}
