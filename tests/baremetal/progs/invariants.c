// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules that the counts of any program must obey: I1 to I27 of the hardware reference,
 * section 2.6. Rules about cycles are tested with -icount, where time depends on the
 * instructions only. I13 and I23 are in coherence.c and tags.c.
 *
 * @run way=icount,step
 * @run way=icount qemu=-append icount
 * @run cpu=R10000-v2.6 way=plain props=wrong-path-branches=1 qemu=-append one-decoded
 */
#include "mem.h"

extern const char k_mix[], k_alu_only[], k_mult_only[], k_erl_idle[], k_erl_work[],
	k_counted[], k_stores[];

#define TURNS		20
#define DATA		IN(COLOR(0), LOAD(0, 0))
#define MISS_CYCLES	70

static u32 n[32];	/* what each event counts of k_mix */

static int exists(u32 event)
{
	return !is_r12000() || event != 0;
}

static int timed(u32 event)
{
	return event == 0 || (event == 16 && !is_r12000()) ||
	       (is_r12000() && (event == 4 || event == 30));
}

static int is_event(u32 event, u32 kind)
{
	return event == kind && exists(event);
}

static void *data(void)
{
	return (void *)op_address(DATA);
}

/* Drop the lines that k_mix and WORK access from the caches. */
static void clean(void)
{
	u32 ops[4 * 10];

	mem_init();
	tlb_user_cca(UNCACHED);
	for (u32 i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i] = IN(COLOR(0), LOAD(i & 3, (i >> 2) * 32));
	clean_ops(ops, ARRAY_SIZE(ops));
}

/* The counter that this event is for; R12000: either */
static struct counts run_event(u32 event, u32 mode, u32 bits, const void *kernel)
{
	u32 ctl = ctl_event(event, bits);

	clean();
	fast_skip(kernel == k_mix ? TURNS : 0);
	if (!is_r12000())
		return run_kernel(mode, event < 16 ? ctl : 0, event < 16 ? 0 : ctl, kernel, data());
	return run_kernel(mode, ctl, ctl, kernel, data());
}

static u32 count(u32 event, u32 mode, u32 bits, const void *kernel)
{
	struct counts c = run_event(event, mode, bits, kernel);

	return is_r12000() || event < 16 ? c.c[0] : c.c[1];
}

static void count_all(u32 mode, u32 bits)
{
	for (u32 e = 0; e < 32; e++)
		n[e] = count(e, mode, bits, k_mix);
}

static void at_most(u32 a, u32 b, u32 factor, u32 slack)
{
	if (!expect_true("one event is at most (a multiple of) another",
			 n[a] <= factor * n[b] + slack))
		note("  ... events %u and %u: %u, %u", a, b, n[a], n[b]);
}

/* I5 to I9, I12, I20, I25, I26 */
static void relations_in(u32 mode)
{
	count_all(mode, mode);
	at_most(5, 20, 1, 0);
	at_most(20, 19, 1, 0);
	expect("successful SC", TURNS, n[20] - n[5]);
	expect_true("loads and stores are instructions", n[18] + n[19] <= n[15]);
	at_most(21, 15, 1, 0);
	if (!is_rev2())
		at_most(24, 6, 1, 0);
	at_most(10, 9, 1, 0);
	at_most(11, 9, 1, 0);
	at_most(26, 25, 1, 0);
	/* I10 */
	expect("quadwords of whole blocks", 0, n[7] % (l2_line() / 16));
	expect("quadwords of whole lines", 0, n[22] % 2);
}

static void relations(void)
{
	relations_in(MODE_U);
	relations_in(MODE_K);
	expect_true("something was written back", n[7] && n[22]);
	expect_true("something was missed", n[25] && n[26]);
}

static void r10000_relations(void)
{
	count_all(MODE_U, MODE_U);
	at_most(20, 4, 1, 0);
	at_most(4, 3, 1, 0);
	if (!is_rev2())
		at_most(14, 1, 1, 0);
	/* I2, and the same of both counters at once */
	expect("graduated instructions", n[15], n[17]);
	struct counts both = run_kernel(MODE_U, ctl_event(15, MODE_U), ctl_event(17, MODE_U),
					k_alu_only, data());
	expect("at once", both.c[0], both.c[1]);
	/* I1 */
	both = run_kernel(MODE_U, ctl_event(0, MODE_U), ctl_event(16, MODE_U), k_counted, data());
	expect("cycles", both.c[0], both.c[1]);
}

static void r12000_relations(void)
{
	count_all(MODE_U, MODE_U);
	at_most(17, 16, 1, 0);
	at_most(16, 18, 1, 0);
	/* mult and ddiv of each turn count two */
	expect("decoded instructions", n[15] - 2 * TURNS, n[1]);
	at_most(30, 4, 1, 0);
}

