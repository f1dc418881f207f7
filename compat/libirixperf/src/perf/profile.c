// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The samples of a profile. At each overflow the kernel writes the program counter into
 * a ring buffer and sends SIGURG. This library's handler empties the ring, so the
 * buckets are up to date before the program's next instruction. While the program
 * blocks SIGURG, each call of this library brings them up to date. SIGURG was chosen
 * because it is ignored by default, which matters after execve(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "profile.h"
#include "buckets.h"
#include "cpus.h"
#include "kernel.h"
#include "mem.h"
#include "record.h"
#include "set.h"

#define RING_BYTES	65536

/**
 * struct ixp_ring - the ring buffer for the samples of a set
 * @next: the next ring; there are two while one set replaces another
 * @set: the events
 * @profile: the buckets that the samples are counted in
 * @fd: an event that counts nothing and owns the ring
 * @map: the ring with its control page
 * @size: its size
 * @pid: the process that has mapped it; a forked child does not inherit the mapping
 */
struct ixp_ring {
	struct ixp_ring *next;
	const struct irixperf_set *set;
	struct ixp_profile *profile;
	int fd;
	void *map;
	size_t size;
	pid_t pid;
};

static struct ixp_ring *rings;
static struct sigaction before;

/*
 * The signal handler takes this lock, too. So a thread takes it only with all signals
 * blocked, only to empty rings, and waits for nothing while it has the lock.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void ring_drain(struct ixp_ring *ring)
{
	struct ixp_records records;
	struct ixp_record record;
	int ret;

	if (ixp_records_begin(&records, ring->map, ring->size) < 0)
		return;

	while ((ret = ixp_records_next(&records, &record)) > 0) {
		if (record.type == PERF_RECORD_SAMPLE)
			ixp_profile_hit(ring->profile, record.ip);
		ixp_profile_missed(ring->profile, record.lost,
				   record.type == PERF_RECORD_THROTTLE);
	}
	ixp_profile_missed(ring->profile, ret < 0, false);
	ixp_records_end(&records, ring->map);
}

/* Callers have blocked all signals */
static void drain_locked(void)
{
	struct ixp_ring *ring;

	for (ring = rings; ring; ring = ring->next)
		ring_drain(ring);
}

/**
 * ixp_profile_drain() - bring the buckets up to date
 *
 * Callers hold the lock (enter.h), under which rings are added and removed.
 */
void ixp_profile_drain(void)
{
	if (!rings)
		return;
	pthread_mutex_lock(&lock);
	drain_locked();
	pthread_mutex_unlock(&lock);
}

static bool ring_has(const struct ixp_ring *ring, int fd)
{
	unsigned int i;

	for (i = 0; i < ring->set->nr; i++)
		if (ring->set->fd[i] == fd)
			return true;

	return false;
}

/* Empty the rings; true if the signal comes from an overflow of the profile */
static bool drain_for(const siginfo_t *info)
{
	bool ours = false;
	struct ixp_ring *ring;

	pthread_mutex_lock(&lock);
	drain_locked();
	for (ring = rings; ring && !ours; ring = ring->next)
		ours = info->si_code == POLL_IN && ring_has(ring, info->si_fd);
	pthread_mutex_unlock(&lock);

	return ours;
}

static void hand_on(int sig, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(sig, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(sig);
}

static void on_overflow(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	if (!drain_for(info))
		hand_on(sig, info, context);
	errno = saved;
}

/* Install our handler, if that has not been done; it calls the program's */
static int handler_install(void)
{
	struct sigaction action = {
		.sa_sigaction = on_overflow,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};
	struct sigaction now;

	if (sigaction(SIGURG, NULL, &now) < 0)
		return -errno;
	if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_overflow)
		return 0;
	before = now;
	sigfillset(&action.sa_mask);

	return sigaction(SIGURG, &action, NULL) < 0 ? -errno : 0;
}

static int ring_open(const struct irixperf_set *set)
{
	struct perf_event_attr pea = {
		.size = sizeof(pea),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return ixp_kernel.perf_open(&pea, set->pid, set->cpu, -1);
}

/* The kernel limits the memory of all rings of a user: try smaller rings, too */
static int ring_map(struct ixp_ring *ring)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = page > RING_BYTES ? page : RING_BYTES;
	int ret;

	do {
		ring->size = page + bytes;
		ret = ixp_kernel.perf_map(ring->fd, ring->size, &ring->map);
		bytes /= 2;
	} while (ret == -EPERM && bytes >= page);

	return ret == -EPERM ? -ENOMEM : ret;
}

static void ring_free(struct ixp_ring *ring)
{
	if (ring->map && ring->pid == getpid())
		ixp_kernel.perf_unmap(ring->map, ring->size);
	if (ring->fd >= 0)
		ixp_kernel.perf_close(ring->fd);
	ixp_free(ring);
}

static int ring_new(struct ixp_ring **ring, const struct irixperf_set *set,
		    struct ixp_profile *profile)
{
	struct ixp_ring *new = ixp_alloc(sizeof(*new));
	int ret;

	if (!new)
		return -ENOMEM;

	new->set = set;
	new->profile = profile;
	new->pid = getpid();
	new->fd = ring_open(set);
	ret = new->fd < 0 ? new->fd : ring_map(new);
	if (ret < 0)
		ring_free(new);
	else
		*ring = new;

	return ret;
}

/* Let the events with a threshold write into the ring, and send SIGURG */
static int ring_connect(const struct ixp_ring *ring, struct irixperf_set *set,
			const struct ixp_overflow *overflow)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < set->nr && ret >= 0; i++) {
		if (!overflow->period[set->event[i]])
			continue;
		ret = ixp_kernel.perf_output(set->fd[i], ring->fd);
		if (ret == 0)
			ret = ixp_kernel.perf_signal(set->fd[i], set->event[i],
						     SIGURG, overflow->pid);
		if (ret >= 0)
			set->fd[i] = ret;
	}

	return ret < 0 ? ret : 0;
}

