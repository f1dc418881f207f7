/* SPDX-License-Identifier: GPL-2.0-only */
/* The seed of a random test. The test prints it; TEST_SEED sets it. */
#ifndef SEED_H
#define SEED_H

#include <stdio.h>
#include <stdlib.h>

static inline unsigned int test_seed(unsigned int usual)
{
	const char *given = getenv("TEST_SEED");
	unsigned int seed = given ? strtoul(given, NULL, 0) : usual;

	printf("# seed %u\n", seed);
	fflush(stdout);

	return seed;
}

#endif
