#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: lint.sh [CHECK...]
#
# Style of our own files. A check whose tool is missing says so and names the
# package; "scripts/deps.sh lint" installs them all. checkpatch, kernel-doc and
# the sparse run are those of the kernel tree that "make guest" has made.
# shellcheck disable=SC2317

. "$(dirname "$0")/lib.sh"

cd "$ROOT"
failed=0
CHECKS=(spdx checkpatch qemu_checkpatch kernel_doc sparse coccicheck shell cppcheck man)

files() {
	git ls-files -- "$@" | while read -r path; do
		[ ! -f "$path" ] || printf '%s\n' "$path"
	done
}

# Prints the lines of its input that match, and fails if there are any.
none_of() {
	local found

	found=$(grep -E "$1") || return 0
	printf '%s\n' "$found"
	return 1
}

scripts() {
	files | while read -r path; do
		if head -n 1 "$path" | grep -qaE '^#!/bin/(ba)?sh'; then
			printf '%s\n' "$path"
		fi
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
		integration/userland/etc/* | LICENSES/* | tests/fuzz/corpus/*) continue ;;
		esac
		grep -q 'SPDX-License-Identifier:' "$path" || {
			printf '%s: no SPDX line\n' "$path"
			bad=1
		}
	done < <(files)
	return "$bad"
}

# checkpatch ARGUMENT...: what concerns patches and MAINTAINERS is left out.
checkpatch() {
	xargs -r "$GUEST/linux/scripts/checkpatch.pl" --no-tree --quiet --terse \
		--no-summary --max-line-length=100 "$@" -f
}

check_checkpatch() {
	local rc=0

	need_guest linux || return 0
	files 'drivers/*.[ch]' | checkpatch --strict || rc=1
	files 'compat/*.[ch]' 'tools/*.[ch]' 'tests/*.[chS]' |
		grep -v /examples/ | checkpatch --ignore "$NOT_KERNEL" || rc=1
	rm -f .checkpatch-camelcase.*
	return "$rc"
}

# QEMU's checkpatch knows no --ignore. It takes (a ^ b) & c for an address, and
# an enum made by a macro for an expression.
QEMU_MISTAKEN="space prohibited after that '&' \\(ctx:WxW\\)"
QEMU_MISTAKEN+='|r10k_pmu.c:.*Macros with complex values'

check_qemu_checkpatch() {
	local tree

	tree=$(echo "$CACHE/work"/qemu-[0-9]*)
	[ -d "$tree" ] || { say "$check" "SKIP: no QEMU tree: make guest"; return 0; }
	{ files 'integration/qemu/*.[ch]' | xargs -r -n 1 \
		"$tree/scripts/checkpatch.pl" --no-tree --quiet --terse \
		--no-summary -f || :; } | sed -E "/$QEMU_MISTAKEN/d" | none_of .
}

check_kernel_doc() {
	need_guest linux || return 0
	files 'drivers/*.[ch]' | xargs -r "$GUEST/linux/scripts/kernel-doc" \
		-none -Wall 2>&1 | none_of 'warning|error'
}

check_sparse() {
	need_tool sparse sparse && need_guest linux-build || return 0
	touch "$GUEST"/linux/drivers/perf/mips_r10k/*.c
	make -C "$GUEST/linux" O="$(readlink -f "$GUEST/linux-build")" ARCH=mips \
		CROSS_COMPILE="$CROSS" W=1 C=1 drivers/perf/mips_r10k/ 2>&1 |
		none_of 'mips_r10k/.*(warning|error):'
}

# A needless test that one of the semantic patches finds
planted_fault() {
	printf 'void kfree(void *p);\n\nvoid planted(void *p)\n{\n'
	printf '\tif (p)\n\t\tkfree(p);\n}\n'
}

# All of the kernel's semantic patches. coccicheck is as silent about a folder
# that it has not looked into: a planted fault must be in its report.
check_coccicheck() {
	local dir all found rc=0

	need_tool spatch coccinelle && need_tool ocamlc ocaml-nox &&
		need_guest linux-build || return 0
	dir=$(mktemp -d)
	cp drivers/perf/mips_r10k/* "$dir"
	planted_fault >"$dir/planted.c"
	all=$(make -C "$GUEST/linux" O="$(readlink -f "$GUEST/linux-build")" \
		ARCH=mips CROSS_COMPILE="$CROSS" coccicheck MODE=report \
		M="$dir" J="$JOBS" 2>&1) || { tail -n 5 <<<"$all"; rc=1; }
	found=$(grep -o "$dir/.*:[0-9].*" <<<"$all" | sort -u) || :
	grep -q "/planted.c:6:" <<<"$found" ||
		{ echo "coccicheck missed the planted fault"; rc=1; }
	sed "/planted.c:/d; s#$dir/#drivers/perf/mips_r10k/#" <<<"$found" |
		none_of . || rc=1
	rm -rf "$dir"
	return "$rc"
}

check_shell() {
	need_tool shellcheck shellcheck || return 0
	scripts | xargs -r shellcheck -x -S warning
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
