// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Programs that count in user mode: each has a memfd of a certain name open,
 * which src/arbiter.h describes. What it says is the program's own affair; what
 * is written there can harm nobody else. Descriptors are taken over as they are:
 * to open them anew could also hang in a file system of the program's own.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "holder.h"

/**
 * struct visit - a walk to all pages
 * @page: what to do with one, the program it belongs to being a process of @pid;
 *	a value other than 0 ends the walk
 * @data: for @page
 * @name: what /proc says of such a page
 */
struct visit {
	int (*page)(int fd, pid_t pid, void *data);
	void *data;
	char name[256];
};

static int take_descriptor(pid_t pid, int number)
{
	int process = ixp_descriptor_process(pid);
	int fd;

	if (process < 0)
		return process;
	fd = ixp_descriptor_take(process, number);
	close(process);

	return fd;
}

/* Who has ended or closed it in the meantime does not count */
static int visit_page(const struct visit *visit, pid_t pid, int number)
{
	uint32_t magic;
	int fd, ret = 0;

	fd = take_descriptor(pid, number);
	if (fd < 0)
		return fd == -ESRCH || fd == -EBADF || fd == -EINVAL ? 0 : fd;

	if (fcntl(fd, F_GET_SEALS) >= 0 &&
	    pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) &&
	    magic == IXP_USER_MAGIC)
		ret = visit->page(fd, pid, visit->data);
	close(fd);

	return ret;
}

static bool link_matches(const struct visit *visit, int dir, const char *number)
{
	char text[sizeof(visit->name)];
	ssize_t n = readlinkat(dir, number, text, sizeof(text) - 1);

	if (n < 0)
		return false;
	text[n] = '\0';

	return strcmp(text, visit->name) == 0;
}

static int visit_process(const struct visit *visit, pid_t pid)
{
	struct dirent *entry;
	char path[32];
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOMEM || errno == EMFILE || errno == ENFILE ?
			       -errno : 0;

	while (ret == 0 && (entry = readdir(dir)))
		if (link_matches(visit, dirfd(dir), entry->d_name))
			ret = visit_page(visit, pid, atoi(entry->d_name));
	closedir(dir);

	return ret;
}

static int visit_all(int (*page)(int fd, pid_t pid, void *data), void *data)
{
	struct visit visit = { .page = page, .data = data };
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return -errno;
	snprintf(visit.name, sizeof(visit.name),
		 "/memfd:" IXP_USER_NAME "%s (deleted)", ixp_kernel.root);

	while (ret == 0 && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			ret = visit_process(&visit, atoi(entry->d_name));
	closedir(dir);

	return ret;
}

static int page_pass(int fd, pid_t pid, void *data)
{
	(void)fd;
	(void)pid;
	(void)data;

	return 0;
}

/**
 * holder_users_reach() - tell whether holder_users_revoke() can work
 *
 * Return: 0, -ENOSYS if the kernel is too old, -EPERM without CAP_SYS_PTRACE.
 */
int holder_users_reach(void)
{
	return visit_all(page_pass, NULL);
}

/* Not the owner of /proc/<pid>, which a process can make root */
static long process_uid(pid_t pid)
{
	char path[32], text[2048], *line;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	line = strstr(text, "\nUid:");

	return line ? strtol(line + 5, NULL, 10) : -ESRCH;
}

/*
 * What users write into their pages is work for root, while root waits: it takes
 * so long and no longer. A look at a process takes a tenth of a millisecond.
 */
#define LOOKING		3000	/* milliseconds */
#define STOPPING	1000

static int64_t now_ms(void)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);

	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* An event that the program has open under this number, or a negative value */
static int take_event(pid_t pid, int number)
{
	int fd = take_descriptor(pid, number);

	if (fd >= 0 && !ixp_descriptor_is_event(fd)) {
		close(fd);
		return -EBADF;
	}

	return fd;
}

/* Nobody but the owner could do so by his own right: it has to be an event */
static int event_stop(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);

	return 0;
}

/**
 * struct tour - of the events that a page names
 * @event: what to do with one; a value other than 0 ends the tour
 * @pid: whose descriptors they are
 * @until: when the tour ends at the latest
 * @late: what it gives then
 */
