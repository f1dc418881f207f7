#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: check-isa.sh [PROGRAM...]
#
# Disassembles the programs of both guests (or the named ones) and fails on any
# instruction that a real R10000 lacks. An R10000 has MIPS IV. isa-mips4.awk lists
# its instructions; any other is a fault, so instructions that a new compiler uses
# are found. Prints TAP.
#
# One other instruction is allowed: rdhwr of register 29, with which musl finds its
# thread pointer. No R10000 has it, but the kernel emulates it there, as on all
# MIPS machines of that age.
#
# objdump gets the newest ISA that Debian's compiler might use. Otherwise it shows
# such opcodes in a MIPS IV file as data, and the check would miss them.

. "$(dirname "$0")/lib.sh"

BIG=$ROOT/build/userland/list
LITTLE=$ROOT/build/userland-el/list
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
number=0
failed=0

result() {
	number=$((number + 1))
	printf '%s %d - %s\n' "$1" "$number" "$2"
	[ "$1" = ok ] || failed=$((failed + 1))
}

faults() {
	"${CROSS}objdump" -d -m mips:isa64r2 "$1" |
		awk -f "$ROOT/scripts/isa-mips4.awk"
}

# The check itself is tested: it must find each of these instructions.
self_test() {
	local name=${1%% *}

	printf '\t.set noreorder\n\t%s\n' "$1" >"$TMP/$name.s"
	"${CROSS}as" -march=mips64r2 -mabi=64 -o "$TMP/$name.o" "$TMP/$name.s"
	if faults "$TMP/$name.o" | grep -q "$name"; then
		result ok "self-test: $name is found"
	else
		result 'not ok' "self-test: $name is found"
		printf '# expected: a fault for "%s", got: none\n' "$1"
	fi
}

# The ELF header must say MIPS IV, and the program must be static.
header_faults() {
	"${CROSS}readelf" -hl "$1" | awk '
		/Flags:.*mips4/ { mips4 = 1 }
		/INTERP/ { print "it is not static" }
		END { if (!mips4) print "its header does not say MIPS IV" }'
}

check_program() {
	local found

	found=$(header_faults "$1" && faults "$1")
	if [ -z "$found" ]; then
		result ok "$2"
		return
	fi
	result 'not ok' "$2"
	printf '# expected: MIPS IV instructions only, got:\n'
	head -n 10 <<<"$found" | sed 's/^/#   /'
	printf '# run alone: scripts/check-isa.sh %s\n' "$1"
}

is_elf() {
	[ "$(head -c 4 "$1" | tail -c 3)" = ELF ]
}

# check_guest LIST WHAT NAME...: checks all programs of a list. It must have these.
check_guest() {
	local path name checked="" what=$2

	while read -r path name; do
		is_elf "$path" || continue
		check_program "$path" "$what$name"
		checked+=$name$'\n'
	done < <(awk '$1 == "file" { print $3, $2 }' "$1")
	for name in "${@:3}"; do
		grep -q "/$name\$" <<<"$checked" || die "the guest has no program $name"
	done
}

check_guests() {
	[ -f "$BIG" ] || die "there is no guest yet" "run make guest"
	check_guest "$BIG" "" busybox perf perfex init
	if [ -f "$LITTLE" ]; then
		check_guest "$LITTLE" "little-endian: " busybox perfex init
	else
		result ok "little-endian programs # SKIP there are none: make guest-el"
	fi
}

# shellcheck disable=SC2016
for instruction in 'dclz $2,$3' 'ext $2,$3,1,2' 'dins $2,$3,1,2' 'seb $2,$3' \
	'wsbh $2,$3' 'ror $2,$3,4' 'mul $2,$3,$4' 'rdhwr $2,$0' \
	'mfhc1 $2,$f0' 'synci 0($2)'; do
	self_test "$instruction"
done
if [ $# -gt 0 ]; then
	for program in "$@"; do
		check_program "$program" "$program"
	done
else
	check_guests
fi
printf '1..%d\n' "$number"
[ "$failed" -eq 0 ]
