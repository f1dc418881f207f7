// SPDX-License-Identifier: GPL-2.0-only
/* Random work at an even rate: see random.h. */
#include <stdlib.h>

#include "functions.h"
#include "random.h"
#include "wl.h"

#define SMALL	(1u << 16)	/* bytes, more than the first level */
#define LARGE	(1u << 21)	/* more than the second */
#define GOLDEN	0x9e3779b97f4a7c15u

extern const char functions[];

static uint64_t call(uint64_t i, uint64_t x)
{
	const char *f = functions + i % FUNCTIONS * FUNCTION_BYTES;

	return ((uint64_t (*)(uint64_t x))f)(x);
}

void random_init(struct random_work *w)
{
	w->small = calloc(1, SMALL);
	w->large = calloc(1, LARGE);
	w->seed = 88172645463325252u;
	w->step = 0;
	w->sum = 0;
	if (!w->small || !w->large)
		wl_die("calloc");
}

/* Words of the large memory, spread evenly over it by the golden section */
static uint64_t *spread(const struct random_work *w, uint64_t i)
{
	return &w->large[i * GOLDEN / (UINT64_MAX / (LARGE / 8) + 1)];
}

void random_steps(struct random_work *w, unsigned long n)
{
	uint64_t x;

	while (n--) {
		x = wl_random(&w->seed);
		w->sum += w->small[x % (SMALL / 8)];
		w->small[(x >> 13) % (SMALL / 8)] = w->sum;
		w->sum += *spread(w, 3 * w->step);
		if (x >> 63)
			*spread(w, 3 * w->step + 1) += x;
		__builtin_prefetch(spread(w, 3 * w->step + 2));
		w->sum += call(w->step * 421, x);
		w->step++;
	}
}
