# SPDX-License-Identifier: GPL-2.0-only
#
# Functions that print results as TAP. A script sources this file, writes notes for
# the next result to ./log, and ends with "finish". It starts in an empty directory:
# see ../run.

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

# run COMMAND...: writes its output to ./out and ./err, and sets $status
run()
{
	"$@" > out 2> err < /dev/null
	status=$?
}

# check STATUS NAME: a result about the last run, with its output as notes
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

# golden NAME: the log must be the standard input
golden()
{
	cat > expected
	diff expected log > differences
	mode=$?
	[ $mode -eq 0 ] || mv differences log
	result $mode "$1"
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
