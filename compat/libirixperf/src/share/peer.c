// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters that another process has acquired for itself (own.h): read its page,
 * copy the descriptors of its events, read, release or take over the counters.
 *
 * The page may belong to another user, who can write anything into it. So each word is
 * copied before it is checked, each descriptor is checked to be an event, and the file
 * is one that cannot be truncated (take.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "peer.h"
#include "arbiter.h"
#include "descriptor.h"
#include "kernel.h"
#include "mem.h"
#include "plan.h"
#include "set.h"
#include "setlist.h"
#include "take.h"

#define SET_MAX		(2 * IXP_MAX_PAIRS)

/*
 * How often to try to copy a page that its owner may be writing, and microseconds
 * between two tries. If the owner changes its counters all the time, nine of ten tries
 * fail.
 */
#define TRIES		2000
#define MOMENT		500

/* How many milliseconds a process of a stranger can keep the caller waiting */
#define LOOKING		1000

/**
 * ixp_peer_open() - look for the counters that a process has acquired for itself
 * @peer: gets the counters; ixp_peer_close() frees them
 * @folder: the process' directory; stays open as long as the peer
 * @pid: its PID
 *
 * Return: 0; -EPIPE if it has never had any; -EPERM if the caller may not trace the
 * process; -EAGAIN if the process belongs to a stranger and its descriptors could not
 * be copied in time; or another negative errno value.
 */
int ixp_peer_open(struct ixp_peer **peer, int folder, pid_t pid)
{
	struct ixp_peer *new = ixp_alloc(sizeof(*new));
	void *map;
	int fd, ret = -EPIPE;

	if (!new)
		return -ENOMEM;
	new->seq = 1;
	new->folder = folder;
	new->pid = pid;
	new->process = ixp_descriptor_process(pid);
	if (new->process < 0)
		goto fail;
	fd = ixp_take_page(new->process, folder, pid, ixp_now_ms() + LOOKING);
	if (fd < 0) {
		ret = fd == -ETIMEDOUT ? -EAGAIN : fd;
		goto fail;
	}
	map = mmap(NULL, sizeof(*new->page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		goto fail;
	new->page = map;
	*peer = new;

	return 0;

fail:
	ixp_peer_close(new);

	return ret;
}

void ixp_peer_close(struct ixp_peer *peer)
{
	if (!peer)
		return;
	irixperf_set_close(peer->set);
	if (peer->page)
		munmap(peer->page, sizeof(*peer->page));
	if (peer->process >= 0)
		close(peer->process);
	ixp_free(peer);
}

/* A set for each thread. If one is full, both events of a pair go into the next */
static struct irixperf_set *set_for(struct irixperf_set ***end, struct irixperf_set *last,
				    const struct ixp_own_event *e)
{
	struct irixperf_set *set = last;

	if (set && !e->thread && set->nr + e->leader < SET_MAX)
		return set;
	set = ixp_alloc(sizeof(*set));
	if (set) {
		**end = set;
		*end = &set->next;
	}

	return set;
}

/* Put the events into sets, and close those that remain after a failure */
static int events_keep(struct ixp_peer *peer, const struct ixp_own_event *e,
		       uint32_t nr)
{
	struct irixperf_set **end = &peer->set, *set = NULL;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < nr; i++, e++) {
		if (ret == 0) {
			set = set_for(&end, set, e);
			ret = set ? ixp_set_take(set, e->fd, e->event, e->leader) :
			      -ENOMEM;
		}
		if (ret < 0)
			close(e->fd);
	}

	return ret;
}

/* Copy the @nr events that the page names. On failure, the caller closes peer->set */
static int events_open(struct ixp_peer *peer, uint32_t nr, uint64_t until)
{
	struct ixp_own_event *event;
	int ret;

	if (nr == 0 || nr > IXP_OWN_EVENTS)
		return nr ? -EMFILE : 0;
	event = ixp_alloc(nr * sizeof(*event));
	if (!event)
		return -ENOMEM;
	memcpy(event, peer->page->own.event, nr * sizeof(*event));
	/* Older libraries do not say so: then a set may have events of several threads */
	peer->timed = event[0].thread;
	ret = ixp_take_events(peer->process, peer->folder, event, nr, until);
	if (ret == 0)
		ret = events_keep(peer, event, nr);
	ixp_free(event);

	return ret;
}

/*
 * Copy the page's generation without what it has told of time without a counter, which this
 * process measures itself. Numbers that are negative, or so large that they could overflow,
 * are not believed.
 */
static void copy_generation(struct ixp_peer *peer, const struct ixp_own *own)
{
	int32_t generation = __atomic_load_n(&own->generation, __ATOMIC_RELAXED);
	int32_t told = __atomic_load_n(&own->told, __ATOMIC_RELAXED);
	bool sound = generation >= 0 && generation <= INT32_MAX / 2 &&
		     told >= 0 && told <= generation;

	peer->own.generation = sound ? generation - told : 1;
	peer->own.told = sound ? told : 0;
}

static uint32_t seq_now(const struct ixp_peer *peer)
{
	return __atomic_load_n(&peer->page->own.seq, __ATOMIC_SEQ_CST);
}

/*
 * Copy the page and its events. The owner writes the page before it closes events: so
 * if the page's @seq has not changed, the copied descriptors are those of its events.
 * -EAGAIN if it has changed.
 */
static int peer_copy(struct ixp_peer *peer, uint32_t seq, uint64_t until)
{
	const struct ixp_own *own = &peer->page->own;
	bool same = !(peer->seq & 1) && peer->own.list == own->list;
	int ret = 0;

	peer->own.list = own->list;
	peer->own.epoch = own->epoch;
	peer->own.state = own->state;
	copy_generation(peer, own);
	peer->own.ctrl = own->ctrl;
	peer->own.base = own->base;
	if (!same) {
		irixperf_set_close(peer->set);
		peer->set = NULL;
		ret = events_open(peer, own->nr, until);
	}

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (seq_now(peer) != seq && ret != -ETIMEDOUT)
		ret = -EAGAIN;
	peer->seq = ret < 0 ? 1 : seq;

	return ret;
}

static int peer_follow(struct ixp_peer *peer)
{
	const uint64_t until = ixp_now_ms() + LOOKING;
	unsigned int tries;
	uint32_t seq;
	int ret;

	for (tries = 0; tries < TRIES; tries++) {
		seq = seq_now(peer);
		if (seq == peer->seq && !(seq & 1))
			return 0;
		if (!(seq & 1)) {
			ret = peer_copy(peer, seq, until);
			if (ret != -EAGAIN)
				return ret == -ETIMEDOUT ? -EAGAIN : ret;
		}
		usleep(MOMENT);
	}

	return -EAGAIN;
}

static uint32_t epoch_now(const struct ixp_peer *peer)
{
	return __atomic_load_n(&peer->page->epoch, __ATOMIC_SEQ_CST);
}

/*
 * Set @state and @generation: to the owner's, changed by what other processes have
 * done since the owner last wrote its page.
 */
static void peer_judge(struct ixp_peer *peer)
{
	uint32_t other;

	peer->epoch = epoch_now(peer);
	peer->state = peer->own.state == IXP_OWN_COUNTS ||
		      peer->own.state == IXP_OWN_RELEASED ?
		      (enum ixp_own_state)peer->own.state : IXP_OWN_NONE;
	peer->generation = peer->own.generation + peer->losses;
	other = peer->epoch ^ peer->own.epoch;
	if ((other & ~IXP_EPOCH_OWN) && peer->state == IXP_OWN_COUNTS) {
		peer->state = IXP_OWN_RELEASED;
		peer->generation++;
	}
	if (!(other & IXP_EPOCH_OWN))
		return;
	if ((peer->epoch & IXP_EPOCH_WHAT) == IXP_EPOCH_TAKEN)
		peer->state = IXP_OWN_NONE;
	else if (peer->state == IXP_OWN_COUNTS)
		peer->state = IXP_OWN_RELEASED;
}

/**
 * ixp_peer_look() - bring this process' view of the counters up to date
 * @peer: the counters; @state, @generation and @own.ctrl are valid after it
 *
 * Return: 0; -EPIPE if the process has no counters of its own (any more); -EAGAIN if
 * the page was not complete at any try, for example because the process was stopped
 * while it wrote the page; or another negative errno value.
 */
int ixp_peer_look(struct ixp_peer *peer)
{
	int ret = peer_follow(peer);

	if (ret < 0)
		return ret;
	peer_judge(peer);
	/* The process that released them may have been killed before it stopped them */
	if (peer->state == IXP_OWN_RELEASED &&
	    peer->own.state == IXP_OWN_COUNTS)
		ixp_setlist_disable(peer->set);

	return peer->state == IXP_OWN_NONE ? -EPIPE : 0;
}

/* Return the generation number for the caller, and let others know it: ixp_peer_number() */
int ixp_peer_tell(struct ixp_peer *peer)
{
	int32_t seen = __atomic_load_n(&peer->page->seen, __ATOMIC_SEQ_CST);
	unsigned int tries = 0;

	while (seen < peer->generation && tries++ < TRIES)
		if (__atomic_compare_exchange_n(&peer->page->seen, &seen, peer->generation,
						false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			break;

	return peer->generation;
}

/* A new reader goes on from the highest number that any reader has returned */
void ixp_peer_go_on(struct ixp_peer *peer)
{
	int32_t seen = __atomic_load_n(&peer->page->seen, __ATOMIC_SEQ_CST);

	if (seen <= peer->generation || seen > INT32_MAX / 4)
		return;
	peer->losses = seen - peer->generation;
	peer->generation = seen;
}

/*
 * The generation number with which whoever has taken the counters goes on. A number that a
 * reader has for losses that it has measured itself does not come again for others.
 */
int ixp_peer_number(const struct ixp_peer *peer)
{
	const int number = peer->generation + peer->own.told;
	int32_t seen = __atomic_load_n(&peer->page->seen, __ATOMIC_SEQ_CST);

	if (seen <= peer->generation || seen > INT32_MAX / 4)
		return number;

	return (seen > number ? seen : number) + 1;
}

/*
 * Are counts missing that no read before has told of? Those of other events than at the
 * last read are in the page, where the owner has told of them; if this process has told
 * first, they are told twice. What system mode has taken is told already.
 */
static bool peer_lacks(struct ixp_peer *peer, uint64_t starved)
{
	const bool same = peer->measured == peer->own.list;
	const bool revoked = (peer->epoch ^ peer->own.epoch) & ~IXP_EPOCH_OWN;
	bool lacks = peer->reads && !same && peer->told != peer->own.told;

	if (!same)
		peer->starved = peer->reads ? 0 : ixp_setlist_starved(peer->set, starved);
	if (starved > peer->starved && peer->timed && !revoked) {
		peer->starved = ixp_setlist_starved(peer->set, starved);
		lacks = true;
	}
	peer->reads = true;
	peer->measured = peer->own.list;
	peer->told = peer->own.told;

	return lacks;
}

/**
 * ixp_peer_read() - read the counts
 * @peer: the counters
 * @counts: gets the counts
 *
 * Return: the generation number, or an error of ixp_peer_look().
 */
int ixp_peer_read(struct ixp_peer *peer, hwperf_cntr_t *counts)
{
	int number, ret = ixp_peer_look(peer);
	uint64_t starved = 0;

	*counts = peer->own.base;
	if (ret == 0 && peer->set)
		ret = ixp_setlist_add(peer->set, counts, &starved);
	if (ret < 0)
		return ret;
	if (peer_lacks(peer, starved) && peer->losses < INT32_MAX / 4) {
		peer->losses++;
		peer->generation++;
	}

	number = ixp_peer_tell(peer);
	/* Whoever has taken the counters meanwhile has perhaps not seen this number */
	if (epoch_now(peer) != peer->epoch)
		ret = ixp_peer_look(peer);

	return ret < 0 ? ret : number;
}

static uint32_t epoch_after(uint32_t epoch, uint32_t what)
{
	uint32_t own = (epoch & ~IXP_EPOCH_WHAT) + IXP_EPOCH_STEP + what;

	return (epoch & ~IXP_EPOCH_OWN) | (own & IXP_EPOCH_OWN);
}

/* False if another process has changed the page's @epoch meanwhile */
static bool epoch_change(struct ixp_peer *peer, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&peer->page->epoch, &from, to, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static bool epoch_advance(struct ixp_peer *peer, uint32_t what)
{
	return epoch_change(peer, peer->epoch, epoch_after(peer->epoch, what));
}

/**
 * ixp_peer_release() - release the counters
 * @peer: the counters
 *
 * Return: 0; -EINVAL if they have already been released; -EAGAIN if other processes
 * change them all the time; or an error of ixp_peer_look().
 */
int ixp_peer_release(struct ixp_peer *peer)
{
	const uint64_t until = ixp_now_ms() + LOOKING;
	bool released;
	int ret;

	do {
		ret = ixp_peer_look(peer);
		if (ret < 0)
			return ret;
		if (peer->state != IXP_OWN_COUNTS)
			return -EINVAL;
		released = epoch_advance(peer, IXP_EPOCH_RELEASED);
	} while (!released && ixp_now_ms() <= until);
	if (!released)
		return -EAGAIN;

	/* This stops the events; any other process that looks would do so, too */
	ixp_peer_look(peer);

	return 0;
}

/**
 * ixp_peer_take() - take the counters away from the process, for a holder
 * @peer: the counters; up to date after it
 *
 * The events go on counting. If this process cannot take over some of them, the owner
 * stops these when it next looks at its page.
 *
 * Return: 0, or why the events cannot be taken over.
 */
int ixp_peer_take(struct ixp_peer *peer)
{
	const uint64_t until = ixp_now_ms() + LOOKING;
	bool taken;
	int ret;

	/* No owner changes @epoch; the limit is for one that does so all the time */
	do {
		ixp_peer_look(peer);
		peer->epoch = epoch_now(peer);
		taken = epoch_advance(peer, IXP_EPOCH_TAKEN);
	} while (!taken && ixp_now_ms() <= until);
	if (!taken)
		return -EAGAIN;

	ret = peer_follow(peer);
	if (peer->generation < peer->own.generation)
		peer->generation = peer->own.generation;

	return ret;
}

/**
 * ixp_peer_give_back() - undo ixp_peer_take()
 * @peer: the counters
 *
 * If the owner has looked at its page in between, it has already closed its events.
 */
void ixp_peer_give_back(struct ixp_peer *peer)
{
	epoch_change(peer, epoch_after(peer->epoch, IXP_EPOCH_TAKEN),
		     peer->epoch);
}
