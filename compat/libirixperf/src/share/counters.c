// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of all CPUs, for a holder or for the program that has a claim: each CPU
 * has a set of the same events. If the counters can hold all events at once, these are
 * pinned, so that they do not take turns with events of other users of perf. If another
 * user already has pinned events, a holder opens its own again without a pin: they get what
 * is left, and are refused if that is nothing. A claim is refused at once.
 *
 * CPUs can go offline and come back, but then their events do not count any more.
 * ixp_counters_follow() checks which CPUs are online: it keeps the counts of a CPU that
 * has gone, and opens new events on one that has come. There may be no events.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <irixperf.h>
#include "counters.h"
#include "cpus.h"
#include "kernel.h"
#include "machine.h"
#include "set.h"

/**
 * struct cpu_counters - a CPU that is online or may come online
 * @cpu: its number
 * @online: it was online when the holder last checked
 * @set: its events; NULL if it is offline, or nothing is counted
 * @kept: the counts of its events that are closed, by event number
 * @starved: nanoseconds in which these had no counter
 */
struct cpu_counters {
	int cpu;
	bool online;
	struct irixperf_set *set;
	struct irixperf_count kept[IRIXPERF_EVENTS];
	uint64_t starved;
};

/**
 * struct ixp_counters - the sets of all CPUs
 * @attr: their events
 * @machine: what these stand for
 * @empty: there are no events
 * @pin: how they are pinned; IXP_PIN_ALL: never otherwise
 * @nr: how many CPUs there may be
 * @cpu: these CPUs
 */
struct ixp_counters {
	struct irixperf_attr attr;
	struct ixp_machine machine;
	bool empty;
	enum ixp_pin pin;
	unsigned int nr;
	struct cpu_counters cpu[];
};

static void close_set(struct cpu_counters *cpu)
{
	irixperf_set_close(cpu->set);
	cpu->set = NULL;
}

static void close_sets(struct ixp_counters *c)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		close_set(&c->cpu[i]);
}

static void mark_online(struct ixp_counters *c, const int *cpu, int nr)
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

static void look_online(struct ixp_counters *c)
{
	int cpu[IXP_CPUS_MAX], nr = list_cpus("online", cpu);

	mark_online(c, cpu, nr);
}

/* Open the events of a CPU. It is not an error if the CPU has just gone offline */
static int open_set(struct ixp_counters *c, struct cpu_counters *cpu,
		    enum ixp_pin pin)
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

static int open_sets(struct ixp_counters *c, enum ixp_pin pin)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->cpu[i].online)
			ret = open_set(c, &c->cpu[i], pin);

	return ret;
}

/* Make entries for all CPUs that may ever come online */
static int new_counters(struct ixp_counters **counters)
{
	struct ixp_counters *c;
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

static bool no_events(const struct irixperf_attr *attr)
{
	unsigned int i = 0;

	while (i < IRIXPERF_EVENTS && !attr->mode[i])
		i++;

	return i == IRIXPERF_EVENTS;
}

/**
 * ixp_counters_open() - open events on all CPUs that are online
 * @counters: gets them, stopped; ixp_counters_close() frees them
 * @attr: which events; only @attr->mode is used
 * @code: what the first of them stand for
 * @pin: how they are pinned; unless it is IXP_PIN_ALL, they may have to share the counters with
 *	events of others
 *
 * Return: 0 or a negative errno value.
 */
int ixp_counters_open(struct ixp_counters **counters, const struct irixperf_attr *attr,
		      const struct irixperf_code code[IRIXPERF_CODES], enum ixp_pin pin)
{
	struct ixp_counters *c;
	int ret;

	ret = new_counters(&c);
	if (ret < 0)
		return ret;

	c->attr = *attr;
	c->attr.size = sizeof(c->attr);
	c->attr.flags = IRIXPERF_DISABLED;
	c->empty = no_events(attr);
	c->pin = pin;
	ret = ixp_machine_coded(&c->machine, code);
	/* Nothing is counted, so no counters are needed */
	if (ret == -ENODEV && c->empty)
		ret = 0;
	look_online(c);
	if (ret == 0)
		ret = open_sets(c, c->pin);
	if (ret < 0)
		ixp_counters_close(c);
	else
		*counters = c;

	return ret;
}

static int enable_sets(const struct ixp_counters *c)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->cpu[i].set)
			ret = irixperf_set_enable(c->cpu[i].set);

	return ret;
}

/* -EIO: pinned events got no counter, and will never count */
static int check_sets(const struct ixp_counters *c)
{
	hwperf_cntr_t counts = { { 0 } };
	uint64_t starved = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->cpu[i].set)
			ret = ixp_set_add(c->cpu[i].set, &counts, &starved);

	return ret;
}

/* -EBUSY: others have the counters of a CPU for themselves. Other errors: reads tell */
static int check_starts(const struct ixp_counters *c)
{
	const uint64_t until = ixp_now_ms() + IXP_START_MS;
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		if (c->cpu[i].set &&
		    ixp_set_starts(c->cpu[i].set, false, until) == -EBUSY)
			return -EBUSY;

	return 0;
}

