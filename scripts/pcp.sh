#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds a part of PCP's perfevent agent for the guest, with our libpfm4 and a main
# program of ours: build/pcp/readall. This part parses the agent's configuration, and
# sets up and reads events. Also makes a configuration, build/pcp/perfevent.conf.

. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/lib-source.sh"

OUT=$ROOT/build/pcp
AGENT=(perfinterface architecture rapl-interface parse_events)
OURS=$ROOT/tests/fixtures/pcp
FLAGS=(-O2 -std=gnu11 -D_GNU_SOURCE -I "$OURS" -I "$ROOT/build/libpfm4/host/include")

# Warnings about the agent's own files are upstream's to repair.
build() {
	local objects=() name

	flex -o "$OUT/configparser.yy.c" "$SRC_TREE/configparser.l"
	for name in "${AGENT[@]/#/$SRC_TREE/}" "$OUT/configparser.yy"; do
		objects+=("$OUT/${name##*/}.o")
		"$GUEST/cc" "${FLAGS[@]}" -w -I "$SRC_TREE" -c \
			-o "${objects[-1]}" "$name.c"
	done
	"$GUEST/cc" "${FLAGS[@]}" -Wall -Wextra -Werror -isystem "$SRC_TREE" -c \
		-o "$OUT/readall.o" "$OURS/readall.c"
	"$GUEST/cc" -static -o "$OUT/readall" "$OUT/readall.o" "${objects[@]}" \
		"$ROOT/build/libpfm4/guest/libpfm.a" -lm
}

source_of pcp
note_version pcp "$SRC_VERSION"
mkdir -p "$OUT"
"$ROOT/scripts/pcp-events" "$OUT/perfevent.conf"
lock pcp
step pcp "building the agent's reading of events, $SRC_VERSION" build
