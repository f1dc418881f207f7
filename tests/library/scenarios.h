/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The states that r10k_evcntrs(5) allows for two programs, after the steps that they
 * have done. For scenarios.c alone.
 */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATES	512

enum party { ROOT, USER, PARTIES };

enum op {
	OP_ENABLE_USER, OP_READ, OP_CONTROL, OP_SET_USER, OP_RELEASE,
	OP_SYS_ENABLE, OP_SYS_ENABLE_BAD, OP_SYS_SET, OP_SYS_RELEASE,
	OP_SYS_READ, OP_SYS_READ_CPU, OP_SYS_READ_NO_CPU, OP_SYS_CONTROL,
	OP_ENABLE_KERNEL, OP_SET_KERNEL,
	OPS,
	OP_DESCRIPTORS = OPS,
};

enum use { NONE, COUNTING, RELEASED, SYSTEM };

/* A generation number that has not been seen yet */
#define UNKNOWN		(-1)

/**
 * struct state - a state in the words of the manual page
 * @on: system mode is on
 * @ever: there has been system mode
 * @died: the holder was killed, perhaps while it wrote
 * @generation: generation number of the system's counters
 * @highest: the highest of these numbers so far
 * @use: which counters each program has
 * @of: generation number of each program
 * @mine: the program has started this system mode through /proc
 */
struct state {
	int on;
	int ever;
	int died;
	int generation;
	int highest;
	enum use use[PARTIES];
	int of[PARTIES];
	int mine[PARTIES];
};

/**
 * struct step - one operation, and its result
 * @party: the program that does it
 * @op: the operation
 * @ret: its result
 * @lost: the program was killed before it got the result
 * @beside: another step, or a kill, happened at the same time
 */
struct step {
	enum party party;
	enum op op;
	int ret;
	bool lost;
	bool beside;
};

static struct state states[MAX_STATES], found[MAX_STATES];
static unsigned int nr_states, nr_found;

/* The counters go from each program that has them to the system */
static void take(struct state *s, int generation)
{
	int p;

	for (p = 0; p < PARTIES; p++) {
		s->mine[p] = 0;
		if (s->use[p] != COUNTING)
			continue;
		s->use[p] = RELEASED;
		if (s->of[p] != UNKNOWN)
			s->of[p]++;
	}
	s->on = 1;
	s->ever = 1;
	s->died = 0;
	s->generation = generation;
}

static bool refused(const struct step *step, int err)
{
	return step->lost || step->ret == -err;
}

static bool done(const struct step *step)
{
	return step->lost || step->ret == 0;
}

/* The step must return this number, if it is known and the result was seen */
static bool is_number(int *number, const struct step *step)
{
	if (step->lost)
		return true;
	if (*number == UNKNOWN)
		*number = step->ret;

	return step->ret > 0 && step->ret == *number;
}

/* The step must return a higher number than any before */
static bool is_next(int *number, const struct step *step)
{
	if (step->lost) {
		*number = UNKNOWN;
		return true;
	}
	if (step->ret <= 0 || (*number != UNKNOWN && step->ret <= *number))
		return false;
	*number = step->ret;

	return true;
}

static bool ours(const struct state *s, enum party p)
{
	return s->use[p] == SYSTEM && s->on && s->mine[p];
}

static bool enable_user(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (s->on)
		return refused(step, EBUSY);
	s->use[p] = COUNTING;
	if (s->of[p] != UNKNOWN)
		s->of[p]++;

	return is_number(&s->of[p], step);
}

static bool acquire(struct state *s, const struct step *step)
{
	take(s, step->lost ? UNKNOWN : step->ret);

	return step->lost || step->ret > s->highest;
}

/* The user's program may be on a CPU if it does a step at the same time */
static bool user_runs(const struct state *s, const struct step *step)
{
	return s->use[USER] == COUNTING && step->beside;
}

static bool enable_kernel(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (p == USER)
		return refused(step, EPERM);
	if (s->on || s->use[p] == COUNTING)
		return refused(step, EBUSY);
	if (user_runs(s, step) && step->ret == -EBUSY)
		return true;
	if (!acquire(s, step))
		return false;
	s->use[p] = SYSTEM;
	s->mine[p] = 1;
	s->of[p] = s->generation;

	return true;
}

static bool read_counts(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (s->use[p] == NONE)
		return refused(step, EINVAL);
	if (s->use[p] != SYSTEM)
		return is_number(&s->of[p], step);
	if (s->died && step->ret == -EIO)
		return true;
	if (!is_number(&s->generation, step))
		return false;
	s->of[p] = s->generation;

	return true;
}

static bool control(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (ours(s, p))
		return is_number(&s->generation, step);
	if (s->use[p] == COUNTING)
		return is_number(&s->of[p], step);

	return refused(step, EINVAL);
}

