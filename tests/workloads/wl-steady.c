// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same mix of integer, memory and FP work over and over, for N
 * milliseconds. The result is the same for any duration.
 */
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "wl.h"

#define WORDS	1024

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

/* Leaves the table as it found it; true if the arithmetic held */
static bool __attribute__((noinline)) mix(double *table)
{
	double sum = 0;
	int i;

	for (i = 0; i < WORDS; i++) {
		table[i] = table[i] * 2 + i;
		sum += table[i];
	}
	for (i = 0; i < WORDS; i++)
		table[i] = (table[i] - i) / 2;
	return sum == 3.0 * WORDS * (WORDS - 1) / 2;
}

int main(int argc, char **argv)
{
	unsigned long ms = wl_size(argc, argv, "milliseconds", 1000, 3600000);
	double table[WORDS], end = now_ms() + ms;
	bool ok = true;
	int i;

	for (i = 0; i < WORDS; i++)
		table[i] = i;
	while (ok && now_ms() < end)
		ok = mix(table);
	puts(ok ? "steady: the arithmetic held" : "steady: WRONG");
	return !ok;
}
