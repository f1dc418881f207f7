// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory walk: follows a chain that visits every line of N KiB in a random
 * order, then reads and writes them in sequence.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "wl.h"

#define LINE	128	/* bytes: a line of the second-level cache */
#define PASSES	16

struct line {
	size_t next;
	uint64_t data[LINE / sizeof(uint64_t) - 1];
};

/* One cycle through all lines (Sattolo's shuffle) */
static void make_chain(struct line *lines, size_t nr)
{
	uint64_t seed = 88172645463325252u;
	size_t i, j, tmp;

	for (i = 0; i < nr; i++)
		lines[i].next = i;
	for (i = nr - 1; i > 0; i--) {
		j = wl_random(&seed) % i;
		tmp = lines[i].next;
		lines[i].next = lines[j].next;
		lines[j].next = tmp;
	}
}

static size_t __attribute__((noinline)) chase(const struct line *lines,
					      size_t nr)
{
	size_t at = 0, i;

	for (i = 0; i < nr * PASSES; i++)
		at = lines[at].next;
	return at;
}

static uint64_t __attribute__((noinline)) stream(struct line *lines, size_t nr)
{
	uint64_t sum = 0;
	size_t i, pass;

	for (pass = 1; pass <= PASSES; pass++) {
		for (i = 0; i < nr; i++) {
			lines[i].data[0] += pass;
			sum += lines[i].data[0];
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned long kib = wl_size(argc, argv, "KiB of memory", 4096, 131072);
	size_t nr = kib * 1024 / LINE;
	struct line *lines = calloc(nr, sizeof(*lines));

	if (!lines)
		wl_die("calloc");
	make_chain(lines, nr);
	/* a cycle followed a whole number of times ends where it began */
	printf("memory: %lu KiB: ends at %zu,", kib, chase(lines, nr));
	printf(" sum %" PRIu64 "\n", stream(lines, nr));
	free(lines);
	return 0;
}
