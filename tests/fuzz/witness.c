// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that counts a loop of known length all the time, while the others
 * do what they can. If its event was on a counter all the time, its count must
 * be exact.
 */
#include <sched.h>
#include <unistd.h>

#include "fuzz.h"
#include "loops.h"
#include "pmu.h"
#include "tap.h"

#define TURNS	30000ul

/*
 * Not instructions: a branch whose delay slot faults is executed twice, and the
 * others see to it that there are faults.
 */
static const unsigned int events[] = { EV_STORES, EV_LOADS, EV_FP };

/* What is counted around the loop, for each event */
static uint64_t around[ARRAY_SIZE(events)];

/* False if the event cannot be opened: the module may be gone */
static bool count(unsigned int event, unsigned long turns, struct pmu_count *c)
{
	int fd = pmu_open(event, PMU_U);

	if (fd < 0)
		return false;
	pmu_enable(fd);
	loop_run(&loops[LOOP_MIX], turns);
	pmu_disable(fd);
	*c = pmu_read(fd);
	pmu_close(fd);
	return true;
}

static uint64_t known(unsigned int event, unsigned long turns)
{
	return turns * loop_expect(&loops[LOOP_MIX], event);
}

void witness_learn(void)
{
	struct pmu_count c;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		if (!count(events[i], TURNS, &c) || c.enabled != c.running)
			tap_bail("event %u does not count\n", events[i]);
		around[i] = c.value - known(events[i], TURNS);
	}
}

static void wrong(uint64_t got, uint64_t expected)
{
	fuzz_did(COUNT_WRONG);
	fuzz_shared->wrong_got = got;
	fuzz_shared->wrong_expected = expected;
}

static void judge(unsigned int i, unsigned long turns, const struct pmu_count *c)
{
	uint64_t expected = known(events[i], turns) + around[i];

	if (c->enabled != c->running) {
		fuzz_did(COUNT_MULTIPLEXED);
		return;
	}
	fuzz_did(COUNT_WITNESSED);
	if (c->value != expected)
		wrong(c->value, expected);
}

void role_witness(void)
{
	struct pmu_count c;
	unsigned long turns;
	unsigned int i;

	for (;;) {
		i = random_below(ARRAY_SIZE(events));
		turns = 1 + random_below(TURNS);
		if (count(events[i], turns, &c))
			judge(i, turns, &c);
		else
			usleep(1000);
	}
}
