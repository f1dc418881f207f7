// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The events of a process: a set for each thread that it has, and the kernel
 * lets threads that come later inherit from those that make them. A thread must
 * not be counted twice, nor not at all, though threads come while events are
 * being opened. So this goes in rounds, in which nothing counts yet:
 *
 * - List the threads, open events on each, and list them again. All threads of
 *   the first list are older than any event, so none of them has inherited.
 * - If the second list has a thread that the first has not, nobody can tell
 *   whether it has been inherited: all is closed, and the next round begins.
 * - If not, each thread that there was when the second list was begun has its
 *   events, and whatever comes later inherits from one of them.
 *
 * But for one case that nobody outside of the kernel can see: clone(2) copies
 * events before it lets the new thread be listed, and one that is held up in
 * between, from before the events until after the second list, is missed with
 * all that it makes. Only a CPU with much else to do holds it up for so long.
 *
 * Most processes have one thread, and their folder "task" says so.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "overflow.h"

/* A process that makes threads faster than that cannot be caught */
#define MAX_ROUNDS	100

/**
 * struct wanted - what is to be opened
 * @attr: what to count
 * @t: for whom
 * @arg: the program's words, with thresholds
 */
struct wanted {
	struct irixperf_attr *attr;
	const struct ixp_target *t;
	const hwperf_profevctrarg_t *arg;
};

struct tids {
	unsigned int nr, room;
	pid_t *tid;
};

static int tids_grow(struct tids *list)
{
	unsigned int room = list->room ? 2 * list->room : 64;
	pid_t *more = ixp_alloc(room * sizeof(*more));

	if (!more)
		return -ENOMEM;
	if (list->nr)
		memcpy(more, list->tid, list->nr * sizeof(*more));
	ixp_free(list->tid);
	list->tid = more;
	list->room = room;

	return 0;
}

/* In order; the kernel lists the oldest first, mostly the one of the lowest number */
static int tids_add(struct tids *list, pid_t tid)
{
	unsigned int i;
	int ret;

	if (list->nr == list->room) {
		ret = tids_grow(list);
		if (ret < 0)
			return ret;
	}
	for (i = list->nr++; i > 0 && list->tid[i - 1] > tid; i--)
		list->tid[i] = list->tid[i - 1];
	list->tid[i] = tid;

	return 0;
}

