// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each counted event on kernels whose counts were found by hand: in kernel,
 * user and supervisor mode, alone on a counter and together with events of
 * the other counter.
 */
#include "bm.h"

#define KERNELS(X)							\
	X(k_empty) X(k_one) X(k_alu) X(k_muldiv) X(k_div_by_zero)	\
	X(k_loads) X(k_loads_fp) X(k_loads_linked) X(k_stores)		\
	X(k_stores_fp) X(k_store_conditionals) X(k_failed_conditionals)	\
	X(k_prefetch_load) X(k_prefetch_store) X(k_sync) X(k_cache)	\
	X(k_cp0) X(k_fp_double) X(k_fp_single) X(k_fp_convert)		\
	X(k_fp_compare) X(k_fp_none) X(k_branches) X(k_likely_taken)	\
	X(k_likely_not_taken) X(k_bc1) X(k_jumps) X(k_b_bal)		\
	X(k_delay_slots) X(k_loop_1000) X(k_loop_likely_1000)		\
	X(k_loop_memory_5000) X(k_straight_3000) X(k_mixed)
#define DECLARE(k)	extern const char k[];
KERNELS(DECLARE)

#define ON_R10000	1
#define ON_R12000	2
#define PRIVILEGED	4

#define NONE		32
#define MAX_FAILURES	6

/* n[]: what the events count; 17 follows from 15 and is not in the rows. */
struct row {
	const char *name;
	const char *kernel;
	u32 flags;
	u32 n[32];
};

static const struct row rows[] = {
	{ "nothing", k_empty, 0, {} },
	{ "one nop", k_one, 0, { [15] = 1 } },
	{ "integer and moves", k_alu, 0, { [15] = 11 } },
	{ "multiply and divide count two", k_muldiv, 0, { [15] = 2 + 8 * 2 + 4 } },
	{ "divide by zero counts two", k_div_by_zero, 0, { [15] = 4 } },
	{ "integer loads", k_loads, 0, { [15] = 11, [18] = 11 } },
	{ "FP loads", k_loads_fp, 0, { [15] = 5, [18] = 4 } },
	{ "linked loads", k_loads_linked, 0, { [15] = 2, [18] = 2 } },
	{ "integer stores", k_stores, 0, { [15] = 8, [19] = 8 } },
	{ "FP stores", k_stores_fp, 0, { [15] = 5, [19] = 4 } },
	{ "store conditionals that succeed", k_store_conditionals, 0,
	  { [15] = 4, [18] = 2, [19] = 2, [20] = 2 } },
	{ "store conditionals that fail", k_failed_conditionals, 0,
	  { [5] = 2, [15] = 2, [19] = 2, [20] = 2 } },
	{ "prefetch with load hints", k_prefetch_load, 0, { [15] = 5, [18] = 5 } },
	{ "prefetch with store hints is a store", k_prefetch_store, ON_R10000,
	  { [15] = 5, [19] = 5 } },
	{ "prefetch with store hints is a load", k_prefetch_store, ON_R12000,
	  { [15] = 5, [18] = 5 } },
	{ "sync is a load", k_sync, ON_R10000, { [15] = 3, [18] = 3 } },
	{ "sync is no load", k_sync, ON_R12000, { [15] = 3 } },
	{ "cache operation is a load", k_cache, ON_R10000 | PRIVILEGED,
	  { [15] = 4, [18] = 4 } },
	{ "cache operation is no load", k_cache, ON_R12000 | PRIVILEGED, { [15] = 4 } },
	{ "CP0 and TLB operations", k_cp0, PRIVILEGED, { [15] = 6 } },
	{ "FP arithmetic, double", k_fp_double, 0, { [15] = 5 + 13, [21] = 13 } },
	{ "FP arithmetic, single", k_fp_single, 0, { [15] = 4 + 13, [21] = 13 } },
	{ "FP conversions", k_fp_convert, 0, { [15] = 7 + 26, [21] = 26 } },
	{ "FP compares", k_fp_compare, 0, { [15] = 1 + 16, [21] = 16 } },
	{ "FP moves are no FP operations", k_fp_none, 0, { [15] = 14 } },
	{ "conditional branches", k_branches, 0, { [6] = 16, [15] = 2 + 32 } },
	{ "branch-likely taken", k_likely_taken, 0, { [6] = 8, [15] = 2 + 16 } },
	{ "branch-likely not taken nullifies", k_likely_not_taken, 0,
	  { [6] = 8, [15] = 2 + 8 } },
	{ "FP branches", k_bc1, 0, { [6] = 6, [15] = 2 + 4 * 2 + 2, [21] = 2 } },
	{ "jumps are no branches", k_jumps, 0, { [15] = 10 } },
	{ "b and bal are conditional encodings", k_b_bal, 0, { [6] = 2, [15] = 4 } },
	{ "delay slots", k_delay_slots, 0,
	  { [6] = 6, [15] = 1 + 2 + 2 + 2 + 3 + 1 + 2, [18] = 2, [19] = 1, [21] = 1 } },
	{ "loop of 1000", k_loop_1000, 0, { [6] = 1000, [15] = 3001 } },
	{ "branch-likely loop of 1000", k_loop_likely_1000, 0,
	  { [6] = 1000, [15] = 3000, [18] = 999 } },
	{ "loop of 5000 with memory and FP", k_loop_memory_5000, 0,
	  { [6] = 5000, [15] = 25001, [18] = 5000, [19] = 5000, [21] = 5000 } },
	{ "3000 instructions in a row", k_straight_3000, 0,
	  { [15] = 3000, [18] = 1000, [19] = 1000 } },
	{ "mixed loop", k_mixed, 0,
	  { [6] = 20, [15] = 1 + 10 * (11 + 1) + 9, [18] = 20, [19] = 10 + 10 + 9,
	    [20] = 10, [21] = 10 } },
};

