// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of event placement: the rules of each chip, and that the placement
 * finds room whenever there is some.
 */
#include <kunit/test.h>

#include "constraints.h"

static struct r10k_placement place_one(struct kunit *test, const struct r10k_rule *rule)
{
	struct r10k_placement placement = { };
	int counter = r10k_place(&placement, rule);

	KUNIT_ASSERT_EQ(test, counter, rule->home);
	return placement;
}

/* Can both events run at once? Worked out without r10k_place() */
static bool pair_is_possible(const struct r10k_rule *a, const struct r10k_rule *b)
{
	return (a->counters & 1 && b->counters & 2) ||
	       (a->counters & 2 && b->counters & 1);
}

/* Each counter holds an event that can run there, and none was lost. */
static void expect_sane(struct kunit *test, const struct r10k_placement *placement,
			const struct r10k_rule *a, const struct r10k_rule *b, int counter)
{
	KUNIT_EXPECT_EQ(test, placement->held[counter], b->counters);
	KUNIT_EXPECT_EQ(test, placement->held[!counter], a->counters);
	KUNIT_EXPECT_TRUE(test, b->counters & 1 << counter);
	KUNIT_EXPECT_TRUE(test, a->counters & 1 << !counter);
}

static void expect_pair(struct kunit *test, unsigned int chip, enum r10k_layout layout,
			unsigned int m, unsigned int n)
{
	const struct r10k_rule a = r10k_rule(chip, m, layout), b = r10k_rule(chip, n, layout);
	struct r10k_placement placement = place_one(test, &a);
	struct r10k_placement before = placement;
	int counter = r10k_place(&placement, &b);

	if (pair_is_possible(&a, &b)) {
		KUNIT_ASSERT_GE_MSG(test, counter, 0, "events %u and %u", m, n);
		expect_sane(test, &placement, &a, &b, counter);
	} else {
		KUNIT_EXPECT_EQ_MSG(test, counter, -EAGAIN, "events %u and %u", m, n);
		KUNIT_EXPECT_MEMEQ(test, &placement, &before, sizeof(before));
	}
}

static void expect_all_pairs(struct kunit *test, unsigned int chip, enum r10k_layout layout)
{
	unsigned int m, n;

	for (m = 0; m < R10K_EVENTS; m++)
		for (n = 0; n < R10K_EVENTS; n++)
			expect_pair(test, chip, layout, m, n);
}

static void r10000_finds_room_for_every_possible_pair(struct kunit *test)
{
	expect_all_pairs(test, R10K_CHIP_V2, R10K_SPLIT4);
	expect_all_pairs(test, R10K_CHIP_V3, R10K_SPLIT4);
}

static void r12000_finds_room_for_every_possible_pair(struct kunit *test)
{
	expect_all_pairs(test, R10K_CHIP_R12K, R10K_FULL);
	expect_all_pairs(test, R10K_CHIP_R12K, R10K_SPLIT5);
	expect_all_pairs(test, R10K_CHIP_R12K, R10K_SPLIT4);
}

static unsigned int possible_pairs(struct kunit *test, unsigned int chip, enum r10k_layout layout)
{
	unsigned int m, n, possible = 0;

	for (m = 0; m < R10K_EVENTS; m++)
		for (n = 0; n < R10K_EVENTS; n++) {
			struct r10k_rule a = r10k_rule(chip, m, layout);
			struct r10k_rule b = r10k_rule(chip, n, layout);
			struct r10k_placement placement = place_one(test, &a);

			possible += r10k_place(&placement, &b) >= 0;
		}
	return possible;
}

/* Counted from the table by hand: 16 x 16 pairs of different halves ... */
static void r10000_has_the_right_number_of_pairs(struct kunit *test)
{
	/*
	 * ... in both orders, and those of one half of which at least one can
	 * run on both counters: 16^2 - 14^2 for each half.
	 */
	KUNIT_EXPECT_EQ(test, possible_pairs(test, R10K_CHIP_V3, R10K_SPLIT4),
			2 * 16 * 16 + 2 * (16 * 16 - 14 * 14));
}

/* The R12000 has no event under two numbers. */
static void r12000_has_the_right_number_of_pairs(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, possible_pairs(test, R10K_CHIP_R12K, R10K_FULL), 32 * 32);
	KUNIT_EXPECT_EQ(test, possible_pairs(test, R10K_CHIP_R12K, R10K_SPLIT5), 2 * 16 * 16);
	KUNIT_EXPECT_EQ(test, possible_pairs(test, R10K_CHIP_R12K, R10K_SPLIT4), 2 * 16 * 16);
}

static void three_events_never_fit(struct kunit *test)
{
	struct r10k_rule cycles = r10k_rule(R10K_CHIP_V3, 0, R10K_SPLIT4);
	struct r10k_rule loads = r10k_rule(R10K_CHIP_V3, 18, R10K_SPLIT4);
	struct r10k_placement placement = place_one(test, &cycles);

	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &loads), 1);
	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &cycles), -EAGAIN);
}