/**
 * ixp_counters_start() - let the events count
 * @c: the events
 *
 * Return: 0; -ENOSPC if all are pinned, and there are too few counters; -EBUSY if others
 * have the counters for themselves; or another negative errno value.
 */
int ixp_counters_start(struct ixp_counters *c)
{
	int ret = enable_sets(c);

	if (ret == 0)
		ret = check_sets(c);
	if (ret == -EIO && c->pin == IXP_PIN_ALL)
		return -ENOSPC;
	if (ret == -EIO) {
		close_sets(c);
		ret = open_sets(c, IXP_PIN_NONE);
		if (ret == 0)
			ret = enable_sets(c);
	}

	return ret < 0 ? ret : check_starts(c);
}

void ixp_counters_stop(struct ixp_counters *c)
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
	int ret = ixp_set_add_counts(cpu->set, cpu->kept, &cpu->starved);

	if (ret == 0)
		close_set(cpu);

	return ret;
}

static int start_set(struct ixp_counters *c, struct cpu_counters *cpu,
		     enum ixp_pin pin)
{
	hwperf_cntr_t counts = { { 0 } };
	uint64_t starved = 0;
	int ret = open_set(c, cpu, pin);

	if (ret == 0 && cpu->set)
		ret = irixperf_set_enable(cpu->set);
	if (ret == 0 && cpu->set)
		ret = ixp_set_add(cpu->set, &counts, &starved);
	if (ret < 0)
		close_set(cpu);

	return ret;
}

static int follow_cpu(struct ixp_counters *c, struct cpu_counters *cpu)
{
	int ret = 0;

	if (cpu->set && (!cpu->online || stands_still(cpu->set)))
		ret = keep_counts(cpu);
	if (ret < 0 || cpu->set || !cpu->online)
		return ret;

	ret = start_set(c, cpu, c->pin);
	if (ret == -EIO)
		ret = c->pin == IXP_PIN_ALL ? -ENOSPC :
		      start_set(c, cpu, IXP_PIN_NONE);

	return ret;
}

/**
 * ixp_counters_follow() - open events on new CPUs, close those of CPUs that are gone
 * @c: events that count
 *
 * Return: 0 or a negative errno value.
 */
int ixp_counters_follow(struct ixp_counters *c)
{
	unsigned int i;
	int ret = 0;

	look_online(c);
	for (i = 0; i < c->nr && ret == 0; i++)
		ret = follow_cpu(c, &c->cpu[i]);

	return ret;
}

/* The same for one CPU, whose @index is below ixp_counters_cpus() */
int ixp_counters_follow_one(struct ixp_counters *c, unsigned int index)
{
	look_online(c);

	return follow_cpu(c, &c->cpu[index]);
}

/* The index of a CPU; -ENOENT if there cannot be one with this number */
int ixp_counters_index(const struct ixp_counters *c, int cpu)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		if (c->cpu[i].cpu == cpu)
			return (int)i;

	return -ENOENT;
}

unsigned int ixp_counters_cpus(const struct ixp_counters *c)
{
	return c->nr;
}

/**
 * ixp_counters_read() - read the counters of a CPU
 * @c: the events
 * @index: which CPU, below ixp_counters_cpus()
 * @cpu: gets its number; -ENOENT if it is offline, or, unless there are no events, is
 *	not counted
 * @count: gets the counts and the times, also those from before it went offline
 * @starved: grows by the nanoseconds in which none of the events had a counter
 *
 * Return: 0 or a negative errno value.
 */
int ixp_counters_read(const struct ixp_counters *c, unsigned int index, int *cpu,
		      struct irixperf_count count[IRIXPERF_EVENTS], uint64_t *starved)
{
	const struct cpu_counters *from = &c->cpu[index];

	*cpu = from->set || (c->empty && from->online) ? from->cpu : -ENOENT;
	memcpy(count, from->kept, sizeof(from->kept));
	*starved += from->starved;

	return from->set ? ixp_set_add_counts(from->set, count, starved) : 0;
}

/* The same of all CPUs, as an upper bound; @least: what a read has found */
uint64_t ixp_counters_starved(const struct ixp_counters *c, uint64_t least)
{
	uint64_t starved = 0;
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		starved += c->cpu[i].starved +
			   (c->cpu[i].set ? ixp_set_starved(c->cpu[i].set) : 0);

	return starved > least ? starved : least;
}

void ixp_counters_close(struct ixp_counters *c)
{
	if (!c)
		return;
	close_sets(c);
	free(c);
}

/**
 * ixp_counters_replace() - let other events count
 * @counters: the events that count, or NULL; gets the new ones
 * @new: the new ones, not started
 *
 * The old events stop first, because the new ones may need their counters.
 *
 * Return: 0, and the old events are closed; or an error of ixp_counters_start(), and the
 * old events go on.
 */
int ixp_counters_replace(struct ixp_counters **counters, struct ixp_counters *new)
{
	struct ixp_counters *old = *counters;
	int ret;

	if (old)
		ixp_counters_stop(old);
	ret = ixp_counters_start(new);
	ixp_counters_close(ret < 0 ? new : old);
	if (ret == 0)
		*counters = new;
	else if (old)
		ixp_counters_start(old);

	return ret;
}
