// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two CPUs at work at the same time. They take turns, n each: a CPU waits until a
 * shared word has its value, adds 1 to a word of its own or of both, and passes the
 * turn on. The order of these accesses is known, whenever a CPU runs: what both count
 * is computed from them before they run. A CPU that waits reads a line that it has; only
 * its first read after the other one's store misses, which is the one that ends the wait.
 *
 * For the turn alone, n rounds are:
 *
 *                                               CPU 0       CPU 1
 *   stores to a Shared block (31)               n           n
 *   invalidations received (13) and hits (29)   n           n
 *   loads that miss L2 (26)                     n - 1       n
 *   interventions received (12) and hits (28)   n           n - 1
 *
 * Each pass of the turn needs a slice of the emulator: with -icount it is a number of
 * instructions, without it the host's time.
 *
 * @run way=icount qemu=-smp 2 -accel tcg,thread=single,rr-slice=10
 */
#include "mem.h"

/* Blocks, and the second word of a block, in another line of L1D */
enum { TURN, FIRST, SECOND, BLOCKS };
#define OTHER_WORD	64

typedef void kernel(u32 *turn, u32 *word, u32 first, u32 end);
kernel take_turns, add_atomically, add_alone;

struct party {
	const char *name;
	kernel *code;
	u32 block[2], offset[2];	/* of the word that each CPU adds to */
	u32 waits;			/* one waits for the other */
};

static const struct party parties[] = {
	{ "one after the other, no other word shared", take_turns, { FIRST, SECOND }, { 0, 0 }, 1 },
	{ "false sharing", take_turns, { FIRST, FIRST }, { 0, OTHER_WORD }, 1 },
	{ "true sharing", take_turns, { FIRST, FIRST }, { 0, 0 }, 1 },
	{ "true sharing by LL and SC", add_atomically, { FIRST, FIRST }, { 0, 0 }, 1 },
	{ "nothing shared", add_alone, { FIRST, SECOND }, { 0, 0 }, 0 },
};

static const u32 rounds[] = { 1, 10, 200 };

/* The rules of model.rst for two CPUs, in blocks that nothing evicts */
static u32 state[2][BLOCKS];
static struct seen seen[2];

static void intervene(u32 cpu, u32 block, u32 store)
{
	struct seen *s = &seen[cpu];
	u32 *own = &state[cpu][block];

	s->interventions++;
	s->hits += *own != INVALID;
	s->states += *own;
	s->lines += *own == DIRTY;
	s->blocks += *own == DIRTY;
	if (*own != INVALID)
		*own = store ? INVALID : SHARED;
}

static void invalidate(u32 cpu, u32 block)
{
	struct seen *s = &seen[cpu];
	u32 *own = &state[cpu][block];

	s->invalidates++;
	s->inv_hits += *own != INVALID;
	s->inv_states += *own;
	*own = INVALID;
}

static void access(u32 cpu, u32 block, u32 store)
{
	struct seen *s = &seen[cpu];
	u32 *own = &state[cpu][block];

	if (*own == INVALID) {
		s->misses++;
		intervene(!cpu, block, store);
		*own = state[!cpu][block] == INVALID ? CLEAN : SHARED;
	} else if (store && *own == SHARED) {
		s->shared++;
		invalidate(!cpu, block);
	} else if (store && *own == CLEAN) {
		s->clean++;
	}
	if (store)
		*own = DIRTY;
}

static void add(u32 cpu, u32 block)
{
	access(cpu, block, 0);
	access(cpu, block, 1);
}

/* All accesses of one CPU's turn, in their order */
static void turn(const struct party *p, u32 cpu)
{
	if (p->waits)
		access(cpu, TURN, 0);
	add(cpu, p->block[cpu]);
	if (p->waits)
		access(cpu, TURN, 1);
}

static void compute(const struct party *p, u32 n)
{
	memset(state, INVALID, sizeof(state));
	/* prepare() */
	access(1, TURN, 0);
	access(0, TURN, 0);
	if (!p->waits)
		for (u32 cpu = 0; cpu < 2; cpu++)
			add(cpu, p->block[cpu]);
	memset(seen, 0, sizeof(seen));
	while (n--)
		for (u32 cpu = 0; cpu < 2; cpu++)
			turn(p, cpu);
}

/* Two at a time: one for each counter of the R10000 */
static const u8 events[][2] = { { 12, 28 }, { 13, 29 }, { 7, 31 }, { 8, 26 }, { 11, 22 } };

struct job {
	const struct party *party;
	const u8 *events;
	u32 cpu, rounds, count[2];
};

static u32 op_of(u32 block, u32 offset)
{
	return IN(5, LOAD(0, block * 0x1000 + offset));
}

static u32 *place(u32 block, u32 offset, u32 cca)
{
	return (u32 *)op_address(IN(cca, op_of(block, offset)));
}

static void forget(void *p __attribute__((unused)))
{
	u32 ops[BLOCKS];

	kseg0_cca(UNCACHED);
	for (u32 i = 0; i < BLOCKS; i++)
		ops[i] = op_of(i, 0);
	clean_ops(ops, BLOCKS);
}

static void look(void *p)
{
	(void)*(volatile u32 *)p;
}

static void add_once(void *p)
{
	add_alone(0, p, 0, 2);
}

/*
 * Both CPUs have the turn as a Shared block, so that it does not matter which of them
 * begins; and their words, if nobody waits for anybody.
 */
