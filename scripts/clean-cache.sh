#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Removes what the build scripts have put into the cache, and nothing else that
# may be in the folder that R10KPERF_CACHE names.

. "$(dirname "$0")/lib.sh"

ENTRIES=(apt build download fetched lock log result src work)

[ -d "$CACHE" ] || { say distclean "there is no cache in $CACHE"; exit 0; }
found=()
for entry in "${ENTRIES[@]}"; do
	[ ! -d "$CACHE/$entry" ] || found+=("$CACHE/$entry")
done
if [ ${#found[@]} -gt 0 ]; then
	say distclean "removing from the cache ($(du -csh "${found[@]}" |
		awk 'END { print $1 }')):"
	printf '  %s\n' "${found[@]}" >&2
	rm -rf "${found[@]}"
fi
rmdir --ignore-fail-on-non-empty "$CACHE"
