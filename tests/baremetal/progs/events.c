// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each event that translated code counts, on kernels counted by hand: in kernel, user
 * and supervisor mode, alone on a counter and together with events of the other
 * counter.
 *
 * @run
 * @run cpu=R10000,R12000 order=be way=icount qemu=-append near
 */
#include "bm.h"

#define KERNELS(X)							\
	X(k_empty) X(k_one) X(k_alu) X(k_traps) X(k_muldiv) X(k_div_by_zero)	\
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

#define PRIVILEGED	1
#define LONG		2	/* takes time: not every pair of events */

#define NONE		32
#define MAX_FAILURES	6

/* What a kernel executes. expected() says what each event counts of it. */
struct row {
	const char *name;
	const char *kernel;
	u32 flags;
	u32 alu;		/* integer, traps that do not trap, moves of HI, LO */
	u32 nop, muldiv;
	u32 load, store;	/* SC not among the stores */
	u32 sc, failed;		/* all SC, those that fail */
	u32 pref, prefx;	/* prefetches with load hints, with store hints */
	u32 sync, cache;
	u32 fp, fpmove;		/* able to set an FP status flag, or not */
	u32 branch, bc1, jump;
	u32 cp0;
};

static const struct row rows[] = {
	{ "nothing", k_empty, 0, .alu = 0 },
	{ "one nop", k_one, 0, .nop = 1 },
	{ "integer and moves", k_alu, 0, .alu = 10, .nop = 1 },
	{ "traps that do not trap", k_traps, 0, .alu = 1 + 7 },
	{ "multiply and divide", k_muldiv, 0, .alu = 2 + 4, .muldiv = 8 },
	{ "divide by zero", k_div_by_zero, 0, .muldiv = 2 },
	{ "integer loads", k_loads, 0, .load = 11 },
	{ "FP loads", k_loads_fp, 0, .alu = 1, .load = 4 },
	{ "linked loads", k_loads_linked, 0, .load = 2 },
	{ "integer stores", k_stores, 0, .store = 8 },
	{ "FP stores", k_stores_fp, 0, .alu = 1, .store = 4 },
	{ "store conditionals that succeed", k_store_conditionals, 0, .load = 2, .sc = 2 },
	{ "store conditionals that fail", k_failed_conditionals, 0, .sc = 2, .failed = 2 },
	{ "prefetch with load hints", k_prefetch_load, 0, .pref = 5 },
	{ "prefetch with store hints", k_prefetch_store, 0, .prefx = 5 },
	{ "sync", k_sync, 0, .sync = 3 },
	{ "cache operation", k_cache, PRIVILEGED, .cache = 4 },
	{ "CP0 and TLB operations", k_cp0, PRIVILEGED, .cp0 = 6 },
	{ "FP arithmetic, double", k_fp_double, 0, .alu = 2, .fpmove = 3, .fp = 13 },
	{ "FP arithmetic, single", k_fp_single, 0, .alu = 1, .fpmove = 3, .fp = 13 },
	{ "FP conversions", k_fp_convert, 0, .alu = 4, .fpmove = 3, .fp = 26 },
	{ "FP compares", k_fp_compare, 0, .fpmove = 1, .fp = 16 },
	/* movf and movt of integer registers are the two of the integer unit. */
	{ "FP moves", k_fp_none, 0, .alu = 2, .fpmove = 12 },
	{ "conditional branches", k_branches, 0, .alu = 2, .branch = 16, .nop = 16 },
	{ "branch-likely taken", k_likely_taken, 0, .alu = 2, .branch = 8, .nop = 8 },
	{ "branch-likely not taken nullifies", k_likely_not_taken, 0, .alu = 2, .branch = 8 },
	{ "FP branches", k_bc1, 0, .fp = 2, .bc1 = 6, .nop = 4 },
	{ "jumps", k_jumps, 0, .jump = 4, .nop = 4, .alu = 2 },
	{ "b and bal are conditional encodings", k_b_bal, 0, .branch = 2, .nop = 2 },
	{ "delay slots", k_delay_slots, 0,
	  .alu = 1, .branch = 6, .load = 2, .store = 1, .fp = 1, .muldiv = 1 },
	{ "loop of 1000", k_loop_1000, LONG, .alu = 1 + 1000, .branch = 1000, .nop = 1000 },
	{ "branch-likely loop of 1000", k_loop_likely_1000, LONG,
	  .alu = 1 + 1000, .branch = 1000, .load = 999 },
	{ "loop of 5000 with memory and FP", k_loop_memory_5000, LONG,
	  .alu = 1 + 5000, .branch = 5000, .load = 5000, .store = 5000, .fp = 5000 },
	{ "3000 instructions in a row", k_straight_3000, LONG,
	  .load = 1000, .alu = 1000, .store = 1000 },
	/* 10 turns; the last nullifies the delay slot at its end, a store. */
	{ "mixed loop", k_mixed, 0,
	  .alu = 1 + 30, .load = 10, .sc = 10, .branch = 20, .fp = 10, .store = 10 + 9,
	  .muldiv = 10, .pref = 10 },
};

