// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of all CPUs: each CPU has a set of the same events. If the counters can
 * hold all events at once, these are pinned, so that they do not take turns with events
 * of other users of perf. If another user already has pinned events, the holder opens
 * its own again without a pin, and they take turns with the others.
 *
 * CPUs can go offline and come back, but then their events do not count any more. So at
 * each request the holder checks which CPUs are online: it keeps the counts of a CPU
 * that has gone, and opens new events on one that has come. If no events are
 * wanted, system mode is on all the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <irixperf.h>
#include "holder.h"
#include "cpus.h"
#include "map.h"
#include "overflow.h"
#include "set.h"
#include "spec.h"
#include "sysfile.h"

/**
 * struct cpu_counters - a CPU that is online or may come online
 * @cpu: its number
 * @online: it was online when the holder last checked
 * @set: its events; NULL if it is offline, or nothing is counted
 * @kept: the counts of its events that are closed, by event number
 */
struct cpu_counters {
	int cpu;
	bool online;
	struct irixperf_set *set;
	struct irixperf_count kept[IRIXPERF_EVENTS];
};

struct holder_counters {
	struct irixperf_attr attr;
	struct ixp_machine machine;
	bool empty;
	unsigned int nr;
	struct cpu_counters cpu[];
};

static void close_set(struct cpu_counters *cpu)
{
	irixperf_set_close(cpu->set);
	cpu->set = NULL;
}

static void close_sets(struct holder_counters *c)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		close_set(&c->cpu[i]);
}

static void mark_online(struct holder_counters *c, const int *cpu, int nr)
{
	unsigned int i;
	int at = 0;

	for (i = 0; i < c->nr; i++) {
		while (at < nr && cpu[at] < c->cpu[i].cpu)
			at++;
		c->cpu[i].online = at < nr && cpu[at] == c->cpu[i].cpu;
	}
}

/* Get a list of CPUs. Without it take those that are online; without these, CPU 0 */
static int list_cpus(const char *list, int cpu[IXP_CPUS_MAX])
{
	int nr = ixp_cpus(list, cpu, IXP_CPUS_MAX);

	if (nr < 0)
		nr = ixp_cpus("online", cpu, IXP_CPUS_MAX);
	if (nr < 0) {
		cpu[0] = 0;
		nr = 1;
	}

	return nr;
}

static void look_online(struct holder_counters *c)
{
	int cpu[IXP_CPUS_MAX], nr = list_cpus("online", cpu);

	mark_online(c, cpu, nr);
}

/* Open the events of a CPU. It is not an error if the CPU has just gone offline */
static int open_set(struct holder_counters *c, struct cpu_counters *cpu,
		    bool pin)
{
	int ret;

	if (c->empty)
		return 0;
	ret = ixp_set_open_cpu(&cpu->set, &c->attr, cpu->cpu, pin, &c->machine);
	if (ret != -ENODEV)
		return ret;
	look_online(c);

	return cpu->online ? ret : 0;
}

static int open_sets(struct holder_counters *c, bool pin)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->cpu[i].online)
			ret = open_set(c, &c->cpu[i], pin);

	return ret;
}

/* Make entries for all CPUs that may ever come online */
static int new_counters(struct holder_counters **counters)
{
	struct holder_counters *c;
	int cpu[IXP_CPUS_MAX], nr = list_cpus("possible", cpu), i;

	c = calloc(1, sizeof(*c) + (size_t)nr * sizeof(c->cpu[0]));
	if (!c)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		c->cpu[i].cpu = cpu[i];
	c->nr = (unsigned int)nr;
	*counters = c;

	return 0;
}

/**
 * holder_counters_open() - open events on all CPUs that are online
 * @counters: gets them, stopped; holder_counters_close() frees them
 * @arg: which events
 * @words: what some of them stand for
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_open(struct holder_counters **counters,
			 const hwperf_profevctrarg_t *arg,
			 const struct ixp_system_words *words)
{
	struct holder_counters *c;
	int ret;

	ret = new_counters(&c);
	if (ret < 0)
		return ret;

	ret = ixp_spec_decode(&c->attr, arg);
	c->empty = ret == 0;
	c->attr.size = sizeof(c->attr);
	c->attr.flags = IRIXPERF_DISABLED;
	if (ret >= 0)
		ret = ixp_overflow_wanted(arg) ? -ENOTSUP :
		      ixp_machine_coded(&c->machine, words->code);
	/* Nothing is counted, so no counters are needed */
	if (ret == -ENODEV && c->empty)
		ret = 0;
	look_online(c);
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
		if (c->cpu[i].set)
			ret = irixperf_set_enable(c->cpu[i].set);

	return ret;
}

