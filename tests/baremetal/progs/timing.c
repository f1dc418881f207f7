// SPDX-License-Identifier: GPL-2.0-only
/*
 * With timing=fast or detailed, cycles are those of the model of the pipeline: loops
 * whose cycles were worked out by hand, exact to the cycle.
 *
 * A loop's cycles are the difference of two runs of different lengths, after a run that
 * has brought it into the caches and has taught the branch predictor.
 *
 * @run cpu=R10000,R12000 way=icount props=timing=fast
 * @run cpu=R10000,R12000 way=icount props=timing=detailed
 * @run cpu=R10000 order=be way=icount props=timing=fast qemu=-accel tcg,one-insn-per-tb=on
 */
#include "bm.h"

#define SHORT	200
#define LONG	1000	/* turns */
#define CACHED	3	/* Config.K0 */

/* The defaults of the CPU's properties */
#define L2	10
#define MEMORY	60

#define KSEG0(pa)	(0xffffffff80000000UL + (pa))
#define FREE_PA		0x2000000	/* beyond all programs */
#define L1_WAY		(16 << 10)
#define LOADS		16		/* of a turn of the chase */

/* An argument of a kernel: turns, and four pointers to chase */
struct arg {
	u64 turns;
	u64 pointer[4];
};

extern const char k_nops[], k_add_chain[], k_adds[], k_shifts[], k_loads[], k_stores[],
	k_load_chain[], k_fadd_chain[], k_madd_factor[], k_madd_addend[], k_mult[], k_div[],
	k_ddiv[], k_div_d[], k_units[], k_chase[], k_chase4[];

static u32 cycles_of(const void *kernel, struct arg *arg, u64 turns)
{
	arg->turns = turns;
	return run_kernel(MODE_K, ctl_event(0, MODE_K), 0, kernel, arg).c[0];
}

static void turn_takes(const char *what, const void *kernel, struct arg *arg, u32 cycles)
{
	u32 base;

	cycles_of(kernel, arg, LONG);
	base = cycles_of(kernel, arg, SHORT);
	expect(what, (u64)cycles * (LONG - SHORT), cycles_of(kernel, arg, LONG) - base);
}

/*
 * A turn is a line of 16 instructions, and then addiu, bne and a nop in the next line,
 * after which a cycle is lost because the branch is taken. Decoding alone takes 6.
 */
static void pipeline(void)
{
	static const struct {
		const char *name;
		const char *kernel;
		u32 cycles;
	} loops[] = {
		{ "16 nops: 4 cycles, 1 for the rest, 1 lost", k_nops, 6 },
		{ "16 adds, each by the one before", k_add_chain, 16 },
		/* With the loop's addiu and bne 18 for two ALUs */
		{ "16 adds", k_adds, 9 },
		/* bne is the 17th for the first ALU. */
		{ "16 shifts", k_shifts, 17 },
		{ "16 loads", k_loads, 16 },
		{ "16 stores", k_stores, 16 },
		{ "8 loads, each by the one before", k_load_chain, 16 },
		{ "8 FP adds, each by the one before", k_fadd_chain, 16 },
		{ "8 multiply-adds by a factor", k_madd_factor, 32 },
		{ "8 multiply-adds by the addend", k_madd_addend, 16 },
		{ "mult and mflo, twice", k_mult, 12 },
		{ "div and mflo", k_div, 35 },
		{ "ddiv and mflo", k_ddiv, 67 },
		{ "div.d, by the one before", k_div_d, 21 },
		/* 4 each of adds, loads, FP adds, FP multiplies: decoding is the limit. */
		{ "four units", k_units, 6 },
	};
	struct arg *arg = (struct arg *)scratch;

	for (u32 i = 0; i < 4; i++)
		arg->pointer[i] = (u64)(long)&arg->pointer[i];
	for (u32 i = 0; i < ARRAY_SIZE(loops); i++)
		turn_takes(loops[i].name, loops[i].kernel, arg, loops[i].cycles);
}

/* Four lines, each of which has the address of the next one; the last has the first's. */
static u64 ring(u64 at, u64 stride)
{
	for (u32 i = 0; i < 4; i++)
		*(volatile u64 *)(at + i * stride) = at + (i + 1) % 4 * stride;
	return at;
}

/* Four lines of one set of two ways: each access misses. */
static void chase(void)
{
	struct arg *arg = (struct arg *)scratch;
	u64 base = KSEG0(FREE_PA);

	arg->pointer[0] = ring(base, 64);
	turn_takes("L1", k_chase, arg, LOADS * 2);
	arg->pointer[0] = ring(base, L1_WAY);
	turn_takes("L2", k_chase, arg, LOADS * (2 + L2));
	arg->pointer[0] = ring(base, l2_size() / 2);
	turn_takes("memory", k_chase, arg, LOADS * (2 + L2 + MEMORY));
}

/* Four rings: four misses are in flight at a time, and take as long as one. */
static void overlap(void)
{
	struct arg *arg = (struct arg *)scratch;

	for (u32 i = 0; i < 4; i++)
		arg->pointer[i] = ring(KSEG0(FREE_PA) + i * 0x800, l2_size() / 2);
	turn_takes("memory, four at a time", k_chase4, arg, LOADS / 4 * (2 + L2 + MEMORY));
}

/* Events 4 and 30 of the R12000: each miss has an entry for all its time. */
static void entries(void)
{
	static const u32 start[2];
	const u32 controls[2] = { ctl_event(4, MODE_K), ctl_event(30, MODE_K) };
	const u32 loads = LOADS * (LONG - SHORT);
	struct arg *arg = (struct arg *)scratch;
	struct counts few, many;

	for (u32 i = 0; i < 4; i++)
		arg->pointer[i] = ring(KSEG0(FREE_PA) + i * 0x800, l2_size() / 2);
	arg->turns = SHORT;
	few = run_from(MODE_K, controls, start, ST_NORMAL, k_chase4, arg);
	arg->turns = LONG;
	many = run_from(MODE_K, controls, start, ST_NORMAL, k_chase4, arg);
	expect("cycles of all entries", loads * (L2 + MEMORY), many.c[0] - few.c[0]);
	expect("of those that wait for memory", loads * MEMORY, many.c[1] - few.c[1]);
}

static void twice(void)
{
	struct arg *arg = (struct arg *)scratch;
	u32 first;

	cycles_of(k_units, arg, LONG);
	first = cycles_of(k_units, arg, LONG);
	expect("the same loop again", first, cycles_of(k_units, arg, LONG));
}

static const struct tap_case cases[] = {
	{ "units and latencies", pipeline },
	{ "a pointer chase in L1, L2 and memory", chase },
	{ "four pointer chases at a time", overlap },
	{ "a loop takes as long each time", twice },
	/* The R10000 does not have the events. */
	{ "entries of the miss handling table", entries },
};

void tests(void)
{
	c0_write(C0_CONFIG, (c0_read(C0_CONFIG) & ~7) | CACHED);
	tap_run(cases, ARRAY_SIZE(cases) - !is_r12000());
}
