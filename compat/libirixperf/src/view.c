// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks at system mode, which need no rights: system.h tells how it works. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "internal.h"
#include "system.h"

struct window {
	int fd;
	size_t size;
	const struct ixp_system_page *page;
};

/**
 * ixp_system_on() - tell whether the counters are in system mode
 *
 * Where they never were it costs one system call that finds no file.
 *
 * Return: 0, 1 or a negative errno value.
 */
int ixp_system_on(void)
{
	int fd, ret;

	/* Cheaper than an open() that fails */
	if (!ixp_file_exists(IXP_RUN_SYSTEM))
		return 0;
	fd = ixp_file_open(IXP_RUN_SYSTEM, O_RDONLY);
	if (fd < 0)
		return fd == -ENOENT || fd == -ENOTDIR ? 0 : fd;

	ret = ixp_lock_held(fd, IXP_SYSTEM_ALIVE);
	close(fd);

	return ret;
}

static bool page_valid(const struct ixp_system_page *page, size_t size)
{
	return page->magic == IXP_SYSTEM_MAGIC &&
	       page->nr_cpus <= (size - sizeof(*page)) / sizeof(page->cpu[0]);
}

static int window_map(struct window *w)
{
	struct stat st;
	void *page;

	if (fstat(w->fd, &st) < 0)
		return -errno;
	w->size = (size_t)st.st_size;
	if (w->size < sizeof(*w->page))
		return -EINVAL;

	page = mmap(NULL, w->size, PROT_READ, MAP_SHARED, w->fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	w->page = page;

	return page_valid(w->page, w->size) ? 0 : -EINVAL;
}

static void window_close(struct window *w)
{
	if (w->page)
		munmap((void *)w->page, w->size);
	close(w->fd);
}

/* Before the first system mode there is nothing to look at */
static int window_open(struct window *w)
{
	int ret;

	w->page = NULL;
	w->fd = ixp_file_open(IXP_RUN_SYSTEM, O_RDONLY);
	if (w->fd < 0)
		return w->fd == -ENOENT || w->fd == -ENOTDIR ? -EINVAL : w->fd;

	ret = window_map(w);
	if (ret < 0)
		window_close(w);

	return ret;
}

static void copy_counts(struct ixp_system_view *view,
			const struct ixp_system_page *page, int cpu)
{
	unsigned int i;

	view->found = cpu == IXP_ALL_CPUS;
	if (view->found)
		view->counts = page->sum;

	for (i = 0; i < page->nr_cpus && !view->found; i++) {
		if (page->cpu[i].cpu != cpu)
			continue;
		view->counts = page->cpu[i].counts;
		view->found = true;
	}
}

static void copy_page(struct ixp_system_view *view,
		      const struct ixp_system_page *page, int cpu)
{
	view->session = page->session;
	view->generation = page->generation;
	view->holder = page->holder;
	view->error = page->error;
	view->reply = page->reply;
	view->begun = page->begun;
	view->token = page->token;
	view->ctrl = page->ctrl;
	view->time = page->time;
	copy_counts(view, page, cpu);
}

/* False if the holder has been writing meanwhile */
static bool copy_whole(struct ixp_system_view *view,
		       const struct ixp_system_page *page, int cpu)
{
	uint32_t seq = __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE);

	if (seq & 1)
		return false;
	copy_page(view, page, cpu);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);

	return __atomic_load_n(&page->seq, __ATOMIC_RELAXED) == seq;
}

/* A holder that was killed while it wrote has left no counts; it is off, though */
static void view_torn(struct ixp_system_view *view)
{
	memset(view, 0, sizeof(*view));
	view->error = -EIO;
	view->found = true;
}

static int window_copy(const struct window *w, struct ixp_system_view *view,
		       int cpu)
{
	bool whole;
	int alive;

	do {
		alive = ixp_lock_held(w->fd, IXP_SYSTEM_ALIVE);
		if (alive < 0)
			return alive;
		whole = copy_whole(view, w->page, cpu);
		if (!whole)
			sched_yield();
	} while (!whole && alive);
	if (!whole)
		view_torn(view);
	view->alive = alive;

	return 0;
}

/*
 * The round after the one that was seen begins after this call has, whenever
 * the holder hears of it; and there will be one, since that one did not hear.
 */
static int window_refresh(const struct window *w, uint64_t seen)
{
	char byte;
	int ret;

	if (pread(w->fd, &byte, 1, 0) != 1)
		return -EIO;

	ret = ixp_lock_wait(w->fd, F_RDLCK, (off_t)seen + 1, 1);
	if (ret == 0)
		ret = ixp_lock_try(w->fd, F_UNLCK, 0, 0);

	return ret;
}

/**
 * ixp_system_look() - read the state of system mode
 * @view: gets it
 * @cpu: whose counts; IXP_ALL_CPUS for the sum
 * @how: as it was last told, or made anew first; without a holder there is only
 *	the last word
 *
 * Return: 0; -EINVAL if there has never been system mode. If its holder was
 * killed while it wrote, the error of the counts is -EIO.
 */
int ixp_system_look(struct ixp_system_view *view, int cpu, enum ixp_look how)
{
	struct window w;
	int ret;

	memset(view, 0, sizeof(*view));
	ret = window_open(&w);
	if (ret < 0)
		return ret;

	ret = window_copy(&w, view, cpu);
	if (ret == 0 && view->alive && how == IXP_LOOK_FRESH) {
		ret = window_refresh(&w, view->begun);
		if (ret == 0)
			ret = window_copy(&w, view, cpu);
	}
	window_close(&w);

	return ret;
}
