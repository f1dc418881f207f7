#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# ../guest/remote.c on this machine, with what is installed and page faults in
# place of instructions. Prints TAP.
#
# usage: test_remote.sh STAGE BUILD MAPS

stage=$1/usr
export IRIXPERF_HOLDER="$stage/libexec/irixperf/irixperf-holder"
export IRIXPERF_EVENTMAP="$3/software.map"
export LD_LIBRARY_PATH="$stage/lib"

# shellcheck disable=SC2046 # these are words
${CC:-gcc} -std=gnu11 -O1 -g -Wall -Wextra -Werror -I"$(dirname "$0")/../guest" \
	"$(dirname "$0")/../guest/remote.c" -o remote \
	$(PKG_CONFIG_PATH=$stage/lib/pkgconfig pkg-config --cflags --libs irixperf) ||
	exit 1
./remote
