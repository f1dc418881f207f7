// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The user's side of the arbiter: arbiter.h tells how it works. Callers hold
 * the lock of target.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "arbiter.h"
#include "internal.h"
#include "system.h"

static struct ixp_user_page *page;
static int page_fd;
static pid_t page_owner;

/* In the child of a fork, that of its parent, as long as the fork goes on */
static struct ixp_user_page *parent_page;
static int parent_fd;

/* Places that have been used: to look at others would give them memory */
static unsigned int page_places;

/* System mode was off when the page had this epoch */
static unsigned int page_off;
static bool page_off_known;

/* Who may not have a file of that size would get a SIGXFSZ */
static bool page_allowed(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) < 0 ||
	       limit.rlim_cur == RLIM_INFINITY ||
	       limit.rlim_cur >= sizeof(struct ixp_user_page);
}

static int page_map(int fd, struct ixp_user_page **new)
{
	void *map;

	if (!page_allowed())
		return -EFBIG;
	if (ftruncate(fd, sizeof(**new)) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) < 0)
		return -errno;

	map = mmap(NULL, sizeof(**new), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   0);
	if (map == MAP_FAILED)
		return -errno;
	*new = map;
	(*new)->magic = IXP_USER_MAGIC;

	return 0;
}

static int page_create(struct ixp_user_page **new)
{
	char name[200];
	int fd, ret;

	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;

	ret = page_map(fd, new);
	if (ret < 0) {
		close(fd);
		return ret;
	}

	return fd;
}

/* The position of the page's file, which nobody else uses: it tells whose it is */
static off_t page_mark(void)
{
	return ((off_t)IXP_USER_MAGIC << 12) + page_owner;
}

static bool page_ours(void)
{
	return page && page_owner == ixp_target_caller();
}

static void page_is_parents(void)
{
	if (!page || page_ours())
		return;
	parent_page = page;
	parent_fd = page_fd;
	page = NULL;
}

/**
 * ixp_arbiter_forget() - drop the page of the process that forked this one
 *
 * Until then ixp_arbiter_parent_epoch() tells what that one has lost.
 */
void ixp_arbiter_forget(void)
{
	page_is_parents();
	if (!parent_page)
		return;
	munmap(parent_page, sizeof(*parent_page));
	close(parent_fd);
	parent_page = NULL;
}

static int page_make(void)
{
	struct ixp_user_page *new = NULL;
	int fd;

	if (page_ours())
		return 0;

	fd = page_create(&new);
	if (fd < 0)
		return fd;

	page_is_parents();
	page = new;
	page_fd = fd;
	page_owner = ixp_target_caller();
	page_places = 0;
	page_off_known = false;
	lseek(page_fd, page_mark(), SEEK_SET);

	return 0;
}

/* The place with this target; that with target 0 is a free one */
static int32_t *page_find(pid_t target)
{
	unsigned int i;

	for (i = 0; i < page_places; i++)
		if (page->target[i] == target)
			return &page->target[i];

	return NULL;
}

static int32_t *page_new_place(void)
{
	int32_t *place = page_find(0);

	if (!place && page_places < IXP_USER_TARGETS)
		place = &page->target[page_places++];

	return place;
}

static void place_set(int32_t *place, pid_t target)
{
	__atomic_store_n(place, target, __ATOMIC_SEQ_CST);
}

/*
 * A holder finds what the first thread has open. The program may have closed the
 * page, as it closes whatever it finds, or go on after the end of that thread.
 */
static bool page_findable(void)
{
	return page_ours() && lseek(page_fd, 0, SEEK_CUR) == page_mark() &&
	       ixp_single_threaded();
}

/* Whoever has begun system mode since then has not come to this page yet, but will */
static bool still_off(unsigned int epoch)
{
	return page_off_known && !((epoch ^ page_off) & ~IXP_EPOCH_OWN) &&
	       page_findable();
}

/* Between being seen and looking, or else both sides could miss each other */
static int place_check(unsigned int *epoch)
{
	int ret;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*epoch = ixp_arbiter_epoch();
	if (still_off(*epoch))
		return 0;
	ret = ixp_system_on();
	if (ret == 0) {
		page_off = *epoch;
		page_off_known = true;
	}

	return ret > 0 ? -EBUSY : ret;
}

