// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow: bit 31 of a counter and IE of its control register assert IP7 for as long
 * as both are set; so do the other counter and the timer.
 */
#include "bm.h"

#define ENABLED		(ST_NORMAL | ST_IE | ST_IM7)

extern const char k_ten[], k_one_mult[], k_forever_2[], k_forever_20[], k_loop[],
	k_break_between[], k_raise_by_counter[], k_raise_by_control[], k_raise_by_status[],
	k_raise_by_counter_late[], k_raise_by_control_late[], k_raise_by_status_late[];

/* What the hooks have seen, and what they must do. */
static struct frame first;
static struct counts first_snap, last_snap;
static u32 interrupts, others, leave_after, period;
static u64 last_epc;
static int epc_moved;

static u32 insns0(u32 modes)
{
	return ctl_event(15, modes);
}

static u32 insns1(u32 modes)
{
	return ctl_event(is_r12000() ? 15 : 17, modes);
}

static void forget(u32 leave)
{
	interrupts = others = 0;
	epc_moved = 0;
	leave_after = leave;
}

/* Count interrupts without clearing them; end the run at the given one. */
static enum exc_answer watch(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT) {
		others++;
		last_snap = snap;
		return exc_skip(f);
	}
	if (!interrupts++) {
		first = *f;
		first_snap = snap;
	} else if (f->epc != last_epc) {
		epc_moved = 1;
	}
	last_epc = f->epc;
	last_snap = snap;
	return interrupts >= leave_after ? EXC_LEAVE : EXC_RESUME;
}

/* Handle the interrupt as a sampler does: add one period, lose no event. */
static enum exc_answer sample(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return EXC_LEAVE;
	interrupts++;
	ctr_write(0, ctr_read(0) - period);
	return EXC_RESUME;
}

static void level_by_counter(void)
{
	ctl_write(0, insns0(0) | CTL_IE);
	expect("IP7, counter 0", 0, ip7());
	ctr_write(0, BIT31);
	expect("IP7, counter 0x80000000", 1, ip7());
	ctr_write(0, BIT31 - 1);
	expect("IP7, counter 0x7fffffff", 0, ip7());
	ctr_write(0, -1);
	expect("IP7, counter 0xffffffff", 1, ip7());
	ctr_write(0, 0);
	expect("IP7, counter 0", 0, ip7());
}

static void level_by_enable(void)
{
	ctl_write(1, insns1(0));
	ctr_write(1, BIT31);
	expect("IP7 without IE", 0, ip7());
	ctl_write(1, insns1(0) | CTL_IE);
	expect("IP7 with IE", 1, ip7());
	ctl_write(1, insns1(0));
	expect("IP7 when IE is cleared", 0, ip7());
	expect("counter", -(s64)BIT31, ctr_read(1));
}

static void enable_is_per_counter(void)
{
	ctl_write(0, insns0(0) | CTL_IE);
	ctr_write(1, BIT31);
	expect("IP7, IE of 0, bit 31 of 1", 0, ip7());
	ctl_write(1, insns1(0) | CTL_IE);
	ctl_write(0, insns0(0));
	expect("IP7, IE and bit 31 of 1", 1, ip7());
}

static void or_of_counters(void)
{
	ctl_write(0, insns0(0) | CTL_IE);
	ctl_write(1, insns1(0) | CTL_IE);
	ctr_write(0, BIT31);
	ctr_write(1, BIT31);
	expect("IP7, both", 1, ip7());
	ctr_write(0, 0);
	expect("IP7, counter 1 alone", 1, ip7());
	ctr_write(1, 0);
	expect("IP7, none", 0, ip7());
}

static void or_with_timer(void)
{
	expect_true("the timer raises IP7", timer_fire());
	ctl_write(0, insns0(0) | CTL_IE);
	ctr_write(0, BIT31);
	ctr_write(0, 0);
	expect("IP7 of the timer after the counter was rewritten", 1, ip7());
	ctr_write(0, BIT31);
	ctl_write(0, 0);
	expect("IP7 of the timer after IE was cleared", 1, ip7());
	ctl_write(0, insns0(0) | CTL_IE);
	timer_off();
	expect("IP7 of the counter after Compare was written", 1, ip7());
	ctr_write(0, 0);
	expect("IP7, none", 0, ip7());
}

