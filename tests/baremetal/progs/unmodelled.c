// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that the model does not count: they read as 0, or as what the counter
 * held before. The runner looks at what the emulator logs about them.
 */
#include "bm.h"

extern const char k_busy[];

/* Take a number out of here when the model learns the event. */
static const u32 r10000_events[] = {
	1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 22, 24, 25, 26, 27, 28, 29, 30, 31,
};
static const u32 r12000_events[] = {
	1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 22, 24, 25, 26, 27, 28, 29, 30, 31,
};

static void reads_zero(u32 event)
{
	const u32 start[2] = { 1000, 0x80000000 };
	u32 ctl = ctl_event(event, MODE_ALL);
	int second = is_r12000() || event >= 16, first = is_r12000() || event < 16;

	for (u32 mode = MODE_K; mode <= MODE_U; mode <<= 1)
		expect("count", 0, count_event(event, mode, MODE_ALL, k_busy, scratch));
	run_from(MODE_U, (u32 [2]){ first ? ctl : 0, second ? ctl : 0 }, start, ST_NORMAL,
		 k_busy, scratch);
	expect("counter 0, set before", 1000, snap.c[0]);
	expect("counter 1, set before", 0x80000000, snap.c[1]);
}

static void other_counter_runs(u32 event)
{
	u32 unmodelled = ctl_event(event, MODE_U);

	if (event < 16) {
		run_kernel(MODE_U, unmodelled, ctl_event(18, MODE_U), k_busy, scratch);
		expect("loads beside it", 20, snap.c[1]);
	} else {
		run_kernel(MODE_U, ctl_event(6, MODE_U), unmodelled, k_busy, scratch);
		expect("branches beside it", 20, snap.c[0]);
	}
}

void tests(void)
{
	const u32 *events = is_r12000() ? r12000_events : r10000_events;
	u32 n = is_r12000() ? ARRAY_SIZE(r12000_events) : ARRAY_SIZE(r10000_events);

	for (u32 i = 0; i < n; i++) {
		tap_begin();
		reads_zero(events[i]);
		other_counter_runs(events[i]);
		tap_end("event %u is not modelled and reads as 0", events[i]);
	}
}
