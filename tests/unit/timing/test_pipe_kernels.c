// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels whose cycles were worked out by hand, on the pipeline model.
 *
 * A kernel's instructions follow each other for ever, without a branch back
 * unless it has one, and without the ends of lines of the instruction cache.
 * Cycles are those of "per" repetitions once the pipeline is in its rhythm. An
 * instruction that is decoded in cycle 0 is issued in cycle 1 at the soonest,
 * and a user of its result "latency" cycles later.
 */
#include "kernels.h"
#include "r10k_pipe.h"
#include "unit.h"

/* Most kernels have no cases. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define LONG	96	/* repetitions that are measured, and as many before */
#define MOST	48	/* instructions of a kernel */

struct kernel {
	const char *name;
	unsigned int r10000;	/* cycles of "per" repetitions; 0: not on this CPU */
	unsigned int r12000;
	unsigned int per;	/* a divisor of LONG; 0 is 1 */
	uint32_t insns[MOST];	/* up to END */
	struct {
		unsigned int insn;
		R10kPipeEvent event;
	} cases[8];		/* up to one without an event */
};

#define END		0xffffffffu
#define DATA(n)		{ .data = n }
#define TAKEN		{ .flags = R10K_PIPE_TAKEN }
#define TAKEN_KNOWN	{ .flags = R10K_PIPE_TAKEN | R10K_PIPE_TARGET_KNOWN }
#define WRONG_TAKEN	{ .flags = R10K_PIPE_TAKEN | R10K_PIPE_MISPREDICTED }
#define WRONG		{ .flags = R10K_PIPE_MISPREDICTED }

static const R10kPipeEvent *event_of(const struct kernel *k, unsigned int insn)
{
	static const R10kPipeEvent none;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(k->cases); i++)
		if (k->cases[i].insn == insn &&
		    memcmp(&k->cases[i].event, &none, sizeof(none)))
			return &k->cases[i].event;
	return &none;
}

static unsigned int length(const struct kernel *k)
{
	unsigned int n = 0;

	while (n < MOST && k->insns[n] != END)
		n++;
	return n;
}

/* The cycles of "times" repetitions */
static unsigned int run(R10kPipe *pipe, const R10kPipeParams *params,
			const struct kernel *k, unsigned int times)
{
	unsigned int cycles = 0, n = length(k), i;

	for (; times; times--)
		for (i = 0; i < n; i++) {
			R10kPipeInsn insn = r10k_pipe_insn(4, k->insns[i]);

			cycles += r10k_pipe_step(pipe, params, &insn, event_of(k, i));
		}
	return cycles;
}

static void check(const struct kernel *k, const R10kPipeParams *params,
		  const char *cpu, unsigned int expected)
{
	unsigned int per = k->per ? k->per : 1;
	R10kPipe pipe = { 0 };
	unsigned int got;

	run(&pipe, params, k, LONG);
	got = run(&pipe, params, k, LONG);
	if (got * per != expected * LONG)
		fail_msg("%s, %s: %u repetitions took %u cycles, not %u", k->name,
			 cpu, LONG, got, expected * LONG / per);
	if (4 * got < length(k) * LONG)
		fail_msg("%s: more than four instructions a cycle", k->name);
}

static void check_all(const struct kernel *kernels, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct kernel *k = &kernels[i];

		if (k->r10000)
			check(k, &r10k_pipe_r10000, "R10000", k->r10000);
		if (k->r12000)
			check(k, &r10k_pipe_r12000, "R12000", k->r12000);
	}
}

