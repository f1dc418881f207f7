// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of a target that this process itself has: open, replace and stop their
 * events, and lose them to system mode or to a holder.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "proc_counters.h"
#include "arbiter.h"
#include "buckets.h"
#include "ident.h"
#include "ixp_child.h"
#include "overflow.h"
#include "own.h"
#include "peer.h"
#include "set.h"
#include "setlist.h"
#include "spec.h"
#include "target.h"

/* @set is NULL if @arg has no events: programs can acquire first and choose later */
int ixp_proc_open(struct irixperf_set **set, const struct ixp_target *t,
		  const hwperf_profevctrarg_t *arg, unsigned int inherit,
		  unsigned int *epoch)
{
	const struct ixp_subject subject = {
		.pid = t->pid, .folder = t->fd, .self = t->self,
		.profile = t->profile,
	};
	struct irixperf_attr attr;
	struct irixperf_cpu cpu;
	int modes, ret;

	*set = NULL;
	attr.size = sizeof(attr);
	attr.flags = IRIXPERF_DISABLED | inherit;
	attr.pid = t->pid;
	modes = ixp_spec_decode(&attr, arg);
	ret = modes < 0 ? modes : ixp_arbiter_user_begin(t->pid, epoch);
	if (ret < 0)
		return ret;
	if (!modes)
		return irixperf_cpu_detect(&cpu);

	return ixp_setlist_open(set, &attr, &subject, arg);
}

/* A target without events is removed from the page: it does not prevent system mode */
void ixp_proc_user_end(const struct ixp_target *t)
{
	if (!t->set)
		ixp_arbiter_user_end(t->pid);
}

/* Children of this process open events themselves (child.c); others inherit them */
unsigned int ixp_proc_inherit_flag(const struct ixp_target *t)
{
	return t->self ? IRIXPERF_INHERIT_THREAD : IRIXPERF_INHERIT;
}

/*
 * The old events must be off before the new ones are turned on: the kernel
 * looks for free counters when an event is enabled, not when one is closed. A program
 * that acquires counters that others have for themselves gets EBUSY.
 */
static int counters_switch(const struct irixperf_set *old,
			   const struct irixperf_set *new, bool acquire)
{
	int ret;

	if (old)
		ixp_setlist_disable(old);
	ret = new ? ixp_setlist_enable(new) : 0;
	if (ret == 0 && acquire)
		ret = ixp_setlist_starts(new);
	if (ret < 0 && new)
		ixp_setlist_disable(new);

	return ret;
}

/* After a failure, unless system mode has stopped the events meanwhile */
static void counters_go_on(const struct ixp_target *t)
{
	if (!t->set || t->epoch != ixp_arbiter_epoch())
		return;
	ixp_setlist_enable(t->set);
	if (t->epoch != ixp_arbiter_epoch())
		ixp_setlist_disable(t->set);
}

/* Let the parent see the counts to which it adds those of the open events */
void ixp_proc_commit(struct ixp_target *t)
{
	hwperf_cntr_t kept;

	t->shown = false;
	if (!t->self || !ixp_child_has_parent())
		return;
	kept = t->added;
	if (t->state != IXP_SYSTEM_RELEASED)
		ixp_counts_add(&kept, &t->last);
	ixp_child_commit(t->offer, &kept);
}

void ixp_proc_zero(struct ixp_target *t)
{
	memset(&t->last, 0, sizeof(t->last));
	memset(&t->added, 0, sizeof(t->added));
}

/* Counts are missing: the generation tells, and a parent's, when it gets the counts */
void ixp_proc_lose(struct ixp_target *t)
{
	if (t->generation < INT_MAX)
		t->generation++;
	t->shown = false;
	if (t->self)
		ixp_child_lose();
}

/*
 * Add the counts of the open events. It is told if these have been without a counter
 * since the last time.
 */
int ixp_proc_add(struct ixp_target *t, hwperf_cntr_t *counts)
{
	uint64_t starved = 0;
	int ret = t->set ? ixp_setlist_add(t->set, counts, &starved) : 0;

	if (ret < 0 || starved <= t->starved)
		return ret;
	t->starved = ixp_setlist_starved(t->set, starved);
	t->told += t->generation < INT_MAX;
	ixp_proc_lose(t);

	return 0;
}

