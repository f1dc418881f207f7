// SPDX-License-Identifier: GPL-2.0-only
/* The pipeline model on random programs: bounds, blocks, and what is remembered. */
#include "r10k_pipe_memo.h"
#include "seed.h"
#include "unit.h"

#define PROGRAM	400	/* instructions */
#define BLOCKS	40
#define ROUNDS	60	/* times that the program runs */

static const R10kPipeParams *const cpus[] = { &r10k_pipe_r10000, &r10k_pipe_r12000 };

static R10kPipeInsn program[PROGRAM];
static R10kPipeBlock blocks[BLOCKS];

static unsigned int below(unsigned int n)
{
	return rand() % n;
}

/* A real instruction, some of them rarer than others */
static uint32_t random_word(void)
{
	static const uint32_t kinds[] = {
		0x00000021, 0x00000021, 0x24000000, 0x00000000, 0x00000003, /* ALU, shift */
		0x8c000000, 0x8c000000, 0xdc000000, 0xd4000000, 0xac000000, 0xf4000000,
		0x46200000, 0x46200002, 0x46200003, 0x4c000021, 0x44000000, 0x44800000,
		0x00000018, 0x00000012, 0x0000001a, 0x10000000, 0x04010000, 0x0c000000,
		0x00000008, 0x45000000, 0x4620003c, 0xcc000000, 0xe0000000, 0x40000000,
		0x0000000f,
	};
	uint32_t word = kinds[below(ARRAY_SIZE(kinds) - (below(8) ? 2 : 0))];

	/* Registers, where the word has them; few of them, so that there are chains */
	word |= below(6) << 16 | below(6) << 11;
	return word >> 26 == 0x11 || word >> 26 == 0x10 ? word : word | below(6) << 21;
}

static void make_program(void)
{
	unsigned int i, at = 0;

	for (i = 0; i < PROGRAM; i++)
		program[i] = r10k_pipe_insn(4 * i, random_word());
	for (i = 0; i < BLOCKS; i++) {
		unsigned int n = i == BLOCKS - 1 ? PROGRAM - at : 1 + below(12);

		blocks[i] = (R10kPipeBlock) { i, n, program + at };
		at += n;
	}
}

static bool accesses(const R10kPipeInsn *insn)
{
	switch (insn->op) {
	case R10K_PIPE_OP_LOAD:
	case R10K_PIPE_OP_LOAD_FP:
	case R10K_PIPE_OP_STORE:
	case R10K_PIPE_OP_SC:
	case R10K_PIPE_OP_PREF:
		return true;
	default:
		return false;
	}
}

/* What may happen to @insn: mostly nothing */
static R10kPipeEvent random_event(const R10kPipeInsn *insn)
{
	R10kPipeEvent event = { 0 };

	if (!below(100))
		event.fetch = 10;
	if (accesses(insn) && !below(20)) {
		event.data = below(3) ? 8 : 60;
		event.l2 = 3;
		event.bus = event.data == 60 ? 30 : 0;
	}
	if (insn->flags & (R10K_PIPE_BRANCH | R10K_PIPE_JUMP) && below(2))
		event.flags = R10K_PIPE_TAKEN | (below(8) ? 0 : R10K_PIPE_MISPREDICTED);
	if (!below(200))
		event.flags |= R10K_PIPE_FAULTS;
	return event;
}

static unsigned int random_cases(const R10kPipeBlock *block, R10kPipeCase *cases)
{
	static const R10kPipeEvent none;
	unsigned int n = 0, i;

	for (i = 0; i < block->n; i++) {
		R10kPipeEvent event = random_event(&block->insns[i]);

		if (memcmp(&event, &none, sizeof(none)))
			cases[n++] = (R10kPipeCase) { i, event };
	}
	return n;
}

/* With and without a memory, of each size, block by block: the same cycles */
CASE(memory_changes_nothing)
{
	static R10kPipeCase cases[PROGRAM];
	unsigned int c, i, n;

	for (c = 0; c < 2; c++) {
		R10kPipeMemo *large = r10k_pipe_memo_new(cpus[c], 1 << 14);
		R10kPipeMemo *small = r10k_pipe_memo_new(cpus[c], 64);
		R10kPipe pipe = { 0 };

		make_program();
		for (i = 0; i < ROUNDS * BLOCKS; i++) {
			const R10kPipeBlock *b = &blocks[i % BLOCKS];
			unsigned int cycles;

			n = random_cases(b, cases);
			cycles = r10k_pipe_run(&pipe, cpus[c], b, cases, n);
			assert_int_equal(r10k_pipe_memo_run(large, b, cases, n), cycles);
			assert_int_equal(r10k_pipe_memo_run(small, b, cases, n), cycles);
			if (!below(100))
				r10k_pipe_memo_empty(large);
		}
		assert_true(r10k_pipe_memo_stats(small).emptied > 0);
		assert_true(r10k_pipe_memo_stats(small).entries <= 64);
		r10k_pipe_memo_free(large);
		r10k_pipe_memo_free(small);
	}
}

