// SPDX-License-Identifier: LGPL-2.1-or-later
/* The owner's side of own.h. */
#include <string.h>
#include "own.h"

/* A number of which others can tell that it is being written, and was */
static void write_begin(struct ixp_own *own)
{
	__atomic_store_n(&own->seq, own->seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void write_end(struct ixp_own *own)
{
	__atomic_store_n(&own->seq, own->seq + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* True if that is another one than before */
static bool event_put(struct ixp_own_event *e, const struct irixperf_set *set,
		      unsigned int i)
{
	const bool leader = set->group[i] > 0;

	if (e->fd == set->fd[i] && e->event == set->event[i] &&
	    e->leader == leader)
		return false;
	e->fd = set->fd[i];
	e->event = set->event[i];
	e->leader = leader;

	return true;
}

/*
 * The old events are open until this has been written: so the same numbers are
 * the same events. Too many are as none: who has to know is told that they are.
 */
static void events_put(struct ixp_own *own, const struct irixperf_set *set)
{
	bool other = false;
	uint32_t nr = 0;
	unsigned int i;

	for (; set; set = set->next)
		for (i = 0; i < set->nr; i++, nr++)
			if (nr < IXP_OWN_EVENTS)
				other |= event_put(&own->event[nr], set, i);
	own->list += other || nr != own->nr;
	own->nr = nr;
}

static void base_put(hwperf_cntr_t *base, const struct ixp_target *t)
{
	unsigned int i;

	if (!t->kept) {
		memset(base, 0, sizeof(*base));
		return;
	}
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		base->hwp_evctr[i] = t->last.hwp_evctr[i] +
				     t->added.hwp_evctr[i];
}

static enum ixp_own_state state_of(const struct ixp_target *t)
{
	if (t->system)
		return IXP_OWN_NONE;

	return t->released ? IXP_OWN_RELEASED : IXP_OWN_COUNTS;
}

/**
 * ixp_own_show() - let others see the counters of this process
 * @t: this process
 */
void ixp_own_show(struct ixp_target *t)
{
	struct ixp_own *own = ixp_arbiter_own(t->pid);

	t->shown = true;
	if (!own)
		return;
	write_begin(own);
	own->epoch = t->epoch;
	own->pid = t->pid;
	own->state = state_of(t);
	own->generation = t->generation;
	own->ctrl = t->arg->hwp_evctrargs;
	base_put(&own->base, t);
	events_put(own, t->set);
	write_end(own);
}

/**
 * ixp_own_hide() - let others see that this process has no counters itself
 * @pid: this process
 */
void ixp_own_hide(pid_t pid)
{
	struct ixp_own *own = ixp_arbiter_own(pid);

	if (!own)
		return;
	write_begin(own);
	own->epoch = ixp_arbiter_epoch();
	own->state = IXP_OWN_NONE;
	own->nr = 0;
	write_end(own);
}
