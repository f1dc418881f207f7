// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Stop programs that count in user mode when system mode starts. A program can write
 * anything into its page, but harms only itself by that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "arbiter.h"
#include "descriptor.h"
#include "holder.h"

/*
 * How much CPU time a walk to all pages may take: to look for processes that run, and to
 * stop events. Root waits meanwhile, and users could fill their pages to make it long.
 * To check one process takes 0.1 ms.
 */
#define LOOKING		(3000 * HOLDER_MS)
#define STOPPING	(1000 * HOLDER_MS)

static int page_pass(struct holder_walk *walk, int fd, pid_t pid, uint64_t until)
{
	(void)walk;
	(void)fd;
	(void)pid;
	(void)until;

	return 0;
}

/**
 * holder_users_reach() - tell whether holder_users_revoke() can work
 *
 * Return: 0, -ENOSYS if the kernel is too old, -EPERM without CAP_SYS_PTRACE.
 */
int holder_users_reach(void)
{
	return holder_walk(page_pass, NULL, STOPPING, true);
}

/* Stop an event. The caller has checked @fd: a page can name any descriptor */
static int event_stop(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);

	return 0;
}

/**
 * struct page_events - how to go through the events that a page names
 * @walk: the walk that visits the page
 * @event: called with each event; it returns 0 to go on
 * @pid: the process that has the descriptors
 * @until: when to stop at the latest, by holder_used()
 * @late: the result in that case
 */
struct page_events {
	struct holder_walk *walk;
	int (*event)(int fd);
	pid_t pid;
	uint64_t until;
	int late;
};

static int page_event(const struct page_events *look, int number)
{
	int fd = holder_take(look->pid, number);
	int ret;

	if (fd < 0)
		return fd == -ETIMEDOUT ? fd : 0;
	if (!ixp_descriptor_is_event(fd))
		return holder_walk_keep(look->walk);
	ret = look->event(fd);
	close(fd);

	return ret;
}

static int page_events_each(const struct page_events *look, const uint8_t *bits, size_t size)
{
	size_t i;
	int bit, ret = 0;

	for (i = 0; i < size && ret == 0; i++) {
		if (bits[i] && holder_used() > look->until)
			return look->late;
		for (bit = 0; bits[i] >> bit && ret == 0; bit++)
			if (bits[i] & 1 << bit)
				ret = page_event(look, (int)i * 8 + bit);
	}

	return ret;
}

static int page_events_read(const struct page_events *look, int page)
{
	uint8_t bits[IXP_USER_EVENTS / 8];
	ssize_t n = pread(page, bits, sizeof(bits),
			  offsetof(struct ixp_user_page, event));

	return n > 0 ? page_events_each(look, bits, (size_t)n) : 0;
}

struct looking {
	pid_t caller;
	uint64_t until;
	long uid;
};

/*
 * Does a process run that this page may name as its target? A user's page cannot name
 * processes of other users, or it could always prevent system mode.
 */
static bool target_runs(const struct looking *how, pid_t target)
{
	if (target <= 0 ||
	    (how->uid != 0 && how->uid != holder_process_uid(target)))
		return false;

	return target == how->caller || holder_process_running(target);
}

static int targets_running(const int32_t *target, size_t nr,
			   const struct looking *how)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (target_runs(how, target[i]))
			return 1;
		if (target[i] > 0 && holder_used() > how->until)
			return 1;
	}

	return 0;
}

/* Does a target run? The page is too large for the stack, so it is read in pieces */
static int page_targets_running(int fd, const struct looking *how)
{
	const off_t end = offsetof(struct ixp_user_page, seen);
	int32_t target[256];
	off_t at = offsetof(struct ixp_user_page, target);
	ssize_t n;
	int ret = 0;

	do {
		size_t size = sizeof(target);

		if ((off_t)size > end - at)
			size = (size_t)(end - at);
		n = pread(fd, target, size, at);
		if (n > 0)
			ret = targets_running(target, (size_t)n / sizeof(target[0]),
					      how);
		at += n;
	} while (n > 0 && ret == 0 && at < end);

	return ret;
}

/*
 * Is a process that is counted running? A page names its program's targets, but not the
 * targets' children, which the program's events may count as well. So if no target runs,
 * check whether an event's count grows.
 */
static int page_running(struct holder_walk *walk, int fd, pid_t pid, uint64_t until)
{
	const struct looking how = {
		.caller = *(const pid_t *)holder_walk_data(walk),
		.until = until,
		.uid = holder_process_uid(pid),
	};
	const struct page_events look = {
		.walk = walk,
		.event = holder_event_running,
		.pid = pid,
		.until = until,
		.late = 1,
	};
	int ret;

	ret = page_targets_running(fd, &how);

	return ret == 0 ? page_events_read(&look, fd) : ret;
}

/**
 * holder_users_running() - tell whether a process that is counted runs now
 * @caller: the process that waits for the holder; it is treated as one that runs
 *
 * If there is not enough time to check all processes of a page, the result is 1.
 *
 * Return: 0, 1 or a negative errno value.
 */
int holder_users_running(pid_t caller)
{
	return holder_walk(page_running, &caller, LOOKING, false);
}

static int page_revoke(struct holder_walk *walk, int fd, pid_t pid, uint64_t until)
{
	const struct page_events look = {
		.walk = walk, .event = event_stop, .pid = pid, .until = until,
	};
	struct ixp_user_page *map;

	/*
	 * Atomic, because other processes change the number, too (own.h). Not by
	 * write(2), which would wait for a process that has locked the file.
	 */
	map = mmap(NULL, sizeof(*map), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map != MAP_FAILED) {
		__atomic_fetch_add(&map->epoch, IXP_EPOCH_SYSTEM, __ATOMIC_SEQ_CST);
		munmap(map, sizeof(*map));
	}

	/* Events that the page cannot name go on until the program reads its page */
	return page_events_read(&look, fd);
}

/**
 * holder_users_revoke() - take the counters from all programs in user mode
 *
 * It does no harm to do so more than once.
 *
 * Return: 0 or a negative errno value.
 */
int holder_users_revoke(void)
{
	return holder_walk(page_revoke, NULL, STOPPING, true);
}
