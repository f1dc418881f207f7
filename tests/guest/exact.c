// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts in user mode are exact. The counts of two lengths of the same loop differ
 * by exactly what the code executes, with both counters running. The test compares
 * only differences: what is executed between enabling the event and the loop is the
 * same for all lengths, and cancels out.
 *
 * The long run (tap_long()) has 10^8 iterations as well, and counts past bit 31.
 */
#include "tap.h"
#include "loops.h"
#include "pmu.h"

/* An event of counter 0 and one of counter 1: a group on every chip */
struct exact_case {
	enum loop_id loop;
	unsigned int events[2];
};

static const struct exact_case short_cases[] = {
	{ LOOP_INT,	 { EV_INSNS,	EV_INSNS_CTR1 } },
	{ LOOP_INT,	 { EV_BRANCHES,	EV_LOADS } },
	{ LOOP_LOADS,	 { EV_INSNS,	EV_LOADS } },
	{ LOOP_LOADS,	 { EV_BRANCHES,	EV_STORES } },
	{ LOOP_STORES,	 { EV_INSNS,	EV_STORES } },
	{ LOOP_STORES,	 { EV_BRANCHES,	EV_LOADS } },
	{ LOOP_MULDIV,	 { EV_INSNS,	EV_INSNS_CTR1 } },
	{ LOOP_MULDIV,	 { EV_BRANCHES,	EV_FP } },
	{ LOOP_FP,	 { EV_INSNS,	EV_FP } },
	{ LOOP_FP,	 { EV_BRANCHES,	EV_LOADS } },
	{ LOOP_FP,	 { EV_INSNS,	EV_STORES } },
	{ LOOP_BRANCHES, { EV_BRANCHES,	EV_INSNS_CTR1 } },
	{ LOOP_SC,	 { EV_INSNS,	EV_SC } },
	{ LOOP_SC,	 { EV_BRANCHES,	EV_STORES } },
	{ LOOP_SC,	 { EV_INSNS,	EV_LOADS } },
	{ LOOP_SCD,	 { EV_INSNS,	EV_SC } },
};

static const struct exact_case long_cases[] = {
	{ LOOP_MIX,	 { EV_INSNS,	EV_INSNS_CTR1 } },
	{ LOOP_MIX,	 { EV_INSNS,	EV_LOADS } },
	{ LOOP_MIX,	 { EV_BRANCHES,	EV_STORES } },
	{ LOOP_MIX,	 { EV_INSNS,	EV_FP } },
};

static const unsigned long short_lengths[] = { 1000, 1000000 };
static const unsigned long long_lengths[] = { 1000, 1000000, 100000000 };

#define MAX_LENGTHS	ARRAY_SIZE(long_lengths)

/*
 * On the R12000 codes 16 and 17 are prefetches: there, graduated
 * instructions on the other counter are number 15 once more. If each counter has
 * half of the events, the other one counts stores instead.
 */
static unsigned int event_here(unsigned int event)
{
	if (event == EV_INSNS_CTR1 && pmu_chip() == PMU_CHIP_R12000)
		return pmu_halves() ? EV_STORES : EV_INSNS;
	return event;
}

static void measure(const struct exact_case *c, unsigned long n,
		    uint64_t count[2])
{
	uint64_t before[2], after[2];
	struct pmu_pair pair;
	int i;

	pmu_pair_open(&pair, event_here(c->events[0]),
		      event_here(c->events[1]), PMU_U);
	pmu_pair_read(&pair, before);
	loop_count(&loops[c->loop], n, pair.fd[0]);
	pmu_pair_read(&pair, after);
	pmu_pair_close(&pair);
	for (i = 0; i < 2; i++)
		count[i] = after[i] - before[i];
}

static void check_difference(const struct exact_case *c, int i,
			     unsigned long from, unsigned long to,
			     uint64_t difference)
{
	const struct loop *loop = &loops[c->loop];
	unsigned int event = event_here(c->events[i]);
	char what[96];

	snprintf(what, sizeof(what), "%s: event %u beside %u, %lu to %lu iterations",
		 loop->name, event, event_here(c->events[!i]), from, to);
	check_equal(what, difference, loop_expect(loop, event) * (to - from));
}

static void run_case(const struct exact_case *c, const unsigned long *lengths,
		     size_t nr)
{
	uint64_t counts[MAX_LENGTHS][2];
	size_t i;

	for (i = 0; i < nr; i++)
		measure(c, lengths[i], counts[i]);
	for (i = 1; i < nr; i++) {
		check_difference(c, 0, lengths[i - 1], lengths[i],
				 counts[i][0] - counts[i - 1][0]);
		check_difference(c, 1, lengths[i - 1], lengths[i],
				 counts[i][1] - counts[i - 1][1]);
	}
}

/* 2.2e9 instructions: the counter passes bit 31, whose interrupt must lose no count */
static void run_past_bit_31(void)
{
	static const struct exact_case c = {
		LOOP_INT, { EV_INSNS, EV_INSNS_CTR1 }
	};
	const unsigned long n = 280000000;
	uint64_t few[2], many[2];

	measure(&c, 1000, few);
	measure(&c, n, many);
	check_difference(&c, 0, 1000, n, many[0] - few[0]);
	check_difference(&c, 1, 1000, n, many[1] - few[1]);
}

int main(void)
{
	bool is_long = tap_long();
	size_t lengths = ARRAY_SIZE(long_lengths) - !is_long, i;

	tap_start(2 * ARRAY_SIZE(short_cases) +
		      2 * (lengths - 1) * ARRAY_SIZE(long_cases) + (is_long ? 2 : 0));
	for (i = 0; i < ARRAY_SIZE(short_cases); i++)
		run_case(&short_cases[i], short_lengths,
			 ARRAY_SIZE(short_lengths));
	for (i = 0; i < ARRAY_SIZE(long_cases); i++)
		run_case(&long_cases[i], long_lengths, lengths);
	if (is_long)
		run_past_bit_31();
	return tap_end();
}
