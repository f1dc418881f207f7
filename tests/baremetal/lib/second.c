// SPDX-License-Identifier: GPL-2.0-only
/*
 * The second CPU of a board with two: it executes what the first CPU tells it to.
 * The emulator runs one CPU at a time.
 */
#include "bm.h"

/* In ticks of Count: short enough for the CPU that waits, long enough for the other */
#define TURN		1000
#define MISSED		0x10000

static void (*volatile job)(void *);
static void *volatile job_argument;

/*
 * Without rr-slice, the emulator switches to the other CPU when a timer fires. On a busy
 * host Count may have passed Compare before Compare is written.
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

/* The second CPU begins as soon as the emulator lets it run. */
void second_start(void (*function)(void *), void *argument)
{
	second_go = 1;
	job_argument = argument;
	job = function;
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + TURN);
}

void second_wait(void)
{
	while (job)
		let_other_run();
}

void second_call(void (*function)(void *), void *argument)
{
	second_start(function, argument);
	second_wait();
}

/* On the first CPU (0), or on the second. */
void on_cpu(u32 cpu, void (*function)(void *), void *argument)
{
	if (cpu)
		second_call(function, argument);
	else
		function(argument);
}
