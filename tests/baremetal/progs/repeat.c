// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what depends on time. With -icount the runner starts this program
 * twice and compares: the same to the last digit.
 */
#include "bm.h"

#define DEVICE		0xffffffffb80003fdUL
#define TURNS		60000
#define TICK		10007

extern const char k_device_loop[];

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

static void run(const char *what, u32 ctl0, u32 ctl1)
{
	static const u32 start[2];
	struct counts n;

	*(u32 *)scratch = TURNS;
	*(u64 *)(scratch + 8) = DEVICE;
	exc_hook_fn = tick;
	ticks = where = 0;
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + TICK);
	n = run_from(MODE_K, (u32 [2]){ ctl0, ctl1 }, start, ST_NORMAL | ST_IE | ST_IM7,
		     k_device_loop, scratch);
	note("%s: %u %u, %u timer interrupts, checksum %lx, Count %u", what, n.c[0], n.c[1],
	     ticks, where, (u32)c0_read(C0_COUNT));
	expect_true("something was counted", n.c[0] != 0);
}

static void cycles(void)
{
	run("cycles", ctl_event(0, MODE_ALL), ctl_event(is_r12000() ? 0 : 16, MODE_K));
}

static void instructions(void)
{
	run("instructions", ctl_event(15, MODE_ALL), ctl_event(18, MODE_EXL));
	run("cycles and loads", ctl_event(0, MODE_ALL), ctl_event(18, MODE_K));
	expect("loads of the loop", TURNS + 2, snap.c[1]);
}

static const struct tap_case cases[] = {
	{ "cycles", cycles },
	{ "instructions and cycles", instructions },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