static void timer_with_level_up(void)
{
	ctl_write(0, insns0(0) | CTL_IE);
	ctr_write(0, BIT31);
	c0_write(C0_COMPARE, c0_read(C0_COUNT) + 5000);
	for (u32 start = c0_read(C0_COUNT); (u32)c0_read(C0_COUNT) - start < 20000; )
		;
	expect("IP7 of both", 1, ip7());
	timer_off();
	expect("IP7 of the counter", 1, ip7());
	ctr_write(0, 0);
	expect("IP7, none", 0, ip7());
}

static enum exc_answer keep_first(struct frame *f)
{
	if (!others++) {
		first = *f;
		first_snap = snap;
	}
	last_snap = snap;
	return exc_skip(f);
}

static void level_after_ten(const u32 *start, u32 up)
{
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, insns1(MODE_U) | CTL_IE };

	exc_hook_fn = keep_first;
	forget(0);
	run_from(MODE_U, ctl, start, ST_NORMAL, k_ten, scratch);
	expect("IP7 in the handler", up ? CAUSE_IP7 : 0, first.cause & CAUSE_IP7);
	expect("counter 0", start[0] + 10, first_snap.c[0]);
	expect("counter 1", start[1] + 10, first_snap.c[1]);
}

/* 10 instructions from 0x80000000 - n: the level is up if n <= 10. */
static void level_exact(void)
{
	for (u32 n = 1; n <= 14; n++) {
		level_after_ten((u32 [2]) { BIT31 - n, 0 }, n <= 10);
		level_after_ten((u32 [2]) { 0, BIT31 - n }, n <= 10);
	}
}

static void endless(const void *kernel, u32 block)
{
	static const u32 events[] = {
		1, 2, 3, 19, 20, 21, 1000, 16384, 32767, 32768, 65535, 65536, 65537, 99999, 1000000,
	};

	for (u32 i = 0; i < ARRAY_SIZE(events); i++) {
		const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, insns1(MODE_U) };
		const u32 start[2] = { BIT31 - events[i], 0 };

		exc_hook_fn = watch;
		forget(1);
		run_from(MODE_U, ctl, start, ENABLED, kernel, scratch);
		expect("vector", 0x180, first.vector);
		expect("IP7 in Cause", CAUSE_IP7, first.cause & CAUSE_IP7);
		expect_range("counter in the handler, beyond 0x80000000", 0, block - 1,
			     first_snap.c[0] - BIT31);
		expect("counter 1", first_snap.c[0] - start[0], first_snap.c[1]);
	}
}

static void endless_2(void)
{
	endless(k_forever_2, 2);
}

static void endless_20(void)
{
	endless(k_forever_20, 20);
}

/* An interrupt that is not cleared comes again, before anything else is executed. */
static void level_stays(void)
{
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, 0 };
	const u32 start[2] = { BIT31 - 1000, 0 };

	exc_hook_fn = watch;
	forget(5);
	run_from(MODE_U, ctl, start, ENABLED, k_forever_20, scratch);
	expect("interrupts", 5, interrupts);
	expect("EPC moved", 0, epc_moved);
	expect("counter at the last", first_snap.c[0], last_snap.c[0]);
}

static void pending_at_start(void)
{
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, 0 };
	const u32 start[2] = { BIT31 + 7, 0 };

	exc_hook_fn = watch;
	forget(1);
	run_from(MODE_U, ctl, start, ENABLED, k_ten, scratch);
	expect("EPC", user_address(k_ten), first.epc);
	expect("counter", BIT31 + 7, first_snap.c[0]);
}

