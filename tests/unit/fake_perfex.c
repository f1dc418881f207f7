// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into perfex instead of running it on an R10000: the fake kernel, with
 * an error of its own where FAKE_OPEN_ERRNO names one: of the first event, or the
 * one with the number in FAKE_OPEN_FAIL_AT.
 */
#include <stdlib.h>
#include "fake.h"

__attribute__((constructor))
static void install(void)
{
	const char *err = getenv("FAKE_OPEN_ERRNO");
	const char *at = getenv("FAKE_OPEN_FAIL_AT");

	fake_install(R10000_V34);
	if (!err)
		return;
	fake.open_fail_at = at ? atoi(at) : 0;
	fake.open_err = -atoi(err);
}