static const u32 r10000_counter0[] = { NONE, 5, 6, 15 };
static const u32 r10000_counter1[] = { NONE, 17, 18, 19, 20, 21, 23 };
static const u32 r12000_any[] = { NONE, 5, 6, 15, 18, 19, 20, 21, 23 };

static int failures;

static u32 expected(const struct row *row, u32 event)
{
	if (event == NONE)
		return 0;
	return row->n[event == 17 ? 15 : event];
}

static u32 control(u32 event, u32 modes)
{
	return event == NONE ? 0 : ctl_event(event, modes);
}

static void check(const char *mode, u32 event, u32 other, u32 want, u32 got)
{
	if (want == got)
		return;
	expect("count", want, got);
	if (failures++ < MAX_FAILURES)
		note("  ... of event %u (32: stopped) in %s mode, beside event %u",
		     event, mode, other);
}

static void run_pair(const struct row *row, u32 mode, u32 a, u32 b)
{
	const char *name = mode == MODE_K ? "kernel" : mode == MODE_U ? "user" : "supervisor";
	struct counts n;

	memset(scratch, 0, 64);
	n = run_kernel(mode, control(a, mode), control(b, mode), row->kernel, scratch);
	check(name, a, b, expected(row, a), n.c[0]);
	check(name, b, a, expected(row, b), n.c[1]);
}

/* R10000: each event of one counter with each of the other */
static void run_r10000(const struct row *row, u32 mode)
{
	for (u32 a = 0; a < ARRAY_SIZE(r10000_counter0); a++)
		for (u32 b = 0; b < ARRAY_SIZE(r10000_counter1); b++)
			run_pair(row, mode, r10000_counter0[a], r10000_counter1[b]);
}

/* R12000: each event on each counter, with itself and two others */
static void run_r12000(const struct row *row, u32 mode)
{
	static const u32 distance[] = { 0, 1, 4 };
	u32 n = ARRAY_SIZE(r12000_any);

	for (u32 a = 0; a < n; a++)
		for (u32 d = 0; d < ARRAY_SIZE(distance); d++)
			run_pair(row, mode, r12000_any[a], r12000_any[(a + distance[d]) % n]);
}

static void run_mode(const struct row *row, u32 mode)
{
	if (is_r12000())
		run_r12000(row, mode);
	else
		run_r10000(row, mode);
}

static void run_row(const struct row *row)
{
	failures = 0;
	run_mode(row, MODE_K);
	if (row->flags & PRIVILEGED)
		return;
	run_mode(row, MODE_U);
	run_mode(row, MODE_S);
}

void tests(void)
{
	u32 other = is_r12000() ? ON_R10000 : ON_R12000;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].flags & other)
			continue;
		tap_begin();
		run_row(&rows[i]);
		tap_end("%s", rows[i].name);
	}
}
