// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Programs that count in user mode: each has a memfd of a certain name open,
 * which src/arbiter.h describes. What it says is the program's own affair; what
 * is written there can harm nobody else. Descriptors are taken over as they are:
 * to open them anew could also hang in a file system of the program's own.
 *
 * So can closing one that only looks like a page. Therefore a scout takes them, a
 * child of this process that can be lost: it walks, and this process waits for it,
 * but not for long.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "holder.h"

/* How long a scout may stand still with a program of a user, in milliseconds */
#define STAYING		1000

/* Users whose programs have kept a scout */
#define KEEPERS		16

/**
 * struct report - what a scout tells, in memory that it shares
 * @at: the process that it has come to
 * @done: it has come to the end of the walk
 * @ret: with this result
 */
struct report {
	pid_t at;
	bool done;
	int ret;
};

/**
 * struct visit - a walk to all pages
 * @page: what to do with one, the program it belongs to being a process of @pid;
 *	a value other than 0 ends the walk
 * @data: for @page
 * @until: when the walk ends at the latest; 0 if it only must not stand still
 * @late: what it gives then
 * @name: what /proc says of such a page
 * @report: where the scout tells how far it is
 * @nr_keepers: how many users are left out, as their programs have kept a scout
 * @keeper: these users
 */
struct visit {
	int (*page)(int fd, pid_t pid, void *data);
	void *data;
	int64_t until;
	int late;
	char name[256];
	struct report *report;
	unsigned int nr_keepers;
	long keeper[KEEPERS];
};

static int64_t now_ms(void)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);

	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
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

static bool left_out(const struct visit *visit, pid_t pid)
{
	long uid = visit->nr_keepers ? process_uid(pid) : 0;
	unsigned int i;

	for (i = 0; i < visit->nr_keepers; i++)
		if (visit->keeper[i] == uid)
			return true;

	return false;
}

/* Of a scout that starts anew: what was done before is as good done twice */
static int walk(const struct visit *visit)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	pid_t pid;
	int ret = 0;

	if (!dir)
		return -errno;
	while (ret == 0 && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid <= 0 || left_out(visit, pid))
			continue;
		__atomic_store_n(&visit->report->at, pid, __ATOMIC_RELEASE);
		ret = visit_process(visit, pid);
	}
	closedir(dir);

	return ret;
}

/* The kernel's own call: what the library does for children is not for this one */
static pid_t scout_send(const struct visit *visit)
{
	struct report *report = visit->report;
	pid_t pid;

	memset(report, 0, sizeof(*report));
	/* It is waited for by nobody */
	signal(SIGCHLD, SIG_IGN);
	pid = (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
	if (pid != 0)
		return pid < 0 ? -errno : pid;

	/* It may outlive this process, but no lock and no event of it */
	holder_close_from(0);
	report->ret = walk(visit);
	__atomic_store_n(&report->done, true, __ATOMIC_RELEASE);
	syscall(SYS_exit_group, 0);

	return 0;
}

/* 'R' if it only waits for a CPU, 0 if it has been lost */
static char scout_state(pid_t pid)
{
	char path[32], state;
	int task;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	task = openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (task < 0)
		return 0;
	state = ixp_thread_state(task, pid);
	close(task);

	return state;
}

/* True if it has come to an end; else it has been lost, or is late */
static bool scout_await(const struct visit *visit, pid_t pid)
{
	const struct timespec moment = { .tv_nsec = 200000 };
	const struct report *report = visit->report;
	int64_t moved = now_ms();
	pid_t at = 0, now;
	char state;

	while (!__atomic_load_n(&report->done, __ATOMIC_ACQUIRE)) {
		now = __atomic_load_n(&report->at, __ATOMIC_ACQUIRE);
		if (now != at)
			moved = now_ms();
		at = now;
		state = scout_state(pid);
		if (state == 'R')
			moved = now_ms();
		if (!state || now_ms() > moved + STAYING ||
		    (visit->until && now_ms() > visit->until))
			return __atomic_load_n(&report->done, __ATOMIC_ACQUIRE);
		nanosleep(&moment, NULL);
	}

	return true;
}

static int visit_by_scouts(struct visit *visit)
{
	pid_t pid;

	for (;;) {
		pid = scout_send(visit);
		if (pid < 0)
			return pid;
		if (scout_await(visit, pid))
			return visit->report->ret;
		kill(pid, SIGKILL);
		if (visit->until)
			return visit->late;
		if (visit->nr_keepers == KEEPERS)
			return -EAGAIN;
		visit->keeper[visit->nr_keepers++] = process_uid(visit->report->at);
	}
}

static int visit_all(int (*page)(int fd, pid_t pid, void *data), void *data,
		     int64_t until, int late)
{
	struct visit visit = {
		.page = page, .data = data, .until = until, .late = late,
	};
	void *report = mmap(NULL, sizeof(*visit.report), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (report == MAP_FAILED)
		return -errno;
	visit.report = report;
	snprintf(visit.name, sizeof(visit.name),
		 "/memfd:" IXP_USER_NAME "%s (deleted)", ixp_kernel.root);
	ret = visit_by_scouts(&visit);
	munmap(report, sizeof(*visit.report));

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
	return visit_all(page_pass, NULL, 0, 0);
}

/*
 * What users write into their pages is work for root, while root waits: it takes
 * so long and no longer. A look at a process takes a tenth of a millisecond.
 */
#define LOOKING		3000	/* milliseconds */
#define STOPPING	1000

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

	return visit_all(page_running, &claim, claim.until, 1);
}

static int page_revoke(int fd, pid_t pid, void *data)
{
	struct tour tour = {
		.event = event_stop,
		.pid = pid,
		.until = *(const int64_t *)data,
	};
	struct ixp_user_page *map;

	/*
	 * In one step, as others change it, too (own.h); and not by a write, which
	 * waits for whoever has the file locked. One without this part is no page.
	 */
	map = mmap(NULL, sizeof(*map), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map != MAP_FAILED) {
		__atomic_fetch_add(&map->epoch, IXP_EPOCH_SYSTEM, __ATOMIC_SEQ_CST);
		munmap(map, sizeof(*map));
	}

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

	return visit_all(page_revoke, &until, 0, 0);
}
