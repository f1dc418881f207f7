// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mispredicted branches (event 24), counted by hand. The table has two-bit counters: 0
 * and 1 predict not taken, 2 and 3 taken. Training first sets a branch's counter to 0.
 * With the wrong-path properties, also what these add.
 *
 * @run
 * @run way=plain props=wrong-path-insns=3,wrong-path-loads=2 qemu=-append loads
 * @run way=plain props=wrong-path-stores=1,wrong-path-branches=5 qemu=-append stores
 */
#include "mem.h"

extern const char k_surprises[];

#define CODE		0xffffffffa4000000UL
#define DIAG_E_GHIST	(1UL << 26)
#define MAX_STEPS	400

/* or $13, $31, $0; (nop); branch .+8; nop; jr $13; nop */
#define WORD_KEEP	0x03e06825
#define WORD_BACK	0x01a00008
#define WORD_CTC1	0x44c4f800	/* of $4: bit 23 is the condition */
#define WORD_BNE	0x14800001
#define FCC0		(1 << 23)

static struct step steps[MAX_STEPS + 8], *to;

static void add(const void *function, u64 argument)
{
	if (to - steps >= MAX_STEPS)
		bail("too many steps");
	*to++ = (struct step){ (void *)function, argument };
}

/* A branch at this offset; it goes to the same place, taken or not. */
static void site(u32 offset, u32 branch)
{
	u32 *code = (u32 *)(CODE + offset - 8);

	code[0] = WORD_KEEP;
	code[1] = branch >> 24 == 0x45 ? WORD_CTC1 : 0;
	code[2] = branch;
	code[3] = 0;
	code[4] = WORD_BACK;
	code[5] = 0;
}

static void begin(u32 event)
{
	u64 ctl = ctl_event(event, MODE_K);

	to = steps;
	add(op_control, is_r12000() || event < 16 ? ctl : ctl << 32);
}

/* Execute the branch once for each letter: for T with the argument that takes it. */
static void go_with(u32 offset, const char *outcomes, u64 taken, u64 not_taken)
{
	for (; *outcomes; outcomes++)
		add((void *)(CODE + offset - 8), *outcomes == 'T' ? taken : not_taken);
}

static void go(u32 offset, const char *outcomes)
{
	go_with(offset, outcomes, 1, 0);
}

static void train(u32 offset)
{
	site(offset, WORD_BNE);
	go(offset, "NNN");
}

static u32 end(u32 event)
{
	static struct counts n;

	add(op_snap, (u64)&n);
	add(op_control, 0);
	add(op_end, 0);
	run_steps(steps);
	return n.c[!is_r12000() && event >= 16];
}

static u32 mispredictions(const char *outcomes)
{
	begin(24);
	train(0x100);
	add(op_clear, 0);
	go(0x100, outcomes);
	return end(24);
}

static void two_bits(void)
{
	expect("not taken, predicted", 0, mispredictions("NNNN"));
	expect("taken once", 1, mispredictions("T"));
	expect("taken on and on", 2, mispredictions("TTTTTT"));
	expect("taken once among others", 1, mispredictions("NNTNN"));
	expect("taken twice, then not", 2 + 1, mispredictions("TTNN"));
	expect("every second time", 3, mispredictions("TNTNTN"));
	/* 0 1 2 1 2 1: from the second on, each prediction is wrong */
	expect("every second time, from the middle", 6, mispredictions("TTNTNT"));
}

static void saturation(void)
{
	expect("one that differs among many", 2 + 1, mispredictions("TTTTTTTTNTTTT"));
	expect("two that differ", 2 + 2, mispredictions("TTTTTTTTNNNN"));
	expect("never below 0", 1, mispredictions("NNNNNNNNNNTN"));
}

/* The first is trained to be taken; is the second predicted by its counter? */
static u32 meets(u32 first, u32 second)
{
	begin(24);
	train(second);
	train(first);
	go(first, "TTT");
	add(op_clear, 0);
	go(second, "N");
	return end(24);
}

static void aliases(void)
{
	u32 size = is_r12000() ? 0x2000 : 0x1000;

	expect("a table further on", 1, meets(0x100, 0x100 + size));
	expect("eight tables further on", 1, meets(0x100, 0x100 + 8 * size));
	expect("half a table further on", 0, meets(0x100, 0x100 + size / 2));
	expect("a table and two words", 0, meets(0x100, 0x108 + size));
	/* VA[2] is in the index of the R12000's table only. */
	expect("a table and a word", !is_r12000(), meets(0x100, 0x104 + size));
	expect("the same in the last line", 1, meets(size - 8, 2 * size - 8));
}

struct encoding {
	const char *name;
	u32 word;
	u64 taken, not_taken;
};

