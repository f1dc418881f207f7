// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spends its instructions 3 : 1 in split_heavy() and split_light(), exactly:
 * 30 million in one, 10 million in the other, N times. (split.S)
 *
 * Few long turns, not many short ones: a sampling period that is a multiple
 * of a short turn would always fall on the same place.
 */
#include <stdio.h>

#include "wl.h"

#define TURN	1000000ul

void split_heavy(unsigned long n);
void split_light(unsigned long n);

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "times 40 million instructions",
				  10, 100000);
	unsigned long i;

	for (i = 0; i < n; i++) {
		split_heavy(3 * TURN);
		split_light(TURN);
	}
	printf("split: heavy %lu, light %lu million instructions\n",
	       30 * n, 10 * n);
	return 0;
}
