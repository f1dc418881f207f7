#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs a test program under valgrind. An invalid access, a memory leak, or a
# descriptor that is still open at the end is a failure. Children report by their
# exit status. Some descriptors stay on purpose: the page by which system mode finds
# users (src/share/arbiter.h), directories of processes that have counters, and
# sockets of children that were killed before they could start.
#
# usage: valgrind.sh PROGRAM [ARGUMENT...]

log=$(mktemp)
trap 'rm -f "$log"' EXIT

valgrind --quiet --log-file="$log" --suppressions="$(dirname "$0")/valgrind.supp" --error-exitcode=99 --leak-check=full \
	--show-leak-kinds=definite,indirect,possible --track-fds=yes \
	--child-silent-after-fork=yes "$@"
status=$?

# An entry starts with "Open", ends with an empty line, and names its opener
awk -v status="$status" '
	{ sub(/^[-=]+[0-9]+[-=]+ ?/, "") }
	/unhandled ioctl|spurious value|README_MISSING/ { next }
	/unknown .how. field|Bad set handler address/ { next }
	/^FILE DESCRIPTORS/ { next }
	/^Open / { entry = $0; fine = 0; next }
	entry && /inherited from parent|page_create|ixp_target_(new|identify)|link_make/ { fine = 1 }
	entry && /^ *$/ { if (!fine) { print "# " entry; bad = 1 } entry = ""; next }
	entry { entry = entry "\n# " $0; next }
	/[^ ]/ { print "# " $0; bad = 1 }
	END { exit status ? status : bad }' "$log"
