// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints counts that depend on time. With -icount the runner starts this program twice
 * and compares: both must print exactly the same.
 */
#include "bm.h"

#define DEVICE		0xffffffffb80003fdUL
#define TURNS		60000
#define FEW		4000
#define MEMORY		0xa800000004000000UL	/* coherent */
#define TICK		10007

extern const char k_device_loop[], k_roam[];

static u32 ticks;
static u64 where;

static enum exc_answer tick(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	ticks++;
	where = where * 31 + f->epc + snap.c[0];
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + TICK);
	return EXC_RESUME;
}

static void run(const char *kernel, u32 turns, u32 ctl0, u32 ctl1)
{
	static const u32 start[2];
	struct counts n;

	*(u32 *)scratch = turns;
	*(u64 *)(scratch + 8) = DEVICE;
	*(u64 *)(scratch + 16) = MEMORY;
	exc_hook_fn = tick;
	ticks = where = 0;
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + TICK);
	n = run_from(MODE_K, (u32 [2]) { ctl0, ctl1 }, start, ST_NORMAL | ST_IE | ST_IM7,
		     kernel, scratch);
	note("controls %x %x: %u %u, %u timer interrupts, checksum %lx, Count %u", ctl0, ctl1,
	     n.c[0], n.c[1], ticks, where, (u32)c0_read(C0_COUNT));
}

static void counted(void)
{
	expect_true("something was counted", snap.c[0] != 0);
}

static void cycles(void)
{
	run(k_device_loop, TURNS, ctl_event(0, MODE_ALL), ctl_event(is_r12000() ? 0 : 16, MODE_K));
	counted();
}

static void instructions(void)
{
	run(k_device_loop, TURNS, ctl_event(15, MODE_ALL), ctl_event(18, MODE_EXL));
	counted();
	run(k_device_loop, TURNS, ctl_event(0, MODE_ALL), ctl_event(18, MODE_K));
	expect("loads of the loop", TURNS + 2, snap.c[1]);
}

/* Here the program and its handlers run cached, and evict each other's lines. */
static void all_events(void)
{
	c0_write(C0_CONFIG, (c0_read(C0_CONFIG) & ~7) | 3);
	for (u32 e = 0; e < 16; e++)
		run(k_roam, FEW, ctl_event(e, MODE_ALL), ctl_event(e + 16, MODE_ALL));
	counted();
}

static const struct tap_case cases[] = {
	{ "cycles", cycles },
	{ "instructions and cycles", instructions },
	{ "all events", all_events },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
