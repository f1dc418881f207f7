// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pseudo-random trace of loads, stores, fetches, prefetches and cache operations.
 * model.py has computed what each round of it counts. The rounds go through all pairs
 * of cache events, and the caches keep their state between rounds. The trace runs
 * twice: first each operation alone, then each round as one piece of code.
 *
 * @run
 * @run way=plain props=l2-size=512K,l2-line=64
 * @run way=plain props=l2-size=4M
 * @run way=plain order=be props=l2-size=16M,l2-line=64
 */
#include "mem.h"

struct trace_table {
	u32 chip, size, line, pairs;
	const u8 (*pair)[2];
	const u16 (*counts)[2];
};

#define TRACE_MEMORY
#include "trace.h"

static const struct trace_table *find_table(void)
{
	u32 chip = is_r12000() ? 2 : !is_rev2();

	for (u32 i = 0; i < ARRAY_SIZE(trace_tables); i++) {
		const struct trace_table *t = &trace_tables[i];

		if (t->chip == chip && t->size == l2_size() && t->line == l2_line())
			return t;
	}
	bail("model.py has no counts for a secondary cache of %u bytes in lines of %u",
	     l2_size(), l2_line());
}

static int check(u32 round, u32 event, u32 want, u32 got)
{
	if (want == got)
		return 1;
	note("round %u, event %u: expected %u, got %u", round, event, want, got);
	return 0;
}

typedef struct counts (*runner)(u32 round, u32 ctl0, u32 ctl1);

/* Returns true if the round has counted what it should. */
static int run_round(const struct trace_table *t, u32 round, runner run)
{
	const u8 *event = t->pair[round % t->pairs];
	struct counts n = run(round % ROUNDS, ctl_event(event[0], MODE_K),
			      ctl_event(event[1], MODE_K));

	return check(round, event[0], t->counts[round][0], n.c[0]) &
	       check(round, event[1], t->counts[round][1], n.c[1]);
}

/* Stop after a few rounds that differ: others may follow from them. */
static void run_rounds(u32 first, runner run)
{
	const struct trace_table *t = find_table();
	u32 failed = 0;

	mem_init();
	for (u32 i = 0; i < ROUNDS && failed < 4; i++)
		failed += !run_round(t, first + i, run);
	expect("rounds that differ", 0, failed);
}

static struct counts run_alone(u32 round, u32 ctl0, u32 ctl1)
{
	return count_ops(trace_ops[round], ROUND, ctl0, ctl1);
}

/* The code of a round: written and executed uncached. */
#define CODE		((u32 *)0xffffffffa3000000UL)
#define WORD_KEEP_RA	0x03e06825	/* or $13, $31, $0 */
#define WORD_JUMP_BACK	0x01a00008	/* jr $13 */
#define WORD_CALL_T9	0x0320f809	/* jalr $25 */
#define WORD_LW		0x8c0c0000	/* these to or from $12, */
#define WORD_SW		0xac0c0000	/* with a base to be filled in */
#define WORD_LL		0xc00c0000
#define WORD_SC		0xe00c0000
#define WORD_PREF		0xcc000000
#define WORD_CACHE		0xbc000000
#define WORD_DADDIU_T9	0x64190000

/* Registers 2 to 9 less $4: tags 0 to 3, without and with alias */
static const u8 base_register[8] = { 2, 3, 5, 6, 7, 8, 9, 10 };

static u32 *emit(u32 *code, u32 op, int calls)
{
	u32 kind = op >> 26, offset = op & 0x1fff;
	u32 base = base_register[(op >> 18 & 3) * 2 + !!(op & ALIAS)] << 21;

	if (kind < 32)
		*code++ = WORD_CACHE | base | kind << 16 | offset;
	else if (kind == OP_STORE)
		*code++ = WORD_SW | base | (offset + 16);
	else if (kind >= OP_PREF)
		*code++ = WORD_PREF | base | (kind - OP_PREF) << 16 | offset;
	else if (kind == OP_LLSC) {
		*code++ = WORD_LL | base | (offset + 16);
		*code++ = WORD_SC | base | (offset + 16);
	} else if (kind == OP_FETCH && calls) {
		op_step(op);
		*code++ = WORD_DADDIU_T9 | base | offset;
		*code++ = WORD_CALL_T9;
		*code++ = 0;
	} else
		*code++ = WORD_LW | base | (offset + 16);
	return code;
}

static void compile(u32 round)
{
	u32 *code = CODE;

	*code++ = WORD_KEEP_RA;
	for (u32 i = 0; i < ROUND; i++)
		code = emit(code, IN(3, trace_ops[round][i]), round % 2 == 0);
	*code++ = WORD_JUMP_BACK;
	*code++ = 0;
}

extern const char trace_bases[];

static struct counts run_code(u32 round, u32 ctl0, u32 ctl1)
{
	static struct counts counted;
	static u64 bases[8];
	const struct step steps[] = {
		{ (void *)op_clear, 0 },
		{ (void *)trace_bases, (u64)bases },
		{ (void *)op_control, (u64)ctl1 << 32 | ctl0 },
		{ CODE, 0 },
		{ (void *)op_snap, (u64)&counted },
		{ (void *)op_control, 0 },
		{ (void *)op_end, 0 },
	};

	for (u32 i = 0; i < 8; i++)
		bases[i] = op_address(LOAD(i / 2, 0) | (i % 2 ? ALIAS : 0));
	compile(round);
	run_steps(steps);
	return counted;
}

static void random_trace(void)
{
	run_rounds(0, run_alone);
}

static void random_code(void)
{
	run_rounds(ROUNDS, run_code);
}

static const struct tap_case cases[] = {
	{ "a random trace counts what model.py computes", random_trace },
	{ "the same as code", random_code },
};

void tests(void)
{
	note("seed %u", SEED_TRACE);
	tap_run(cases, ARRAY_SIZE(cases));
}
