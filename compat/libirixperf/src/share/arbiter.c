// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The page of this program, which counts in user mode: see arbiter.h.
 * Callers hold the lock (enter.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "arbiter.h"
#include "descriptor.h"
#include "ident.h"
#include "kernel.h"
#include "set.h"
#include "view.h"

static struct ixp_user_page *page;
static int page_fd;
static pid_t page_owner;

/* In a forked child: its parent's page, until ixp_arbiter_forget() */
static struct ixp_user_page *parent_page;
static int parent_fd;

/*
 * How many entries of @target have been used. A read of the others would make the
 * kernel allocate memory for them.
 */
static unsigned int page_entries;

/* The page's epoch when system mode was last found off */
static unsigned int page_off;
static bool page_off_known;

/* Make a page. Return its descriptor, or -errno */
static int page_create(struct ixp_user_page **new)
{
	struct rlimit limit;
	char name[200];
	void *map;
	int fd, ret;

	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	/* ftruncate(2) beyond this limit would send SIGXFSZ */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur < sizeof(**new)) {
		errno = EFBIG;
		goto fail;
	}
	if (ftruncate(fd, sizeof(**new)) < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) < 0)
		goto fail;
	map = mmap(NULL, sizeof(**new), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		goto fail;
	*new = map;
	(*new)->magic = IXP_USER_MAGIC;

	return fd;

fail:
	ret = -errno;
	close(fd);

	return ret;
}

/*
 * The file position that marks the page, which has no other use for it. A program may
 * have closed the page's descriptor and opened another file with the same number.
 */
static off_t page_mark(void)
{
	return ((off_t)IXP_USER_MAGIC << 12) + page_owner;
}

static bool page_ours(void)
{
	return page && page_owner == ixp_ident_caller();
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
 * Until then ixp_arbiter_parent_epoch() tells what that process has lost.
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
	page_owner = ixp_ident_caller();
	page_entries = 0;
	page_off_known = false;
	lseek(page_fd, page_mark(), SEEK_SET);

	return 0;
}

/* The entry of this target; target 0 finds a free entry */
static int32_t *entry_find(pid_t target)
{
	unsigned int i;

	for (i = 0; i < page_entries; i++)
		if (page->target[i] == target)
			return &page->target[i];

	return NULL;
}

static void entry_set(int32_t *entry, pid_t target)
{
	__atomic_store_n(entry, target, __ATOMIC_SEQ_CST);
}

/*
 * A holder sees the descriptors of the first thread. The program may have closed the
 * page with all its other descriptors, or its first thread may have ended.
 */
static bool page_findable(void)
{
	return page_ours() && lseek(page_fd, 0, SEEK_CUR) == page_mark() &&
	       ixp_single_threaded();
}

/*
 * Check that system mode is off. The fence orders this after the write to the page:
 * otherwise the program could miss system mode, and its holder the program's entry.
 */
static int check_system_off(unsigned int *epoch)
{
	int ret;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*epoch = ixp_arbiter_epoch();
	/* If it was off at this epoch, it still is, or its holder comes here: see arbiter.h */
	if (page_off_known && !((*epoch ^ page_off) & ~IXP_EPOCH_OWN) && page_findable())
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
 * @target: the process to be counted; it may have been named before
 * @epoch: what ixp_arbiter_epoch() returns until the counters are taken away
 *
 * Call it before the events are opened. A forked child makes a page of its own. If the
 * kernel has no memfds, there is no page, and no system mode that looks for it.
 *
 * Return: 0, -EBUSY if the counters are in system mode, or another negative
 * errno value. @target is then as it was before.
 */
int ixp_arbiter_user_begin(pid_t target, unsigned int *epoch)
{
	int32_t *entry;
	int ret;

	ret = page_make();
	if (ret == -ENOSYS)
		return check_system_off(epoch);
	if (ret < 0)
		return ret;
	if (entry_find(target))
		return check_system_off(epoch);

	entry = entry_find(0);
	if (!entry && page_entries < IXP_USER_TARGETS)
		entry = &page->target[page_entries++];
	if (!entry)
		return -ENOMEM;
	entry_set(entry, target);
	ret = check_system_off(epoch);
	if (ret < 0)
		entry_set(entry, 0);

	return ret;
}

/**
 * ixp_arbiter_user_end() - tell that a target is no longer counted
 * @target: the process; nothing happens if it was never named
 */
void ixp_arbiter_user_end(pid_t target)
{
	if (ixp_arbiter_user_has(target))
		entry_set(entry_find(target), 0);
}

/**
 * ixp_arbiter_user_has() - tell whether this process counts a target
 * @target: a process
 *
 * Return: true after ixp_arbiter_user_begin(), until ixp_arbiter_user_end().
 */
bool ixp_arbiter_user_has(pid_t target)
{
	return page_ours() && entry_find(target);
}

/* Only this process writes here, so load and store need not be one operation */
static void event_set(unsigned int fd, bool open)
{
	const uint8_t bit = (uint8_t)(1 << fd % 8);
	uint8_t *byte, bits;

	if (fd >= IXP_USER_EVENTS)
		return;
	byte = &page->event[fd / 8];
	bits = __atomic_load_n(byte, __ATOMIC_RELAXED) & (uint8_t)~bit;
	if (open)
		bits |= bit;
	__atomic_store_n(byte, bits, __ATOMIC_SEQ_CST);
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
 * ixp_arbiter_open() - name the descriptors of events in the page
 * @set: events that do not count yet; NULL for none
 *
 * System mode stops the named events when it starts.
 */
void ixp_arbiter_open(const struct irixperf_set *set)
{
	events_set(set, true);
}

/**
 * ixp_arbiter_close() - remove events from the page, and close them when no thread
 *	reads them any more
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
 * This costs one read of memory.
 *
 * Return: a number that changes each time the counters are taken away.
 */
unsigned int ixp_arbiter_epoch(void)
{
	return epoch_of(page);
}

/**
 * ixp_arbiter_own() - the part of the page that shows this process' own counters
 * @pid: PID of this process, which the caller knows
 *
 * Return: the part, or NULL if this process has no page.
 */
struct ixp_own *ixp_arbiter_own(pid_t pid)
{
	return page && page_owner == pid ? &page->own : NULL;
}

/**
 * ixp_arbiter_parent_epoch() - ixp_arbiter_epoch() of the parent
 *
 * A forked child calls this before ixp_arbiter_forget().
 *
 * Return: what ixp_arbiter_epoch() would return in the parent.
 */
unsigned int ixp_arbiter_parent_epoch(void)
{
	return epoch_of(parent_page ? parent_page : page);
}

/**
 * ixp_arbiter_pages() - look for pages in a process
 * @folder: the process' directory /proc/PID
 * @found: called with each descriptor whose file has the name of a page; other files
 *	can have this name, too; a value other than 0 ends the search
 * @data: for @found
 *
 * Return: what @found returned last, 0 if there is none, or a negative errno value.
 */
int ixp_arbiter_pages(int folder, int (*found)(int number, void *data), void *data)
{
	char name[256];

	snprintf(name, sizeof(name), "/memfd:" IXP_USER_NAME "%s (deleted)",
		 ixp_kernel.root);

	return ixp_descriptor_each(folder, name, found, data);
}
