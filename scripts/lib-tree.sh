# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Work trees: copies of third-party sources with our overlay in them. The cache keeps
# one for each version, so a changed overlay rebuilds only what it touches. Sourced
# after lib.sh and lib-source.sh.

# The copy shares its files with the pristine source, as hard links. The source does
# not change, because overlay.sh never writes to an existing file.
copy_tree() {
	rm -rf "$2.tmp"
	mkdir -p "${2%/*}"
	cp -al "$1" "$2.tmp"
	mv "$2.tmp" "$2"
}

# work_tree NAME [VARIANT HOOKS [MORE]]: sets SRC_VERSION, TREE (the source with our
# overlay) and OBJ. HOOKS selects some of the hooks, and MORE is a directory with
# more of them. A variant has its own tree; an empty VARIANT changes the main one.
work_tree() {
	local name=$1${2:+-$2}

	source_of "$1"
	TREE=$CACHE/work/$name-${SRC_VERSION#*:}
	OBJ=$CACHE/build/$name-${SRC_VERSION#*:}
	[ -d "$TREE" ] || step "$name" "copying the source" copy_tree "$SRC_TREE" "$TREE"
	"$ROOT/scripts/overlay.sh" "$TREE" "$ROOT/integration/$1" "${@:3}"
}

# overlay_hash: prints a hash of all files that our overlay has put into TREE.
overlay_hash() {
	(cd "$TREE" && xargs -rd '\n' sha256sum <.r10kperf/files) |
		sha256sum | cut -c1-16
}

# overlay_hash_under DIRECTORY...: the same for files in some directories of TREE.
overlay_hash_under() {
	local folder

	for folder in "$@"; do
		(cd "$TREE" && grep "^$folder/" .r10kperf/files |
			xargs -rd '\n' sha256sum) || :
	done | sha256sum | cut -c1-16
}

# copy_overlay FOLDER: copies what our overlay has put into TREE, where another checkout's
# files may take its place. A copy that is the same stays, because a test may be reading it.
copy_overlay() {
	rm -rf "$1.new"
	mkdir -p "$1.new"
	(cd "$TREE" && xargs -rd '\n' cp --parents -t "$1.new" .r10kperf/files <.r10kperf/files)
	if diff -rq "$1" "$1.new" >/dev/null 2>&1; then
		rm -rf "$1.new"
	else
		rm -rf "$1"
		mv "$1.new" "$1"
	fi
}

# keep FILE|DIRECTORY...: copies results of a build to RESULT, which appears complete. If
# it is there, others may use it, and it stays.
keep() {
	if [ ! -d "$RESULT" ]; then
		rm -rf "$RESULT.tmp"
		mkdir -p "$RESULT.tmp"
		cp -r "$@" "$RESULT.tmp/"
		mv "$RESULT.tmp" "$RESULT"
	fi
	printf '%s\n' "$RESULT" >"$OBJ/.r10kperf-result"
}

# built: succeeds if RESULT exists and OBJ has made it last.
built() {
	[ -d "$RESULT" ] && [ "$(cat "$OBJ/.r10kperf-result" 2>/dev/null)" = "$RESULT" ]
}