static void rings_change(struct ixp_ring **link, struct ixp_ring *ring)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &mask);
	pthread_mutex_lock(&lock);
	drain_locked();
	*link = ring;
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Take the last samples. In a forked child, the ring is not in the list: take none */
static void profile_detach(struct irixperf_set *set)
{
	struct ixp_ring **link = &rings;

	while (*link && *link != set->ring)
		link = &(*link)->next;
	if (*link)
		rings_change(link, set->ring->next);
	ring_free(set->ring);
	set->ring = NULL;
	set->detach = NULL;
}

/**
 * ixp_profile_attach() - count the overflows of a set in a profile
 * @set: the set, which does not count yet
 * @overflow: the thresholds with which it was opened
 *
 * irixperf_set_close() ends the profile.
 *
 * Return: 0, -ENOMEM if the kernel has no memory for a ring, or another
 * negative errno value.
 */
int ixp_profile_attach(struct irixperf_set *set,
		       const struct ixp_overflow *overflow)
{
	struct ixp_ring *ring;
	int ret = ring_new(&ring, set, overflow->profile);

	if (ret < 0)
		return ret;

	ret = ring_connect(ring, set, overflow);
	if (ret == 0)
		ret = handler_install();
	if (ret < 0) {
		ring_free(ring);
		return ret;
	}
	set->ring = ring;
	set->detach = profile_detach;
	ring->next = rings;
	rings_change(&rings, ring);

	return 0;
}

/**
 * ixp_profile_threads() - tell whether threads can share a ring
 *
 * Only one CPU at a time may write into a ring, and the kernel does not ensure this for
 * inherited events.
 *
 * Return: true if threads never run at the same time: the machine has one CPU.
 */
bool ixp_profile_threads(void)
{
	return ixp_cpus("present", NULL, 0) == 1;
}

/* Called in a child, where no handler runs: make the lock free, and forget the rings */
void ixp_profile_fork_child(void)
{
	pthread_mutex_init(&lock, NULL);
	rings = NULL;
}
