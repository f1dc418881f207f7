// SPDX-License-Identifier: GPL-2.0-only
/*
 * The property wait: the instruction idles until an interrupt that is enabled.
 *
 * @run props=wait=on
 */
#include "bm.h"

#define CAUSE_IP0	0x100
#define TICKS		2000000

static u32 interrupts;

static enum exc_answer interrupted(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	interrupts++;
	timer_off();
	c0_write(C0_CAUSE, 0);
	return EXC_RESUME;
}

/* Set Compare in time, even if the host is busy; returns Count before. */
static u32 set_timer(void)
{
	u32 start;

	do {
		start = c0_read(C0_COUNT);
		c0_write(C0_COMPARE, start + TICKS);
	} while ((u32)c0_read(C0_COUNT) - start > TICKS / 2);
	return start;
}

static void until_timer(void)
{
	u32 start;

	interrupts = 0;
	exc_hook_fn = interrupted;
	start = set_timer();
	c0_write(C0_STATUS, ST_NORMAL | ST_IM7 | ST_IE);
	while (!interrupts)
		asm volatile("wait");
	c0_write(C0_STATUS, ST_NORMAL);
	expect("interrupts", 1, interrupts);
	expect_true("Count has passed Compare", (u32)c0_read(C0_COUNT) - start >= TICKS);
}

/* An interrupt that is pending is taken as soon as Status enables it. */
static void pending(void)
{
	interrupts = 0;
	exc_hook_fn = interrupted;
	c0_write(C0_CAUSE, CAUSE_IP0);
	c0_write(C0_STATUS, ST_NORMAL | CAUSE_IP0 | ST_IE);
	c0_write(C0_STATUS, ST_NORMAL);
	expect("interrupts", 1, interrupts);
}

static const struct tap_case cases[] = {
	{ "WAIT ends with the timer's interrupt", until_timer },
	{ "an interrupt that is pending is taken", pending },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
