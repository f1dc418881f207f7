// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two CPUs: the models stay awake for the whole hold time (30 ms) after the last CPU
 * has released them, although the other CPU's hold time is over before.
 *
 * @run way=icount props=model-hold=30 qemu=-smp 2 -accel tcg,thread=single
 */
#include "mem.h"

#define COUNT_PER_MS	160000
#define LINE(n)		LOAD(0, (n) * 0x1000)

static void hold(void *unused __attribute__((unused)))
{
	ctl_write(1, ctl_event(25, MODE_ALL));
}

static void release(void *unused __attribute__((unused)))
{
	ctl_write(1, 0);
}

static void wait_ms(u32 ms)
{
	u32 start = c0_read(C0_COUNT);

	while ((u32)c0_read(C0_COUNT) - start < ms * COUNT_PER_MS)
		;
}

static void load(u32 op)
{
	(void)*(volatile u32 *)op_address(op);
}

/* 0 if the models have seen the load before */
static u32 misses(u32 op)
{
	u32 n;

	hold(0);
	ctr_write(1, 0);
	load(op);
	n = ctr_read(1);
	release(0);
	return n;
}

/* Drop the line that was loaded, then wait until all models sleep again. */
static void forget(u32 op)
{
	hold(0);
	asm volatile("cache 0x13, 0(%0)" : : "r"(op_address(op)) : "memory");
	release(0);
	wait_ms(40);
}

static u32 misses_after(u32 ms)
{
	u32 n;

	mem_init();
	hold(0);
	load(LINE(0));
	second_call(hold, 0);
	release(0);
	wait_ms(25);
	second_call(release, 0);
	wait_ms(ms);
	load(LINE(1));
	n = misses(LINE(1));
	forget(LINE(1));
	return n;
}

static void awake(void)
{
	expect("misses of a line loaded 15 ms after the last release", 0, misses_after(15));
	expect("misses of a line loaded 35 ms after it", 1, misses_after(35));
}

static const struct tap_case cases[] = {
	{ "awake for 30 ms after the last release of two", awake },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
