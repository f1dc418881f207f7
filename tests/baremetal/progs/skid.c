// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where an overflow interrupts: after the instruction that caused it, or before the
 * one whose access or fetch caused it, wherever in a block that is. After a branch its
 * delay slot is executed first. With the property "skid" it is as many instructions
 * later.
 *
 * @run
 * @run cpu=R10000,R12000 way=icount props=skid=8 qemu=-append eight
 * @run cpu=R12000 order=be way=icount props=l2-latency=500
 * @run cpu=R10000 order=be way=icount qemu=-append many
 */
#include "bm.h"

#define ENABLED		(ST_NORMAL | ST_IE | ST_IM7)
#define LOOP		40	/* instructions */
#define BEFORE		4	/* instructions before the loop */
#define DELAY		39	/* the delay slot's place in the loop */
#define MOST		400	/* samples of a run */
#define RUNS		250

extern const char k_skid[], k_skid_loop[], k_skid_hit[], k_skid_store[], k_skid_fp[],
	k_skid_miss[], k_skid_delay[];
extern const char k_slot[], k_slot_after[];
extern const char k_fetch[], k_fetch_1[], k_fetch_2[], k_fetch_3[];

/* Lines of sets of L1D, whose ways have 16 KB, that the handler of exceptions does not use */
static u8 memory[3 * 0x4000] __attribute__((aligned(0x4000)));
#define LINES		(memory + 0x1800)

static u32 counter, period, wanted, samples;
static u32 skid;		/* instructions */
static int evicts;		/* the handler evicts the lines that the loops read */
static u64 epc[MOST];
static u32 beyond[MOST];	/* the counter, from 0x80000000 on */

static u32 place_of(const char *label)
{
	return (label - k_skid_loop) / 4;
}

static u32 place_at(u32 i)
{
	return (epc[i] - (u64)k_skid_loop) / 4;
}

/* Where an overflow interrupts after which this place would come */
static u32 later(u32 at)
{
	at = (at + skid) % LOOP;
	return at == DELAY ? 0 : at;
}

static enum exc_answer take(struct frame *f)
{
	u32 value = counter ? ctr_read(1) : ctr_read(0);

	if (cause_code(f->cause) != EXC_INT)
		return EXC_LEAVE;
	epc[samples] = f->epc;
	beyond[samples++] = value - BIT31;
	if (counter)
		ctr_write(1, value - period);
	else
		ctr_write(0, value - period);
	if (evicts) {
		*(volatile u32 *)LINES;
		*(volatile u32 *)(LINES + 0x4000);
		*(volatile u32 *)(LINES + 0x8000);
	}
	return samples < wanted ? EXC_RESUME : EXC_LEAVE;
}

/* Take samples of an event of this number; the other counter has its control. */
static void sample_of(const char *kernel, u32 event, u32 every, u32 number, u32 other)
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
	run_from(MODE_K, ctl, start, ENABLED, kernel, LINES);
	expect("samples", number, samples);
}

static void sample(u32 event, u32 every, u32 number, u32 other)
{
	sample_of(k_skid, event, every, number, other);
}

/*
 * A sample comes "every" instructions after the one before it. The first is where the
 * instructions that start the kernel leave it; "beyond" says how far it skidded.
 */
static void instructions_every(u32 every, u32 number, u32 other)
{
	u32 i, at;

	sample(15, every, number, other);
	at = place_at(0) + LOOP - beyond[0];
	for (i = 1; i < samples; i++) {
		at = (at + every) % LOOP;
		if (!expect("place in the loop", later(at), place_at(i)) ||
		    !expect("counter beyond 0x80000000",
			    skid + ((at + skid) % LOOP == DELAY), beyond[i]))
			return;
	}
}

static void instructions(void)
{
	static const u32 periods[] = { 41, 97, 128, 129, 250, 1000, 10007, 40000, 65599 };

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++)
		instructions_every(periods[i], 200, 0);
	/* Longer than blocks are short before an overflow */
	instructions_every((1 << 20) + 33000, 3, 0);
}

/* The other counter interrupts never, or has the caches awake. */
static void beside_another(void)
{
	instructions_every(1009, 200, ctl_event(18, MODE_K));
	instructions_every(1009, 200, ctl_event(18, MODE_K) | CTL_IE);
	instructions_every(1009, 200, ctl_event(25, MODE_K));
}

static void each_at(u32 event, u32 every, u32 number, u32 at)
{
	u32 i;

	sample(event, every, number, 0);
	for (i = 2; i < samples; i++)
		if (!expect("place in the loop", later(at), place_at(i)) ||
		    !expect("counter beyond 0x80000000", 0, beyond[i]))
			return;
}

static void each_of(u32 event, u32 at)
{
	static const u32 periods[] = { 1, 2, 63, 128, 129, 1000 };

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++)
		each_at(event, periods[i], 200, at);
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
static void loads_every(u32 every, u32 number)
{
	u32 hit = later(place_of(k_skid_hit) + 1), miss = later(place_of(k_skid_miss) + 1);
	u32 i;

	sample(18, every, number, 0);
	for (i = 1; i < samples; i++)
		if (!expect("place in the loop", place_at(i - 1) == hit ? miss : hit, place_at(i)))
			return;
}