/*
 * Replace the old events by @set, and count on from @last, or from zero if NULL;
 * @acquire: -EBUSY if others have the counters for themselves
 */
int ixp_proc_replace(struct ixp_target *t, struct irixperf_set *set,
		     const hwperf_cntr_t *last, bool acquire)
{
	int ret;

	ixp_arbiter_open(set);
	ret = counters_switch(t->set, set, acquire);
	if (ret < 0) {
		counters_go_on(t);
		return ret;
	}

	ixp_arbiter_close(t->set);
	t->set = set;
	t->starved = 0;
	t->offer = t->self ? ixp_child_offer(set) : 0;
	if (last)
		t->last = *last;
	else
		ixp_proc_zero(t);
	ixp_proc_commit(t);
	if (!last && t->self)
		ixp_child_complete();

	return 0;
}

static void counters_close(struct ixp_target *t, const hwperf_cntr_t *counts)
{
	ixp_arbiter_close(t->set);
	t->set = NULL;
	t->starved = 0;
	t->offer = 0;
	t->last = *counts;
	t->state = IXP_RELEASED;
	ixp_proc_user_end(t);
	ixp_proc_commit(t);
}

/* Another process has taken or released the counters: keep the counts, close events */
static void target_lose(struct ixp_target *t)
{
	hwperf_cntr_t counts = t->last;

	counters_switch(t->set, NULL, false);
	ixp_proc_add(t, &counts);
	counters_close(t, &counts);
}

/*
 * Bring a target up to date with what other processes have done. -EPIPE: a holder has the
 * counters now, and the caller drops this target
 */
int ixp_proc_check(struct ixp_target *t)
{
	const unsigned int epoch = ixp_arbiter_epoch();
	const unsigned int other = t->epoch ^ epoch;
	const bool own = t->self && (other & IXP_EPOCH_OWN);
	int lost, told;

	if (!other)
		return 0;
	if (own && (epoch & IXP_EPOCH_WHAT) == IXP_EPOCH_TAKEN)
		return -EPIPE;
	t->epoch = epoch;
	t->shown = false;
	if (t->set && (other & ~IXP_EPOCH_OWN)) {
		/* This is one loss, even if the process had no counter before */
		lost = t->generation + 1;
		told = t->told;
		target_lose(t);
		t->generation = lost;
		t->told = told;
	}
	if (own && t->state == IXP_COUNTS)
		target_lose(t);

	return 0;
}

/* Drop a target whose counters another process has now */
void ixp_proc_drop(struct ixp_target *t)
{
	if (t->self && t->state != IXP_HELD)
		ixp_own_hide(t->pid);
	ixp_target_drop(t);
}

/*
 * This process' target, brought up to date; NULL if it has none, or a holder has the
 * counters
 */
struct ixp_target *ixp_proc_self(void)
{
	struct ixp_target *self = ixp_target_self();

	if (!self || ixp_proc_check(self) == 0)
		return self;
	ixp_proc_drop(self);

	return NULL;
}

/*
 * Write the counters to the page until the epoch has not changed meanwhile. A process
 * that changes the epoch after ixp_own_show() sees what this has written; a change
 * before that is found by ixp_proc_self().
 */
void ixp_proc_show(void)
{
	struct ixp_target *self = ixp_target_self();

	while (self && !self->shown) {
		ixp_own_show(self);
		self = ixp_proc_self();
	}
}

/* If the process has acquired its own counters, replace these: see own.h */
static int peer_supersede(struct ixp_target *t, struct irixperf_set *set)
{
	struct ixp_peer *peer = t->peer;
	int ret;

	if (!peer)
		return ixp_proc_replace(t, set, NULL, true);

	/*
	 * If there are no counters for the new events, the process keeps its own. These take
	 * turns with the new ones until that is known, so that it hears of what they miss.
	 */
	ixp_arbiter_open(set);
	ret = counters_switch(NULL, set, true);
	if (ret < 0)
		return ret;
	if (ixp_peer_take(peer) == 0)
		ixp_setlist_disable(peer->set);
	ret = ixp_proc_replace(t, set, NULL, false);
	if (ret < 0) {
		if (peer->own.state == IXP_OWN_COUNTS)
			ixp_setlist_enable(peer->set);
		ixp_peer_give_back(peer);
		return ret;
	}
	/* The turns are over */
	t->starved = ixp_setlist_starved(set, 0);
	t->generation = ixp_peer_number(peer);
	t->peer = NULL;
	ixp_peer_close(peer);

	return 0;
}

