#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: install.sh install DESTDIR PREFIX STAGE
#        install.sh uninstall DESTDIR PREFIX
#
# "install" copies the tree STAGE, which the Makefiles have filled, to DESTDIR. It
# leaves a list in PREFIX/share/r10kperf/installed: the files, the directories that
# it has made (with a slash at the end), and the list itself. It removes files of an
# earlier list that STAGE lacks. "uninstall" removes what the list names; a directory
# stays if it is not empty.

. "$(dirname "$0")/lib.sh"

TO=${2:-}
LIST=${3:-}/share/r10kperf/installed
case ${1:-},$# in
install,4 | uninstall,3) ;;
*) die "usage: install.sh install|uninstall DESTDIR PREFIX [STAGE]" ;;
esac

# content: prints the list of STAGE. Directories that an earlier install has made are
# still ours.
content() {
	local path

	printf '%s\n' "$LIST"
	find . ! -type d -printf '/%P\n'
	grep '/$' "$OLD" || :
	while read -r path; do
		[ -d "$TO$path" ] || printf '%s\n' "$path"
	done < <(find . -type d -printf '/%P/\n')
}

remove_files() {
	local path

	while read -r path; do
		[ "$path" = "$LIST" ] || rm -f "$TO$path"
	done < <(grep -v '/$')
}

# Write the list first: "uninstall" then works even after a full disk.
install_all() {
	cd "$1"
	mkdir -p ".${LIST%/*}"
	OLD=.$LIST.old
	sort "$TO$LIST" >"$OLD" 2>/dev/null || :
	content | grep -vxF "${OLD#.}" | sort -u >".$LIST"
	install -D -m 644 ".$LIST" "$TO$LIST"
	comm -23 "$OLD" ".$LIST" | remove_files
	rm "$OLD"
	tar -cf - . | tar -C "$TO/" -xpf - --no-same-owner --no-overwrite-dir \
		--keep-directory-symlink
}

uninstall_all() {
	local path

	[ -f "$TO$LIST" ] || die "there is no $TO$LIST, the list of what is installed"
	mapfile -t paths < <(sort -r "$TO$LIST")
	printf '%s\n' "${paths[@]}" | remove_files
	rm "$TO$LIST"
	for path in "${paths[@]}"; do
		[[ $path != */ ]] || rmdir "$TO$path" 2>/dev/null || :
	done
}

"${1}_all" "${@:4}"
