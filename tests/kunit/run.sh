#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# usage: run.sh [build]
#
# Runs the driver's KUnit tests on User Mode Linux with KASAN and prints their KTAP,
# or only builds them. They test the parts that use neither perf nor the CPU: event
# tables, placement, periods, register sequences. The first build takes minutes,
# later ones seconds; the cache keeps it. LINUX_SRC= uses a kernel tree of your own.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$ROOT/scripts/lib-source.sh"
. "$ROOT/scripts/lib-tree.sh"

FOLDER=drivers/perf/mips_r10k

# kunit.py must be started in a kernel tree; PYTHON* keeps it from writing there.
kunit() {
	(cd "$TREE" && PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 \
		tools/testing/kunit/kunit.py "$@" --build_dir="$OBJ")
}

build() {
	kunit build --kunitconfig="$FOLDER" --jobs="$JOBS"
}

lock linux
work_tree linux
OBJ=$CACHE/build/kunit-${SRC_VERSION#*:}
need_space kunit 500
step kunit "building the tests for UML" build >&2
[ "${1:-}" != build ] || exit 0

OUT=$(kunit exec --raw_output=kunit 2>&1) || {
	printf '%s\n' "$OUT"
	echo "Bail out! UML did not run; by hand: $OBJ/linux kunit.enable=1"
	exit 1
}
# After a test with parameters KUnit prints a total, where TAP expects a plan.
printf '%s\n' "$OUT" | sed -n '/^KTAP version/,$p' | grep -v '^\[' |
	sed -E 's/^    # .* total:([0-9]+)$/        1..\1\n&/'

# With --raw_output, kunit.py does not check the results: all suites of the plan
# must have run, and no test may have failed.
printf '%s\n' "$OUT" | awk '
	/^1\.\.[0-9]+$/ { plan = substr($0, 4) }
	/^ok / { suites++ }
	/^ *not ok / { failed = 1 }
	END { exit failed || !plan || suites != plan }'
