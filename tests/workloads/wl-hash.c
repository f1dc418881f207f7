// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hash table: counts how often each key occurs in N thousand random draws. Open
 * addressing, 2^BITS places of 16 bytes (default: 2^16, one megabyte), three in
 * five of them taken at the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "wl.h"

#define BITS	16
#define KEYS(slots)	((slots) / 5 * 3)

struct slot {
	uint64_t key;		/* 0: nobody's */
	uint64_t count;
};

static struct slot *find(struct slot *table, unsigned int bits, uint64_t key)
{
	size_t at = key * 0x9e3779b97f4a7c15u >> (64 - bits);

	while (table[at].key && table[at].key != key)
		at = (at + 1) & ((1ul << bits) - 1);
	return &table[at];
}

static void __attribute__((noinline))
count(struct slot *table, unsigned int bits, unsigned long n)
{
	unsigned long keys = KEYS(1ul << bits);
	uint64_t seed = 88172645463325252u;
	struct slot *slot;
	unsigned long i;
	uint64_t key;

	for (i = 0; i < n; i++) {
		key = 1 + wl_random(&seed) % keys;
		slot = find(table, bits, key);
		slot->key = key;
		slot->count++;
	}
}

/* log2 of the number of places */
static unsigned int table_bits(const char *text)
{
	char *end;
	unsigned long bits = strtoul(text, &end, 10);

	if (end == text || *end || bits < 4 || bits > 20) {
		fprintf(stderr, "BITS must be a number from 4 to 20\n");
		exit(2);
	}
	return bits;
}

int main(int argc, char **argv)
{
	unsigned int bits = argc == 3 ? table_bits(argv[2]) : BITS;
	unsigned long n = wl_size(argc == 3 ? 2 : argc, argv,
				  "thousands of draws", 1000, 1000000);
	size_t slots = 1ul << bits, i;
	struct slot *table = calloc(slots, sizeof(*table));
	uint64_t keys = 0, sum = 0;

	if (!table)
		wl_die("calloc");
	count(table, bits, n * 1000);
	for (i = 0; i < slots; i++) {
		keys += table[i].key != 0;
		sum += table[i].count;
	}
	printf("hash: %" PRIu64 " keys drawn %" PRIu64 " times\n", keys, sum);
	free(table);
	return sum != n * 1000;
}
