// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hash table: counts how often each key occurs in N thousand random draws. Open
 * addressing, 2^BITS places of 16 bytes (2^14: 256 KB, 32 pages of the 64 that
 * the TLB of an R10000 reaches), three in five of them taken at the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "wl.h"

#ifndef BITS
#define BITS	14
#endif
#define SLOTS	(1ul << BITS)
#define KEYS	(SLOTS / 5 * 3)

struct slot {
	uint64_t key;		/* 0: nobody's */
	uint64_t count;
};

static struct slot *find(struct slot *table, uint64_t key)
{
	size_t at = key * 0x9e3779b97f4a7c15u >> (64 - BITS);

	while (table[at].key && table[at].key != key)
		at = (at + 1) & (SLOTS - 1);
	return &table[at];
}

static void __attribute__((noinline))
count(struct slot *table, unsigned long n)
{
	uint64_t seed = 88172645463325252u;
	struct slot *slot;
	unsigned long i;
	uint64_t key;

	for (i = 0; i < n; i++) {
		key = 1 + wl_random(&seed) % KEYS;
		slot = find(table, key);
		slot->key = key;
		slot->count++;
	}
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "thousands of draws", 1000,
				  1000000);
	struct slot *table = calloc(SLOTS, sizeof(*table));
	uint64_t keys = 0, sum = 0;
	size_t i;

	if (!table)
		wl_die("calloc");
	count(table, n * 1000);
	for (i = 0; i < SLOTS; i++) {
		keys += table[i].key != 0;
		sum += table[i].count;
	}
	printf("hash: %" PRIu64 " keys drawn %" PRIu64 " times\n", keys, sum);
	free(table);
	return sum != n * 1000;
}