static const u32 r10000_counter0[] = { NONE, 1, 2, 3, 4, 5, 6, 15, 14 };
static const u32 r10000_counter1[] = { NONE, 17, 18, 19, 20, 21, 23 };
static const u32 r12000_any[] = { NONE, 1, 2, 3, 5, 6, 14, 15, 18, 19, 20, 21, 23 };

static int failures;

/* Executed by an ALU or the FPU */
static u32 arithmetic(const struct row *r)
{
	return r->alu + r->muldiv + r->fp + r->fpmove + r->branch;
}

static u32 executed(const struct row *r)
{
	return arithmetic(r) + r->nop + r->load + r->store + r->sc + r->pref + r->prefx +
	       r->sync + r->cache + r->bc1 + r->jump + r->cp0;
}

/* Prefetches, where they are counted as issued */
static u32 prefetches(const struct row *r)
{
	return is_rev2() ? 0 : r->pref + r->prefx;
}

static u32 issued_loads(const struct row *r)
{
	return r->load + (is_r12000() ? 0 : prefetches(r) + r->sync + r->cache);
}

static u32 issued(const struct row *r)
{
	if (is_r12000())
		return executed(r);
	return arithmetic(r) + issued_loads(r) + r->store + r->sc;
}

static u32 expected(const struct row *r, u32 event)
{
	switch (event) {
	case 1:
		return issued(r);
	case 2:
		return issued_loads(r);
	case 3:
		return r->store + r->sc;
	case 4:
		return r->sc;
	case 5:
		return r->failed;
	case 6:
		return event6(r->branch + r->bc1, r->jump);
	case 14:
		return arithmetic(r);
	case 15:
	case 17:
		return executed(r) + r->muldiv;
	case 18:
		return r->load + r->pref + (is_r12000() ? r->prefx : r->sync + r->cache);
	case 19:
		return r->store + r->sc + (is_r12000() ? 0 : r->prefx);
	case 20:
		return r->sc;
	case 21:
		return r->fp;
	default:
		return 0;
	}
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

/* R10000: each event of one counter with each, or some, of the other */
static void run_r10000(const struct row *row, u32 mode)
{
	/* Event 14 is the last one, and is another on silicon 2.x. */
	u32 n = ARRAY_SIZE(r10000_counter0) - is_rev2(), m = ARRAY_SIZE(r10000_counter1);

	for (u32 a = 0; a < n; a++)
		for (u32 b = 0; b < m; b++)
			if (!(row->flags & LONG) || b == a % m)
				run_pair(row, mode, r10000_counter0[a], r10000_counter1[b]);
}

/* R12000: each event on each counter, with itself and two others */
static void run_r12000(const struct row *row, u32 mode)
{
	static const u32 distance[] = { 1, 0, 4 };
	u32 n = ARRAY_SIZE(r12000_any), distances = row->flags & LONG ? 1 : ARRAY_SIZE(distance);

	for (u32 a = 0; a < n; a++)
		for (u32 d = 0; d < distances; d++)
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
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		tap_begin();
		run_row(&rows[i]);
		tap_end("%s", rows[i].name);
	}
}
