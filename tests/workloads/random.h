/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random work at an even rate: each step reads here and writes there, in more
 * memory than the caches hold, calls one of many small functions, and takes a
 * branch or not. Every cache and the branch prediction have something to do all
 * the time, and as much of it in any millisecond.
 */
#ifndef R10K_WORKLOAD_RANDOM_H
#define R10K_WORKLOAD_RANDOM_H

#include <stdint.h>

struct random_work {
	uint64_t *small;
	uint64_t *large;
	char *functions;
	uint64_t seed;
	uint64_t sum;
};

void random_init(struct random_work *w);
void random_steps(struct random_work *w, unsigned long n);

#endif /* R10K_WORKLOAD_RANDOM_H */
