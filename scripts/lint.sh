#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: lint.sh [CHECK...]
#
# Style of our own files. A check whose tool is missing says so and names the
# package; "scripts/deps.sh lint" installs them all. checkpatch, kernel-doc and
# the sparse run are those of the kernel tree that "make guest" has made.

. "$(dirname "$0")/lib.sh"

cd "$ROOT"
failed=0
CHECKS=(spdx checkpatch qemu_checkpatch kernel_doc sparse shell cppcheck man)

files() {
	git ls-files -- "$@" | while read -r path; do
		[ ! -f "$path" ] || printf '%s\n' "$path"
	done
}

need_tool() {
	command -v "$1" >/dev/null && return
	say "$check" "SKIP: $1 is missing: apt-get install $2"
	return 1
}

need_guest() {
	[ -e "$GUEST/$1" ] && return
	say "$check" "SKIP: there is no build/guest/$1: make guest"
	return 1
}

check_spdx() {
	local path bad=0

	while read -r path; do
		case $path in
		integration/userland/etc/*) continue ;;
		esac
		grep -q 'SPDX-License-Identifier:' "$path" || {
			printf '%s: no SPDX line\n' "$path"
			bad=1
		}
	done < <(files)
	return $bad
}

# The patch format, MAINTAINERS and the tree's own headers are not ours to care
# for here; the rest of its remarks are.
check_checkpatch() {
	need_guest linux || return 0
	files 'drivers/*.[ch]' 'compat/*.[ch]' 'tools/*.[ch]' 'tests/*.[chS]' |
		xargs -r -n 1 "$GUEST/linux/scripts/checkpatch.pl" --no-tree \
		--quiet --terse --no-summary --strict --max-line-length=100 \
		--ignore FILE_PATH_CHANGES,SPDX_LICENSE_TAG,VOLATILE,SPLIT_STRING \
		-f
}

check_qemu_checkpatch() {
	local tree

	tree=$(echo "$CACHE"/work/qemu-[0-9]*)
	[ -d "$tree" ] || { say "$check" "SKIP: no QEMU tree: make guest"; return 0; }
	files 'integration/qemu/*.[ch]' | xargs -r -n 1 \
		"$tree/scripts/checkpatch.pl" --no-tree --quiet --terse \
		--no-summary -f
}

check_kernel_doc() {
	need_guest linux || return 0
	files 'drivers/*.[ch]' | xargs -r "$GUEST/linux/scripts/kernel-doc" \
		-none -Wall 2>&1 | { ! grep -E 'warning|error'; }
}

check_sparse() {
	need_tool sparse sparse && need_guest linux-build || return 0
	touch "$GUEST"/linux/drivers/perf/mips_r10k/*.c
	make -C "$GUEST/linux" O="$(readlink -f "$GUEST/linux-build")" ARCH=mips \
		CROSS_COMPILE="$CROSS" W=1 C=1 drivers/perf/mips_r10k/ 2>&1 |
		{ ! grep -E 'mips_r10k/.*(warning|error):'; }
}

check_shell() {
	need_tool shellcheck shellcheck || return 0
	files | while read -r path; do
		head -n 1 "$path" | grep -qaE '^#!/bin/(ba)?sh' && printf '%s\n' "$path"
	done | xargs -r shellcheck -x
}

check_cppcheck() {
	need_tool cppcheck cppcheck || return 0
	files 'compat/*.c' 'tools/*.c' | xargs -r cppcheck -q \
		--enable=warning,portability --inline-suppr --error-exitcode=1
}

check_man() {
	need_tool mandoc mandoc || return 0
	files 'Documentation/man/*.[1-8]' | xargs -r mandoc -T lint -W warning
}

for check in "${@:-${CHECKS[@]}}"; do
	[ "$(type -t "check_$check")" = function ] ||
		die "lint.sh: there is no check $check: ${CHECKS[*]}"
	if "check_$check"; then
		say "$check" "done"
	else
		say "$check" "FAILED"
		failed=1
	fi
done
exit $failed
