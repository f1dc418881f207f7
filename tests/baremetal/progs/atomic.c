// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load linked and store conditional: how often SC succeeds and fails. An SC fails
 * here because of an eret between LL and SC; events.c has SCs without an LL.
 */
#include "bm.h"

extern const char k_broken_link[], k_broken_link_64[], k_whole_link[], k_second_sc[],
	k_add_loop[];

static const struct {
	u32 event;
	const char *name;
} events[] = {
	{ 5, "failed SC" }, { 6, "branches" }, { 15, "instructions" }, { 18, "loads" },
	{ 19, "stores" }, { 20, "SC" },
};

#define N_EVENTS	ARRAY_SIZE(events)

/* Each event in user and kernel mode; then the words at 0 and 8. */
static void run(const void *kernel, u32 n, const u32 *want)
{
	for (u32 e = 0; e < N_EVENTS; e++) {
		for (u32 mode = MODE_U; mode >= MODE_K; mode /= MODE_U / MODE_K) {
			memset(scratch, 0, 16);
			*(volatile u32 *)(scratch + 16) = n;
			fast_skip(n);
			expect(events[e].name, want[e],
			       count_event(events[e].event, mode, mode, kernel, scratch));
			expect("exceptions left", 0, fast_left());
		}
	}
}

static u32 word(u32 offset)
{
	return *(volatile u32 *)(scratch + offset);
}

static void broken(void)
{
	run(k_broken_link, 1, (const u32 [N_EVENTS]) { 1, 0, 4, 1, 2, 1 });
	expect("word", 0, word(0));
	expect("result of SC", 0, word(8));
}

static void broken_64(void)
{
	run(k_broken_link_64, 1, (const u32 [N_EVENTS]) { 1, 0, 4, 1, 2, 1 });
	expect("doubleword", 0, *(volatile u64 *)scratch);
	expect("result of SCD", 0, *(volatile u64 *)(scratch + 8));
}

static void whole(void)
{
	run(k_whole_link, 0, (const u32 [N_EVENTS]) { 0, 0, 4, 1, 2, 1 });
	expect("word", 1, word(0));
	expect("result of SC", 1, word(8));
}

static void second(void)
{
	run(k_second_sc, 1, (const u32 [N_EVENTS]) { 1, 0, 4, 1, 3, 2 });
	expect("result of the second SC", 0, word(8));
}

/* The pass after a broken one is whole: its t2 was set to 1. */
static void add_n(u32 n)
{
	u32 f = n / 4, passes = n + f;
	const u32 want[N_EVENTS] = {
		f, 2 * passes + n, 2 + 4 * n + 7 * passes, 1 + passes, passes, passes,
	};
	static const u32 start[2];
	u32 ctl[2];

	for (u32 e = 0; e < N_EVENTS; e++) {
		memset(scratch, 0, 16);
		*(volatile u32 *)(scratch + 16) = n;
		fast_skip(f);
		expect(events[e].name, want[e],
		       count_event(events[e].event, MODE_U, MODE_U, k_add_loop, scratch));
		expect("sum", n, word(0));
	}
	ctl[0] = ctl_event(5, MODE_U);
	ctl[1] = ctl_event(20, MODE_U);
	fast_skip(f);
	run_from(MODE_U, ctl, start, ST_NORMAL, k_add_loop, scratch);
	expect("failed SC, with SC on counter 1", f, snap.c[0]);
	expect("SC, with failed SC on counter 0", passes, snap.c[1]);
}

static void add_loop(void)
{
	add_n(4);
	add_n(7);
	add_n(1000);
	add_n(10000);
}

static const struct tap_case cases[] = {
	{ "LL, SC without interruption", whole },
	{ "an exception between LL and SC", broken },
	{ "an exception between LLD and SCD", broken_64 },
	{ "an SC whose link was used and broken", second },
	{ "a loop that fails a known number of times", add_loop },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