static void prepare(const struct party *p)
{
	on_cpu(1, look, place(TURN, 0, 5));
	on_cpu(0, look, place(TURN, 0, 5));
	if (!p->waits)
		for (u32 cpu = 0; cpu < 2; cpu++)
			on_cpu(cpu, add_once, place(p->block[cpu], p->offset[cpu], 5));
}

static void job_start(void *p)
{
	const struct job *j = p;

	pmu_stop();
	ctl_write(0, ctl_event(j->events[0], MODE_K));
	ctl_write(1, ctl_event(j->events[1], MODE_K));
}

static void job_run(void *p)
{
	const struct job *j = p;
	const struct party *party = j->party;

	party->code(place(TURN, 0, 5), place(party->block[j->cpu], party->offset[j->cpu], 5),
		    j->cpu, 2 * j->rounds + j->cpu);
}

static void job_stop(void *p)
{
	struct job *j = p;

	j->count[0] = ctr_read(0);
	j->count[1] = ctr_read(1);
	pmu_stop();
}

/* Both CPUs at once; cold: as they come, with empty caches */
static void play(struct job *j, int cold)
{
	on_cpu(1, forget, 0);
	on_cpu(0, forget, 0);
	for (u32 block = 0; block < BLOCKS; block++)
		for (u32 offset = 0; offset <= OTHER_WORD; offset += OTHER_WORD)
			*place(block, offset, UNCACHED) = 0;
	/* The models must be awake when the caches get their first lines */
	on_cpu(1, job_start, &j[1]);
	on_cpu(0, job_start, &j[0]);
	if (!cold)
		prepare(j[0].party);
	on_cpu(1, job_start, &j[1]);
	on_cpu(0, job_start, &j[0]);
	second_start(job_run, &j[1]);
	job_run(&j[0]);
	second_wait();
	on_cpu(1, job_stop, &j[1]);
	on_cpu(0, job_stop, &j[0]);
}

/* No addition was lost */
static void check_words(const struct party *p, u32 n)
{
	int same = p->block[0] == p->block[1] && p->offset[0] == p->offset[1];

	if (p->waits)
		expect("the turn", 2 * n, *place(TURN, 0, UNCACHED));
	else
		n++;	/* prepare() has added 1 */
	for (u32 cpu = 0; cpu < 2; cpu++)
		expect("the word", same ? 2 * n : n,
		       *place(p->block[cpu], p->offset[cpu], UNCACHED));
}

static void play_party(const struct party *p, u32 n)
{
	for (u32 e = 0; e < ARRAY_SIZE(events); e++) {
		struct job j[2] = {
			{ .party = p, .events = events[e], .cpu = 0, .rounds = n },
			{ .party = p, .events = events[e], .cpu = 1, .rounds = n },
		};

		compute(p, n);
		play(j, 0);
		for (u32 i = 0; i < 4; i++)
			if (!expect("count", seen_count(&seen[i / 2], events[e][i % 2]),
				    j[i / 2].count[i % 2]))
				note("  ... of event %u by CPU %u, %u rounds", events[e][i % 2],
				     i / 2, n);
	}
	check_words(p, n);
}

/* How long they wait depends on the emulator's slices: for whoever compares two runs */
static void tell_work(const struct party *p, u32 n)
{
	static const u8 work[] = { 15, 18 };
	struct job j[2] = {
		{ .party = p, .events = work, .cpu = 0, .rounds = n },
		{ .party = p, .events = work, .cpu = 1, .rounds = n },
	};

	play(j, 0);
	note("%u and %u instructions, %u and %u loads, until %x", j[0].count[0], j[1].count[0],
	     j[0].count[1], j[1].count[1], (u32)c0_read(C0_COUNT));
}

/*
 * From empty caches: whether CPU 1 already waits when CPU 0 begins makes a
 * difference of 1, once.
 */
static s32 skew(u32 e, u32 i, u32 n)
{
	const struct party *p = &parties[0];
	struct job j[2] = {
		{ .party = p, .events = events[e], .cpu = 0, .rounds = n },
		{ .party = p, .events = events[e], .cpu = 1, .rounds = n },
	};

	compute(p, n);
	play(j, 1);
	return j[i / 2].count[i % 2] - seen_count(&seen[i / 2], events[e][i % 2]);
}

static void start(void)
{
	/* Those of which each is one request: the others add up quadwords, or states */
	static const u8 ones[] = { 12, 13 };

	for (u32 e = 0; e < ARRAY_SIZE(ones); e++)
		for (u32 cpu = 0; cpu < 2; cpu++) {
			s32 few = skew(e, 2 * cpu, 10), many = skew(e, 2 * cpu, 200);

			note("event %u of CPU %u: %d more than computed, and %d of 200 rounds",
			     ones[e], cpu, few, many);
			expect_true("at most one", few >= -1 && few <= 1);
			expect("the same for more rounds", (u32)few, (u32)many);
		}
}

static const struct tap_case cases[] = {
	{ "what empty caches add is added once", start },
};

void tests(void)
{
	kseg0_cca(UNCACHED);
	for (u32 i = 0; i < ARRAY_SIZE(parties); i++)
		for (u32 k = 0; k < ARRAY_SIZE(rounds); k++) {
			tap_begin();
			play_party(&parties[i], rounds[k]);
			tell_work(&parties[i], rounds[k]);
			tap_end("%s, %u rounds", parties[i].name, rounds[k]);
		}
	tap_run(cases, ARRAY_SIZE(cases));
}
