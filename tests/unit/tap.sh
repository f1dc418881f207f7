# SPDX-License-Identifier: GPL-2.0-only
#
# What the scripts here print their results with, as TAP: they source it, put
# what belongs to a result into ./log, and end with "finish".

count=0
failed=0

# result STATUS NAME
result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
		return
	fi
	echo "not ok $count - $2"
	sed 's/^/# /' log
	failed=1
}

# skip NAME REASON
skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish()
{
	echo "1..$count"
	exit $failed
}