static int tids_compare(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static int tids_add_entries(struct tids *list, const char *buf, ssize_t size)
{
	const struct dirent *entry;
	ssize_t at;
	int ret = 0;

	for (at = 0; at < size && ret == 0; at += entry->d_reclen) {
		entry = (const void *)(buf + at);
		if (entry->d_name[0] != '.')
			ret = tids_add(list, atoi(entry->d_name));
	}

	return ret;
}

/* opendir(3) calls malloc(3) */
static int tids_fill(struct tids *list, int task)
{
	char buf[4096] __attribute__((aligned(8)));
	ssize_t n;
	int ret;

	do {
		n = syscall(SYS_getdents64, task, buf, sizeof(buf));
		ret = n < 0 ? -errno : tids_add_entries(list, buf, n);
	} while (n > 0 && ret == 0);

	return ret == -ENOENT ? -ESRCH : ret;
}

/* The threads of the process whose folder @fd is, in the order of their numbers */
static int tids_read(struct tids *list, int fd)
{
	int task = openat(fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret;

	if (task < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	ret = tids_fill(list, task);
	close(task);

	return ret;
}

static bool tids_has_all(const struct tids *all, const struct tids *part)
{
	unsigned int i;

	for (i = 0; i < part->nr; i++)
		if (!bsearch(&part->tid[i], all->tid, all->nr,
			     sizeof(*all->tid), tids_compare))
			return false;

	return true;
}

/* A folder has a link for each one in it, and two more; 0 if that is not so */
static unsigned int threads_there(const struct ixp_target *t)
{
	struct stat st;

	if (t->self && ixp_single_threaded())
		return 1;
	if (fstatat(t->fd, "task", &st, 0) < 0 || st.st_nlink < 3)
		return 0;

	return (unsigned int)st.st_nlink - 2;
}

static int threads_add(struct irixperf_set **threads, const struct wanted *w,
		       pid_t tid, bool alone)
{
	struct irixperf_set *set;
	int ret;

	w->attr->pid = tid;
	ret = ixp_overflow_open(&set, w->attr, alone, w->t, w->arg);
	if (ret < 0)
		return ret;
	set->next = *threads;
	*threads = set;

	return 0;
}

/* Threads that have ended meanwhile are no loss, as long as there are others */
static int threads_add_all(struct irixperf_set **threads,
			   const struct wanted *w, const struct tids *list)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < list->nr && (ret == 0 || ret == -ESRCH); i++)
		ret = threads_add(threads, w, list->tid[i], false);

	return ret == -ESRCH && *threads ? 0 : ret;
}

/* Nobody but the only thread could make another one */
static int open_single(struct irixperf_set **threads, const struct wanted *w)
{
	const struct ixp_target *t = w->t;
	int ret = threads_add(threads, w, t->pid, t->self);

	if (ret == 0 && !t->self && threads_there(t) != 1)
		ret = -EAGAIN;

	return ret;
}

static int open_listed(struct irixperf_set **threads, const struct wanted *w,
		       const struct tids *list)
{
	struct tids again = { 0 };
	int ret;

	ret = threads_add_all(threads, w, list);
	if (ret == 0)
		ret = tids_read(&again, w->t->fd);
	if (ret == 0 && !tids_has_all(list, &again))
		ret = -EAGAIN;
	ixp_free(again.tid);

	return ret;
}

static int open_all(struct irixperf_set **threads, const struct wanted *w)
{
	struct tids list = { 0 };
	int ret;

	ret = tids_read(&list, w->t->fd);
	if (ret == 0)
		ret = list.nr ? open_listed(threads, w, &list) : -ESRCH;
	ixp_free(list.tid);

	return ret;
}

static int open_round(struct irixperf_set **set, const struct wanted *w)
{
	struct irixperf_set *threads = NULL;
	int ret;

	ret = threads_there(w->t) == 1 ? open_single(&threads, w) :
					 open_all(&threads, w);
	if (ret < 0)
		irixperf_set_close(threads);
	else
		*set = threads;

	return ret;
}

/**
 * ixp_threads_open() - open events on all threads of a process
 * @set: gets the events: a set, and one after the other by its @next
 * @attr: what to count, with IRIXPERF_DISABLED and one of the flags that inherit
 * @t: the process
 * @arg: the program's words, with thresholds
 *
 * Return: 0; -EAGAIN if the process makes threads all the time; -ESRCH if it has
 * none that could count; or another error of ixp_overflow_open().
 */
int ixp_threads_open(struct irixperf_set **set, struct irixperf_attr *attr,
		     const struct ixp_target *t,
		     const hwperf_profevctrarg_t *arg)
{
	const struct wanted w = { attr, t, arg };
	int ret = -EAGAIN;
	int i;

	for (i = 0; i < MAX_ROUNDS && ret == -EAGAIN; i++)
		ret = open_round(set, &w);

	return ret;
}

unsigned int ixp_threads_count(const struct irixperf_set *set)
{
	unsigned int nr;

	for (nr = 0; set; set = set->next)
		nr++;

	return nr;
}

/* If it fails, some count and some do not */
int ixp_threads_enable(const struct irixperf_set *set)
{
	int ret = 0;

	for (; set && ret == 0; set = set->next)
		ret = irixperf_set_enable(set);

	return ret;
}

int ixp_threads_disable(const struct irixperf_set *set)
{
	int ret = 0;

	for (; set && ret == 0; set = set->next)
		ret = irixperf_set_disable(set);

	return ret;
}

/**
 * ixp_threads_get() - read the counts of all threads
 * @set: their events
 * @base: what they are added to
 * @to: the sums; what ixp_set_get() says about it holds here, too
 *
 * Return: 0, or an error, after which @to is as before.
 */
int ixp_threads_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		    hwperf_cntr_t *to)
{
	const struct irixperf_set *other = set->next;
	hwperf_cntr_t sum = *base;
	int ret = 0;

	for (; other && ret == 0; other = other->next)
		ret = ixp_set_add(other, &sum);

	return ret < 0 ? ret : ixp_set_get(set, &sum, to);
}

/* If it fails, nothing has been added */
int ixp_threads_add(const struct irixperf_set *set, hwperf_cntr_t *sum)
{
	hwperf_cntr_t new;
	int ret = ixp_threads_get(set, sum, &new);

	if (ret == 0)
		*sum = new;

	return ret;
}
