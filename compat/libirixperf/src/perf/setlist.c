// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Open the events of a process: a set for each thread. Threads that are made later
 * inherit the events of the thread that makes them. Each thread has to be counted
 * exactly once, although threads may start while events are being opened. So the
 * library works in rounds, in which nothing counts yet:
 *
 * - List the threads and open events on each. All threads of the list are older
 *   than any event, so none of them has inherited one.
 * - A thread that is in clone(2) at that time can make a thread that has not inherited
 *   the events, and is not yet in the list. So wait until each thread has left
 *   clone(2): until it sleeps, which it does not do in clone(2), or has used more CPU
 *   time than a clone(2) takes.
 * - List the threads again. If there is a new thread, the library cannot know whether
 *   it has inherited events: close all, and start the next round.
 * - If there is none, each thread has its events, and all later threads inherit from
 *   one of these.
 *
 * Some processes make threads so fast that there is always a new one after the wait.
 * So the last rounds do not wait. They can miss a thread, and those that it makes: if
 * its clone(2) starts before the events are open and ends after the second list.
 *
 * Most processes have one thread; the link count of their directory "task" shows that.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <irixperf.h>
#include "setlist.h"
#include "kernel.h"
#include "mem.h"
#include "overflow.h"
#include "set.h"
#include "thread.h"

/* After so many rounds, give up: the process makes threads too fast */
#define MAX_ROUNDS	100

/* How many rounds wait for clone(2); how long in all; the most CPU time it takes */
#define WAIT_ROUNDS	50
#define WAIT_MS		1000
#define CLONE_NS	2000000
#define MOMENT_NS	200000

/**
 * struct wanted - what is to be opened
 * @attr: what to count
 * @subject: the process
 * @arg: the program's request, with thresholds
 * @until: when the wait for clone(2) ends, by ixp_now_ms()
 */
struct wanted {
	struct irixperf_attr *attr;
	const struct ixp_subject *subject;
	const hwperf_profevctrarg_t *arg;
	uint64_t until;
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

/* Insert in order. This is fast, as the kernel mostly lists them in ascending order */
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

/* Read the sorted list of threads; no opendir(3), which would call malloc(3) */
static int tids_read(struct tids *list, int task)
{
	char buf[4096] __attribute__((aligned(8)));
	const struct dirent *entry;
	ssize_t n, at;
	int ret = 0;

	if (lseek(task, 0, SEEK_SET) < 0)
		return -errno;
	do {
		n = syscall(SYS_getdents64, task, buf, sizeof(buf));
		if (n < 0)
			ret = -errno;
		for (at = 0; at < n && ret == 0; at += entry->d_reclen) {
			entry = (const void *)(buf + at);
			if (entry->d_name[0] != '.')
				ret = tids_add(list, atoi(entry->d_name));
		}
	} while (n > 0 && ret == 0);

	return ret == -ENOENT ? -ESRCH : ret;
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

/* How many threads: a directory has two links more than subdirectories. 0: unknown */
static unsigned int threads_there(const struct ixp_subject *subject)
{
	struct stat st;

	if (fstatat(subject->folder, "task", &st, 0) < 0 || st.st_nlink < 3)
		return 0;

	return (unsigned int)st.st_nlink - 2;
}

static int threads_add(struct irixperf_set **threads, const struct wanted *w,
		       pid_t tid, bool alone)
{
	struct irixperf_set *set;
	int ret;

	w->attr->pid = tid;
	ret = ixp_overflow_open(&set, w->attr, alone, w->subject, w->arg);
	if (ret < 0)
		return ret;
	set->next = *threads;
	*threads = set;

	return 0;
}

/* Open events on all threads of the list; skip those that have ended in the meantime */
static int threads_add_all(struct irixperf_set **threads,
			   const struct wanted *w, const struct tids *list)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < list->nr && (ret == 0 || ret == -ESRCH); i++)
		ret = threads_add(threads, w, list->tid[i], false);

	return ret == -ESRCH && *threads ? 0 : ret;
}

/* May the thread be in clone(2)? There it runs (R) or sleeps uninterruptibly (D) */
static bool may_clone(int task, pid_t tid)
{
	char state = ixp_thread_state(task, tid);

	return state == 'R' || state == 'D';
}

/* Wait until a thread has left clone(2), if it is there now */
static int wait_for_clone(const struct wanted *w, int task, pid_t tid)
{
	static const struct timespec moment = { .tv_nsec = MOMENT_NS };
	int clock = -1, ret = 0;
	uint64_t ns = 0;

	while (ret == 0 && ns < CLONE_NS && may_clone(task, tid) &&
	       ixp_now_ms() < w->until) {
		if (clock < 0) {
			clock = ixp_thread_clock_open(tid);
			ret = clock < 0 ? clock : 0;
		} else {
			nanosleep(&moment, NULL);
			ret = ixp_thread_clock(clock, &ns);
		}
	}
	if (clock >= 0)
		ixp_kernel.perf_close(clock);

	return ret == -ESRCH ? 0 : ret;
}

static int wait_for_clones(const struct wanted *w, int task,
			   const struct tids *list)
{
	pid_t own = w->subject->self ? (pid_t)syscall(SYS_gettid) : 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < list->nr && ret == 0; i++)
		if (list->tid[i] != own)
			ret = wait_for_clone(w, task, list->tid[i]);

	return ret;
}