/* What each unit can do: nothing waits for another's result. */
CASE(units)
{
	static const struct kernel kernels[] = {
		/* Four are decoded and four graduate a cycle. */
		{ "nops", 1, 1, 4, { NOP, END } },
		/* Two ALUs */
		{ "adds", 1, 1, 2, { ADDU(2, 4, 5), END } },
		/* The first ALU only */
		{ "shifts", 1, 1, 1, { SLL(2, 4, 1), END } },
		{ "conditional moves", 1, 1, 1, { MOVZ(4, 4, 5), END } },
		/* A shift takes ALU1, the add goes to ALU2. */
		{ "a shift and an add", 1, 1, 1, { SLL(2, 4, 1), ADDU(3, 4, 5), END } },
		/* Four for two ALUs, one of them on ALU1: 4 / 2 */
		{ "a shift and three adds", 2, 2, 1,
		  { SLL(2, 4, 1), ADDU(3, 4, 5), ADDU(6, 4, 5), ADDU(7, 4, 5), END } },
		/* One load/store unit, which a load and a store share */
		{ "loads", 1, 1, 1, { LW(2, 4), END } },
		{ "stores", 1, 1, 1, { SW(5, 4), END } },
		{ "loads and stores", 2, 2, 1, { LW(2, 4), SW(5, 4), END } },
		/* A pipelined adder and multiplier */
		{ "FP adds", 1, 1, 1, { ADD_D(2, 4, 6), END } },
		{ "FP multiplies", 1, 1, 1, { MUL_D(2, 4, 6), END } },
		{ "an FP add and a multiply", 1, 1, 1,
		  { ADD_D(2, 4, 6), MUL_D(8, 4, 6), END } },
		/* A multiply-add takes a cycle of both. */
		{ "multiply-adds", 1, 1, 1, { MADD_D(2, 4, 6, 8), END } },
		{ "a multiply-add and an add", 2, 2, 1,
		  { MADD_D(2, 4, 6, 8), ADD_D(10, 4, 6), END } },
		/* Two ALUs, a load and an FP add: four, each for its own unit */
		{ "four units", 1, 1, 1,
		  { ADDU(2, 4, 5), ADDU(3, 4, 5), LW(6, 4), ADD_D(2, 4, 6), END } },
		/* daxpy: two loads and a store an element, one load/store unit */
		{ "daxpy", 3, 3, 1,
		  { LDC1(2, 4), LDC1(4, 5), MADD_D(6, 4, 2, 8), SDC1(6, 5), END } },
		/* Not pipelined: "repeat" of r10k-pipe.def */
		{ "mult", 6, 6, 1, { MULT(4, 5), END } },
		{ "multu", 7, 7, 1, { MULTU(4, 5), END } },
		{ "dmult", 10, 10, 1, { DMULT(4, 5), END } },
		{ "div", 35, 35, 1, { DIV(4, 5), END } },
		{ "ddiv", 67, 67, 1, { DDIV(4, 5), END } },
		{ "div.s", 14, 14, 1, { DIV_S(2, 4, 6), END } },
		{ "div.d", 21, 21, 1, { DIV_D(2, 4, 6), END } },
		{ "sqrt.d", 35, 35, 1, { SQRT_D(2, 4), END } },
		/* Divider and square root work side by side: the longer counts. */
		{ "div.d and sqrt.d", 35, 35, 1, { DIV_D(2, 4, 6), SQRT_D(8, 4), END } },
		/* A multiply keeps ALU2 for 6 cycles, so ALU1 has all six adds. */
		{ "mult and six adds", 6, 6, 1,
		  { MULT(4, 5), ADDU(2, 4, 5), ADDU(3, 4, 5), ADDU(6, 4, 5),
		    ADDU(7, 4, 5), ADDU(8, 4, 5), ADDU(9, 4, 5), END } },
	};

	check_all(kernels, ARRAY_SIZE(kernels));
}