static void masked_with(u32 mode, u32 status)
{
	const u32 ctl[2] = { insns0(MODE_ALL) | CTL_IE, 0 };
	const u32 start[2] = { BIT31 - 1, 0 };

	exc_hook_fn = watch;
	forget(1);
	run_from(mode, ctl, start, status, k_ten, scratch);
	expect("interrupts", 0, interrupts);
	expect("other exceptions", 1, others);
	expect_true("it counted on", last_snap.c[0] >= BIT31 + 9);
}

static void masked(void)
{
	masked_with(MODE_U, ST_NORMAL | ST_IE);
	masked_with(MODE_U, ST_NORMAL | ST_IM7);
	masked_with(MODE_EXL, ENABLED);
	masked_with(MODE_K, ENABLED & ~ST_IM7);
}

static void counts_on(void)
{
	const u32 ctl[2] = { insns0(MODE_U), insns1(MODE_U) | CTL_IE };
	const u32 start[2] = { BIT31 - 5, -3U };

	exc_hook_fn = watch;
	forget(1);
	run_from(MODE_U, ctl, start, ST_NORMAL, k_ten, scratch);
	expect("counter 0, past bit 31", BIT31 + 5, last_snap.c[0]);
	expect("counter 1, past 32 bits", 7, last_snap.c[1]);
}

/* The level follows bit 31 down again when the counter wraps. */
static void wrap_drops(void)
{
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, 0 };
	const u32 start[2] = { -15U, 0 };

	exc_hook_fn = keep_first;
	forget(0);
	run_from(MODE_U, ctl, start, ST_NORMAL, k_break_between, scratch);
	expect("IP7 before the wrap", CAUSE_IP7, first.cause & CAUSE_IP7);
	expect("counter before the wrap", -5U, first_snap.c[0]);
	expect("counter after the wrap", 5, last_snap.c[0]);
	ctl_write(0, insns0(0) | CTL_IE);
	ctr_write(0, last_snap.c[0]);
	expect("IP7 after the wrap", 0, ip7());
}

static void one_mult(void)
{
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, 0 };
	const u32 start[2] = { BIT31 - 1, 0 };

	exc_hook_fn = keep_first;
	forget(0);
	run_from(MODE_U, ctl, start, ST_NORMAL, k_one_mult, scratch);
	expect("counter", BIT31 + 1, first_snap.c[0]);
	expect("IP7", CAUSE_IP7, first.cause & CAUSE_IP7);
}

/* An exception in the middle of a block: the instructions before it count. */
static void in_a_prefix(void)
{
	for (u32 n = 8; n <= 12; n++) {
		const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, 0 };
		const u32 start[2] = { BIT31 - n, 0 };

		exc_hook_fn = keep_first;
		forget(0);
		run_from(MODE_U, ctl, start, ST_NORMAL, k_break_between, scratch);
		expect("counter", BIT31 - n + 10, first_snap.c[0]);
		expect("IP7 in the handler", n <= 10 ? CAUSE_IP7 : 0, first.cause & CAUSE_IP7);
		expect("counter at the end", BIT31 - n + 20, last_snap.c[0]);
	}
}

static void samples(u32 each)
{
	const u32 iterations = 50000, total = 1 + 3 * iterations;
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, insns1(MODE_U) };
	const u32 start[2] = { BIT31 - each, 0 };
	struct counts n;

	*(volatile u32 *)scratch = iterations;
	exc_hook_fn = sample;
	forget(0);
	period = each;
	n = run_from(MODE_U, ctl, start, ENABLED, k_loop, scratch);
	expect("interrupts", total / each, interrupts);
	expect("rest in the counter", total % each, n.c[0] - start[0]);
	expect("the other counter", total, n.c[1]);
}

static void sampling(void)
{
	samples(1000);
	samples(997);
	samples(100);
	samples(150001);
}

