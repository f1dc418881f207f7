// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * PIOCGETEVCTRS without the lock, because it is the most frequent request, and is
 * called from signal handlers. The first such request takes the lock and publishes a
 * snapshot of the target here, for those that follow. A thread that takes the lock may
 * change any target, so it drops all snapshots first; grace.c frees them when no thread
 * reads them any more.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "snapshot.h"
#include "arbiter.h"
#include "grace.h"
#include "ident.h"
#include "mem.h"
#include "set.h"
#include "setlist.h"
#include "target.h"
#include "user.h"

/**
 * struct snapshot - all that a read of a target needs; it never changes
 * @retired: for ixp_retire()
 * @next: the next one
 * @id: the process
 * @self: it is this process
 * @epoch: ixp_arbiter_epoch() when the counters were acquired
 * @generation: what the request returns
 * @starved: as in struct ixp_target; if it has grown, the generation changes
 * @set: the events; NULL if there are none
 * @base: counts to which those of the events are added
 */
struct snapshot {
	struct ixp_retired retired;
	struct snapshot *next;
	struct ixp_ident id;
	bool self;
	unsigned int epoch;
	int generation;
	uint64_t starved;
	const struct irixperf_set *set;
	hwperf_cntr_t base;
};

static _Atomic(struct snapshot *) snapshots;

static void snapshot_free(struct ixp_retired *item)
{
	ixp_free((char *)item - offsetof(struct snapshot, retired));
}

/* Callers hold the lock */
void ixp_snapshots_drop(void)
{
	struct snapshot *s = atomic_exchange(&snapshots, NULL), *next;

	for (; s; s = next) {
		next = s->next;
		ixp_retire(&s->retired, snapshot_free);
	}
}

/* Drop the parent's snapshots, unfreed, in a child of _Fork(3) or clone(2) */
void ixp_snapshots_forget(void)
{
	atomic_store(&snapshots, NULL);
}

/**
 * ixp_snapshot_publish() - let a target be read without the lock
 * @t: the target
 *
 * Callers hold the lock. If there is no memory, reads go on taking the lock. A target
 * with a profile is not published, because a read also brings the profile up to date.
 */
void ixp_snapshot_publish(const struct ixp_target *t)
{
	struct snapshot *s = t->profile ? NULL : ixp_alloc(sizeof(*s));

	if (!s)
		return;
	s->id = t->id;
	s->self = t->self;
	s->epoch = t->epoch;
	s->generation = t->generation;
	s->starved = t->starved;
	s->set = t->set;
	s->base = t->last;
	ixp_counts_add(&s->base, &t->added);
	s->next = atomic_load(&snapshots);
	atomic_store(&snapshots, s);
}

static const struct snapshot *snapshot_find(ino_t mark)
{
	const struct snapshot *s = atomic_load(&snapshots);

	while (s && s->id.ino != mark)
		s = s->next;

	return s;
}

/*
 * The counts of a set are read straight into the caller's memory, which has to be
 * aligned for that. The first write shows whether the address is valid. 1: counts are
 * missing, which the generation number does not tell yet
 */
static int snapshot_read(const struct snapshot *s, hwperf_cntr_t *to)
{
	uint64_t starved = 0;
	int ret;

	if (!s->set)
		return ixp_user_write(to, &s->base, sizeof(*to));
	if ((uintptr_t)to % sizeof(uint64_t))
		return -EFAULT;

	ret = s->set->next ? ixp_setlist_get(s->set, &s->base, to, &starved) :
			     ixp_set_get(s->set, &s->base, to, &starved);

	return ret < 0 ? ret : starved > s->starved;
}

static bool snapshot_valid(const struct snapshot *s, int fd)
{
	return s->epoch == ixp_arbiter_epoch() &&
	       (s->self || ixp_ident_alive(fd));
}

/**
 * ixp_snapshot_get() - PIOCGETEVCTRS, if it takes no lock
 * @fd: directory of the process
 * @to: the caller's memory
 * @forking: a thread that has the lock is in fork(2), and may wait for this one
 *
 * Return: the generation number, or -EAGAIN: then the caller takes the lock and makes
 * the request again, which gives the counts or the right error.
 */
int ixp_snapshot_get(int fd, hwperf_cntr_t *to, bool forking)
{
	const struct snapshot *s;
	unsigned int reader = ixp_read_begin();
	int ret = -EAGAIN, lost;

	s = snapshot_find(ixp_ident_marked(fd));
	lost = s && snapshot_valid(s, fd) ? snapshot_read(s, to) : -EAGAIN;
	/*
	 * The next read that takes the lock makes this generation number the target's. All
	 * losses until then are one.
	 */
	if (lost == 0 || (lost > 0 && forking))
		ret = s->generation + lost;
	ixp_read_end(reader);

	return ret;
}
