// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches that cannot be predicted: counts the steps of the Collatz sequence
 * from each number below N thousand, with one branch on the parity each.
 */
#include <stdio.h>

#include "wl.h"

static unsigned long __attribute__((noinline)) collatz(unsigned long x)
{
	unsigned long steps = 0;

	while (x != 1) {
		if (x & 1)
			x = 3 * x + 1;
		else
			x >>= 1;
		/* keeps the compiler from turning the branch into a move */
		__asm__ volatile("" : "+r"(x));
		steps++;
	}
	return steps;
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "thousands of numbers", 100,
				  1000000);
	unsigned long sum = 0, i;

	for (i = 1; i < n * 1000; i++)
		sum += collatz(i);
	printf("branch: %lu steps\n", sum);
	return 0;
}
