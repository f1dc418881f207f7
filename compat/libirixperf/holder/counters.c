// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of all CPUs: one set of events for each, the same on all. Events
 * that fit all at once are pinned, so that no other user of perf comes between;
 * where somebody has pinned his own before, ours take turns with the rest.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "holder.h"

struct cpu_counters {
	int cpu;
	struct irixperf_set *set;
};

struct holder_counters {
	struct irixperf_attr attr;
	unsigned int nr;
	struct cpu_counters cpu[];
};

static void close_sets(struct holder_counters *c)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		irixperf_set_close(c->cpu[i].set);
		c->cpu[i].set = NULL;
	}
}

static int open_sets(struct holder_counters *c, bool pin)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		ret = ixp_set_open_cpu(&c->cpu[i].set, &c->attr, c->cpu[i].cpu,
				       pin);

	return ret;
}

static int new_counters(struct holder_counters **counters)
{
	struct holder_counters *c;
	int *cpu;
	int i, nr;

	nr = holder_cpus_online(&cpu);
	if (nr < 0)
		return nr;

	c = calloc(1, sizeof(*c) + (size_t)nr * sizeof(c->cpu[0]));
	for (i = 0; c && i < nr; i++)
		c->cpu[i].cpu = cpu[i];
	free(cpu);
	if (!c)
		return -ENOMEM;
	c->nr = (unsigned int)nr;
	*counters = c;

	return 0;
}

/**
 * holder_counters_open() - open events on all CPUs that are online
 * @counters: gets them, stopped; holder_counters_close() frees them
 * @arg: which events
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_open(struct holder_counters **counters,
			 const hwperf_profevctrarg_t *arg)
{
	struct holder_counters *c;
	int ret;

	ret = new_counters(&c);
	if (ret < 0)
		return ret;

	c->attr.size = sizeof(c->attr);
	c->attr.flags = IRIXPERF_DISABLED;
	ret = ixp_spec_decode(&c->attr, arg);
	if (ret == 0)
		ret = open_sets(c, true);
	if (ret < 0)
		holder_counters_close(c);
	else
		*counters = c;

	return ret;
}

static int enable_sets(const struct holder_counters *c)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		ret = irixperf_set_enable(c->cpu[i].set);

	return ret;
}

/* Pinned events that have found no counter are dead, and say so at once */
static int check_sets(const struct holder_counters *c)
{
	hwperf_cntr_t counts = { { 0 } };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		ret = ixp_set_add(c->cpu[i].set, &counts);

	return ret;
}

/**
 * holder_counters_start() - let the events count
 * @c: the events
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_start(struct holder_counters *c)
{
	int ret = enable_sets(c);

	if (ret == 0)
		ret = check_sets(c);
	if (ret != -EIO)
		return ret;

	close_sets(c);
	ret = open_sets(c, false);
	if (ret == 0)
		ret = enable_sets(c);

	return ret;
}

void holder_counters_stop(struct holder_counters *c)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		irixperf_set_disable(c->cpu[i].set);
}

unsigned int holder_counters_cpus(const struct holder_counters *c)
{
	return c->nr;
}

/**
 * holder_counters_read() - read the counters of each CPU, and add them up
 * @c: the events
 * @page: gets the counts; its nr_cpus has to be that of @c
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_read(const struct holder_counters *c,
			 struct ixp_system_page *page)
{
	unsigned int i;
	int ret;

	memset(&page->sum, 0, sizeof(page->sum));
	for (i = 0; i < c->nr; i++) {
		struct ixp_system_cpu *cpu = &page->cpu[i];

		cpu->cpu = c->cpu[i].cpu;
		memset(&cpu->counts, 0, sizeof(cpu->counts));
		ret = ixp_set_add(c->cpu[i].set, &cpu->counts);
		if (ret < 0)
			return ret;
		ixp_counts_add(&page->sum, &cpu->counts);
	}

	return 0;
}

void holder_counters_close(struct holder_counters *c)
{
	if (!c)
		return;
	close_sets(c);
	free(c);
}
