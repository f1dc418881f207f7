// SPDX-License-Identifier: GPL-2.0-only
/* Random work at an even rate: see random.h. */
#include <stdlib.h>

#include "functions.h"
#include "random.h"
#include "wl.h"

#define SMALL	(1u << 16)	/* bytes, more than the first level */
#define LARGE	(1u << 21)	/* more than the second */
#define AHEAD	512		/* bytes, to or fro in the same page */

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
	w->sum = 0;
	if (!w->small || !w->large)
		wl_die("calloc");
}

static uint64_t *in_large(const struct random_work *w, uint64_t x)
{
	return &w->large[x % (LARGE / 8)];
}

void random_steps(struct random_work *w, unsigned long n)
{
	uint64_t x, y, *p;

	while (n--) {
		x = wl_random(&w->seed);
		y = wl_random(&w->seed);
		w->sum += w->small[x % (SMALL / 8)];
		w->small[(x >> 13) % (SMALL / 8)] = w->sum;
		p = in_large(w, x >> 26);
		w->sum += *p;
		__builtin_prefetch((void *)((uintptr_t)p ^ AHEAD));
		if (x >> 63)
			*in_large(w, y) += x;
		w->sum += call(y >> 40, x);
	}
}
