// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The events of a process: a set for each thread that it has, and the kernel
 * lets threads that come later inherit from those that make them. A thread must
 * not be counted twice, nor not at all, though threads come while events are
 * being opened. So this goes in rounds, in which nothing counts yet:
 *
 * - List the threads and open events on each. All threads of the list are older
 *   than any event, so none of them has inherited.
 * - clone(2) copies events before it lets the new thread be listed. So wait until
 *   each thread has left a clone(2) that may have begun before the events: until
 *   it sleeps, as it does not in there, or has been on a CPU for longer than a
 *   clone(2) takes.
 * - List the threads again. If the second list has one that the first has not,
 *   nobody can tell whether it has inherited: all is closed, and the next round
 *   begins.
 * - If not, each thread that there was when the second list was begun has its
 *   events, and whatever comes later inherits from one of them.
 *
 * Some processes make threads so fast that such a wait always finds a new one. In
 * the end the rounds go without it: a thread whose clone(2) is held up from before
 * the events until after the second list is missed then, with all that it makes.
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
#include <time.h>
#include <unistd.h>
#include "overflow.h"

/* A process that makes threads faster than that cannot be caught */
#define MAX_ROUNDS	100

/* Rounds that wait for clone(2), for how long in all, and what it takes of a CPU */
#define WAIT_ROUNDS	50
#define WAIT_S		1
#define CLONE_NS	2000000
#define MOMENT_NS	200000

/**
 * struct wanted - what is to be opened
 * @attr: what to count
 * @t: for whom
 * @arg: the program's words, with thresholds
 * @until: when nobody waits for clone(2) any more, by CLOCK_MONOTONIC
 */
struct wanted {
	struct irixperf_attr *attr;
	const struct ixp_target *t;
	const hwperf_profevctrarg_t *arg;
	struct timespec until;
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

/* In the order of their numbers; opendir(3) would call malloc(3) */
static int tids_read(struct tids *list, int task)
{
	char buf[4096] __attribute__((aligned(8)));
	ssize_t n;
	int ret;

	if (lseek(task, 0, SEEK_SET) < 0)
		return -errno;
	do {
		n = syscall(SYS_getdents64, task, buf, sizeof(buf));
		ret = n < 0 ? -errno : tids_add_entries(list, buf, n);
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

/* A folder has a link for each one in it, and two more; 0 if that is not so */
static unsigned int threads_there(const struct ixp_target *t)
{
	struct stat st;

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

static bool too_late(const struct timespec *until)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec > until->tv_sec ||
	       (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

/* It sleeps in clone(2) only where nothing can wake it before its time: D */
static bool may_clone(int task, pid_t tid)
{
	char state = ixp_thread_state(task, tid);

	return state == 'R' || state == 'D';
}

/* Until a thread is in no clone(2) any more that it may be in now */
static int wait_for_clone(const struct wanted *w, int task, pid_t tid)
{
	static const struct timespec moment = { .tv_nsec = MOMENT_NS };
	int clock = -1, ret = 0;
	uint64_t ns = 0;

	while (ret == 0 && ns < CLONE_NS && may_clone(task, tid) &&
	       !too_late(&w->until)) {
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
	pid_t own = w->t->self ? (pid_t)syscall(SYS_gettid) : 0;
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

/* Nobody but the only thread could make another one */
static int open_single(struct irixperf_set **threads, const struct wanted *w,
		       int task)
{
	const struct ixp_target *t = w->t;
	int ret = threads_add(threads, w, t->pid, t->self);

	if (ret == 0 && !t->self)
		ret = wait_for_clone(w, task, t->pid);
	if (ret == 0 && !t->self && threads_there(t) != 1)
		ret = -EAGAIN;

	return ret;
}

static int open_round(struct irixperf_set **set, const struct wanted *w,
		      int task)
{
	struct irixperf_set *threads = NULL;
	int ret;

	ret = threads_there(w->t) == 1 ? open_single(&threads, w, task) :
					 open_all(&threads, w, task);
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
	struct wanted w = { .attr = attr, .t = t, .arg = arg };
	int ret = -EAGAIN;
	int task, i;

	*set = NULL;
	if (t->self && ixp_single_threaded())
		return threads_add(set, &w, t->pid, true);
	task = openat(t->fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (task < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	clock_gettime(CLOCK_MONOTONIC, &w.until);
	w.until.tv_sec += WAIT_S;
	for (i = 0; i < MAX_ROUNDS && ret == -EAGAIN; i++) {
		if (i == WAIT_ROUNDS)
			w.until.tv_sec = 0;
		ret = open_round(set, &w, task);
	}
	close(task);

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
