// SPDX-License-Identifier: GPL-2.0-only
/*
 * With more L2 sets than entries of the way prediction table (8192, R12000:
 * 16384) two sets share a bit.
 *
 * @run cpu=R10000,R10000-v2.6 way=plain props=l2-size=4M
 * @run cpu=R10000 way=plain props=l2-size=2M,l2-line=64
 * @run cpu=R12000,R14000 way=plain props=l2-size=8M
 * @run cpu=R12000 way=plain props=l2-size=4M,l2-line=64
 */
#include "mem.h"

#define NEXT	32

static u32 sharing(void)
{
	return l2_size() / 2 / l2_line() > (is_r12000() ? 16384 : 8192);
}

/*
 * x is the way that the bit names at first, y the other. 0 goes to x, 1 to y,
 * and the bit names y. In the set that shares the bit, 0 goes to y and 1 to x:
 * the bit names x. So the next hit of block 1 (y) is mispredicted, not that of
 * the other set's 0 (y), but that of block 0 (x).
 */
static void shared_bit(void)
{
	const u32 ops[] = {
		LOAD(0, 0), LOAD(1, NEXT), LOAD(0, 0) | ALIAS, LOAD(1, NEXT) | ALIAS,
		LOAD(1, 0), LOAD(0, NEXT) | ALIAS, LOAD(0, NEXT),
	};
	u32 n = ARRAY_SIZE(ops);

	mem_init();
	expect_true("there are more sets than entries", sharing());
	clean_ops(ops, n);
	expect("mispredicted", 2, count_ops_event(ops, n, 27));
	clean_ops(ops, n);
	expect("L2 misses", 4, count_ops_event(ops, n, 26));
}

static void fetched(void)
{
	const u32 ops[] = {
		LOAD(0, 0), LOAD(1, NEXT), LOAD(0, 0) | ALIAS, LOAD(1, NEXT) | ALIAS,
		FETCH(1, 0), FETCH(0, 0) | ALIAS, FETCH(0, 0),
	};
	u32 n = ARRAY_SIZE(ops);

	mem_init();
	expect_true("there are more sets than entries", sharing());
	clean_ops(ops, n);
	expect("mispredicted", 2, count_ops_event(ops, n, 11));
}

/* At half the distance, sets do not share a bit: it is right for 1, wrong for 0. */
static void own_bit(void)
{
	const u32 ops[] = { LOAD(0, 0), LOAD(1, NEXT), LOAD(1, 0) };
	const u32 others[] = { LOAD(0, 256), LOAD(1, 256 + NEXT), LOAD(0, 256 + NEXT), LOAD(1, 0) };

	mem_init();
	clean_ops(ops, 3);
	clean_ops(others, 4);
	expect("mispredicted", 0, count_ops_event(ops, 3, 27));
	expect("of other sets", 1, count_ops_event(others, 4, 27));
}

static const struct tap_case cases[] = {
	{ "two sets that share a prediction bit", shared_bit },
	{ "fetches of these sets", fetched },
	{ "sets with a bit each", own_bit },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
