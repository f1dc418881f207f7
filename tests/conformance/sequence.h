/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random sequences of calls of pmc(9) or pmc_control(2), with good and bad arguments, and
 * a model that knows what each has to return. The program that includes this has the
 * functions is_r10000() and sequence_call(), and these macros:
 *
 * SEQUENCE_KERNEL - there are counters of the kernel, too
 * SEQUENCE_AGAIN - what the start of a counter that runs is refused with, or 0
 * SEQUENCE_WRONG - what a wrong question for the value of a configured counter is
 *	refused with
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <limits.h>
#include "../unit/lib/seed.h"

/* make check has a few rounds; "PROGRAM random N" has N of them, and nothing else */
#define SEQUENCE_ROUNDS	25
#define SEQUENCE_CALLS	100

enum sequence_op { TAKE, START, STOP, VALUE, WRONG, GIVE, OPS };

/* Returns 0 or an errno value; GIVE is only for the kernel */
static int sequence_call(enum sequence_op op, bool kernel, int ctr, unsigned int event,
			 count_t *value);

/**
 * struct model - a counter
 * @has: it has an event
 * @runs: it counts
 * @stands: it is known to be @value, else @value or more
 */
static struct model {
	bool has, runs, stands;
	count_t value;
} models[2][2];	/* [kernel][ctr] */

static bool fits(int ctr, unsigned int event)
{
	return event < 32 && (!is_r10000() || (event >= 16) == ctr);
}

static int expected_of(enum sequence_op op, bool kernel, int ctr, unsigned int event)
{
	const struct model *m;

	if (ctr < 0 || ctr > 1)
		return EINVAL;
	m = &models[kernel][ctr];
	if (op == TAKE && !fits(ctr, event))
		return ENODEV;
	if (op == TAKE)
		return m->runs || models[!kernel][ctr].has || (kernel && m->has) ? EBUSY : 0;
	if (op == WRONG && SEQUENCE_WRONG == EINVAL)
		return EINVAL;
	if (!m->has)
		return ENXIO;
	if (op == WRONG)
		return SEQUENCE_WRONG;

	return op == START && m->runs ? SEQUENCE_AGAIN : 0;
}

/* What a good call has done to a counter. False if the value cannot be */
static bool model_step(struct model *m, enum sequence_op op, count_t value)
{
	bool good = value == m->value || (value > m->value && !m->stands);

	switch (op) {
	case TAKE:
		*m = (struct model){ .has = true, .stands = true };
		break;
	case START:
		m->runs = true;
		m->stands = false;
		break;
	case STOP:
		m->runs = false;
		break;
	case VALUE:
		m->value = value;
		m->stands = !m->runs;
		return good;
	default:
		*m = (struct model){ .has = false };
	}

	return true;
}

static bool sequence_step(enum sequence_op op, bool kernel, int ctr, unsigned int event)
{
	static const char *const name[] = { "take", "start", "stop", "value", "wrong", "give" };
	int expected = expected_of(op, kernel, ctr, event);
	count_t value = 0;
	int got = sequence_call(op, kernel, ctr, event, &value);

	if (got == expected && (got || model_step(&models[kernel][ctr], op, value)))
		return true;
	printf("# %s %s %d, event %u: expected: %s, got: %s, value %llu\n",
	       kernel ? "kernel" : "process", name[op], ctr, event, strerror(expected),
	       strerror(got), value);

	return false;
}

/* Most calls are good */
static int any_counter(void)
{
	static const int wrong[] = { -1, 2, INT_MAX, INT_MIN };

	return rand() % 8 ? rand() % 2 : wrong[rand() % COUNT(wrong)];
}

static unsigned int any_event(int ctr)
{
	static const unsigned int some[] = { 32, UINT_MAX, FIRST, SECOND };

	if (rand() % 4 == 0)
		return some[rand() % COUNT(some)];

	return rand() % 16 + (ctr == 1 ? 16 : 0);
}

/*
 * A process has its counters until it ends; of the kernel's, all are given back at the end.
 * So first the kernel can take all.
 */
static bool sequence(void)
{
	unsigned int i;
	int ctr;

	for (ctr = 0; SEQUENCE_KERNEL && ctr < 2; ctr++)
		if (!sequence_step(TAKE, true, ctr, ctr ? SECOND : FIRST) ||
		    !sequence_step(GIVE, true, ctr, 0))
			return false;
	for (i = 0; i < SEQUENCE_CALLS; i++) {
		bool kernel = SEQUENCE_KERNEL && rand() % 2;
		enum sequence_op op = rand() % (kernel ? OPS : GIVE);

		ctr = any_counter();
		if (!sequence_step(op, kernel, ctr, any_event(ctr)))
			return false;
		if (rand() % 4 == 0)
			work(1 + rand() % UNITS / 10);
	}
	for (ctr = 0; ctr < 2; ctr++)
		if (models[1][ctr].has && !sequence_step(GIVE, true, ctr, 0))
			return false;

	return true;
}

static unsigned int sequence_seed;

static void sequence_child(void)
{
	srand(sequence_seed);
	_exit(!sequence());
}

/* Each in a process that has not used a counter */
static void sequences(unsigned int rounds)
{
	unsigned int i, first = test_seed(16), bad = 0;
	int status;

	for (i = 0; i < rounds; i++) {
		sequence_seed = first + i;
		if (waitpid(start(sequence_child), &status, 0) < 0 || status) {
			printf("# that was TEST_SEED=%u, status %x\n", sequence_seed, status);
			bad++;
		}
	}
	check_count(bad, 0, "random calls return what they must, and no count goes back");
}

#endif
