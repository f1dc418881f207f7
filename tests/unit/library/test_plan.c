// SPDX-License-Identifier: GPL-2.0-only
/* The pairing plan, for random sets of every size and for all lopsided sets. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "plan.h"
#include "seed.h"
#include "unit.h"

static unsigned int bits(uint32_t set)
{
	unsigned int nr = 0;

	for (; set; set &= set - 1)
		nr++;

	return nr;
}

/* How often each event is in the plan */
static void tally(const struct ixp_plan *plan, unsigned int seen[32])
{
	unsigned int i, half;

	memset(seen, 0, 32 * sizeof(*seen));
	for (i = 0; i < plan->nr_pairs; i++)
		for (half = 0; half < 2; half++)
			if (plan->pair[i][half] >= 0)
				seen[plan->pair[i][half]]++;
}

static void check_covered(const struct ixp_plan *plan, uint32_t events)
{
	unsigned int seen[32];
	unsigned int i;

	tally(plan, seen);
	for (i = 0; i < 32; i++)
		assert_int_equal(seen[i] > 0, events >> i & 1);
}

/* No counter idles while it has events, and turns are shared evenly */
static void check_busy(const struct ixp_plan *plan, uint32_t events)
{
	uint32_t half[2] = { events & 0xffff, events >> 16 };
	unsigned int i;

	assert_int_equal(plan->nr_pairs, bits(half[0]) > bits(half[1]) ?
			 bits(half[0]) : bits(half[1]));
	for (i = 0; i < plan->nr_pairs; i++) {
		assert_int_equal(plan->pair[i][0] >= 0, half[0] != 0);
		assert_int_equal(plan->pair[i][1] >= 0, half[1] != 0);
		if (half[0])
			assert_in_range(plan->pair[i][0], 0, 15);
		if (half[1])
			assert_in_range(plan->pair[i][1], 16, 31);
	}
}

static void check_even(const struct ixp_plan *plan, uint32_t events)
{
	unsigned int seen[32];
	unsigned int i, half;

	tally(plan, seen);
	for (half = 0; half < 2; half++) {
		unsigned int min = ~0u, max = 0;

		for (i = half * 16; i < half * 16 + 16; i++) {
			if (!(events >> i & 1))
				continue;
			min = seen[i] < min ? seen[i] : min;
			max = seen[i] > max ? seen[i] : max;
		}
		assert_true(max == 0 || max - min <= 1);
	}
}

static void check_set(uint32_t events)
{
	struct ixp_plan plan;

	ixp_plan_make(&plan, events, false);
	check_covered(&plan, events);
	check_busy(&plan, events);
	check_even(&plan, events);
}

static uint32_t low_bits(unsigned int nr)
{
	return (UINT32_C(1) << nr) - 1;
}

static void all_sizes_of_both_halves(void **state)
{
	unsigned int a, b;

	(void)state;
	for (a = 0; a <= 16; a++)
		for (b = 0; b <= 16; b++)
			check_set(low_bits(a) | low_bits(b) << 16);
}

static void random_sets(void **state)
{
	int i;

	(void)state;
	srandom(test_seed(42));
	for (i = 0; i < 100000; i++)
		check_set((uint32_t)random() << 8 ^ (uint32_t)random());
}

static void two_events_are_one_pair(void **state)
{
	struct ixp_plan plan;

	(void)state;
	ixp_plan_make(&plan, UINT32_C(1) << 9 | UINT32_C(1) << 25, false);
	assert_int_equal(plan.nr_pairs, 1);
	assert_int_equal(plan.pair[0][0], 9);
	assert_int_equal(plan.pair[0][1], 25);
}

static void any_counter_makes_fewest_pairs(void **state)
{
	struct ixp_plan plan;
	unsigned int nr, i;

	(void)state;
	for (nr = 1; nr <= 16; nr++) {
		ixp_plan_make(&plan, low_bits(nr), true);
		check_covered(&plan, low_bits(nr));
		assert_int_equal(plan.nr_pairs, (nr + 1) / 2);
		for (i = 0; nr > 1 && i < plan.nr_pairs; i++)
			assert_true(plan.pair[i][0] >= 0 &&
				    plan.pair[i][1] >= 0 &&
				    plan.pair[i][0] != plan.pair[i][1]);
	}
}

static void all_events_on_any_counter(void **state)
{
	struct ixp_plan plan;

	(void)state;
	ixp_plan_make(&plan, UINT32_MAX, true);
	check_covered(&plan, UINT32_MAX);
	assert_int_equal(plan.nr_pairs, 16);
}

/* Each once and alone, and no counter has two turns while the other has one to come */
static void apart_each_event_is_alone(void **state)
{
	struct ixp_plan plan;
	unsigned int seen[32];
	unsigned int i;

	(void)state;
	ixp_plan_make(&plan, UINT32_MAX, false);
	ixp_plan_apart(&plan);
	assert_int_equal(plan.nr_pairs, 32);
	tally(&plan, seen);
	for (i = 0; i < 32; i++) {
		assert_int_equal(seen[i], 1);
		assert_int_equal(plan.pair[i][0] / 16, i % 2);
		assert_int_equal(plan.pair[i][1], -1);
	}
	/* An event that several pairs have, to keep a counter busy, too */
	ixp_plan_make(&plan, low_bits(3) | UINT32_C(1) << 16, false);
	ixp_plan_apart(&plan);
	assert_int_equal(plan.nr_pairs, 4);
	check_covered(&plan, low_bits(3) | UINT32_C(1) << 16);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_sizes_of_both_halves),
	cmocka_unit_test(random_sets),
	cmocka_unit_test(two_events_are_one_pair),
	cmocka_unit_test(any_counter_makes_fewest_pairs),
	cmocka_unit_test(all_events_on_any_counter),
	cmocka_unit_test(apart_each_event_is_alone),
};

UNIT_MAIN(tests)
