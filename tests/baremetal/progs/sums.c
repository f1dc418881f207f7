// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is true of any program: the modes add up, both counters agree, the same program
 * counts the same again. This program takes exceptions, some of which compiled code
 * handles, which is not counted by hand.
 */
#include "bm.h"

#define HOLE		0x00400000UL
#define TURNS		10

extern const char k_everything[];

static const u32 modes[] = { MODE_K, MODE_U, MODE_S };
static const u32 events[] = { 1, 2, 3, 5, 6, 15, 18, 19, 20, 21, 23 };

static u8 page[PAGE] __attribute__((aligned(PAGE)));

static enum exc_answer answer(struct frame *f)
{
	u32 code = cause_code(f->cause);

	if (code != EXC_TLBL && code != EXC_TLBS)
		return exc_default(f);
	tlb_map(f->badvaddr, page, page, TLB_RW);
	return EXC_RESUME;
}

/* The same start for each run */
static void prepare(void)
{
	exc_hook_fn = answer;
	tlb_flush();
	memset(scratch, 0, 64);
	*(u32 *)(scratch + 32) = TURNS;
	*(u64 *)(scratch + 40) = HOLE;
	fast_skip(2 * TURNS);
}

static u32 count(u32 event, u32 mode, u32 bits)
{
	prepare();
	return count_event(event, mode, bits, k_everything, scratch);
}

static void modes_add_up(void)
{
	for (u32 m = 0; m < ARRAY_SIZE(modes); m++) {
		for (u32 e = 0; e < ARRAY_SIZE(events); e++) {
			u32 sum = 0, all = count(events[e], modes[m], MODE_ALL);

			for (u32 bit = MODE_EXL; bit <= MODE_U; bit <<= 1)
				sum += count(events[e], modes[m], bit);
			if (!expect("U + S + K + EXL", all, sum))
				note("  ... event %u in mode 0x%x", events[e], modes[m]);
			expect_true("something was counted", all != 0);
		}
	}
}

/* All ways to split the modes in two */
static void halves_add_up(void)
{
	for (u32 e = 0; e < ARRAY_SIZE(events); e++) {
		u32 all = count(events[e], MODE_U, MODE_ALL);

		for (u32 bits = 0; bits < 16; bits++)
			expect("a set of modes and the rest", all,
			       count(events[e], MODE_U, bits) +
			       count(events[e], MODE_U, bits ^ MODE_ALL));
	}
}

/* Both counters run at the same time; each counts some of the modes. */
static void counters_add_up(void)
{
	u32 second = is_r12000() ? 15 : 17;
	u32 all = count(15, MODE_U, MODE_ALL);

	for (u32 bits = 0; bits < 16; bits++) {
		u32 rest = bits ^ MODE_ALL;
		struct counts n;

		prepare();
		n = run_kernel(MODE_U, ctl_event(15, bits), ctl_event(second, rest),
			       k_everything, scratch);
		expect("counter 0 and the rest on counter 1", all, n.c[0] + n.c[1]);
	}
}

/* Events of both halves at the same time, compared with each of them alone */
static void pairs(void)
{
	for (u32 a = 0; a < ARRAY_SIZE(events); a++) {
		for (u32 b = 0; b < ARRAY_SIZE(events); b++) {
			u32 x = events[a], y = events[b];
			struct counts n;

			if (!is_r12000() && (x >= 16 || y < 16))
				continue;
			prepare();
			n = run_kernel(MODE_S, ctl_event(x, MODE_ALL), ctl_event(y, MODE_ALL),
				       k_everything, scratch);
			expect("on counter 0", count(x, MODE_S, MODE_ALL), n.c[0]);
			expect("on counter 1", count(y, MODE_S, MODE_ALL), n.c[1]);
		}
	}
}

static void user_counts(void)
{
	expect("failed SC", TURNS, count(5, MODE_U, MODE_U));
	expect("SC", 2 * TURNS, count(20, MODE_U, MODE_U));
	expect("FP", 2 * TURNS, count(21, MODE_U, MODE_U));
	expect("branches", 3 * TURNS, count(6, MODE_U, MODE_U));
	expect("refills", TURNS, count(23, MODE_U, MODE_U));
}

static void same_again(void)
{
	for (u32 e = 0; e < ARRAY_SIZE(events); e++) {
		u32 first = count(events[e], MODE_U, MODE_ALL);

		for (u32 i = 0; i < 5; i++)
			expect("the same program again", first,
			       count(events[e], MODE_U, MODE_ALL));
	}
}

static void relations(void)
{
	for (u32 m = 0; m < ARRAY_SIZE(modes); m++) {
		u32 insns = count(15, modes[m], MODE_ALL), sc = count(20, modes[m], MODE_ALL);
		u32 stores = count(19, modes[m], MODE_ALL);

		expect_true("failed SC <= SC", count(5, modes[m], MODE_ALL) <= sc);
		expect_true("SC <= stores", sc <= stores);
		expect_true("loads + stores <= instructions",
			    count(18, modes[m], MODE_ALL) + stores <= insns);
		expect_true("FP <= instructions", count(21, modes[m], MODE_ALL) <= insns);
	}
}

static const struct tap_case cases[] = {
	{ "U + S + K + EXL is all modes", modes_add_up },
	{ "any set of modes and its complement are all modes", halves_add_up },
	{ "two counters with complementary modes", counters_add_up },
	{ "each pair of events as each alone", pairs },
	{ "the part of user mode, by hand", user_counts },
	{ "the same program counts the same again", same_again },
	{ "events that contain others", relations },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
