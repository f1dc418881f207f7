#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: lint.sh [CHECK...]
#
# Checks the style of our own files: all checks, or the named ones. A check fails if
# its tool is missing; "scripts/deps.sh lint" installs the tools. checkpatch,
# kernel-doc and sparse need the kernel tree of "make guest".
# shellcheck disable=SC2317

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"
. "$ROOT/scripts/lib-qemu.sh"

cd "$ROOT"
failed=0
CHECKS=(spdx circles checkpatch qemu_checkpatch kernel_doc sparse shell cppcheck man rst)
# More than a minute of processor time each: make check leaves them to check-long
SLOW=(checkpatch_programs coccicheck)

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
	printf '%s is missing: scripts/deps.sh lint\n' "$1"
	return 1
}

need_guest() {
	[ -e "$GUEST/$1" ] && return
	printf 'there is no build/guest/%s: make guest\n' "$1"
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

check_circles() {
	scripts/circles
}

# checkpatch ARGUMENT...: checks the files that its input names.
checkpatch() {
	local rc=0

	xargs -r "$GUEST/linux/scripts/checkpatch.pl" --no-tree --quiet --terse \
		--no-summary --max-line-length=100 "$@" -f || rc=1
	rm -f .checkpatch-camelcase.*
	return "$rc"
}

check_checkpatch() {
	need_guest linux || return 1
	files 'drivers/*.[ch]' | checkpatch --strict
}

check_checkpatch_programs() {
	need_guest linux || return 1
	files 'compat/*.[ch]' 'tools/*.[ch]' 'tests/*.[chS]' |
		grep -v /examples/ | checkpatch --ignore "$NOT_KERNEL"
}

# QEMU's checkpatch has other rules for what is under tests/ in QEMU's tree.
check_qemu_checkpatch() {
	local tree

	source_of qemu || return 1
	tree=$SRC_TREE
	[ -x "$tree/scripts/checkpatch.pl" ] || { echo "QEMU has no checkpatch.pl"; return 1; }
	{ files 'integration/qemu/*.[ch]' | sed 's,^integration/qemu/,,' |
		(cd integration/qemu && xargs -r -n 1 "$tree/scripts/checkpatch.pl" \
			--no-tree --quiet --terse --no-summary -f) || :; } |
		sed -E "/$(may_say integration/qemu/series/checkpatch)/d" |
		none_of .
}

check_kernel_doc() {
	need_guest linux || return 1
	files 'drivers/*.[ch]' | xargs -r "$GUEST/linux/scripts/kernel-doc" \
		-none -Wall 2>&1 | none_of 'warning|error'
}

# Copies the driver: the kernel tree in the cache may have another checkout's.
copy_driver() {
	DIR=$(mktemp -d)
	trap 'rm -rf "$DIR"' EXIT
	cp drivers/perf/mips_r10k/* "$DIR"
}

# kmake ARGUMENT...: makes the copy, with the configuration of the guest's kernel. make
# writes in the kernel's tree, where another checkout may be building.
kmake() {
	lock linux
	work_tree linux || return 1
	make -C "$TREE" O="$OBJ" ARCH=mips CROSS_COMPILE="$CROSS" M="$DIR" "$@" 2>&1
}

# report NAME FOUND: prints what was found, with the driver's paths for the copy's.
# The planted fault must be there: a tool that has checked nothing finds nothing.
report() {
	grep -q "/planted.c:" <<<"$2" || { echo "$1 missed the planted fault"; exit 1; }
	sed "/planted.c:/d; s#$DIR/#drivers/perf/mips_r10k/#" <<<"$2" | none_of .
}

check_sparse() (
	need_tool sparse && need_guest linux-build || exit 1
	copy_driver
	printf '#include <linux/compiler.h>\n\nvoid *planted(void __iomem *p);\n\n' \
		>"$DIR/planted.c"
	printf 'void *planted(void __iomem *p)\n{\n\treturn p;\n}\n' \
		>>"$DIR/planted.c"
	echo 'mips_r10k_pmu-y += planted.o' >>"$DIR/Makefile"
	all=$(kmake W=1 C=1 CONFIG_MIPS_R10K_PMU=m KBUILD_MODPOST_WARN=1) ||
		{ tail -n 5 <<<"$all"; exit 1; }
	report sparse "$(grep -E "$DIR/.*(warning|error):" <<<"$all" | sort -u)"
)

# A needless test that one of the semantic patches finds
planted_fault() {
	printf 'void kfree(void *p);\n\nvoid planted(void *p)\n{\n'
	printf '\tif (p)\n\t\tkfree(p);\n}\n'
}

# All of the kernel's semantic patches
check_coccicheck() (
	need_tool spatch && need_tool ocamlc && need_guest linux-build ||
		exit 1
	copy_driver
	planted_fault >"$DIR/planted.c"
	all=$(kmake coccicheck MODE=report J="$JOBS") || { tail -n 5 <<<"$all"; exit 1; }
	report coccicheck "$(grep -o "$DIR/.*:[0-9].*" <<<"$all" | sort -u)"
)

check_shell() {
	need_tool shellcheck || return 1
	scripts | xargs -r shellcheck -x -S warning
}

check_cppcheck() {
	need_tool cppcheck || return 1
	files 'compat/*.c' 'tools/*.c' | xargs -r cppcheck -q \
		--enable=warning,portability --inline-suppr --error-exitcode=1
}

check_man() {
	need_tool mandoc || return 1
	files 'Documentation/man/*.[1-8]' | xargs -r mandoc -T lint -W warning
}

check_rst() {
	need_tool rst2html || return 1
	files '*.rst' | xargs -r -n 1 sh -c 'rst2html --report=2 --exit-status=2 "$0" >/dev/null'
}

[ $# -gt 0 ] || set -- "${CHECKS[@]}" "${SLOW[@]}"
for check; do
	[ "$(type -t "check_$check")" = function ] ||
		die "lint.sh: there is no check $check: ${CHECKS[*]} ${SLOW[*]}"
	if "check_$check"; then
		say "$check" "done"
	else
		say "$check" "FAILED"
		failed=1
	fi
done
exit $failed
