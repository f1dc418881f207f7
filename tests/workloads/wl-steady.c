// SPDX-License-Identifier: GPL-2.0-only
/*
 * A steady load for the counters: the same mix of arithmetic, streaming, random
 * updates and branches, N times. A round takes well below a millisecond, so
 * that each turn of a counter sees what all others see.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "wl.h"

/*
 * Doubles: few enough that what else is in the cache hardly matters, as which
 * of a large table's lines stay there differs with the pages of a run.
 */
#define WORDS	128
#define SUMS	8		/* times a round goes over them */
#define RING	(1u << 23)	/* words: 64 MB, much more than a secondary cache */
#define SLICE	8192		/* words of the ring that a round streams over */
#define DRAWS	64		/* words of the ring that a round draws */

/* Leaves the table as it found it; how often the arithmetic held: 1 or 0 */
static unsigned int __attribute__((noinline)) arithmetic(double *table)
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

static void __attribute__((noinline))
stream(uint64_t *ring, unsigned long round)
{
	uint64_t *slice = &ring[round * SLICE % RING];
	int i;

	for (i = 0; i < SLICE; i++)
		slice[i]++;
}

/* Returns how many of the drawn places were even ones */
static unsigned int __attribute__((noinline))
draw(uint64_t *ring, uint64_t *seed)
{
	unsigned int even = 0;
	uint64_t at;
	int i;

	for (i = 0; i < DRAWS; i++) {
		at = wl_random(seed) % RING;
		__atomic_fetch_add(&ring[at], 1, __ATOMIC_RELAXED);
		if (at & 1)
			continue;
		/* keeps the compiler from turning the branch into a move */
		__asm__ volatile("" : "+r"(even));
		even++;
	}
	return even;
}

static uint64_t sum(const uint64_t *ring)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < RING; i++)
		all += ring[i];
	return all;
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "rounds", 1000, 10000000);
	uint64_t *ring = calloc(RING, sizeof(*ring));
	uint64_t seed = 88172645463325252u, even = 0;
	unsigned long held = 0, round;
	double table[WORDS];
	int i;

	if (!ring)
		wl_die("calloc");
	for (i = 0; i < WORDS; i++)
		table[i] = i;
	for (round = 0; round < n; round++) {
		for (i = 0; i < SUMS; i++)
			held += arithmetic(table);
		stream(ring, round);
		even += draw(ring, &seed);
	}
	printf("steady: %lu rounds, %" PRIu64 " draws of an even place\n", n,
	       even);
	n = held == n * SUMS && sum(ring) == n * (SLICE + DRAWS);
	free(ring);
	return !n;
}