static int open_listed(struct irixperf_set **threads, const struct wanted *w,
		       int task, const struct tids *list)
{
	struct tids again = { 0 };
	int ret;

	ret = threads_add_all(threads, w, list);
	if (ret == 0)
		ret = wait_for_clones(w, task, list);
	if (ret == 0)
		ret = tids_read(&again, task);
	if (ret == 0 && !tids_has_all(list, &again))
		ret = -EAGAIN;
	ixp_free(again.tid);

	return ret;
}

static int open_all(struct irixperf_set **threads, const struct wanted *w,
		    int task)
{
	struct tids list = { 0 };
	int ret;

	ret = tids_read(&list, task);
	if (ret == 0)
		ret = list.nr ? open_listed(threads, w, task, &list) : -ESRCH;
	ixp_free(list.tid);

	return ret;
}

/* A round for a process with one thread: no second list is needed, just a count */
static int open_single(struct irixperf_set **threads, const struct wanted *w,
		       int task)
{
	const struct ixp_subject *subject = w->subject;
	int ret = threads_add(threads, w, subject->pid, subject->self);

	if (ret == 0 && !subject->self)
		ret = wait_for_clone(w, task, subject->pid);
	if (ret == 0 && !subject->self && threads_there(subject) != 1)
		ret = -EAGAIN;

	return ret;
}

static int open_round(struct irixperf_set **set, const struct wanted *w,
		      int task)
{
	struct irixperf_set *threads = NULL;
	int ret;

	ret = threads_there(w->subject) == 1 ? open_single(&threads, w, task) :
					 open_all(&threads, w, task);
	if (ret < 0)
		irixperf_set_close(threads);
	else
		*set = threads;

	return ret;
}

/**
 * ixp_setlist_open() - open events on all threads of a process
 * @set: gets the sets, a list linked by @next
 * @attr: what to count, with IRIXPERF_DISABLED and one of the flags that inherit
 * @subject: the process
 * @arg: the program's request, with thresholds
 *
 * Return: 0; -EAGAIN if the process makes threads all the time; -ESRCH if it has no
 * thread left; or another error of ixp_overflow_open().
 */
int ixp_setlist_open(struct irixperf_set **set, struct irixperf_attr *attr,
		     const struct ixp_subject *subject,
		     const hwperf_profevctrarg_t *arg)
{
	struct wanted w = { .attr = attr, .subject = subject, .arg = arg };
	int ret = -EAGAIN;
	int task, i;

	*set = NULL;
	if (subject->self && ixp_single_threaded())
		return threads_add(set, &w, subject->pid, true);
	task = openat(subject->folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (task < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	w.until = ixp_now_ms() + WAIT_MS;
	for (i = 0; i < MAX_ROUNDS && ret == -EAGAIN; i++) {
		if (i == WAIT_ROUNDS)
			w.until = 0;
		ret = open_round(set, &w, task);
	}
	close(task);

	return ret;
}

unsigned int ixp_setlist_count(const struct irixperf_set *set)
{
	unsigned int nr;

	for (nr = 0; set; set = set->next)
		nr++;

	return nr;
}

/* If it fails, some of the sets count and some do not */
int ixp_setlist_enable(const struct irixperf_set *set)
{
	int ret = 0;

	for (; set && ret == 0; set = set->next)
		ret = irixperf_set_enable(set);

	return ret;
}

/*
 * How long the events were without a counter, as an upper bound: of threads that run, the
 * times go on while they are read. @least: what a read has found
 */
uint64_t ixp_setlist_starved(const struct irixperf_set *set, uint64_t least)
{
	uint64_t starved = 0;

	for (; set; set = set->next)
		starved += ixp_set_starved(set);

	return starved > least ? starved : least;
}

/* Check that the events of each thread count: what ixp_set_starts() returns */
int ixp_setlist_starts(const struct irixperf_set *set)
{
	const pid_t own = (pid_t)syscall(SYS_gettid);
	uint64_t until = ixp_now_ms() + IXP_START_MS;
	const struct irixperf_set *each;
	int ret = 0;

	/* The calling thread first: it runs, so it is sure to find out */
	for (each = set; each && ret == 0; each = each->next)
		if (each->pid == own)
			ret = ixp_set_starts(each, true, until);
	until = ixp_now_ms() + IXP_START_MS;
	for (each = set; each && ret == 0; each = each->next)
		if (each->pid != own)
			ret = ixp_set_starts(each, false, until);

	return ret;
}

int ixp_setlist_disable(const struct irixperf_set *set)
{
	int ret = 0;

	for (; set && ret == 0; set = set->next)
		ret = irixperf_set_disable(set);

	return ret;
}

/**
 * ixp_setlist_get() - read the counts of all threads
 * @set: their events
 * @base: counts that are added to theirs
 * @to: gets the sums, as in ixp_set_get()
 * @starved: grows by the nanoseconds in which a thread had no counter
 *
 * Return: 0, or an error, after which @to is unchanged.
 */
int ixp_setlist_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		    hwperf_cntr_t *to, uint64_t *starved)
{
	const struct irixperf_set *other = set->next;
	hwperf_cntr_t sum = *base;
	int ret = 0;

	for (; other && ret == 0; other = other->next)
		ret = ixp_set_add(other, &sum, starved);

	return ret < 0 ? ret : ixp_set_get(set, &sum, to, starved);
}

/* Add the counts of all threads to @sum; after a failure @sum is unchanged */
int ixp_setlist_add(const struct irixperf_set *set, hwperf_cntr_t *sum,
		    uint64_t *starved)
{
	hwperf_cntr_t new;
	int ret = ixp_setlist_get(set, sum, &new, starved);

	if (ret == 0)
		*sum = new;

	return ret;
}