static void cycles_move_out_of_the_way(struct kunit *test)
{
	struct r10k_rule cycles = r10k_rule(R10K_CHIP_V3, 0, R10K_SPLIT4);
	struct r10k_rule branches = r10k_rule(R10K_CHIP_V3, 6, R10K_SPLIT4);
	struct r10k_placement placement = place_one(test, &cycles);

	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &branches), 0);
	KUNIT_EXPECT_EQ(test, placement.held[0], branches.counters);
	KUNIT_EXPECT_EQ(test, placement.held[1], cycles.counters);
}

static void a_freed_counter_can_be_used_again(struct kunit *test)
{
	struct r10k_rule branches = r10k_rule(R10K_CHIP_V3, 6, R10K_SPLIT4);
	struct r10k_placement placement = place_one(test, &branches);

	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &branches), -EAGAIN);
	r10k_unplace(&placement, 0);
	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &branches), 0);
}

static void a_broken_counter_is_never_used_again(struct kunit *test)
{
	struct r10k_rule cycles = r10k_rule(R10K_CHIP_V3, 0, R10K_SPLIT4);
	struct r10k_rule branches = r10k_rule(R10K_CHIP_V3, 6, R10K_SPLIT4);
	struct r10k_placement placement = place_one(test, &cycles);

	r10k_break(&placement, 0);
	r10k_unplace(&placement, 0);
	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &branches), -EAGAIN);
	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &cycles), 1);
	r10k_unplace(&placement, 1);
	KUNIT_EXPECT_EQ(test, r10k_place(&placement, &cycles), 1);
}

struct field_case {
	enum r10k_layout layout;
	unsigned int chip, num, counters, field[R10K_COUNTERS];
};

/* Literal control register words, event field only */
static const struct field_case field_cases[] = {
	{ R10K_SPLIT4, R10K_CHIP_V3, 0, 3, { 0x000, 0x000 } },
	{ R10K_SPLIT4, R10K_CHIP_V3, 16, 3, { 0x000, 0x000 } },
	{ R10K_SPLIT4, R10K_CHIP_V3, 5, 1, { 0x0a0, 0x000 } },
	{ R10K_SPLIT4, R10K_CHIP_V3, 15, 3, { 0x1e0, 0x020 } },
	{ R10K_SPLIT4, R10K_CHIP_V2, 17, 3, { 0x1e0, 0x020 } },
	{ R10K_SPLIT4, R10K_CHIP_V3, 18, 2, { 0x000, 0x040 } },
	{ R10K_SPLIT4, R10K_CHIP_V3, 31, 2, { 0x000, 0x1e0 } },
	{ R10K_FULL, R10K_CHIP_R12K, 0, 3, { 0x000, 0x000 } },
	{ R10K_FULL, R10K_CHIP_R12K, 15, 3, { 0x1e0, 0x1e0 } },
	{ R10K_FULL, R10K_CHIP_R12K, 16, 3, { 0x200, 0x200 } },
	{ R10K_FULL, R10K_CHIP_R12K, 31, 3, { 0x3e0, 0x3e0 } },
	{ R10K_SPLIT5, R10K_CHIP_R12K, 15, 1, { 0x1e0, 0x000 } },
	{ R10K_SPLIT5, R10K_CHIP_R12K, 18, 2, { 0x000, 0x240 } },
	{ R10K_SPLIT4, R10K_CHIP_R12K, 15, 1, { 0x1e0, 0x000 } },
	{ R10K_SPLIT4, R10K_CHIP_R12K, 18, 2, { 0x000, 0x040 } },
	{ R10K_SPLIT4, R10K_CHIP_V3, 32, 0, { 0x000, 0x000 } },
};

static void field_case_name(const struct field_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "chip %#x layout %u event %u", c->chip, c->layout,
		 c->num);
}

KUNIT_ARRAY_PARAM(field, field_cases, field_case_name);

static void rule_has_the_right_codes(struct kunit *test)
{
	const struct field_case *c = test->param_value;
	struct r10k_rule rule = r10k_rule(c->chip, c->num, c->layout);

	KUNIT_EXPECT_EQ(test, rule.counters, c->counters);
	KUNIT_EXPECT_EQ(test, rule.field[0], c->field[0]);
	KUNIT_EXPECT_EQ(test, rule.field[1], c->field[1]);
}

static struct kunit_case r10k_constraints_cases[] = {
	KUNIT_CASE(r10000_finds_room_for_every_possible_pair),
	KUNIT_CASE(r12000_finds_room_for_every_possible_pair),
	KUNIT_CASE(r10000_has_the_right_number_of_pairs),
	KUNIT_CASE(r12000_has_the_right_number_of_pairs),
	KUNIT_CASE(three_events_never_fit),
	KUNIT_CASE(cycles_move_out_of_the_way),
	KUNIT_CASE(a_freed_counter_can_be_used_again),
	KUNIT_CASE(a_broken_counter_is_never_used_again),
	KUNIT_CASE_PARAM(rule_has_the_right_codes, field_gen_params),
	{ }
};

static struct kunit_suite r10k_constraints_suite = {
	.name = "mips_r10k_constraints",
	.test_cases = r10k_constraints_cases,
};

kunit_test_suite(r10k_constraints_suite);
