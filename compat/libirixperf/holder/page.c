// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The file "system". It gets its name when it is complete and locked; before
 * that nobody but root can open it, so that no lock can be in the way.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "holder.h"

/* One that a killed holder has left is of no use */
static int file_create(void)
{
	char path[PATH_MAX];
	int ret;

	ret = ixp_file_path(path, sizeof(path), IXP_RUN_SYSTEM_NEW);
	if (ret == 0 && unlink(path) < 0 && errno != ENOENT)
		ret = -errno;

	return ret < 0 ? ret : ixp_file_open(IXP_RUN_SYSTEM_NEW,
					     O_RDWR | O_CREAT | O_EXCL);
}

/* A hole that cannot be filled would show by a SIGBUS, and not before */
static int file_fill(const struct holder_page *p)
{
	int err = posix_fallocate(p->fd, 0, (off_t)p->size);

	if (err == EOPNOTSUPP)
		err = ftruncate(p->fd, (off_t)p->size) < 0 ? errno : 0;

	return -err;
}

static int page_map(struct holder_page *p)
{
	void *map;
	int ret = file_fill(p);

	if (ret < 0)
		return ret;
	map = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	/* Memory of a file has its locks: those are not for scouts (users.c) */
	if (madvise(map, p->size, MADV_DONTFORK) < 0)
		return -errno;
	p->shared = map;
	p->page = calloc(1, p->size);

	return p->page ? 0 : -ENOMEM;
}

int holder_page_create(struct holder_page *p, unsigned int nr_cpus)
{
	int ret;

	p->size = sizeof(*p->page) + nr_cpus * sizeof(p->page->cpu[0]);
	p->fd = file_create();
	if (p->fd < 0)
		return p->fd;

	/* Rounds are counted from 1 */
	ret = ixp_lock_try(p->fd, F_WRLCK, 1, 0);
	if (ret == 0)
		ret = page_map(p);
	if (ret < 0)
		return ret;
	p->shared->magic = IXP_SYSTEM_MAGIC;
	p->page->nr_cpus = nr_cpus;
	holder_page_show(p);

	return 0;
}

/* This is the beginning of system mode for all others */
int holder_page_publish(struct holder_page *p)
{
	char from[PATH_MAX], to[PATH_MAX];
	int ret;

	ret = ixp_file_path(from, sizeof(from), IXP_RUN_SYSTEM_NEW);
	if (ret == 0)
		ret = ixp_file_path(to, sizeof(to), IXP_RUN_SYSTEM);
	if (ret == 0 && (fchmod(p->fd, 0644) < 0 || rename(from, to) < 0))
		ret = -errno;

	return ret;
}

/* If acquiring fails after all */
void holder_page_remove(void)
{
	char path[PATH_MAX];

	if (ixp_file_path(path, sizeof(path), IXP_RUN_SYSTEM_NEW) == 0)
		unlink(path);
}

/* Who reads meanwhile sees an odd number, or another one than before */
void holder_page_show(const struct holder_page *p)
{
	uint32_t seq = p->shared->seq;
	const size_t start = offsetof(struct ixp_system_page, session);

	__atomic_store_n(&p->shared->seq, seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(&p->shared->session, &p->page->session, p->size - start);
	__atomic_store_n(&p->shared->seq, seq + 2, __ATOMIC_RELEASE);
}

/* End a round: those who wait for it go on */
int holder_page_round(const struct holder_page *p, uint64_t round)
{
	return ixp_lock_try(p->fd, F_UNLCK, (off_t)round, 1);
}

/* The locks go with the last descriptor, and those who wait for them go on */
void holder_page_close(struct holder_page *p)
{
	munmap(p->shared, p->size);
	free(p->page);
	close(p->fd);
}