/* I3 */
static void cycles_and_count(void)
{
	u32 before = c0_read(C0_COUNT), after, cycles, inner;
	const u32 *seen = (const u32 *)op_address(IN(UNCACHED, DATA));

	tlb_flush();
	mem_init();
	cycles = run_kernel(MODE_K, ctl_event(0, MODE_ALL), 0, k_counted, data()).c[0];
	after = c0_read(C0_COUNT);
	inner = seen[17] - seen[16];
	expect_range("cycles, twice Count", 2 * inner - 2, 2 * (after - before) + 2, cycles);
}

/* I4, I11, I14: the cycles of the same run, which is the same each time */
static void per_cycle(void)
{
	count_all(MODE_U, MODE_ALL);
	at_most(15, 0, 4, 0);
	at_most(18, 0, 4, 0);
	at_most(19, 0, 1, 0);
	at_most(20, 0, 1, 0);
	at_most(5, 0, 1, 0);
	at_most(7, 0, 1, 0);
	at_most(22, 0, 1, 0);
	at_most(24, 0, 1, 0);
	if (!is_rev2())
		at_most(14, 0, 1, 0);
	if (!is_r12000())
		return;
	/* The last requests hold their entries beyond the end. */
	at_most(4, 0, 5, 4 * MISS_CYCLES);
	at_most(30, 0, 4, 4 * MISS_CYCLES);
}

/* I15, I16 */
static void issued(void)
{
	expect("additions, issued", 100, count(1, MODE_U, MODE_U, k_alu_only));
	expect("additions, graduated", 100, count(15, MODE_U, MODE_U, k_alu_only));
	expect("multiplications, issued", 1 + 50, count(1, MODE_U, MODE_U, k_mult_only));
	expect("multiplications, graduated", 1 + 50 * 2, count(15, MODE_U, MODE_U, k_mult_only));
}

/* I17, but not for event 24, as the predictor has state: predictor.c tests its modes. */
static void modes_add_up(void)
{
	for (u32 e = 0; e < 32; e++) {
		u32 sum = 0, all;

		if (timed(e) || is_event(e, 24))
			continue;
		all = count(e, MODE_U, MODE_ALL, k_mix);
		for (u32 bit = MODE_EXL; bit <= MODE_U; bit <<= 1)
			sum += count(e, MODE_U, bit, k_mix);
		if (!expect("U + S + K + EXL", all, sum))
			note("  ... event %u", e);
	}
}

/* I18 */
static void error_level(void)
{
	for (u32 e = 0; e < 32; e++) {
		u32 idle, work;

		/* The only event in there is a branch, which trains the predictor. */
		if (timed(e))
			continue;
		idle = count(e, MODE_K, MODE_ALL, k_erl_idle);
		clean();
		work = count_event(e, MODE_K, MODE_ALL, k_erl_work,
				   (void *)op_address(LOAD(0, 0)));
		if (!expect("work with ERL set", idle, work))
			note("  ... event %u", e);
	}
}

/* I19 */
static void frozen(void)
{
	for (u32 e = 0; e < 32; e++) {
		const u32 ctl[2] = { ctl_event(e, 0), ctl_event(e, 0) };
		const u32 start[2] = { 1234, 0xfffffff0 };
		struct counts c;

		clean();
		fast_skip(TURNS);
		c = run_from(MODE_U, ctl, start, ST_NORMAL, k_mix, data());
		if (!expect("counter 0", 1234, c.c[0]) || !expect("counter 1", 0xfffffff0, c.c[1]))
			note("  ... event %u", e);
	}
}

static u32 stored, at_interrupt;

static enum exc_answer overflow(struct frame *f)
{
	if (cause_code(f->cause) != EXC_INT)
		return exc_default(f);
	stored = f->r[12];
	at_interrupt = snap.c[1];
	ctl_write(1, ctl_event(19, MODE_K));
	return EXC_RESUME;
}

/* I21: 20 stores, the fifth of which makes counter 1 overflow; it counts on. */
static void sampling(void)
{
	const u32 ctl[2] = { 0, ctl_event(19, MODE_K) | CTL_IE };
	const u32 start[2] = { 0, 0x80000000 - 5 };
	struct counts c;

	mem_init();
	exc_hook_fn = overflow;
	c = run_from(MODE_K, ctl, start, ST_NORMAL | ST_IE | ST_IM7, k_stores, data());
	expect_range("stores at the interrupt", 5, 6, stored);
	expect_range("counter 1 at the interrupt", 0x80000000, 0x80000001, at_interrupt);
	/* The handler runs in EXL mode up to its own stores, which do not count. */
	expect("counter 1 at the end", 0x80000000 - 5 + 20, c.c[1]);
}