/**
 * ixp_arbiter_user_begin() - ask for the counters in user mode
 * @target: process that is to be counted; one may be named again
 * @epoch: what ixp_arbiter_epoch() returns until the counters are taken away
 *
 * Call it before the events are opened. A process that has forked since begins
 * anew. A kernel without memfds has no system mode that knows its users.
 *
 * Return: 0, -EBUSY if the counters are in system mode, or another negative
 * errno value. @target is then as it was before.
 */
int ixp_arbiter_user_begin(pid_t target, unsigned int *epoch)
{
	int32_t *place;
	int ret;

	ret = page_make();
	if (ret == -ENOSYS)
		return place_check(epoch);
	if (ret < 0)
		return ret;
	if (page_find(target))
		return place_check(epoch);

	place = page_new_place();
	if (!place)
		return -ENOMEM;
	place_set(place, target);
	ret = place_check(epoch);
	if (ret < 0)
		place_set(place, 0);

	return ret;
}

/**
 * ixp_arbiter_user_end() - the counters are no longer used for a target
 * @target: the process; one that never was named is no matter
 */
void ixp_arbiter_user_end(pid_t target)
{
	if (ixp_arbiter_user_has(target))
		place_set(page_find(target), 0);
}

/**
 * ixp_arbiter_user_has() - tell whether this process counts a target
 * @target: a process
 *
 * Return: whether the last word was ixp_arbiter_user_begin().
 */
bool ixp_arbiter_user_has(pid_t target)
{
	return page_ours() && page_find(target);
}

/* Nobody else writes there */
static void event_set(unsigned int fd, bool open)
{
	const uint8_t bit = (uint8_t)(1 << fd % 8);
	uint8_t *place, bits;

	if (fd >= IXP_USER_EVENTS)
		return;
	place = &page->event[fd / 8];
	bits = __atomic_load_n(place, __ATOMIC_RELAXED) & (uint8_t)~bit;
	if (open)
		bits |= bit;
	__atomic_store_n(place, bits, __ATOMIC_SEQ_CST);
}

static void events_set(const struct irixperf_set *set, bool open)
{
	unsigned int i;

	if (!page_ours())
		return;
	for (; set; set = set->next)
		for (i = 0; i < set->nr; i++)
			event_set((unsigned int)set->fd[i], open);
}

/**
 * ixp_arbiter_open() - tell which descriptors are events in user mode
 * @set: events that do not count yet; NULL for none
 *
 * System mode stops them when it begins.
 */
void ixp_arbiter_open(const struct irixperf_set *set)
{
	events_set(set, true);
}

/**
 * ixp_arbiter_close() - close events in user mode, when nobody reads them any more
 * @set: events; NULL for none
 */
void ixp_arbiter_close(struct irixperf_set *set)
{
	events_set(set, false);
	ixp_set_retire(set);
}

static unsigned int epoch_of(const struct ixp_user_page *p)
{
	return p ? __atomic_load_n(&p->epoch, __ATOMIC_ACQUIRE) : 0;
}

/**
 * ixp_arbiter_epoch() - tell whether system mode has taken the counters
 *
 * This costs a read of memory.
 *
 * Return: a number that is another one each time the counters are taken away.
 */
unsigned int ixp_arbiter_epoch(void)
{
	return epoch_of(page);
}

/**
 * ixp_arbiter_own() - where the counters that this process has itself are shown
 * @pid: its number, which the caller knows
 *
 * Return: the place, or NULL if it has no page.
 */
struct ixp_own *ixp_arbiter_own(pid_t pid)
{
	return page && page_owner == pid ? &page->own : NULL;
}

/**
 * ixp_arbiter_parent_epoch() - the same for the process that forked this one
 *
 * In the child of a fork, before ixp_arbiter_forget().
 *
 * Return: what ixp_arbiter_epoch() would return there.
 */
unsigned int ixp_arbiter_parent_epoch(void)
{
	return epoch_of(parent_page ? parent_page : page);
}
