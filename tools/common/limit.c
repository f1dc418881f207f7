// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/resource.h>
#include "tool.h"

void tool_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