struct tour {
	int (*event)(int fd);
	pid_t pid;
	int64_t until;
	int late;
};

static int tour_event(const struct tour *tour, int number)
{
	int fd = take_event(tour->pid, number);
	int ret;

	if (fd < 0)
		return 0;
	ret = tour->event(fd);
	close(fd);

	return ret;
}

static int tour_events(const struct tour *tour, const uint8_t *bits, size_t size)
{
	size_t i;
	int bit, ret = 0;

	for (i = 0; i < size && ret == 0; i++) {
		if (bits[i] && now_ms() > tour->until)
			return tour->late;
		for (bit = 0; bits[i] >> bit && ret == 0; bit++)
			if (bits[i] & 1 << bit)
				ret = tour_event(tour, (int)i * 8 + bit);
	}

	return ret;
}

static int tour_page(const struct tour *tour, int page)
{
	uint8_t bits[IXP_USER_EVENTS / 8];
	ssize_t n = pread(page, bits, sizeof(bits),
			  offsetof(struct ixp_user_page, event));

	return n > 0 ? tour_events(tour, bits, (size_t)n) : 0;
}

struct claim {
	pid_t caller;
	int64_t until;
	long uid;
};

/* A user cannot keep root out by naming processes that are not his own */
static bool claim_holds(const struct claim *claim, pid_t target)
{
	if (target <= 0 ||
	    (claim->uid != 0 && claim->uid != process_uid(target)))
		return false;

	return target == claim->caller || holder_process_running(target);
}

static int targets_running(const int32_t *target, size_t nr,
			   const struct claim *claim)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (claim_holds(claim, target[i]))
			return 1;
		if (target[i] > 0 && now_ms() > claim->until)
			return 1;
	}

	return 0;
}

/* A page is too large for the stack, and most of it is a hole */
static int page_targets_running(int fd, const struct claim *claim)
{
	const off_t end = offsetof(struct ixp_user_page, event);
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
			ret = targets_running(target,
					      (size_t)n / sizeof(target[0]),
					      claim);
		at += n;
	} while (n > 0 && ret == 0 && at < end);

	return ret;
}

/* Of the targets' children only the events know */
static int page_running(int fd, pid_t pid, void *data)
{
	struct claim claim = *(const struct claim *)data;
	struct tour tour = {
		.event = holder_event_running,
		.pid = pid,
		.until = claim.until,
		.late = 1,
	};
	int ret;

	claim.uid = process_uid(pid);
	ret = page_targets_running(fd, &claim);

	return ret == 0 ? tour_page(&tour, fd) : ret;
}

/**
 * holder_users_running() - tell whether a process that is counted runs now
 * @caller: a process that waits for us, and counts as running
 *
 * Who names more processes than can be looked at in that time has one that runs.
 *
 * Return: 0, 1 or a negative errno value.
 */
int holder_users_running(pid_t caller)
{
	struct claim claim = { .caller = caller, .until = now_ms() + LOOKING };

	return visit_all(page_running, &claim);
}

static int page_revoke(int fd, pid_t pid, void *data)
{
	const off_t at = offsetof(struct ixp_user_page, epoch);
	struct tour tour = {
		.event = event_stop,
		.pid = pid,
		.until = *(const int64_t *)data,
	};
	uint32_t epoch = 0;
	ssize_t n = pread(fd, &epoch, sizeof(epoch), at);

	epoch += IXP_EPOCH_SYSTEM;
	/* Who has cut off or sealed his page harms himself alone */
	if (n == sizeof(epoch))
		n = pwrite(fd, &epoch, sizeof(epoch), at);

	/* Who has too many learns of his loss when he looks, as of all else */
	return tour_page(&tour, fd);
}

/**
 * holder_users_revoke() - take the counters from all programs in user mode
 *
 * To do so more than once is as good as once.
 *
 * Return: 0 or a negative errno value.
 */
int holder_users_revoke(void)
{
	int64_t until = now_ms() + STOPPING;

	return visit_all(page_revoke, &until);
}
