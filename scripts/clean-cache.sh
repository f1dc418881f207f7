#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Removes the cache, if the folder that R10KPERF_CACHE names is one.

. "$(dirname "$0")/lib.sh"

[ -d "$CACHE" ] || { say distclean "there is no cache in $CACHE"; exit 0; }
[ -e "$CACHE/$CACHE_MARK" ] ||
	die "the folder $CACHE is no cache of ours" "remove by hand what you do not need"
say distclean "removing the cache $CACHE ($(du -sh "$CACHE" | cut -f 1))"
rm -rf "$CACHE"
