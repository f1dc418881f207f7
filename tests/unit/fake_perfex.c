// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into perfex instead of running it on an R10000: the fake kernel, with
 * an error of its own where FAKE_OPEN_ERRNO names one, and a second processor
 * where FAKE_SECOND_CPU does.
 */
#include <stdio.h>
#include <stdlib.h>
#include "fake.h"

static void add_cpu(const char *model)
{
	char cpuinfo[512];

	snprintf(cpuinfo, sizeof(cpuinfo),
		 "system type\t\t: SGI Origin\n"
		 "processor\t\t: 0\ncpu model\t\t: " R10000_V34 "\n\n"
		 "processor\t\t: 1\ncpu model\t\t: %s\n\n", model);
	fake_file("/proc/cpuinfo", cpuinfo);
}

__attribute__((constructor))
static void install(void)
{
	const char *err = getenv("FAKE_OPEN_ERRNO");

	const char *second = getenv("FAKE_SECOND_CPU");

	fake_install(R10000_V34);
	if (second)
		add_cpu(second);
	if (!err)
		return;
	fake.open_fail_at = 0;
	fake.open_err = -atoi(err);
}