/* A loop without misses is known after some rounds. */
CASE(what_repeats_is_known)
{
	R10kPipeMemo *memo = r10k_pipe_memo_new(cpus[0], 1 << 14);
	R10kPipeStats before, after;
	unsigned int i;

	make_program();
	for (i = 0; i < 50 * BLOCKS; i++)
		r10k_pipe_memo_run(memo, &blocks[i % BLOCKS], NULL, 0);
	before = r10k_pipe_memo_stats(memo);
	for (i = 0; i < 50 * BLOCKS; i++)
		r10k_pipe_memo_run(memo, &blocks[i % BLOCKS], NULL, 0);
	after = r10k_pipe_memo_stats(memo);
	assert_int_equal(after.misses, before.misses);
	assert_int_equal(after.hits, before.hits + 50 * BLOCKS);
	r10k_pipe_memo_free(memo);
}

/* The number of events in a block must be part of what is looked up. */
CASE(cases_are_compared)
{
	static const R10kPipeInsn load = { .op = R10K_PIPE_OP_LOAD, .src = { 2 },
					   .dst = { 2 } };
	R10kPipeMemo *memo = r10k_pipe_memo_new(cpus[0], 64);
	R10kPipeBlock block = { 7, 1, &load };
	unsigned int data, cycles = 0, i;

	for (data = 10; data <= 40; data += 10)
		for (i = 0; i < 20; i++) {
			R10kPipeCase miss = { 0, { .data = data } };

			cycles = r10k_pipe_memo_run(memo, &block, &miss, 1);
		}
	/* A chase: each waits for the one before. */
	assert_int_equal(cycles, 42);
	r10k_pipe_memo_free(memo);
}

/* The state comes back as it was packed, at each instruction. */
CASE(packing_loses_nothing)
{
	static uint8_t packed[R10K_PIPE_PACKED_MAX], again[R10K_PIPE_PACKED_MAX];
	R10kPipe pipe = { 0 }, copy;
	unsigned int i;

	make_program();
	for (i = 0; i < 10 * PROGRAM; i++) {
		const R10kPipeInsn *insn = &program[i % PROGRAM];
		R10kPipeEvent event = random_event(insn);
		size_t n = r10k_pipe_pack(&pipe, packed);

		memset(&copy, 0xa5, sizeof(copy));
		r10k_pipe_unpack(&copy, packed);
		assert_int_equal(r10k_pipe_pack(&copy, again), n);
		assert_memory_equal(packed, again, n);
		assert_int_equal(r10k_pipe_step(&pipe, cpus[0], insn, &event),
				 r10k_pipe_step(&copy, cpus[0], insn, &event));
	}
}

/* For how many cycles a program needs each unit at least */
struct demand {
	unsigned int all, alus, alu1, ls, adder, multiplier;
};

static void add_demand(struct demand *d, const R10kPipeInsn *insn)
{
	d->all += 1 + !!(insn->flags & R10K_PIPE_TWO);
	switch (insn->op) {
	case R10K_PIPE_OP_SHIFT:
	case R10K_PIPE_OP_BRANCH:
		d->alu1++;
		/* fall through */
	case R10K_PIPE_OP_ALU:
		d->alus++;
		break;
	case R10K_PIPE_OP_MULT:
		d->alus += 6;
		break;
	case R10K_PIPE_OP_DIV:
		d->alus += 35;
		break;
	case R10K_PIPE_OP_FADD:
		d->adder++;
		break;
	case R10K_PIPE_OP_FMADD:
		d->adder++;
		/* fall through */
	case R10K_PIPE_OP_FMUL:
	case R10K_PIPE_OP_FDIV_D:
	case R10K_PIPE_OP_MFC1:
	case R10K_PIPE_OP_MTC1:
		d->multiplier++;
		break;
	default:
		d->ls += accesses(insn);
	}
}

/* No program is faster than its busiest unit; what is in flight may be left. */
CASE(no_unit_does_more_than_it_can)
{
	unsigned int c, i, round;

	for (round = 0; round < 20; round++)
		for (c = 0; c < 2; c++) {
			R10kPipe pipe = { 0 };
			struct demand d = { 0 };
			unsigned int cycles = 70 + R10K_PIPE_ACTIVE_MAX;

			make_program();
			for (i = 0; i < 20 * PROGRAM; i++) {
				const R10kPipeInsn *insn = &program[i % PROGRAM];
				R10kPipeEvent none = { 0 };

				cycles += r10k_pipe_step(&pipe, cpus[c], insn, &none);
				add_demand(&d, insn);
			}
			assert_true(d.all <= 4 * cycles);
			assert_true(d.alus <= 2 * cycles);
			assert_true(d.alu1 <= cycles);
			assert_true(d.ls <= cycles);
			assert_true(d.adder <= cycles);
			assert_true(d.multiplier <= cycles);
		}
}

int main(void)
{
	srand(test_seed(20000));
	return run_cases(NULL, NULL);
}
