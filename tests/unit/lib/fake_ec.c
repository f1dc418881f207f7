// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into ecadmin, ecstats, cpustat and cputrack: they run on the fake machine
 * that FAKE_ROOT names, as the user that FAKE_UID names.
 */
#include <stdlib.h>
#include "fake.h"

__attribute__((constructor))
static void join(void)
{
	const char *uid = getenv("FAKE_UID");

	fake_join();
	if (uid)
		fake.uid = (uid_t)atoi(uid);
}
