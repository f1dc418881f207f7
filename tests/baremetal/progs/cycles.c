// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cycles run at twice the speed of Count. Each reading of a counter is between two
 * readings of Count, so the difference of two counter readings has exact bounds,
 * whatever the host does meanwhile; Count's own step adds TOLERANCE.
 */
#include "bm.h"

#define TURNS		1000000
#define ATTEMPTS	64
#define DOUBLED		8	/* after so many attempts the loop is twice as long */
#define TOLERANCE	4
#define PATIENCE	800000000	/* ticks of Count: 5 s */

extern const char k_bracket[], k_spin[], k_forever[];

struct reading {
	u32 count_before, ctr[2], count_after;
};

/* k_bracket's words: two readings, the loop's length and Status, Count in it */
struct bracket {
	struct reading r[2];
	u32 turns, status, began, ended;
};

static u32 cycles0(u32 modes)
{
	return ctl_event(0, modes);
}

static u32 cycles1(u32 modes)
{
	return ctl_event(is_r12000() ? 0 : 16, modes);
}

/* Twice the least and the most that Count can have moved between two readings */
static u32 least(const struct reading *a, const struct reading *b)
{
	return 2 * (b->count_before - a->count_after);
}

static u32 most(const struct reading *a, const struct reading *b)
{
	return 2 * (b->count_after - a->count_before);
}

/* Twice what Count can have moved outside of the loop, between two readings */
static u32 outside(const struct bracket *b)
{
	return 2 * (b->began - b->r[0].count_before + b->r[1].count_after - b->ended);
}

/* Try until everything outside the loop takes at most 0.05 % of its time. */
static const struct reading *bracket(u32 mode, u32 ctl0, u32 ctl1, u32 in_loop)
{
	struct bracket *b = (struct bracket *)scratch;

	for (u32 i = 0; i < ATTEMPTS; i++) {
		b->turns = TURNS << i / DOUBLED;
		b->status = in_loop;
		run_kernel(mode, ctl0, ctl1, k_bracket, scratch);
		if (outside(b) <= (b->ended - b->began) / 1000)
			return b->r;
	}
	expect_range("cycles outside of the loop", 0, (b->ended - b->began) / 1000, outside(b));
	return 0;
}

static void expect_cycles(const struct reading *r, u32 n)
{
	expect_range("cycles, twice Count", least(r, r + 1) - TOLERANCE,
		     most(r, r + 1) + TOLERANCE, r[1].ctr[n] - r[0].ctr[n]);
}

static void twice_count(void)
{
	const struct reading *r = bracket(MODE_K, cycles0(MODE_ALL), cycles1(MODE_ALL), 0);

	if (!r)
		return;
	expect_cycles(r, 0);
	expect_cycles(r, 1);
	expect_true("some time passed", least(r, r + 1) > 1000);
}

/* Status.CU0 lets any mode read Count and the counters. */
static void one_mode_alone(void)
{
	static const u32 modes[] = { MODE_K, MODE_U, MODE_S };

	for (u32 m = 0; m < ARRAY_SIZE(modes); m++) {
		const struct reading *r = bracket(modes[m], cycles0(modes[m]),
						  cycles1(modes[m] | MODE_EXL), 0);

		if (!r)
			return;
		expect_cycles(r, 0);
		expect_cycles(r, 1);
	}
}

static void other_modes(void)
{
	const struct reading *r;
	struct counts n;

	*(u32 *)scratch = TURNS;
	n = run_kernel(MODE_K, cycles0(MODE_U | MODE_S), 0, k_spin, scratch);
	expect("cycles of user and supervisor mode", 0, n.c[0]);
	r = bracket(MODE_K, cycles0(MODE_U | MODE_S | MODE_EXL), cycles1(0), 0);
	if (!r)
		return;
	expect("cycles, other modes", 0, r[1].ctr[0] - r[0].ctr[0]);
	expect("cycles, no mode", 0, r[1].ctr[1]);
}

/*
 * Counter 0 is ahead of counter 1 by a constant. Each reading of it between
 * two of counter 1 bounds the constant; all bounds have to agree.
 */
static void twins(void)
{
	u32 before, inside, after, low = 0, high = ~0U;

	ctl_write(0, cycles0(MODE_ALL));
	ctl_write(1, cycles1(MODE_ALL));
	ctr_write(0, BIT31);
	ctr_write(1, 0);
	for (u32 i = 0; i < 1000; i++) {
		before = ctr_read(1);
		inside = ctr_read(0);
		after = ctr_read(1);
		low = inside - after > low ? inside - after : low;
		high = inside - before < high ? inside - before : high;
	}
	expect_range("greatest lower bound", BIT31 - TOLERANCE, high + TOLERANCE, low);
}

static void erl(void)
{
	const struct reading *r = bracket(MODE_K, cycles0(MODE_ALL), cycles1(MODE_ALL), ST_ERL);

	if (!r)
		return;
	for (u32 n = 0; n < 2; n++)
		expect_range("cycles outside of the loop with ERL", 0,
			     outside((const struct bracket *)r) + TOLERANCE,
			     r[1].ctr[n] - r[0].ctr[n]);
}

