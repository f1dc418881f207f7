#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shows what the project does, in three commands on the emulated R10000. Prints each
# command before it runs; you can run the same ones from the top of the checkout.

set -eu

cd "$(dirname "$0")/.."

bold=
plain=
if [ -t 1 ]; then
	bold=$(printf '\033[1m')
	plain=$(printf '\033[0m')
fi

show() {
	printf '\n%s%s%s\n' "$bold" "$1" "$plain"
	shift
	printf '$'
	for word in "$@"; do
		case $word in
		*[' ;|&']*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
	"$@"
}

bytes=$(wc -c <build/guest/vmlinux)

show "1. perf stat: the branches of a compressor, on a file of $((bytes / 1000000)) MB" \
	tools/r10kvm/r10kvm --push build/guest/vmlinux:/tmp/ -- \
	perf stat -M branch_miss_rate wl-compress /tmp/vmlinux

show "2. perf record and perf report: where a matrix multiply misses the primary cache" \
	tools/r10kvm/r10kvm -- sh -c \
	'cd /tmp; perf record -o m.data -e l1d_misses wl-matmul 400 && perf report -i m.data --stdio -q --percent-limit 0.5'

show "3. perfex -a, as on IRIX: all 32 events of the same program" \
	tools/r10kvm/r10kvm -- perfex -a wl-matmul 400
