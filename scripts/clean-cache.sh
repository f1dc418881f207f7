#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Removes the cache directory, if it is marked as a cache of r10kperf.

. "$(dirname "$0")/lib.sh"

[ -d "$CACHE" ] || { say distclean "there is no cache in $CACHE"; exit 0; }
[ -e "$CACHE/$CACHE_MARK" ] ||
	die "the directory $CACHE is not a cache of r10kperf" "remove by hand what you do not need"
say distclean "removing the cache $CACHE ($(du -sh "$CACHE" | cut -f 1))"
rm -rf "$CACHE"
