// SPDX-License-Identifier: GPL-2.0-only
/* Integer work without memory: a linear congruential generator. */
#include <inttypes.h>
#include <stdio.h>

#include "wl.h"

static uint32_t __attribute__((noinline)) lcg(unsigned long n)
{
	uint32_t x = 1;

	while (n--)
		x = x * 1664525u + 1013904223u;
	return x;
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "millions of steps", 10, 1000000);

	printf("int: %lu million steps: %08" PRIx32 "\n", n, lcg(n * 1000000));
	return 0;
}
