// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read the state of system mode, which every user may do: see sysfile.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>
#include "view.h"
#include "kernel.h"
#include "lock.h"
#include "remote.h"
#include "sysfile.h"

struct window {
	int fd;
	size_t size;
	const struct ixp_system_page *page;
};

/* -ENOENT if there is no such file */
static int is_locked(const char *path)
{
	int fd = ixp_file_open(path, O_RDONLY), ret;

	if (fd < 0)
		return fd == -ENOTDIR ? -ENOENT : fd;

	ret = ixp_lock_held(fd, IXP_SYSTEM_ALIVE);
	close(fd);

	return ret;
}

/**
 * ixp_system_alive() - tell whether a holder has the counters of all CPUs
 *
 * Before the first system mode this costs only one system call: there is no file.
 *
 * Return: 0, 1 or a negative errno value.
 */
int ixp_system_alive(void)
{
	int ret;

	/* Cheaper than an open() that fails */
	if (!ixp_file_exists(IXP_RUN_SYSTEM))
		return 0;
	ret = is_locked(IXP_RUN_SYSTEM);

	return ret == -ENOENT ? 0 : ret;
}

/**
 * ixp_claim_alive() - tell whether a program has this claim
 * @number: its number
 *
 * Return: 0, 1, -ENOENT if there has been no such claim, or another negative errno value.
 */
int ixp_claim_alive(unsigned int number)
{
	char path[sizeof(IXP_RUN_CLAIMS) + 12];
	int ret;

	snprintf(path, sizeof(path), IXP_RUN_CLAIMS "/%u", number);
	ret = is_locked(path);

	/* The directory gets its mode before there is a claim */
	return ret == -EACCES ? -ENOENT : ret;
}

/**
 * ixp_claims_alive() - tell whether any program has a claim
 *
 * Before the first claim this costs only one system call: there is no directory.
 *
 * Return: 0, 1 or a negative errno value.
 */
int ixp_claims_alive(void)
{
	unsigned int number;
	int ret;

	if (!ixp_file_exists(IXP_RUN_CLAIMS))
		return 0;
	ret = ixp_claim_alive(IXP_CLAIM_ALONE);
	if (ret == -ENOENT)
		ret = 0;
	/* Files stay, so there is none behind the first that is missing */
	for (number = IXP_CLAIM_SHARED; number < IXP_CLAIMS && ret == 0; number++)
		ret = ixp_claim_alive(number);

	return ret == -ENOENT ? 0 : ret;
}

/**
 * ixp_system_on() - tell whether the counters are kept from user mode
 *
 * Return: 0; 1 if system mode is on, or a program has a claim; or a negative errno
 * value.
 */
int ixp_system_on(void)
{
	int ret = ixp_system_alive();

	return ret ? ret : ixp_claims_alive();
}

static bool page_valid(const struct ixp_system_page *page, size_t size)
{
	return size >= sizeof(*page) && page->magic == IXP_SYSTEM_MAGIC &&
	       page->nr_cpus <= (size - sizeof(*page)) / sizeof(page->cpu[0]);
}

static int window_map(struct window *w)
{
	struct stat st;
	void *page;

	if (fstat(w->fd, &st) < 0)
		return -errno;
	w->size = (size_t)st.st_size;
	if (w->size == 0)
		return -EINVAL;

	page = mmap(NULL, w->size, PROT_READ, MAP_SHARED, w->fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	w->page = page;

	if (page_valid(w->page, w->size))
		return 0;

	return ixp_lock_held(w->fd, IXP_SYSTEM_ALIVE) > 0 ? -EPROTO : -EINVAL;
}

static void window_close(struct window *w)
{
	if (w->page)
		munmap((void *)w->page, w->size);
	close(w->fd);
}

/* -EINVAL before the first system mode: there is no file */
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

static void copy_page(struct ixp_system_view *view,
		      const struct ixp_system_page *page, int cpu)
{
	unsigned int i;

	view->session = page->session;
	view->generation = page->generation;
	view->losses = page->losses;
	view->holder = page->holder;
	view->error = page->error;
	view->ctrl = page->ctrl;
	view->coded = page->coded;
	memcpy(view->label, page->label, sizeof(view->label));

	view->found = cpu == IXP_ALL_CPUS;
	if (view->found) {
		view->counts = page->sum;
		view->time = page->time;
	}
	for (i = 0; i < page->nr_cpus && !view->found; i++) {
		if (page->cpu[i].cpu != cpu)
			continue;
		view->counts = page->cpu[i].counts;
		view->time = page->cpu[i].time;
		view->found = true;
	}
}

/* False if the holder has written to the page in the meantime */
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

/*
 * The holder was killed while it wrote the page: the counts are lost. The generation
 * number is valid: no process has seen a higher one.
 */
static void view_torn(struct ixp_system_view *view, const struct ixp_system_page *page)
{
	memset(view, 0, sizeof(*view));
	view->generation = page->generation;
	view->losses = page->losses;
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
		view_torn(view, w->page);
	view->alive = alive;

	return 0;
}

/* The holder has just ended: wait until the kernel drops its lock, then copy */
static int window_last(const struct window *w, struct ixp_system_view *view, int cpu)
{
	const uint64_t end = ixp_now_ms() + IXP_REMOTE_SEARCH;
	int ret;

	for (;;) {
		ret = window_copy(w, view, cpu);
		if (ret < 0 || !view->alive)
			return ret;
		if (ixp_now_ms() > end)
			return -EAGAIN;
		usleep(1000);
	}
}

/**
 * ixp_system_look() - read the state of system mode
 * @view: gets the state
 * @cpu: the CPU whose counts are wanted; IXP_ALL_CPUS for the sum
 * @how: read the state that the holder has written last, or let the holder write the
 *	current one first; if system mode is off, both give the last state
 *
 * Return: 0; -EINVAL if there has never been system mode; -EPROTO if the holder is
 * one of another version of the library; -EAGAIN if the holder does not answer. If the
 * holder was killed while it wrote, @view->error is -EIO.
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
		ret = ixp_remote_system(PIOCGETEVCTRS, 0, NULL, NULL);
		if (ret >= 0)
			ret = window_copy(&w, view, cpu);
		else if (ret == -ENOENT)
			ret = window_last(&w, view, cpu);
	}
	window_close(&w);

	return ret;
}

/**
 * ixp_system_look_last() - end system mode, and read its last state
 * @view: gets the state, even if another system mode starts meanwhile
 * @session: which system mode is meant; 0 for the current one
 * @generation: its last generation number; 0 for whatever it is
 *
 * Return: 0; -ENOENT if system mode is off; -EINVAL if it is another one than @session;
 * -ESTALE if its generation number is another one; or an error of ixp_remote_system().
 */
int ixp_system_look_last(struct ixp_system_view *view, int session, int generation)
{
	const struct ixp_system_words words = { .generation = generation };
	struct window w;
	int ret;

	memset(view, 0, sizeof(*view));
	ret = window_open(&w);
	if (ret < 0)
		return ret == -EINVAL ? -ENOENT : ret;

	ret = ixp_remote_system(PIOCRELEVCTRS, session, NULL, &words);
	if (ret >= 0)
		ret = window_copy(&w, view, IXP_ALL_CPUS);
	window_close(&w);

	return ret;
}
