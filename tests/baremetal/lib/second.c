// SPDX-License-Identifier: GPL-2.0-only
/*
 * The second CPU of a board with two: it executes what the first one tells it
 * to, while that one waits. The emulator runs one CPU at a time.
 */
#include "bm.h"

/* Of Count; often enough for the one that waits, seldom enough for the other */
#define TURN		1000
#define MISSED		0x10000

static void (*volatile job)(void *);
static void *volatile job_argument;

/*
 * The emulator turns to the other CPU when a timer fires. On a busy host Count
 * may have passed Compare before this was written.
 */
static void let_other_run(void)
{
	if (ip7() || (s32)(c0_read(C0_COUNT) - c0_read(C0_COMPARE)) > MISSED)
		c0_write(C0_COMPARE, c0_read(C0_COUNT) + TURN);
}

/* Status is start.S's; no exception is expected here. */
void second_main(void)
{
	pmu_stop();
	for (;;) {
		if (job) {
			job(job_argument);
			job = 0;
		}
		let_other_run();
	}
}

void second_call(void (*function)(void *), void *argument)
{
	second_go = 1;
	job_argument = argument;
	job = function;
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + TURN);
	while (job)
		let_other_run();
}