/* -EIO: pinned events got no counter, and will never count */
static int check_sets(const struct holder_counters *c)
{
	hwperf_cntr_t counts = { { 0 } };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->cpu[i].set)
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
		if (c->cpu[i].set)
			irixperf_set_disable(c->cpu[i].set);
}

/* True if the time of the events does not grow: their CPU has been offline */
static bool stands_still(const struct irixperf_set *set)
{
	struct irixperf_count first, second;

	return irixperf_set_read(set, set->event[0], &first) == 0 &&
	       irixperf_set_read(set, set->event[0], &second) == 0 &&
	       first.enabled == second.enabled;
}

static int keep_counts(struct cpu_counters *cpu)
{
	int ret = ixp_set_add_counts(cpu->set, cpu->kept);

	if (ret == 0)
		close_set(cpu);

	return ret;
}

static int start_set(struct holder_counters *c, struct cpu_counters *cpu,
		     bool pin)
{
	hwperf_cntr_t counts = { { 0 } };
	int ret = open_set(c, cpu, pin);

	if (ret == 0 && cpu->set)
		ret = irixperf_set_enable(cpu->set);
	if (ret == 0 && cpu->set)
		ret = ixp_set_add(cpu->set, &counts);
	if (ret < 0)
		close_set(cpu);

	return ret;
}

static int follow_cpu(struct holder_counters *c, struct cpu_counters *cpu)
{
	int ret = 0;

	if (cpu->set && (!cpu->online || stands_still(cpu->set)))
		ret = keep_counts(cpu);
	if (ret < 0 || cpu->set || !cpu->online)
		return ret;

	ret = start_set(c, cpu, true);

	return ret == -EIO ? start_set(c, cpu, false) : ret;
}

/**
 * holder_counters_follow() - open events on new CPUs, close those of CPUs that are gone
 * @c: events that count
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_follow(struct holder_counters *c)
{
	unsigned int i;
	int ret = 0;

	look_online(c);
	for (i = 0; i < c->nr && ret == 0; i++)
		ret = follow_cpu(c, &c->cpu[i]);

	return ret;
}

unsigned int holder_counters_cpus(const struct holder_counters *c)
{
	return c->nr;
}

/* @empty: no events are wanted; else a CPU without them is not counted */
static int read_cpu(const struct cpu_counters *from, bool empty,
		    struct ixp_system_cpu *to, struct ixp_system_time *all)
{
	struct irixperf_count count[IRIXPERF_EVENTS];
	unsigned int i;
	int ret = 0;

	memcpy(count, from->kept, sizeof(count));
	if (from->set)
		ret = ixp_set_add_counts(from->set, count);

	to->cpu = from->set || (empty && from->online) ? from->cpu : IXP_NO_CPU;
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		to->counts.hwp_evctr[i] = count[i].value;
		to->time.enabled[i] = count[i].enabled;
		to->time.running[i] = count[i].running;
		all->enabled[i] += count[i].enabled;
		all->running[i] += count[i].running;
	}

	return ret;
}

/**
 * holder_counters_read() - read the counters of each CPU, and add them up
 * @c: the events
 * @page: gets the counts of as many CPUs as it has entries for
 *
 * Return: 0 or a negative errno value.
 */
int holder_counters_read(const struct holder_counters *c,
			 struct ixp_system_page *page)
{
	unsigned int i;
	int ret;

	memset(&page->sum, 0, sizeof(page->sum));
	memset(&page->time, 0, sizeof(page->time));
	for (i = 0; i < c->nr && i < page->nr_cpus; i++) {
		ret = read_cpu(&c->cpu[i], c->empty, &page->cpu[i], &page->time);
		if (ret < 0)
			return ret;
		ixp_counts_add(&page->sum, &page->cpu[i].counts);
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
