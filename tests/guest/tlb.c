// SPDX-License-Identifier: GPL-2.0-only
/*
 * TLB refills: a walk over many more pages than the TLB maps misses at each step; a
 * walk over few pages does not.
 *
 * The TLB has 64 entries of two pages, replaced at random. If a walk visits 1024
 * pairs of pages, a pair is rarely still in the TLB at its next visit (0.984 to the
 * 1024th).
 */
#include <sys/mman.h>

#include "tap.h"
#include "pmu.h"

#define PAIR_BYTES	(2 * 4096)
#define MANY		1024
#define FEW		16
#define PASSES		100

static volatile unsigned char *map;

static uint64_t count_walk(unsigned int pairs, unsigned int modes)
{
	int fd = pmu_must_open(EV_TLB_REFILLS, modes), pass;
	unsigned int i;
	uint64_t value;

	pmu_enable(fd);
	for (pass = 0; pass < PASSES; pass++)
		for (i = 0; i < pairs; i++)
			map[i * PAIR_BYTES];
	pmu_disable(fd);
	value = pmu_read(fd).value;
	pmu_close(fd);
	return value;
}

int main(void)
{
	uint64_t few;

	tap_start(2);
	map = mmap(NULL, MANY * PAIR_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (map == MAP_FAILED)
		tap_bail_errno("mmap");
	check_near("each step of a long walk refills", count_walk(MANY, PMU_ALL),
		   MANY * PASSES, 0.02);
	few = count_walk(FEW, PMU_ALL);
	check_true("a short walk hardly refills", few < FEW * PASSES / 4,
		   "%llu refills in %d steps", (unsigned long long)few,
		   FEW * PASSES);
	return tap_end();
}