/* Each waits for the one before: the latencies. */
CASE(chains)
{
	static const struct kernel kernels[] = {
		{ "add", 1, 1, 1, { ADDU(2, 2, 4), END } },
		{ "load, by its own result", 2, 2, 1, { LW(2, 2), END } },
		/* Load 2, add 1 */
		{ "load and add", 3, 3, 1, { LW(2, 2), ADDU(2, 2, 4), END } },
		{ "FP add", 2, 2, 1, { ADD_D(2, 2, 4), END } },
		{ "FP multiply", 2, 2, 1, { MUL_D(2, 2, 4), END } },
		/* As a factor a result is needed at the start, as an addend 2 later. */
		{ "multiply-add, by a factor", 4, 4, 1, { MADD_D(2, 4, 2, 6), END } },
		{ "multiply-add, by the addend", 2, 2, 1, { MADD_D(2, 2, 4, 6), END } },
		/* LO is there after 5 cycles, HI after 6; then the move, 1 */
		{ "mult and mflo", 6, 6, 1, { MULT(2, 4), MFLO(2), END } },
		{ "mult and mfhi", 7, 7, 1, { MULT(2, 4), MFHI(2), END } },
		{ "dmult and mflo", 10, 10, 1, { DMULT(2, 4), MFLO(2), END } },
		{ "div and mflo", 35, 35, 1, { DIV(2, 4), MFLO(2), END } },
		/* The result after 19 cycles, but the unit is free after 21 */
		{ "div.d", 21, 21, 1, { DIV_D(2, 2, 4), END } },
		/* Divide 19, two adds 2 each: now the unit is free in time. */
		{ "div.d and two adds", 23, 23, 1,
		  { DIV_D(2, 2, 4), ADD_D(2, 2, 4), ADD_D(2, 2, 4), END } },
		/* 3 there and 2 back, and an add between */
		{ "mtc1, FP add and mfc1", 7, 7, 1,
		  { MTC1(2, 2), ADD_D(2, 2, 4), MFC1(2, 2), END } },
		/* LL 2, add 1, SC 3, and an add for which the next LL waits */
		{ "LL, add, SC, add", 7, 7, 1,
		  { LL(2, 4), ADDIU(2, 2, 1), SC(2, 4), ADDU(4, 2, 0), END } },
	};

	check_all(kernels, ARRAY_SIZE(kernels));
}

/* Loops that are whole: decoding, branches and their prediction */
CASE(branches)
{
	static const struct kernel kernels[] = {
		/*
		 * Branch and delay slot in cycle 0, the target in cycle 2: the cycle
		 * between is the bubble, which the R12000 has not if it knows the
		 * target.
		 */
		{ "taken", 2, 2, 1, { BEQ(0, 0), NOP, END }, { { 0, TAKEN } } },
		{ "taken, target known", 1, 1, 1, { BEQ(0, 0), NOP, END },
		  { { 0, TAKEN_KNOWN } } },
		/* 8 in two cycles, and the bubble */
		{ "a loop of eight", 3, 3, 1,
		  { NOP, NOP, NOP, NOP, NOP, NOP, BEQ(0, 0), NOP, END },
		  { { 6, TAKEN } } },
		/* The delay slot is decoded where the bubble would be. */
		{ "a loop of five", 2, 2, 1,
		  { NOP, NOP, NOP, BEQ(0, 0), NOP, END }, { { 3, TAKEN } } },
		/* One branch is decoded a cycle. */
		{ "not taken", 1, 1, 1, { BNE(0, 0), NOP, END } },
		/* A jump is known when it is decoded, as a branch is. */
		{ "JAL", 2, 2, 1, { JAL, NOP, END }, { { 0, TAKEN } } },
		/*
		 * Decoded in 0, issued in 1, executed in 2; then 3 cycles for the
		 * path that it takes, or 2 for the one that was decoded already.
		 */
		{ "mispredicted, taken", 5, 5, 1, { BEQ(0, 0), NOP, END },
		  { { 0, WRONG_TAKEN } } },
		{ "mispredicted, not taken", 4, 4, 1, { BEQ(0, 0), NOP, END },
		  { { 0, WRONG } } },
		/* The load is issued in 1, the branch 2 later in 3: two more */
		{ "mispredicted after a load", 7, 7, 1,
		  { LW(2, 4), BEQ(2, 0), NOP, END }, { { 1, WRONG_TAKEN } } },
		/* Compare in 1, known in 3, resolved in 4, and 3 cycles */
		{ "mispredicted after a compare", 7, 7, 1,
		  { C_LT_D(2, 4), BC1T, NOP, END }, { { 1, WRONG_TAKEN } } },
		/* The register is read in 1, executed in 2, its target decoded in 4. */
		{ "JR", 4, 4, 1, { JR(31), NOP, END }, { { 0, TAKEN } } },
		/*
		 * Five branches that wait for one load, and a stack for four. The
		 * load and the first are decoded in 0, the next three in 1, 2 and 3.
		 * The load is issued in 1, its result is there in 61; the first
		 * branch is issued then and resolved in 62. So the fifth is decoded
		 * in 63, and with it the next load.
		 */
		{ "the branch stack", 63, 63, 1,
		  { LW(2, 4), BNE(2, 0), NOP, BNE(2, 0), NOP, BNE(2, 0), NOP, BNE(2, 0), NOP,
		    BNE(2, 0), NOP, END },
		  { { 0, DATA(58) } } },
	};

	check_all(kernels, ARRAY_SIZE(kernels));
}

