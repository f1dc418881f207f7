// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the arithmetic that turns 32-bit readings into sums and periods.
 */
#include <kunit/test.h>
#include <linux/minmax.h>

#include "period.h"

static void delta_survives_the_wrap(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, r10k_count_delta(5, 7), 2);
	KUNIT_EXPECT_EQ(test, r10k_count_delta(0xffffffff, 0), 1);
	KUNIT_EXPECT_EQ(test, r10k_count_delta(0xfffffff0, 0x10), 0x20);
	KUNIT_EXPECT_EQ(test, r10k_count_delta(0x80000000, 0x7fffffff), 0xffffffff);
}

/* mfc0 sign-extends its value; the sign must not get into the sum. */
static void delta_is_never_negative(struct kunit *test)
{
	u64 sum = 0;

	sum += r10k_count_delta(0x7fffffff, 0x80000001);
	KUNIT_EXPECT_EQ(test, sum, 2);
	sum += r10k_count_delta(1, 0);
	KUNIT_EXPECT_EQ(test, sum, 0x100000001ULL);
}

static void counter_starts_a_period_below_bit_31(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, r10k_period_start(1, false), 0x7fffffff);
	KUNIT_EXPECT_EQ(test, r10k_period_start(100000, false), 0x7ffe7960);
	KUNIT_EXPECT_EQ(test, r10k_period_start(0x7fffffff, false), 1);
}

static void long_periods_take_more_than_one_go(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, r10k_period_start(0x80000000LL, false), 1);
	KUNIT_EXPECT_EQ(test, r10k_period_start(S64_MAX, false), 1);
}

static void missed_end_interrupts_at_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, r10k_period_start(0, false), 0x80000000);
	KUNIT_EXPECT_EQ(test, r10k_period_start(-3, false), 0x80000003);
}

/* Where bit 31 must not be set before the counter counts */
static void missed_end_interrupts_at_the_next_event(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, r10k_period_start(0, true), 0x7fffffff);
	KUNIT_EXPECT_EQ(test, r10k_period_start(-3, true), 0x7fffffff);
	KUNIT_EXPECT_EQ(test, r10k_period_start(1, true), 0x7fffffff);
	KUNIT_EXPECT_EQ(test, r10k_period_start(2, true), 0x7ffffffe);
}

struct next_case {
	const char *name;
	s64 left, period;
	s64 length;	/* of the next period; 0: this one is not over */
	s64 then;
};

static const struct next_case next_cases[] = {
	{ "not over yet", 1, 1000, 0, 1 },
	{ "over exactly", 0, 1000, 1000, 1000 },
	{ "three too late", -3, 1000, 1000, 997 },
	{ "one short of a whole period late", -999, 1000, 1000, 1 },
	{ "a whole period late", -1000, 1000, 3000, 2000 },
	{ "many periods late", -12345, 1000, 37035, 24690 },
	{ "longest period", -2, 0x7fffffff, 0x7fffffff, 0x7ffffffd },
	{ "shortest period", 0, 1, 1, 1 },
};

static void next_case_name(const struct next_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(next, next_cases, next_case_name);

static void next_period_begins_where_the_last_ended(struct kunit *test)
{
	const struct next_case *c = test->param_value;
	s64 left = c->left;

	KUNIT_EXPECT_EQ(test, r10k_period_next(&left, c->period), c->length);
	KUNIT_EXPECT_EQ(test, left, c->then);
}

/* A hundred interrupts, each late by another amount: no count is lost. */
static void lateness_does_not_add_up(struct kunit *test)
{
	const s64 period = 1000;
	s64 left = period, counted = 0;
	unsigned int i, samples = 0;
	u32 start, late;

	for (i = 0; i < 100; i++) {
		start = r10k_period_start(left, false);
		late = i * 7 % 13;
		counted += r10k_count_delta(start, R10K_OVERFLOW + late);
		left -= r10k_count_delta(start, R10K_OVERFLOW + late);
		samples += !!r10k_period_next(&left, period);
	}
	KUNIT_EXPECT_EQ(test, samples, 100);
	KUNIT_EXPECT_EQ(test, counted, samples * period + (period - left));
}

/*
 * The period is one event, but the interrupt itself counts events while it enters
 * and leaves the kernel: other work must make progress all the same.
 */
static void short_period_leaves_room_for_work(struct kunit *test)
{
	static const unsigned int costs[][2] = {
		{ 1, 0 }, { 1, 1 }, { 300, 200 }, { 10, 5000 }, { 5000, 10 },
	};
	unsigned int c, i;

	for (c = 0; c < ARRAY_SIZE(costs); c++) {
		s64 left = 1, spent = 0, worked = 0;
		s64 in = costs[c][0], out = costs[c][1];

		for (i = 0; i < 1000; i++) {
			worked += max(left - out, 0);
			spent += in + out;
			left = min(left - out, 0) - in;
			r10k_period_next(&left, 1);
		}
		KUNIT_EXPECT_GE_MSG(test, 4 * worked, spent, "in %lld, out %lld", in, out);
	}
}

static struct kunit_case r10k_period_cases[] = {
	KUNIT_CASE(delta_survives_the_wrap),
	KUNIT_CASE(delta_is_never_negative),
	KUNIT_CASE(counter_starts_a_period_below_bit_31),
	KUNIT_CASE(long_periods_take_more_than_one_go),
	KUNIT_CASE(missed_end_interrupts_at_once),
	KUNIT_CASE(missed_end_interrupts_at_the_next_event),
	KUNIT_CASE_PARAM(next_period_begins_where_the_last_ended, next_gen_params),
	KUNIT_CASE(lateness_does_not_add_up),
	KUNIT_CASE(short_period_leaves_room_for_work),
	{ }
};

static struct kunit_suite r10k_period_suite = {
	.name = "mips_r10k_period",
	.test_cases = r10k_period_cases,
};

kunit_test_suite(r10k_period_suite);
