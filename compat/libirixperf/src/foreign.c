// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The others' side of own.h. The page is another user's, maybe, and says what he
 * likes: so each word of it is copied before it is looked at, what it calls an
 * event has to be one, and its file cannot be cut off below us.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "own.h"

#define SET_MAX		(2 * IXP_MAX_PAIRS)

/*
 * How often to look at a page that is being written, and microseconds between.
 * Of an owner who does nothing but change his counters nine copies in ten fail.
 */
#define TRIES		2000
#define MOMENT		500

static bool page_safe(int fd)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(fd, &st) == 0 &&
	       st.st_size >= (off_t)sizeof(struct ixp_user_page);
}

static struct ixp_user_page *page_map(int fd)
{
	void *map = MAP_FAILED;

	if (page_safe(fd))
		map = mmap(NULL, sizeof(struct ixp_user_page),
			   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return map == MAP_FAILED ? NULL : map;
}

/* Children that were made behind the C library's back have their parent's, too */
static bool page_of(const struct ixp_user_page *page, pid_t pid)
{
	return page->magic == IXP_USER_MAGIC && page->own.pid == pid;
}

static int page_take(struct ixp_view *view, int number, pid_t pid)
{
	int fd = ixp_descriptor_take(view->process, number);
	struct ixp_user_page *page;

	if (fd < 0)
		return fd == -EPERM ? -EPERM : -EPIPE;
	page = page_map(fd);
	close(fd);
	if (page && !page_of(page, pid)) {
		munmap(page, sizeof(*page));
		page = NULL;
	}
	view->page = page;

	return page ? 0 : -EPIPE;
}

static bool entry_matches(int dir, const char *entry)
{
	char wanted[256], text[sizeof(wanted)];
	ssize_t n = readlinkat(dir, entry, text, sizeof(text) - 1);

	snprintf(wanted, sizeof(wanted), "/memfd:" IXP_USER_NAME "%s (deleted)",
		 ixp_kernel.root);
	text[n < 0 ? 0 : n] = '\0';

	return strcmp(text, wanted) == 0;
}

static int find_in(struct ixp_view *view, int dir, pid_t pid, const char *buf,
		   ssize_t size)
{
	const struct dirent *entry;
	ssize_t at;
	int ret = -EPIPE;

	for (at = 0; at < size && ret == -EPIPE; at += entry->d_reclen) {
		entry = (const void *)(buf + at);
		if (entry_matches(dir, entry->d_name))
			ret = page_take(view, atoi(entry->d_name), pid);
	}

	return ret;
}

/* opendir(3) calls malloc(3) */
static int page_find(struct ixp_view *view, int folder, pid_t pid)
{
	int dir = openat(folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char buf[2048] __attribute__((aligned(8)));
	int ret = -EPIPE;
	ssize_t n;

	if (dir < 0)
		return errno == EACCES ? -EPERM : -EPIPE;
	do {
		n = syscall(SYS_getdents64, dir, buf, sizeof(buf));
		if (n > 0)
			ret = find_in(view, dir, pid, buf, n);
	} while (n > 0 && ret == -EPIPE);
	close(dir);

	return ret;
}

/**
 * ixp_view_open() - look for the counters that a process has acquired itself
 * @view: gets what there is to see
 * @folder: the process
 * @pid: its number
 *
 * Return: 0; -EPIPE if it has never had any; -EPERM if the kernel does not let
 * the caller look; or another negative errno value.
 */
int ixp_view_open(struct ixp_view **view, int folder, pid_t pid)
{
	struct ixp_view *new = ixp_alloc(sizeof(*new));
	int ret;

	if (!new)
		return -ENOMEM;
	new->seq = 1;
	new->process = ixp_descriptor_process(pid);
	ret = new->process < 0 ? -EPIPE : page_find(new, folder, pid);
	if (ret < 0)
		ixp_view_close(new);
	else
		*view = new;

	return ret;
}

void ixp_view_close(struct ixp_view *view)
{
	if (!view)
		return;
	irixperf_set_close(view->set);
	if (view->page)
		munmap(view->page, sizeof(*view->page));
	if (view->process >= 0)
		close(view->process);
	ixp_free(view);
}

/* A set of its own for each as many as one can have; pairs stay together */
static struct irixperf_set *set_for(struct irixperf_set ***end,
				    struct irixperf_set *last, bool leader)
{
	struct irixperf_set *set = last;

	if (set && set->nr + leader < SET_MAX)
		return set;
	set = ixp_alloc(sizeof(*set));
	if (set) {
		**end = set;
		*end = &set->next;
	}

	return set;
}

static int event_take(const struct ixp_view *view, struct irixperf_set *set,
		      const struct ixp_own_event *e)
{
	int fd = ixp_descriptor_take(view->process, e->fd);
	int ret;

	if (fd < 0)
		return fd == -EMFILE || fd == -ENFILE || fd == -EPERM ? fd :
									-EPIPE;
	ret = ixp_set_take(set, fd, e->event, e->leader);
	if (ret < 0) {
		close(fd);
		return ret;
	}

	return ixp_descriptor_is_event(fd) ? 0 : -EPIPE;
}

/* If it fails, what is there is to be closed */
static int events_take(struct ixp_view *view, uint32_t nr)
{
	struct irixperf_set **end = &view->set, *set = NULL;
	uint32_t i;
	int ret = nr > IXP_OWN_EVENTS ? -EMFILE : 0;

	for (i = 0; i < nr && ret == 0; i++) {
		struct ixp_own_event e = view->page->own.event[i];

		set = set_for(&end, set, e.leader);
		ret = set ? event_take(view, set, &e) : -ENOMEM;
	}

	return ret;
}

static int own_copy(struct ixp_view *view)
{
	const struct ixp_own *own = &view->page->own;
	bool same = !(view->seq & 1) && view->own.list == own->list;

	view->own.list = own->list;
	view->own.epoch = own->epoch;
	view->own.state = own->state;
	view->own.generation = own->generation;
	view->own.ctrl = own->ctrl;
	view->own.base = own->base;
	if (same)
		return 0;
	irixperf_set_close(view->set);
	view->set = NULL;

	return events_take(view, own->nr);
}

static uint32_t seq_now(const struct ixp_view *view)
{
	return __atomic_load_n(&view->page->own.seq, __ATOMIC_SEQ_CST);
}

/* The owner closes nothing before it has written that: -EAGAIN if it has */
static int view_copy(struct ixp_view *view, uint32_t seq)
{
	int ret = own_copy(view);

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (seq_now(view) != seq)
		ret = -EAGAIN;
	view->seq = ret < 0 ? 1 : seq;

	return ret;
}

static int view_follow(struct ixp_view *view)
{
	unsigned int tries;
	uint32_t seq;
	int ret;

	for (tries = 0; tries < TRIES; tries++) {
		seq = seq_now(view);
		if (seq == view->seq && !(seq & 1))
			return 0;
		if (!(seq & 1)) {
			ret = view_copy(view, seq);
			if (ret != -EAGAIN)
				return ret;
		}
		usleep(MOMENT);
	}

	return -EAGAIN;
}

static uint32_t epoch_now(const struct ixp_view *view)
{
	return __atomic_load_n(&view->page->epoch, __ATOMIC_SEQ_CST);
}

/* What others have done that the owner has not yet taken into account */
static void view_judge(struct ixp_view *view)
{
	uint32_t other;

	view->epoch = epoch_now(view);
	view->state = view->own.state == IXP_OWN_COUNTS ||
		      view->own.state == IXP_OWN_RELEASED ?
		      (enum ixp_own_state)view->own.state : IXP_OWN_NONE;
	view->generation = view->own.generation;
	other = view->epoch ^ view->own.epoch;
	if ((other & ~IXP_EPOCH_OWN) && view->state == IXP_OWN_COUNTS) {
		view->state = IXP_OWN_RELEASED;
		view->generation++;
	}
	if (!(other & IXP_EPOCH_OWN))
		return;
	if ((view->epoch & IXP_EPOCH_WHAT) == IXP_EPOCH_TAKEN)
		view->state = IXP_OWN_NONE;
	else if (view->state == IXP_OWN_COUNTS)
		view->state = IXP_OWN_RELEASED;
}

/**
 * ixp_view_look() - bring up to date what there is to see
 * @view: the counters; @state, @generation and @own.ctrl hold after it
 *
 * Return: 0; -EPIPE if the process has none itself (any more); -EAGAIN if it has
 * been stopped in the midst of a request; or another negative errno value.
 */
int ixp_view_look(struct ixp_view *view)
{
	int ret = view_follow(view);

	if (ret < 0)
		return ret;
	view_judge(view);
	/* Who has released them may have been killed before he could do so */
	if (view->state == IXP_OWN_RELEASED &&
	    view->own.state == IXP_OWN_COUNTS)
		ixp_threads_disable(view->set);

	return view->state == IXP_OWN_NONE ? -EPIPE : 0;
}

/**
 * ixp_view_read() - read the counts
 * @view: the counters
 * @counts: gets the counts
 *
 * Return: the generation number, or an error of ixp_view_look().
 */
int ixp_view_read(struct ixp_view *view, hwperf_cntr_t *counts)
{
	int ret = ixp_view_look(view);

	*counts = view->own.base;
	if (ret == 0 && view->set)
		ret = ixp_threads_add(view->set, counts);

	return ret < 0 ? ret : view->generation;
}

static uint32_t epoch_after(uint32_t epoch, uint32_t what)
{
	uint32_t own = (epoch & ~IXP_EPOCH_WHAT) + IXP_EPOCH_STEP + what;

	return (epoch & ~IXP_EPOCH_OWN) | (own & IXP_EPOCH_OWN);
}

/* False if somebody else was faster */
static bool epoch_change(struct ixp_view *view, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&view->page->epoch, &from, to, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static bool epoch_advance(struct ixp_view *view, uint32_t what)
{
	return epoch_change(view, view->epoch, epoch_after(view->epoch, what));
}

/**
 * ixp_view_release() - release the counters
 * @view: the counters
 *
 * Return: 0; -EINVAL if they have been; or an error of ixp_view_look().
 */
int ixp_view_release(struct ixp_view *view)
{
	int ret;

	do {
		ret = ixp_view_look(view);
		if (ret < 0)
			return ret;
		if (view->state != IXP_OWN_COUNTS)
			return -EINVAL;
	} while (!epoch_advance(view, IXP_EPOCH_RELEASED));

	/* Now it is so: this stops them, as all others would who come by */
	ixp_view_look(view);

	return 0;
}

/**
 * ixp_view_take() - take the counters away from the process, for a holder
 * @view: the counters; what there is to see of them is up to date after it
 *
 * They go on. What cannot be seen the owner stops when it looks.
 *
 * Return: 0, or why they cannot be seen.
 */
int ixp_view_take(struct ixp_view *view)
{
	int ret;

	do {
		ixp_view_look(view);
		view->epoch = epoch_now(view);
	} while (!epoch_advance(view, IXP_EPOCH_TAKEN));

	ret = view_follow(view);
	if (view->generation < view->own.generation)
		view->generation = view->own.generation;

	return ret;
}

/**
 * ixp_view_give_back() - undo ixp_view_take()
 * @view: the counters
 *
 * An owner that has looked meanwhile has lost them.
 */
void ixp_view_give_back(struct ixp_view *view)
{
	epoch_change(view, epoch_after(view->epoch, IXP_EPOCH_TAKEN),
		     view->epoch);
}
