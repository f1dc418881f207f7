// SPDX-License-Identifier: GPL-2.0-only
/* N thousand steps of random work (random.h). */
#include <inttypes.h>
#include <stdio.h>

#include "random.h"
#include "wl.h"

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "thousands of steps", 1000,
				  1000000);
	struct random_work work;

	random_init(&work);
	random_steps(&work, n * 1000);
	printf("random: %lu thousand steps: sum %016" PRIx64 "\n", n, work.sum);
	return 0;
}