#define NOPS4	NOP, NOP, NOP, NOP
#define NOPS8	NOPS4, NOPS4
#define MISS	{ .data = 58 }	/* with the load's own 2 it makes 60 */

/* Misses: what active list, queues and miss handling table let overlap */
CASE(misses)
{
	static const struct kernel kernels[] = {
		/* Pointer chases: L1's 2 cycles, and what a miss adds */
		{ "chase in L2", 10, 10, 1, { LW(2, 2), END }, { { 0, DATA(8) } } },
		{ "chase in memory", 60, 60, 1, { LW(2, 2), END }, { { 0, MISS } } },
		/*
		 * Independent ones, of which the table takes four. If these are issued
		 * in 0 to 3, their entries are free again in 58 to 61. The next four
		 * are tried every 4 cycles, from 4, 5, 6 and 7 on: they are issued in
		 * 60 to 63.
		 */
		{ "misses", 60, 60, 4, { LW(2, 4), END }, { { 0, MISS } } },
		/*
		 * A miss, which is issued in 1, done in 61 and graduates in 62. The
		 * active list is full until then, and the next miss is decoded in 63:
		 * after 31 others on the R10000, and after 47 on the R12000.
		 */
		{ "a miss and 31 nops", 63, 0, 1,
		  { LW(2, 4), NOPS8, NOPS8, NOPS8, NOPS4, NOP, NOP, NOP, END },
		  { { 0, MISS } } },
		{ "a miss and 47 nops", 0, 63, 1,
		  { LW(2, 4), NOPS8, NOPS8, NOPS8, NOPS8, NOPS8, NOPS4, NOP, NOP, NOP },
		  { { 0, MISS } } },
		/*
		 * A miss and 15 loads that hit: they fill the address queue, in which
		 * they stay until they graduate. As before the miss graduates in 62,
		 * and the next one is decoded in 63.
		 */
		{ "a miss and 15 loads", 63, 63, 1,
		  { LW(2, 4), LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4),
		    LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4), LW(3, 4),
		    LW(3, 4), LW(3, 4), END },
		  { { 0, MISS } } },
	};

	check_all(kernels, ARRAY_SIZE(kernels));
}

/* Events at single instructions */
CASE(others)
{
	static const struct kernel kernels[] = {
		/* Decoded, issued in 1, done in 2, graduates in 3; the next in 4 */
		{ "SYNC", 4, 4, 1, { SYNC, END } },
		/* The secondary cache serves one at a time. */
		{ "misses, L2 busy for 3", 3, 3, 1, { LW(2, 4), END },
		  { { 0, { .data = 6, .l2 = 3 } } } },
		/* A bus that is busy for 30 of 58 cycles lets two overlap, no more. */
		{ "misses, bus busy for 30", 30, 30, 1, { LW(2, 4), END },
		  { { 0, { .data = 58, .bus = 30 } } } },
		/* A line that comes 10 cycles late, each four instructions */
		{ "L1I misses", 11, 11, 1, { NOPS4, END }, { { 0, { .fetch = 10 } } } },
		/* Four of 8 cycles each: the table is always full, no try is in vain. */
		{ "prefetches", 8, 8, 4, { PREF(4), END }, { { 0, DATA(8) } } },
	};

	check_all(kernels, ARRAY_SIZE(kernels));
}

UNIT_MAIN()