static void loads(void)
{
	loads_every(1001, 200);
}

/*
 * In the first round the other load and the store may miss, too, and in the first three
 * the last load may hit.
 */
static void misses_every(u32 every, u32 number)
{
	u32 rounds, i;

	sample(25, every, number, ctl_event(15, MODE_K));
	for (i = every == 1; i < samples; i++)
		if (!expect("place in the loop", later(place_of(k_skid_miss)), place_at(i)) ||
		    !expect("counter beyond 0x80000000", 0, beyond[i]))
			return;
	rounds = (snap.c[0] - BEFORE - place_of(k_skid_miss) - skid) / LOOP;
	expect_range("rounds", number * every - 3, number * every + 3, rounds);
	expect("instructions", BEFORE + rounds * LOOP + place_of(k_skid_miss) + skid, snap.c[0]);
}

static void misses(void)
{
	static const u32 periods[] = { 1, 7, 100, 127, 128, 129, 130, 1000 };

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++)
		misses_every(periods[i], 200);
}

/*
 * The handler reads three lines of the set of two, in the loop's order, and so evicts what
 * the load has just fetched: the load misses again, and interrupts after it this time.
 */
static void evicted(void)
{
	u32 i;

	evicts = 1;
	sample(25, 1, 100, 0);
	evicts = 0;
	for (i = 3; i < samples; i++)
		if (!expect("samples in turn before and after the load",
			    2 * place_of(k_skid_miss) + 1, place_at(i - 1) + place_at(i)))
			return;
}

/* A load that misses in a delay slot interrupts where the program continues. */
static void in_a_slot(void)
{
	u32 i;

	sample_of(k_slot, 25, 101, 100, 0);
	for (i = 1; i < samples; i++)
		if (!expect("EPC", (u64)k_slot_after, epc[i]) ||
		    !expect("counter beyond 0x80000000", 0, beyond[i]))
			return;
}

/* Three lines of one set of L1I, each with a jump to the next */
static void fetches(void)
{
	const char *const line[] = { k_fetch_1, k_fetch_2, k_fetch_3 };
	u32 at, i;

	for (u32 every = 1; every <= 101; every += 50) {
		sample_of(k_fetch, 9, every, 100, 0);
		for (at = 0; at < 2 && epc[1] != (u64)line[at]; at++)
			continue;
		for (i = 1; i < samples; i++, at = (at + every) % 3)
			if (!expect("EPC", (u64)line[at], epc[i]) ||
			    !expect("counter beyond 0x80000000", 0, beyond[i]))
				return;
	}
}

/* Cycles of the miss handling table, of which a miss takes many at once */
static void occupancy(void)
{
	u32 i;

	if (!is_r12000())
		return;
	sample(4, 10007, 100, 0);
	for (i = 1; i < samples; i++)
		if (!expect("place in the loop", later(place_of(k_skid_miss)), place_at(i)))
			return;
}

static void branches(void)
{
	if (!is_rev2())
		each_of(6, DELAY);
}

/* Until the last store, which is in round 300 * 400 */
static void loses_nothing(void)
{
	u32 i;

	sample(19, 300, 400, ctl_event(15, MODE_K));
	for (i = 0; i < samples; i++)
		if (!expect("counter beyond 0x80000000", 0, beyond[i]))
			return;
	expect("instructions", BEFORE + (300 * 400 - 1) * LOOP + place_of(k_skid_store) + 1 + skid,
	       snap.c[0]);
}

static void many(void)
{
	for (u32 i = 0; i < RUNS; i++) {
		instructions_every(97 + i, MOST, 0);
		loads_every(7 + 2 * (i % 4), MOST);
		each_at(19, 3 + i % 8, MOST, place_of(k_skid_store) + 1);
		each_at(21, 3 + i % 8, MOST, place_of(k_skid_fp) + 1);
		misses_every(3 + i % 8, MOST);
	}
}

static const struct tap_case cases[] = {
	{ "instructions: each sample where it belongs", instructions },
	{ "instructions, beside another counter", beside_another },
	{ "stores", stores },
	{ "FP instructions", floating_point },
	{ "loads", loads },
	{ "misses are found at the load that misses", misses },
	{ "cycles of the miss handling table, at the load that misses", occupancy },
	{ "branches: after the delay slot", branches },
	{ "no event is lost", loses_nothing },
};

static const struct tap_case at_once_cases[] = {
	{ "a load that misses again after its interrupt makes progress", evicted },
	{ "a load in a delay slot", in_a_slot },
	{ "fetches that miss", fetches },
};

static const struct tap_case long_cases[] = {
	{ "100000 samples of each of five events", many },
};

void tests(void)
{
	if (bm_argument("eight"))
		skid = 8;
	if (bm_argument("many"))
		tap_run(long_cases, ARRAY_SIZE(long_cases));
	else
		tap_run(cases, ARRAY_SIZE(cases));
	if (!skid)
		tap_run(at_once_cases, ARRAY_SIZE(at_once_cases));
}
