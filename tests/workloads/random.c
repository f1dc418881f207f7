// SPDX-License-Identifier: GPL-2.0-only
/* Random work at an even rate: see random.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/cachectl.h>

#include "random.h"
#include "wl.h"

#define SMALL	(1u << 16)	/* bytes, more than the first level */
#define LARGE	(1u << 21)	/* more than the second */
#define AHEAD	512		/* bytes, to or fro in the same page */

#define FUNCTIONS	8192
#define FUNCTION_BYTES	128	/* a line of the second level each */

extern const char function[], function_end[];

/* What can be read can be executed on these CPUs. */
static char *make_functions(void)
{
	char *code = calloc(FUNCTIONS + 1, FUNCTION_BYTES);
	size_t i;

	if (!code)
		wl_die("calloc");
	code += -(uintptr_t)code % FUNCTION_BYTES;
	for (i = 0; i < FUNCTIONS; i++)
		memcpy(code + i * FUNCTION_BYTES, function,
		       function_end - function);
	cacheflush(code, FUNCTIONS * FUNCTION_BYTES, BCACHE);
	return code;
}

static uint64_t call(const struct random_work *w, uint64_t i, uint64_t x)
{
	const char *f = w->functions + i % FUNCTIONS * FUNCTION_BYTES;

	return ((uint64_t (*)(uint64_t x))f)(x);
}

void random_init(struct random_work *w)
{
	w->small = calloc(1, SMALL);
	w->large = calloc(1, LARGE);
	w->functions = make_functions();
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
		w->sum += call(w, y >> 40, x);
	}
}
