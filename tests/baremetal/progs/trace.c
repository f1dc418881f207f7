// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pseudo-random trace of loads, stores, fetches, prefetches and cache
 * operations against model.py, which has computed what each round of it
 * counts. The rounds go through all pairs of cache events; the state of the
 * caches goes on from one to the next.
 *
 * @run
 * @run way=plain props=l2-size=512K,l2-line=64
 * @run way=plain props=l2-size=4M
 * @run way=plain order=be props=l2-size=16M,l2-line=64
 */
#include "mem.h"

struct trace_table {
	u32 chip, size, line, pairs;
	const u8 (*pair)[2];
	const u16 (*counts)[2];
};

#define TRACE_MEMORY
#include "trace.h"

static const struct trace_table *find_table(void)
{
	u32 chip = is_r12000() ? 2 : !is_rev2();

	for (u32 i = 0; i < ARRAY_SIZE(trace_tables); i++) {
		const struct trace_table *t = &trace_tables[i];

		if (t->chip == chip && t->size == l2_size() && t->line == l2_line())
			return t;
	}
	bail("model.py has no counts for a secondary cache of %u bytes in lines of %u",
	     l2_size(), l2_line());
}

static int check(u32 round, u32 event, u32 want, u32 got)
{
	if (want == got)
		return 1;
	note("round %u, event %u: expected %u, got %u", round, event, want, got);
	return 0;
}

static void run_round(const struct trace_table *t, u32 round)
{
	const u8 *event = t->pair[round % t->pairs];
	struct counts n = count_ops(trace_ops[round], ROUND, ctl_event(event[0], MODE_K),
				    ctl_event(event[1], MODE_K));

	expect("the rounds that differ",
	       0, !check(round, event[0], t->counts[round][0], n.c[0]) +
	       !check(round, event[1], t->counts[round][1], n.c[1]));
}

static void random_trace(void)
{
	const struct trace_table *t = find_table();

	mem_init();
	for (u32 i = 0; i < ROUNDS; i++)
		run_round(t, i);
}

static const struct tap_case cases[] = {
	{ "a random trace counts what model.py computes", random_trace },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
