// SPDX-License-Identifier: GPL-2.0-only
/*
 * When Compare matches. The emulator takes what it does between a read of Count and
 * a write of Compare for time that has not passed: a match ahead of the Count that
 * the program knows of is yet to come. A CPU would miss the first one.
 */
#include "bm.h"

#define DISTANCE	100
#define LOOPS		1000000

static void passed_unseen(void)
{
	u32 compare = c0_read(C0_COUNT) + DISTANCE;

	for (u32 i = 0; i < LOOPS; i++)
		asm volatile("");
	c0_write(C0_COMPARE, compare);
	expect("IP7", 1, ip7());
	timer_off();
	expect("IP7 after another Compare", 0, ip7());
}

static void acknowledged(void)
{
	expect_true("the timer fires", timer_fire());
	c0_write(C0_COMPARE, c0_read(C0_COMPARE));
	expect("IP7", 0, ip7());
	c0_write(C0_COMPARE, c0_read(C0_COMPARE));
	expect("IP7 after a second one", 0, ip7());
}

static void passed_seen(void)
{
	u32 start = c0_read(C0_COUNT);

	while ((u32)c0_read(C0_COUNT) - start < 2 * DISTANCE)
		;
	c0_write(C0_COMPARE, start + DISTANCE);
	expect("IP7", 0, ip7());
}

static const struct tap_case cases[] = {
	{ "a match that passed unseen comes at once", passed_unseen },
	{ "an acknowledgment is no match", acknowledged },
	{ "a match that is known to have passed is none", passed_seen },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
