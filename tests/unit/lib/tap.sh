# SPDX-License-Identifier: GPL-2.0-only
#
# What the scripts print their results with, as TAP: they source it, put what
# belongs to a result into ./log, and end with "finish". Their directory is empty
# when they start: see ../run.

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

# run COMMAND...: its output into ./out and ./err, and its status into $status
run()
{
	"$@" > out 2> err < /dev/null
	status=$?
}

# check STATUS NAME: a result about what was run
check()
{
	{
		sed 's/^/stdout: /' out
		sed 's/^/stderr: /' err
		echo "status: $status"
	} > log
	result "$1" "$2"
}

# status_is NUMBER NAME
status_is()
{
	[ "$status" -eq "$1" ]
	check $? "$2"
}

# out_has TEXT NAME
out_has()
{
	grep -qF -- "$1" out
	check $? "$2"
}

# err_has TEXT NAME
err_has()
{
	grep -qF -- "$1" err
	check $? "$2"
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