/* I13, I22 */
static void alone(void)
{
	count_all(MODE_U, MODE_ALL);
	expect("interventions", 0, n[12]);
	expect("invalidates", 0, n[13]);
	expect("intervention hits", 0, n[28]);
	expect("invalidate hits", 0, n[29]);
	expect("ECC errors", 0, n[8]);
}

/* I24; jal, j, jr, three conditional branches a turn, the second not always */
static void decoded(void)
{
	u32 executed = TURNS * 3 + TURNS * 3, before, after, all;

	/* The table settles after some runs, and so do mispredictions. */
	for (u32 i = 0; i < 10; i++) {
		before = count(24, MODE_U, MODE_U, k_mix);
		all = count(6, MODE_U, MODE_U, k_mix);
		after = count(24, MODE_U, MODE_U, k_mix);
	}
	expect("mispredicted, the same", before, after);
	expect_true("some were", before > 0);
	expect("decoded, none or one on a wrong path",
	       executed + (bm_argument("one-decoded") ? before : 0), all);
}

/* I27, and here also for events that depend only on the caches */
static void repeated(void)
{
	static const u8 events[] = { 15, 19, 20, 21, 18, 6, 1, 3, 7, 9, 10, 11, 22, 25, 26, 27 };

	for (u32 i = 0; i < ARRAY_SIZE(events); i++) {
		u32 first = count(events[i], MODE_U, MODE_U, k_mix);

		for (u32 again = 0; again < 3; again++)
			if (!expect("again", first, count(events[i], MODE_U, MODE_U, k_mix)))
				note("  ... event %u", events[i]);
	}
}

/*
 * k_mix by hand, a turn's number of each kind: 4 loads, and one more in 15 of the 20
 * turns; 3 stores, 2 SC, a prefetch of each sort; 6 integer, 2 multiply or divide,
 * 2 FP; branches bnel and bne, bc1t; 3 jumps; 3 nops. The break graduates nowhere.
 */
static void by_hand(void)
{
	u32 loads = 4 * TURNS + 15, prefetches = is_rev2() ? 0 : 2 * TURNS, first = 2;
	u32 arithmetic = (6 + 2 + 2 + 2) * TURNS + first, stores = (3 + 2) * TURNS;
	u32 all = arithmetic + stores + loads + (2 + 1 + 3 + 3) * TURNS, r12000 = is_r12000();

	count_all(MODE_U, MODE_U);
	expect("issued", r12000 ? all : arithmetic + stores + loads + prefetches, n[1]);
	expect("issued loads", r12000 ? loads : loads + prefetches, n[2]);
	expect("issued stores", stores, n[3]);
	expect("failed SC", TURNS, n[5]);
	expect("branches", event6(3 * TURNS, 3 * TURNS), n[6]);
	expect("graduated", all + 2 * TURNS, n[15]);
	expect("graduated loads", loads + (r12000 ? 2 : 1) * TURNS, n[18]);
	expect("graduated stores", stores + (r12000 ? 0 : 1) * TURNS, n[19]);
	expect("graduated SC", 2 * TURNS, n[20]);
	expect("FP", 2 * TURNS, n[21]);
	if (!is_rev2())
		expect("executed by ALU or FPU", arithmetic, n[14]);
	if (!r12000)
		expect("issued SC", 2 * TURNS, n[4]);
}

static const struct tap_case cases[] = {
	{ "the program, by hand", by_hand },
	{ "I5-I10: events that contain others", relations },
	{ "I3: cycles are twice Count", cycles_and_count },
	{ "I15, I16: issued and graduated", issued },
	{ "I17: the modes add up, of all events", modes_add_up },
	{ "I18: nothing counts with ERL", error_level },
	{ "I19: nothing counts without a mode", frozen },
	{ "I21: sampling", sampling },
	{ "I13, I22: no requests from outside", alone },
	{ "I27: the same again", repeated },
};

static const struct tap_case r10000_cases[] = {
	{ "I1, I2, I25, I26", r10000_relations },
};

static const struct tap_case rev2_cases[] = {
	{ "I24: decoded branches", decoded },
};

static const struct tap_case r12000_cases[] = {
	{ "I11, I12, I20", r12000_relations },
};

static const struct tap_case icount_cases[] = {
	{ "I4, I11, I14: per cycle", per_cycle },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	if (is_rev2())
		tap_run(rev2_cases, ARRAY_SIZE(rev2_cases));
	if (bm_argument("one-decoded"))
		return;
	tap_run(cases, ARRAY_SIZE(cases));
	if (is_r12000())
		tap_run(r12000_cases, ARRAY_SIZE(r12000_cases));
	else
		tap_run(r10000_cases, ARRAY_SIZE(r10000_cases));
	if (bm_argument("icount"))
		tap_run(icount_cases, ARRAY_SIZE(icount_cases));
}
