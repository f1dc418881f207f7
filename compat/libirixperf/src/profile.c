// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * HWPERF_PROFENABLE: a profile as sprofil(2) of IRIX makes it, with overflows of
 * the counters for a clock. Each overflow adds one to the bucket that belongs to
 * the program counter.
 *
 * The kernel writes the program counters into a ring buffer and sends SIGURG,
 * whose handler empties the ring: the buckets are right before the program's
 * next instruction. As long as the program blocks the signal they are right
 * after each call of this library. It is SIGURG because a program that knows
 * nothing of it, above all the next one after execve(2), ignores it.
 *
 * Where the pages are silent: buckets have 16 bits and stay at their highest
 * number, as those of profil(2); of regions that overlap the one that begins
 * last has the address; one with pr_off 0 and pr_scale 2 gets, in its first
 * bucket, what no other region has; without it, nobody does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "info.h"
#include "overflow.h"

#define SCALE_BITS	16
#define SCALE_OFF	1		/* this one and 0: no profile */
#define SCALE_REST	2		/* with pr_off 0: all other addresses */
#define REGIONS_MAX	4096
#define RING_BYTES	65536

struct region {
	uintptr_t start;
	uint64_t scale;
	uint16_t *bucket;
	size_t nr;
};

/**
 * struct ixp_profile - buckets, and what went into them
 * @stat: the sums
 * @rest: for addresses that no region has; nr is 0 if there is none
 * @nr: how many regions
 * @region: the regions, those that begin last first
 */
struct ixp_profile {
	struct irixperf_profile_stat stat;
	struct region rest;
	unsigned int nr;
	struct region region[];
};

/**
 * struct ixp_ring - where the samples of a set come in
 * @next: the next ring; a set that replaces another one is there with it
 * @set: the events
 * @profile: where the samples go
 * @fd: an event that counts nothing and has the ring
 * @map: the ring with its control page
 * @size: its size
 * @pid: the process that has mapped it; a child of fork(2) does not have it
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
 * The handler takes it, too: it is held with all signals blocked, and only to
 * empty rings. Who holds it waits for nothing.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Buckets */

static int region_order(const void *a, const void *b)
{
	uintptr_t left = ((const struct region *)a)->start;
	uintptr_t right = ((const struct region *)b)->start;

	return left < right ? 1 : -(left > right);
}

/* A byte of each page is as good as all: they must be there, and be ours */
static int buckets_check(const struct prof *p)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *base = p->pr_base;
	size_t at = 0, next;
	int ret = 0;

	if ((uintptr_t)base % sizeof(uint16_t))
		return -EINVAL;
	if (p->pr_size > UINTPTR_MAX - (uintptr_t)base)
		return -EFAULT;

	while (at < p->pr_size && ret == 0) {
		ret = ixp_user_write(base + at, base + at, 1);
		next = page - (uintptr_t)(base + at) % page;
		at = next < p->pr_size - at ? at + next : p->pr_size;
	}

	return ret;
}

/* A region without scale or buckets is legal, and ineffective */
static int profile_add(struct ixp_profile *profile, const struct prof *p)
{
	struct region region = {
		.start = p->pr_off,
		.scale = p->pr_scale,
		.bucket = p->pr_base,
		.nr = p->pr_size / sizeof(uint16_t),
	};
	int ret;

	if (p->pr_scale > UINT32_MAX)
		return -EINVAL;
	if (p->pr_scale <= SCALE_OFF || region.nr == 0)
		return 0;
	ret = buckets_check(p);
	if (ret < 0)
		return ret;

	if (p->pr_off == 0 && p->pr_scale == SCALE_REST)
		profile->rest = region;
	else
		profile->region[profile->nr++] = region;

	return 0;
}

/**
 * ixp_profile_new() - make a profile
 * @profile: where to put it; ixp_profile_free() frees it
 * @profp: the regions
 * @profcnt: how many
 *
 * Return: 0; -EINVAL if there are no regions, or too many, or if a region's
 * buckets are at an odd address; -EFAULT if they are no memory; -ENOMEM.
 */
int ixp_profile_new(struct ixp_profile **profile, const struct prof *profp,
		    int profcnt)
{
	struct ixp_profile *new;
	int i, ret = 0;

	if (profcnt <= 0 || profcnt > REGIONS_MAX)
		return -EINVAL;
	new = ixp_alloc(sizeof(*new) + (size_t)profcnt * sizeof(struct region));
	if (!new)
		return -ENOMEM;

	for (i = 0; i < profcnt && ret == 0; i++)
		ret = profile_add(new, &profp[i]);
	if (ret < 0) {
		ixp_free(new);
		return ret;
	}
	qsort(new->region, new->nr, sizeof(struct region), region_order);
	*profile = new;

	return 0;
}

void ixp_profile_free(struct ixp_profile *profile)
{
	ixp_free(profile);
}

/* Where in the region's buckets the address is; its end or more if it is not */
static uint64_t region_index(const struct region *region, uint64_t pc)
{
	uint64_t from = pc - region->start;
	uint64_t whole = from >> SCALE_BITS;
	uint64_t part = from & ((1 << SCALE_BITS) - 1);

	if (whole > UINT64_MAX / region->scale / 2)
		return UINT64_MAX;

	return (whole * region->scale + (part * region->scale >> SCALE_BITS)) /
	       sizeof(uint16_t);
}

static void bucket_hit(struct ixp_profile *profile, uint16_t *bucket)
{
	if (*bucket == UINT16_MAX) {
		profile->stat.full++;
		return;
	}
	++*bucket;
	profile->stat.samples++;
}