static bool set_user(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (s->use[p] == NONE || ours(s, p))
		return refused(step, EINVAL);

	return enable_user(s, step);
}

static bool set_kernel(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (s->use[p] == NONE)
		return refused(step, EINVAL);
	if (!ours(s, p))
		return enable_kernel(s, step);
	if (!is_next(&s->generation, step))
		return false;
	s->of[p] = s->generation;

	return true;
}

static bool release(struct state *s, const struct step *step)
{
	enum party p = step->party;

	if (s->use[p] != COUNTING && !ours(s, p))
		return refused(step, EINVAL);
	if (s->use[p] == SYSTEM) {
		s->of[p] = s->generation;
		s->on = 0;
	}
	s->use[p] = RELEASED;

	return done(step);
}

static bool sys_enable(struct state *s, const struct step *step)
{
	if (step->party == USER)
		return refused(step, EPERM);
	if (s->on)
		return refused(step, EBUSY);

	return acquire(s, step);
}

static bool sys_enable_bad(struct state *s, const struct step *step)
{
	(void)s;

	return refused(step, step->party == USER ? EPERM : EINVAL);
}

static bool sys_set(struct state *s, const struct step *step)
{
	if (step->party == USER)
		return refused(step, EPERM);
	if (!s->on)
		return refused(step, EINVAL);

	return is_next(&s->generation, step);
}

static bool sys_release(struct state *s, const struct step *step)
{
	if (step->party == USER)
		return refused(step, EPERM);
	if (!s->on)
		return refused(step, EINVAL);
	s->on = 0;

	return done(step);
}

static bool sys_read(struct state *s, const struct step *step)
{
	if (!s->ever)
		return refused(step, EINVAL);
	if (s->died && step->ret == -EIO)
		return true;

	return is_number(&s->generation, step);
}

static bool sys_read_no_cpu(struct state *s, const struct step *step)
{
	if (!s->ever)
		return refused(step, EINVAL);
	if (s->died && step->ret == -EIO)
		return true;

	return done(step);
}

static bool sys_control(struct state *s, const struct step *step)
{
	return s->on ? is_number(&s->generation, step) : refused(step, EINVAL);
}

static bool (*const model[OPS])(struct state *s, const struct step *step) = {
	[OP_ENABLE_USER] = enable_user,
	[OP_ENABLE_KERNEL] = enable_kernel,
	[OP_READ] = read_counts,
	[OP_CONTROL] = control,
	[OP_SET_USER] = set_user,
	[OP_SET_KERNEL] = set_kernel,
	[OP_RELEASE] = release,
	[OP_SYS_ENABLE] = sys_enable,
	[OP_SYS_ENABLE_BAD] = sys_enable_bad,
	[OP_SYS_SET] = sys_set,
	[OP_SYS_RELEASE] = sys_release,
	[OP_SYS_READ] = sys_read,
	[OP_SYS_READ_CPU] = sys_read,
	[OP_SYS_READ_NO_CPU] = sys_read_no_cpu,
	[OP_SYS_CONTROL] = sys_control,
};

static void root_gone(struct state *s)
{
	s->use[ROOT] = NONE;
	s->of[ROOT] = 0;
	s->mine[ROOT] = 0;
}

static void user_gone(struct state *s)
{
	s->use[USER] = NONE;
	s->of[USER] = 0;
}

static void holder_gone(struct state *s)
{
	s->died |= s->on;
	s->on = 0;
}

/* --- all states that are possible -------------------------------------------- */

static void keep(struct state *s)
{
	unsigned int i;

	if (s->generation > s->highest)
		s->highest = s->generation;
	for (i = 0; i < nr_found; i++)
		if (memcmp(&found[i], s, sizeof(*s)) == 0)
			return;
	if (nr_found == MAX_STATES)
		abort();
	found[nr_found++] = *s;
}

static void found_are_states(void)
{
	memcpy(states, found, nr_found * sizeof(found[0]));
	nr_states = nr_found;
	nr_found = 0;
}

/* Do steps in this order; a step that was killed may not have been done */
static void follow(const struct state *from, const struct step *step,
		   unsigned int nr)
{
	struct state s = *from;

	if (nr == 0) {
		keep(&s);
		return;
	}
	if (step->lost)
		follow(from, step + 1, nr - 1);
	if (model[step->op](&s, step))
		follow(&s, step + 1, nr - 1);
}

static void follow_all(const struct step *step, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr_states; i++)
		follow(&states[i], step, nr);
}

static void change_all(void (*change)(struct state *s))
{
	unsigned int i;

	for (i = 0; i < nr_states; i++) {
		struct state s = states[i];

		change(&s);
		keep(&s);
	}
}

#endif
