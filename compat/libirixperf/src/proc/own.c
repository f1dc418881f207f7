// SPDX-License-Identifier: LGPL-2.1-or-later
/* Write this process' own counters to its page, for other processes: see own.h. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/hwperftypes.h>
#include "own.h"
#include "arbiter.h"
#include "set.h"
#include "target.h"

/* As in a seqlock: @seq is odd while the page changes, and differs afterwards */
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

/* Write an event to the page; true if it differs from the one that was there */
static bool event_put(struct ixp_own_event *e, const struct irixperf_set *set,
		      unsigned int i)
{
	const bool leader = set->group[i] > 0, thread = i == 0;

	if (e->fd == set->fd[i] && e->event == set->event[i] &&
	    e->leader == leader && e->thread == thread)
		return false;
	e->fd = set->fd[i];
	e->event = set->event[i];
	e->leader = leader;
	e->thread = thread;

	return true;
}

/*
 * The old events stay open until this has been written, so a descriptor with the same
 * number is the same event. If there are too many events, readers see that from @nr,
 * and fail.
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

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		base->hwp_evctr[i] = t->last.hwp_evctr[i] +
				     t->added.hwp_evctr[i];
}

static enum ixp_own_state state_of(const struct ixp_target *t)
{
	if (t->state == IXP_SYSTEM)
		return IXP_OWN_NONE;

	return ixp_target_released(t) ? IXP_OWN_RELEASED : IXP_OWN_COUNTS;
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
	own->told = t->told;
	own->ctrl = t->arg.hwp_evctrargs;
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