/**
 * ixp_profile_hit() - an overflow happened
 * @profile: the profile
 * @pc: the program counter
 */
void ixp_profile_hit(struct ixp_profile *profile, uint64_t pc)
{
	unsigned int i;

	for (i = 0; i < profile->nr; i++) {
		const struct region *region = &profile->region[i];
		uint64_t index;

		if (pc < region->start)
			continue;
		index = region_index(region, pc);
		if (index < region->nr) {
			bucket_hit(profile, &region->bucket[index]);
			return;
		}
	}
	if (profile->rest.nr)
		bucket_hit(profile, profile->rest.bucket);
	else
		profile->stat.outside++;
}

/* Rings */

static void ring_drain(struct ixp_ring *ring)
{
	struct irixperf_profile_stat *stat = &ring->profile->stat;
	struct ixp_records records;
	struct ixp_record record;
	int ret;

	if (ixp_records_begin(&records, ring->map, ring->size) < 0)
		return;

	while ((ret = ixp_records_next(&records, &record)) > 0) {
		if (record.type == PERF_RECORD_SAMPLE)
			ixp_profile_hit(ring->profile, record.ip);
		stat->lost += record.lost;
		stat->throttled += record.type == PERF_RECORD_THROTTLE;
	}
	stat->lost += ret < 0;
	ixp_records_end(&records, ring->map);
}

/* Callers have all signals blocked */
static void drain_locked(void)
{
	struct ixp_ring *ring;

	for (ring = rings; ring; ring = ring->next)
		ring_drain(ring);
}

/**
 * ixp_profile_drain() - bring the buckets up to date
 *
 * The caller has the lock of target.c, under which rings come and go.
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

/* Is it about overflows, or somebody else's? */
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

/* Put our handler before the program's, unless it is there already */
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

/* The kernel limits the memory of all rings of a user: take what can be had */
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

/* The events with a threshold write into the ring, and call for the handler */
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

/**
 * ixp_profile_attach() - let the overflows of a set go into a profile
 * @set: the set, which does not count yet
 * @overflow: what it was opened with
 *
 * irixperf_set_close() ends it.
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
	ring->next = rings;
	rings_change(&rings, ring);

	return 0;
}

/* The last samples are taken; in a child of fork(2), where it is not, nothing */
void ixp_profile_detach(struct irixperf_set *set)
{
	struct ixp_ring **link = &rings;

	while (*link && *link != set->ring)
		link = &(*link)->next;
	if (*link)
		rings_change(link, set->ring->next);
	ring_free(set->ring);
	set->ring = NULL;
}

/**
 * ixp_profile_threads() - tell whether threads can share a ring
 *
 * The kernel lets only one CPU at a time write into a ring, and does not see to
 * it that it is so if threads inherit an event.
 *
 * Return: whether they never run at the same time.
 */
bool ixp_profile_threads(void)
{
	return ixp_cpus("present") == 1;
}

/* No handler of this process had begun; that of the other one stays behind */
void ixp_profile_fork_child(void)
{
	pthread_mutex_init(&lock, NULL);
	rings = NULL;
}

/* The command */

/* Without a threshold there is nothing that could ever be counted */
static bool any_clock(const hwperf_profevctrarg_t *arg)
{
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		if (arg->hwp_evctrargs.hwp_evctrl[i].hwperf_spec != 0 &&
		    arg->hwp_ovflw_freq[i] > 0)
			return true;

	return false;
}

static int profile_copy(struct ixp_profile **profile, uintptr_t profp,
			int profcnt)
{
	struct prof *copy;
	size_t size;
	int ret;

	if (profcnt <= 0 || profcnt > REGIONS_MAX)
		return -EINVAL;
	size = (size_t)profcnt * sizeof(*copy);
	copy = ixp_alloc(size);
	if (!copy)
		return -ENOMEM;

	ret = ixp_user_read(copy, (const void *)profp, size);
	if (ret == 0)
		ret = ixp_profile_new(profile, copy, profcnt);
	ixp_free(copy);

	return ret;
}

/**
 * ixp_profile_enable() - HWPERF_PROFENABLE
 * @arg: address of a hwperf_profevctrarg_t
 * @profp: address of an array of struct prof
 * @profcnt: its length, an int
 *
 * Return: a positive generation number;
 * -EINVAL: improper events, no event with a threshold, improper regions;
 * -EFAULT: an address that is none;
 * -EBUSY: the counters are in system mode, or somebody else has acquired them;
 * or another error of irixperf_proc_ioctl().
 */
int ixp_profile_enable(uintptr_t arg, uintptr_t profp, uintptr_t profcnt)
{
	struct ixp_profile *profile;
	hwperf_profevctrarg_t copy;
	int ret;

	ret = ixp_user_read(&copy, (const void *)arg, sizeof(copy));
	if (ret == 0 && !any_clock(&copy))
		ret = -EINVAL;
	if (ret == 0)
		ret = profile_copy(&profile, profp, (int)profcnt);
	if (ret < 0)
		return ret;

	ixp_target_lock();
	ret = ixp_proc_profile(&copy, profile);
	ixp_target_unlock();
	if (ret < 0)
		ixp_profile_free(profile);

	return ret;
}

int irixperf_profile_stat(struct irixperf_profile_stat *stat)
{
	const struct ixp_target *self;
	int ret = -EINVAL;

	if (stat->size != sizeof(*stat))
		return ret;

	ixp_target_lock();
	self = ixp_target_self();
	if (self && self->profile) {
		*stat = self->profile->stat;
		stat->size = sizeof(*stat);
		ret = 0;
	}
	ixp_target_unlock();

	return ret;
}