static const struct encoding encodings[] = {
	{ "beq", 0x10800001, 0, 1 }, { "bne", 0x14800001, 1, 0 },
	{ "blez", 0x18800001, 0, 1 }, { "bgtz", 0x1c800001, 1, 0 },
	{ "bltz", 0x04800001, -1, 0 }, { "bgez", 0x04810001, 0, -1 },
	{ "bltzal", 0x04900001, -1, 0 }, { "bgezal", 0x04910001, 0, -1 },
	{ "beql", 0x50800001, 0, 1 }, { "bnel", 0x54800001, 1, 0 },
	{ "blezl", 0x58800001, 0, 1 }, { "bgtzl", 0x5c800001, 1, 0 },
	{ "bltzl", 0x04820001, -1, 0 }, { "bgezl", 0x04830001, 0, -1 },
	{ "bltzall", 0x04920001, -1, 0 }, { "bgezall", 0x04930001, 0, -1 },
	{ "bc1f", 0x45000001, 0, FCC0 }, { "bc1t", 0x45010001, FCC0, 0 },
	{ "bc1fl", 0x45020001, 0, FCC0 }, { "bc1tl", 0x45030001, FCC0, 0 },
};

/* Mispredicted: the first two taken, and the one that is not. */
static void all_encodings(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(encodings); i++) {
		const struct encoding *e = &encodings[i];

		begin(24);
		train(0x200);
		end(24);
		site(0x200, e->word);
		begin(24);
		add(op_clear, 0);
		go_with(0x200, "TTTN", e->taken, e->not_taken);
		expect(e->name, 3, end(24));
	}
}

/* beq $0, $0 is predicted like others, j never: run_steps() is full of these. */
static void unconditional(void)
{
	begin(24);
	train(0x300);
	end(24);
	site(0x300, 0x10000001);
	begin(24);
	add(op_clear, 0);
	go(0x300, "TTTT");
	expect("b", 2, end(24));
	begin(24);
	add(op_clear, 0);
	for (u32 i = 0; i < 100; i++)
		add(op_clear, 0);
	expect("jumps", 0, end(24));
}

static u32 alternating(u64 diag)
{
	u32 n;

	begin(24);
	train(0x100);
	add(op_diag, diag);
	for (u32 i = 0; i < 40; i++)
		go(0x100, "TN");
	add(op_clear, 0);
	for (u32 i = 0; i < 40; i++)
		go(0x100, "TN");
	add(op_diag, 0);
	n = end(24);
	return n;
}

/* A counter alone mispredicts each T; with the history none is mispredicted. */
static void global_history(void)
{
	expect("without history", 40, alternating(0));
	expect("with history", is_r12000() ? 0 : 40, alternating(DIAG_E_GHIST));
	expect("without again", 40, alternating(0));
}

/* Only mispredicted branches add to the counts; the code is the same each time. */
static u32 surprised(u32 event, const char *outcomes)
{
	begin(event);
	train(0x100);
	add(op_clear, 0);
	go(0x100, outcomes);
	return end(event);
}

static void expect_added(u32 event, u32 each)
{
	const u32 same = surprised(event, "NNNNNN");

	if (!expect("two mispredicted", same + 2 * each, surprised(event, "TTTTTT")) ||
	    !expect("six mispredicted", same + 6 * each, surprised(event, "TTNTNT")))
		note("  ... event %u", event);
}

static void wrong_path(void)
{
	u32 loads = bm_argument("loads"), stores = bm_argument("stores");

	expect_added(1, loads * 3);
	expect_added(2, loads * 2);
	expect_added(3, stores);
	expect_added(6, is_rev2() ? stores * 5 : 0);
	expect_added(15, 0);
	expect_added(18, 0);
	expect_added(19, 0);
	expect_added(20, 0);
	expect("six surprises", 6, surprised(24, "TTNTNT"));
}

static void wrong_path_others(void)
{
	if (!is_rev2())
		expect_added(14, 0);
	if (!is_r12000())
		expect_added(4, 0);
}

static const u32 modes[] = { MODE_K, MODE_U, MODE_S, MODE_EXL };

/* Each run leaves the counter at 0 for the next. */
static void by_mode(void)
{
	for (u32 m = 0; m < ARRAY_SIZE(modes); m++)
		for (u32 b = 0; b < ARRAY_SIZE(modes); b++) {
			count_event(24, modes[m], modes[b], k_surprises, scratch);
			expect("mispredicted branches", m == b ? 4 : 0,
			       count_event(24, modes[m], modes[b], k_surprises, scratch));
		}
}

static const struct tap_case cases[] = {
	{ "two-bit counters", two_bits },
	{ "they saturate", saturation },
	{ "branches that meet in the table", aliases },
	{ "all encodings", all_encodings },
	{ "b is a conditional branch, jumps are none", unconditional },
	{ "global history", global_history },
	{ "they count in the mode that executes them", by_mode },
	{ "what a mispredicted branch adds to issued instructions", wrong_path },
	{ "and to nothing else", wrong_path_others },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	tap_run(cases, ARRAY_SIZE(cases));
}
