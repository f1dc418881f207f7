// SPDX-License-Identifier: LGPL-2.1-or-later
/* The file "system". It gets this name when it is complete and locked. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "holder.h"
#include "kernel.h"
#include "lock.h"
#include "set.h"
#include "sysfile.h"

/* Allocate all of the file: in a hole, a write without free memory raises SIGBUS */
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
	/* A scout that hangs must not inherit the mapping, which keeps the lock */
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
	p->fd = ixp_lock_file(IXP_RUN_SYSTEM_NEW, IXP_SYSTEM_ALIVE);
	if (p->fd < 0)
		return p->fd;

	ret = page_map(p);
	if (ret < 0)
		return ret;
	p->shared->magic = IXP_SYSTEM_MAGIC;
	p->page->nr_cpus = nr_cpus;
	holder_page_show(p);

	return 0;
}

/* Give the file its final name: from now on other processes find system mode on */
int holder_page_publish(struct holder_page *p)
{
	return ixp_lock_publish(p->fd, IXP_RUN_SYSTEM_NEW, IXP_RUN_SYSTEM);
}

/* After a failure: remove the file, if it does not have its final name yet */
void holder_page_remove(void)
{
	char path[PATH_MAX];

	if (ixp_file_path(path, sizeof(path), IXP_RUN_SYSTEM_NEW) == 0)
		unlink(path);
}

/* What is counted from now on; holder_page_show() shows it */
void holder_page_events(struct holder_page *p,
			const hwperf_profevctrarg_t *arg,
			const struct ixp_system_words *words)
{
	unsigned int i;

	p->page->losses = 0;
	p->starved = 0;
	p->page->ctrl = arg->hwp_evctrargs;
	p->page->coded = 0;
	for (i = 0; i < IRIXPERF_CODES; i++) {
		if (!words->code[i].kind)
			continue;
		p->page->coded |= UINT32_C(1) << i;
		memset(&p->page->ctrl.hwp_evctrl[i], 0,
		       sizeof(p->page->ctrl.hwp_evctrl[i]));
	}
	memcpy(p->page->label, words->label, sizeof(p->page->label));
}

static void add_times(struct ixp_system_time *sum, struct ixp_system_time *time,
		      const struct irixperf_count count[IRIXPERF_EVENTS])
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		time->enabled[i] = count[i].enabled;
		time->running[i] = count[i].running;
		sum->enabled[i] += count[i].enabled;
		sum->running[i] += count[i].running;
	}
}

/* Counts are missing, which the generation number tells */
void holder_page_lose(struct holder_page *p)
{
	if (p->page->losses < INT32_MAX - p->page->generation)
		p->page->losses++;
}

/* The counts of each CPU, and their sums. Return 0 or a negative errno value */
int holder_page_counts(struct holder_page *p, const struct ixp_counters *c)
{
	struct irixperf_count count[IRIXPERF_EVENTS];
	struct ixp_system_page *page = p->page;
	uint64_t starved = 0;
	unsigned int i, event;

	memset(&page->sum, 0, sizeof(page->sum));
	memset(&page->time, 0, sizeof(page->time));
	for (i = 0; i < ixp_counters_cpus(c) && i < page->nr_cpus; i++) {
		struct ixp_system_cpu *to = &page->cpu[i];
		int cpu, ret = ixp_counters_read(c, i, &cpu, count, &starved);

		to->cpu = cpu < 0 ? IXP_NO_CPU : cpu;
		if (ret < 0)
			return ret;
		for (event = 0; event < IRIXPERF_EVENTS; event++)
			to->counts.hwp_evctr[event] = count[event].value;
		add_times(&page->time, &to->time, count);
		ixp_counts_add(&page->sum, &to->counts);
	}
	if (starved > p->starved) {
		p->starved = ixp_counters_starved(c, starved);
		holder_page_lose(p);
	}

	return 0;
}

/*
 * Copy the holder's own page into the file. A process that reads the file meanwhile
 * finds @seq odd, or changed, and reads again.
 */
void holder_page_show(const struct holder_page *p)
{
	uint32_t seq = p->shared->seq;
	const size_t start = offsetof(struct ixp_system_page, session);

	__atomic_store_n(&p->shared->seq, seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(&p->shared->session, &p->page->session, p->size - start);
	__atomic_store_n(&p->shared->seq, seq + 2, __ATOMIC_RELEASE);
}

/* Close the file; with its last descriptor the kernel drops the lock */
void holder_page_close(struct holder_page *p)
{
	munmap(p->shared, p->size);
	free(p->page);
	close(p->fd);
}
