// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where an overflow interrupts: after the instruction that caused it, or before the
 * one whose access or fetch caused it, wherever in a block that is. After a branch its
 * delay slot is executed first.
 */
#include "bm.h"

#define BIT31		0x80000000U
#define ENABLED		(ST_NORMAL | ST_IE | ST_IM7)
#define LOOP		40	/* instructions */
#define BEFORE		4	/* instructions before the loop */
#define DELAY		39	/* the delay slot's place in the loop */
#define MOST		400	/* samples */

extern const char k_skid[], k_skid_loop[], k_skid_hit[], k_skid_store[], k_skid_fp[],
	k_skid_miss[], k_skid_delay[];

/* Three lines of a set of L1D, whose ways have 16 KB */
static u8 lines[3 * 0x4000] __attribute__((aligned(0x4000)));

static u32 counter, period, wanted, samples;
static u32 place[MOST];		/* of EPC in the loop */
static u32 beyond[MOST];	/* the counter, from 0x80000000 on */

static u32 place_of(const char *label)
{
	return (label - k_skid_loop) / 4;
}

static enum exc_answer take(struct frame *f)
{
	u32 value = counter ? ctr_read(1) : ctr_read(0);

	if (cause_code(f->cause) != EXC_INT)
		return EXC_LEAVE;
	place[samples] = (f->epc - (u64)k_skid_loop) / 4;
	beyond[samples++] = value - BIT31;
	if (counter)
		ctr_write(1, value - period);
	else
		ctr_write(0, value - period);
	return samples < wanted ? EXC_RESUME : EXC_LEAVE;
}

/* Take samples of an event of this number; the other counter has its control. */
static void sample(u32 event, u32 every, u32 number, u32 other)
{
	u32 ctl[2], start[2] = { 0, 0 };

	counter = event >= 16;
	ctl[counter] = ctl_event(event, MODE_K) | CTL_IE;
	ctl[!counter] = other;
	start[counter] = BIT31 - every;
	period = every;
	wanted = number;
	samples = 0;
	exc_hook_fn = take;
	run_from(MODE_K, ctl, start, ENABLED, k_skid, lines);
	expect("samples", number, samples);
}

/*
 * Sample i comes after (i + 1) * period instructions, of which the first start the
 * kernel and precede the loop; "first" is where the first sample is found.
 */
static void instructions_every(u32 every, u32 other)
{
	u32 i, at, next;

	sample(15, every, 200, other);
	at = place[0] + LOOP - (beyond[0] ? 1 : 0);
	for (i = 1; i < samples; i++) {
		at = (at + every) % LOOP;
		next = at == DELAY ? 0 : at;
		if (!expect("place in the loop", next, place[i]) ||
		    !expect("counter beyond 0x80000000", at == DELAY, beyond[i]))
			return;
	}
}

static void instructions(void)
{
	static const u32 periods[] = { 41, 97, 128, 129, 250, 1000, 10007, 40000, 65599 };

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++)
		instructions_every(periods[i], 0);
}

/* The other counter interrupts never, or has the caches awake. */
static void beside_another(void)
{
	instructions_every(1009, ctl_event(18, MODE_K));
	instructions_every(1009, ctl_event(18, MODE_K) | CTL_IE);
	instructions_every(1009, ctl_event(25, MODE_K));
}

static void each_at(u32 event, u32 every, u32 at)
{
	u32 i;

	sample(event, every, 200, 0);
	for (i = 2; i < samples; i++)
		if (!expect("place in the loop", at, place[i]) ||
		    !expect("counter beyond 0x80000000", 0, beyond[i]))
			return;
}

static void each_of(u32 event, u32 at)
{
	static const u32 periods[] = { 1, 2, 63, 128, 129, 1000 };

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++)
		each_at(event, periods[i], at);
}

static void stores(void)
{
	each_of(19, place_of(k_skid_store) + 1);
}

static void floating_point(void)
{
	each_of(21, place_of(k_skid_fp) + 1);
}

/* The two loads of the loop take turns, and an odd period hits both. */
static void loads(void)
{
	u32 hit = place_of(k_skid_hit) + 1, miss = place_of(k_skid_miss) + 1;
	u32 i;

	sample(18, 1001, 200, 0);
	for (i = 1; i < samples; i++)
		if (!expect("place in the loop", place[i - 1] == hit ? miss : hit, place[i]))
			return;
}

/* The handler's own accesses evict other lines: few, more than 95 % are right. */
static void misses(void)
{
	static const u32 periods[] = { 1, 7, 100, 127, 128, 129, 130, 1000 };
	u32 p, i, right;

	for (p = 0; p < ARRAY_SIZE(periods); p++) {
		sample(25, periods[p], 200, 0);
		for (i = right = 0; i < samples; i++)
			right += place[i] == place_of(k_skid_miss);
		expect_range("samples at the load that misses", 191, 200, right);
	}
}

static void branches(void)
{
	if (!is_rev2())
		each_of(6, 0);
}

/* Without IE the blocks are as ever, and all is counted. */
static void loses_nothing(void)
{
	u32 i;

	sample(19, 300, MOST, ctl_event(15, MODE_K));
	for (i = 0; i < samples; i++)
		if (!expect("counter beyond 0x80000000", 0, beyond[i]))
			return;
	/* The last sample is after the store of round 300 * MOST. */
	expect_range("instructions", (300 * MOST - 1) * LOOP, 300 * MOST * LOOP + 20,
		     snap.c[0]);
}

static const struct tap_case cases[] = {
	{ "instructions: each sample where it belongs", instructions },
	{ "instructions, beside another counter", beside_another },
	{ "stores", stores },
	{ "FP instructions", floating_point },
	{ "loads", loads },
	{ "misses are found at the load that misses", misses },
	{ "branches: after the delay slot", branches },
	{ "no event is lost", loses_nothing },
};

void tests(void)
{
	tap_run(cases, ARRAY_SIZE(cases));
}