/*
 * There was no counter for the events of @set, and it took a while to find out. The old
 * events counted nothing meanwhile. A process whose only thread was in here has missed
 * nothing.
 */
static void refused(struct ixp_target *t, const struct irixperf_set *set, int err)
{
	if (err == -EBUSY && t->set && !(t->self && set->alone))
		ixp_proc_lose(t);
}

/* Count in user mode; overflows go to @profile, or send a signal if it is NULL */
int ixp_proc_count(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
		   struct ixp_profile *profile)
{
	struct ixp_profile *before = t->profile;
	struct irixperf_set *set;
	unsigned int epoch;
	int ret;

	t->profile = profile;
	ret = ixp_proc_open(&set, t, arg, ixp_proc_inherit_flag(t), &epoch);
	if (ret == 0) {
		ret = peer_supersede(t, set);
		refused(t, set, ret);
	}
	if (ret < 0)
		ixp_arbiter_close(set);
	ixp_proc_user_end(t);
	if (ret < 0) {
		t->profile = before;
		return ret;
	}
	ixp_profile_free(before);
	t->arg = *arg;
	t->epoch = epoch;
	t->state = IXP_COUNTS;
	t->own = t->self;
	ret = ++t->generation;
	/* The system-mode holder may have stopped events before these were open */
	if (!t->self)
		ixp_proc_check(t);

	return ret;
}

int ixp_proc_self_new(struct ixp_target **self)
{
	struct ixp_ident id;
	int fd, ret;

	fd = openat(AT_FDCWD, "/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = ixp_ident_of_fd(&id, fd);
	if (ret == 0)
		ret = ixp_target_new(self, &id, fd);
	close(fd);

	return ret;
}

/* Open other events, or the same ones with other inheritance; the counts stay */
static int events_renew(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
			unsigned int inherit, unsigned int *epoch, bool acquire)
{
	hwperf_cntr_t last = { { 0 } };
	struct irixperf_set *set;
	int ret;

	if (t->state != IXP_SYSTEM_RELEASED)
		last = t->last;
	ret = ixp_proc_open(&set, t, arg, inherit, epoch);
	if (ret == 0)
		ret = counters_switch(t->set, NULL, false);
	if (ret == 0)
		ret = ixp_proc_add(t, &last);
	if (ret == 0) {
		ret = ixp_proc_replace(t, set, &last, acquire);
		refused(t, set, ret);
	}
	if (ret < 0) {
		ixp_arbiter_close(set);
		counters_go_on(t);
	}

	return ret;
}

/* Open the same events anew, with other inheritance; the counts stay */
int ixp_proc_renew(struct ixp_target *t, unsigned int inherit)
{
	unsigned int epoch;

	return events_renew(t, &t->arg, inherit, &epoch, false);
}

/* @arg has no event that did not count before */
static bool only_less(const struct ixp_target *t, const hwperf_profevctrarg_t *arg)
{
	const struct hwperf_ctrlreg *old, *new;
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX && t->set; i++) {
		old = &t->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg;
		new = &arg->hwp_evctrargs.hwp_evctrl[i].hwperf_creg;
		if (new->hwp_mode && !old->hwp_mode)
			return false;
	}

	return t->set;
}

/* Count the events of @arg in this process from now on; the counts stay */
int ixp_proc_change(struct ixp_target *t, const hwperf_profevctrarg_t *arg)
{
	unsigned int epoch;
	int ret = events_renew(t, arg, ixp_proc_inherit_flag(t), &epoch, !only_less(t, arg));

	ixp_proc_user_end(t);
	if (ret < 0)
		return ret;
	t->arg = *arg;
	t->epoch = epoch;
	t->state = t->set ? IXP_COUNTS : IXP_RELEASED;
	t->own = t->set;

	return ++t->generation;
}

/* Stop the events and keep the counts. If they cannot be read, the events go on */
int ixp_proc_stop(struct ixp_target *t)
{
	hwperf_cntr_t counts = t->last;
	int ret;

	counters_switch(t->set, NULL, false);
	ret = ixp_proc_add(t, &counts);
	if (ret < 0) {
		counters_go_on(t);
		return ret;
	}
	counters_close(t, &counts);

	return 0;
}
