// SPDX-License-Identifier: GPL-2.0-only
/*
 * The structures of r10k_evcntrs(5) on the CPU itself, in both byte orders: the checks
 * of tests/conformance/layout.c without an operating system.
 *
 * @run way=plain
 */
#include <stdbool.h>
#include "bm.h"

/* Replaces check.h: reports each result with its name */
#define CHECK_H
#define BARE
#define check(ok, what, ...)	expect(what, 1, ok)
#define check_count(got, expected, what)	expect(what, (s64)(expected), (s64)(got))

#include "../../conformance/layout.c"

static const struct tap_case cases[] = {
	{ "the constants of the headers", headers },
	{ "the control register", control_register },
	{ "the arguments of the requests", arguments },
	{ "hwperf_prusage_t", usage },
	{ "the requests' numbers", requests },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