static void exl(void)
{
	const struct reading *r = bracket(MODE_K, cycles0(MODE_K), cycles1(MODE_EXL), ST_EXL);
	u32 both;

	if (!r)
		return;
	both = r[1].ctr[0] - r[0].ctr[0] + r[1].ctr[1] - r[0].ctr[1];
	expect_range("K and EXL", least(r, r + 1) - TOLERANCE, most(r, r + 1) + TOLERANCE, both);
	expect_range("K", 0, outside((const struct bracket *)r) + TOLERANCE,
		     r[1].ctr[0] - r[0].ctr[0]);
}

static void user_and_rest(void)
{
	u32 before, after;
	struct counts n;

	*(u32 *)scratch = TURNS;
	before = c0_read(C0_COUNT);
	n = run_kernel(MODE_U, cycles0(MODE_U), cycles1(MODE_ALL & ~MODE_U), k_spin, scratch);
	after = c0_read(C0_COUNT);
	expect_range("user and other cycles", 1, 2 * (after - before) + TOLERANCE, n.c[0] + n.c[1]);
	expect_true("user mode had cycles", n.c[0] > 0);
}

static void start_value(void)
{
	u32 first, second;

	ctr_write(0, 0x12345678);
	ctl_write(0, cycles0(MODE_ALL));
	first = ctr_read(0);
	second = ctr_read(0);
	expect_true("it counts up from the value written", first - 0x12345678 < BIT31);
	expect_true("it does not run backwards", second - first < BIT31);
	ctr_write(0, 0xfffffff0);
	for (volatile int i = 0; i < 10000; i++)
		;
	expect_true("it wraps", (u32)ctr_read(0) < 0xfffffff0);
}

static void stopping(void)
{
	u32 held;

	ctl_write(0, cycles0(MODE_ALL));
	for (volatile int i = 0; i < 1000; i++)
		;
	ctl_write(0, cycles0(0));
	held = ctr_read(0);
	expect_true("it has counted", held > 0);
	for (volatile int i = 0; i < 1000; i++)
		;
	expect("the stopped counter", held, (u32)ctr_read(0));
	ctl_write(0, cycles0(MODE_ALL));
	ctl_write(0, 0);
	expect_true("it goes on from there", (u32)ctr_read(0) >= held);
}

/* From cycles to an event that does not happen here: the value stays. */
static void other_event(void)
{
	u32 held;

	ctl_write(0, cycles0(MODE_ALL));
	for (volatile int i = 0; i < 1000; i++)
		;
	ctl_write(0, ctl_event(5, MODE_ALL));
	held = ctr_read(0);
	for (volatile int i = 0; i < 1000; i++)
		;
	expect_true("cycles were counted", held > 0);
	expect("with no SC that fails", held, (u32)ctr_read(0));
}

static u32 seen_counter;

static enum exc_answer interrupt(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	seen_counter = snap.c[0];
	return EXC_LEAVE;
}

static void overflow(void)
{
	static const u32 lengths[] = { 1, 1000, 100000, 1000000 };

	exc_hook_fn = interrupt;
	for (u32 i = 0; i < ARRAY_SIZE(lengths); i++) {
		const u32 ctl[2] = { cycles0(MODE_U) | CTL_IE, 0 };
		const u32 start[2] = { BIT31 - lengths[i], 0 };

		seen_counter = 0;
		run_from(MODE_U, ctl, start, ST_NORMAL | ST_IE | ST_IM7, k_forever, scratch);
		expect_true("the counter has bit 31 when the interrupt comes",
			    seen_counter & BIT31);
	}
}

static int wait_for_level(void)
{
	u32 start = c0_read(C0_COUNT);

	while (!ip7() && (u32)c0_read(C0_COUNT) - start < PATIENCE)
		;
	return ip7();
}

/* Without the interrupt: the level alone, polled, and again after a rewrite */
static void level(void)
{
	ctr_write(0, BIT31 - 20000);
	ctl_write(0, cycles0(MODE_ALL) | CTL_IE);
	expect("IP7", 1, wait_for_level());
	expect_true("bit 31", ctr_read(0) < 0);
	ctr_write(0, 0);
	expect("IP7 after the counter was rewritten", 0, ip7());
	ctr_write(0, BIT31 - 20000);
	expect("IP7, a second time", 1, wait_for_level());
}

static enum exc_answer timer_interrupt(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	timer_off();
	return ip7() ? interrupt(f) : EXC_RESUME;
}

/* The timer's interrupts neither delay nor hide that of the counter. */
static void with_timer(void)
{
	const u32 ctl[2] = { cycles0(MODE_U) | CTL_IE, 0 };
	const u32 start[2] = { BIT31 - 200000, 0 };

	exc_hook_fn = timer_interrupt;
	seen_counter = 0;
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + 10000);
	run_from(MODE_U, ctl, start, ST_NORMAL | ST_IE | ST_IM7, k_forever, scratch);
	expect_true("bit 31 when the interrupt comes", seen_counter & BIT31);
}

static const struct tap_case cases[] = {
	{ "cycles are twice Count, all modes", twice_count },
	{ "cycles are twice Count, each mode alone", one_mode_alone },
	{ "cycles of modes that the CPU is not in", other_modes },
	{ "both counters count the same cycles", twins },
	{ "no cycles with ERL", erl },
	{ "kernel and EXL cycles make up the time", exl },
	{ "user and other cycles are no more than the time", user_and_rest },
	{ "a cycle counter starts at what was written", start_value },
	{ "a stopped cycle counter holds still", stopping },
	{ "from cycles to another event", other_event },
	{ "cycles overflow in an endless loop", overflow },
	{ "cycles raise IP7", level },
	{ "cycles overflow beside the timer", with_timer },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