static void two_at_once(void)
{
	const u32 ctl[2] = { insns0(MODE_U) | CTL_IE, ctl_event(18, MODE_U) | CTL_IE };
	const u32 start[2] = { BIT31 - 200, BIT31 - 5 };

	exc_hook_fn = watch;
	forget(1);
	run_from(MODE_U, ctl, start, ENABLED, k_forever_20, scratch);
	expect("loads", BIT31, first_snap.c[1]);
	expect_range("instructions", BIT31 - 200 + 81, BIT31 - 200 + 100, first_snap.c[0]);
}

/* One event in 20 instructions overflows; the other counter only counts. */
static void slow_beside_fast(void)
{
	static const u32 loads[] = { 1, 2, 1638, 1639, 3276, 3277, 32768, 65536, 70000 };

	for (u32 i = 0; i < ARRAY_SIZE(loads); i++) {
		const u32 ctl[2] = { insns0(MODE_U), ctl_event(18, MODE_U) | CTL_IE };
		const u32 start[2] = { 1000, BIT31 - loads[i] };

		exc_hook_fn = watch;
		forget(1);
		run_from(MODE_U, ctl, start, ENABLED, k_forever_20, scratch);
		expect("loads", BIT31, first_snap.c[1]);
		expect_range("instructions", 1000 + 20 * loads[i] - 2, 1000 + 20 * loads[i] + 17,
			     first_snap.c[0]);
	}
}

static void raised_by(const void *kernel, const void *late, u32 ctl, u32 status)
{
	static const u32 stopped[2] = { 0, 0 };
	u32 *values = (u32 *)scratch;

	values[0] = ctl;
	values[1] = BIT31;
	values[2] = ENABLED;
	exc_hook_fn = watch;
	forget(1);
	run_from(MODE_K, stopped, stopped, status, kernel, scratch);
	expect("interrupts", 1, interrupts);
	expect_range("EPC", (u64)kernel + 8, (u64)late - 4, first.epc);
}

static void raised_by_register(void)
{
	raised_by(k_raise_by_counter, k_raise_by_counter_late, CTL_IE, ENABLED);
	raised_by(k_raise_by_control, k_raise_by_control_late, CTL_IE, ENABLED);
}

static void raised_by_status(void)
{
	const u32 ctl[2] = { CTL_IE, 0 }, start[2] = { BIT31, 0 };

	*(u32 *)(scratch + 8) = ENABLED;
	exc_hook_fn = watch;
	forget(1);
	run_from(MODE_K, ctl, start, ST_NORMAL, k_raise_by_status, scratch);
	expect("interrupts", 1, interrupts);
	expect_range("EPC", (u64)k_raise_by_status + 8, (u64)k_raise_by_status_late - 4,
		     first.epc);
}

static const struct tap_case cases[] = {
	{ "IP7 follows bit 31", level_by_counter },
	{ "IP7 follows IE", level_by_enable },
	{ "each counter has its own IE", enable_is_per_counter },
	{ "IP7 is the OR of both counters", or_of_counters },
	{ "IP7 is the OR of a counter and the timer", or_with_timer },
	{ "the timer fires while a counter holds IP7", timer_with_level_up },
	{ "the level rises with the event that reaches bit 31, not before", level_exact },
	{ "an endless loop of 2 is interrupted in time", endless_2 },
	{ "an endless loop of 20 is interrupted in time", endless_20 },
	{ "an unanswered interrupt comes again", level_stays },
	{ "a level that is up at eret interrupts at once", pending_at_start },
	{ "IM, IE and EXL hold the interrupt back", masked },
	{ "counters count on past bit 31 and wrap", counts_on },
	{ "IP7 drops when the counter wraps", wrap_drops },
	{ "a multiply steps over 0x80000000", one_mult },
	{ "overflow in the part of a block before an exception", in_a_prefix },
	{ "sampling loses no event", sampling },
	{ "two counters, the second overflows first", two_at_once },
	{ "a rare event overflows beside a frequent one", slow_beside_fast },
	{ "mtpc and mtps raise the interrupt at once", raised_by_register },
	{ "unmasking by Status raises the interrupt at once", raised_by_status },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
