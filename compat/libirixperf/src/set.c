// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sets of events on one thread, over perf_event_open(2). Counts start at zero
 * with each open; nothing is ever reset, because PERF_EVENT_IOC_RESET forgets
 * neither the times nor, reliably, the share of children that have exited.
 * No thread's events are pinned: a pinned event that once finds no counter is
 * dead.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include "map.h"
#include "overflow.h"

#define ALL_FLAGS (IRIXPERF_INHERIT | IRIXPERF_INHERIT_THREAD |	\
		   IRIXPERF_DISABLED | IRIXPERF_ENABLE_ON_EXEC)

static int attr_check(const struct irixperf_attr *attr, uint32_t *events)
{
	unsigned int i;
	int ret;

	if (attr->size != sizeof(*attr) ||
	    (attr->flags & ~(unsigned int)ALL_FLAGS))
		return -EINVAL;

	*events = 0;
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		if (!attr->mode[i])
			continue;
		ret = ixp_mode_check(attr->mode[i]);
		if (ret < 0)
			return ret;
		*events |= UINT32_C(1) << i;
	}

	return *events ? 0 : -EINVAL;
}

/* What is counted, on the CPU's own counters or by the map */
static void set_event(struct perf_event_attr *pea,
		      const struct ixp_machine *machine, unsigned int event,
		      unsigned int mode)
{
	if (machine->cpu.chip == IRIXPERF_MAPPED) {
		ixp_map_apply(machine, pea, event, mode);
		return;
	}
	pea->type = PERF_TYPE_RAW;
	ixp_mode_apply(pea, event, mode);
}

/* The leader alone holds the group back, and is read for both */
static void set_attr(struct perf_event_attr *pea,
		     const struct irixperf_set *set,
		     const struct irixperf_attr *attr, unsigned int event,
		     bool leader)
{
	memset(pea, 0, sizeof(*pea));
	pea->size = sizeof(*pea);
	pea->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING |
			   (leader ? PERF_FORMAT_GROUP : 0);
	pea->disabled = leader;
	pea->pinned = leader && set->pin;
	pea->enable_on_exec = leader && (attr->flags & IRIXPERF_ENABLE_ON_EXEC);
	pea->inherit = !!(attr->flags &
			  (IRIXPERF_INHERIT | IRIXPERF_INHERIT_THREAD));
	pea->inherit_thread = !(attr->flags & IRIXPERF_INHERIT) &&
			      (attr->flags & IRIXPERF_INHERIT_THREAD);
	set_event(pea, set->machine, event, attr->mode[event]);
	ixp_overflow_attr(pea, set->overflow, event);
}

/* A PMU that was there when the machine was looked at can go: ENOENT */
static int open_error(int err)
{
	switch (err) {
	case -EACCES:
		return -EPERM;
	case -ENOENT:
		return -ENODEV;
	default:
		return err;
	}
}

static int set_add(struct irixperf_set *set, const struct irixperf_attr *attr,
		   signed char event, int group)
{
	struct perf_event_attr pea;
	int fd;

	set_attr(&pea, set, attr, (unsigned char)event, group < 0);
	fd = ixp_kernel.perf_open(&pea, set->pid, set->cpu, group);
	if (fd < 0)
		return open_error(fd);

	set->fd[set->nr] = fd;
	set->event[set->nr] = (unsigned char)event;
	set->leader[set->nr] = group < 0;
	set->nr++;

	return fd;
}

static bool threads_may_start(const struct irixperf_set *set,
			      const struct irixperf_attr *attr)
{
	return (attr->flags & (IRIXPERF_INHERIT | IRIXPERF_INHERIT_THREAD)) &&
	       !set->alone;
}

/*
 * An event beside another one. PMUs that are not ours may have rules about
 * which can go together: what they refuse counts by itself. Ours takes all
 * pairs of a plan. But the kernel lets a thread and one that it has started
 * exchange their events' contexts as long as they are alike; in between, the
 * first event is another thread's, and the second one is refused: -ECHILD.
 */
static int set_add_beside(struct irixperf_set *set,
			  const struct irixperf_attr *attr, signed char event,
			  int group)
{
	int fd = set_add(set, attr, event, group);

	if (fd != -EINVAL || group < 0)
		return fd;
	if (set->machine->cpu.chip == IRIXPERF_MAPPED)
		return set_add(set, attr, event, -1);

	return threads_may_start(set, attr) ? -ECHILD : fd;
}

static int set_add_pair(struct irixperf_set *set,
			const struct irixperf_attr *attr,
			const signed char pair[2])
{
	int group = -1;
	int i;

	for (i = 0; i < 2; i++) {
		int fd;

		if (pair[i] < 0)
			continue;
		fd = set_add_beside(set, attr, pair[i], group);
		if (fd < 0)
			return fd;
		if (group < 0)
			group = fd;
	}

	return 0;
}

static unsigned int group_size(const struct irixperf_set *set, unsigned int at)
{
	return at + 1 < set->nr && !set->leader[at + 1] ? 2 : 1;
}

/* Members are in the order in which the kernel writes them */
static int group_read(const struct irixperf_set *set, unsigned int at,
		      struct ixp_group *group)
{
	unsigned int nr = group_size(set, at);
	size_t size = offsetof(struct ixp_group, value[nr]);
	ssize_t n = ixp_kernel.perf_read(set->fd[at], group, size);

	if (n < 0)
		return (int)n;
	return n == (ssize_t)size && group->nr == nr ? 0 : -EIO;
}

static void set_empty(struct irixperf_set *set)
{
	while (set->nr > 0)
		ixp_kernel.perf_close(set->fd[--set->nr]);
}

/*
 * A thread that was started between the two opens of a pair has half of it,
 * which the kernel cannot add up: -ECHILD.
 */
static int set_whole(const struct irixperf_set *set)
{
	struct ixp_group group;
	unsigned int at, nr;
	int ret = 0;

	for (at = 0; at < set->nr && ret == 0; at += nr) {
		nr = group_size(set, at);
		if (nr > 1)
			ret = group_read(set, at, &group);
	}

	return ret;
}

static int set_try(struct irixperf_set *set, const struct irixperf_attr *attr,
		   const struct ixp_plan *plan)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < plan->nr_pairs && ret == 0; i++)
		ret = set_add_pair(set, attr, plan->pair[i]);
	if (ret == 0 && threads_may_start(set, attr))
		ret = set_whole(set);

	return ret;
}

static int set_fill(struct irixperf_set *set, const struct irixperf_attr *attr,
		    const struct ixp_plan *plan)
{
	unsigned int tries = 100;
	int ret;

	while ((ret = set_try(set, attr, plan)) == -ECHILD && --tries)
		set_empty(set);
	if (ret == -ECHILD)
		ret = -EAGAIN;
	if (ret == 0 &&
	    !(attr->flags & (IRIXPERF_DISABLED | IRIXPERF_ENABLE_ON_EXEC)))
		ret = irixperf_set_enable(set);

	return ret;
}

static void set_plan(struct ixp_plan *plan, const struct ixp_machine *machine,
		     uint32_t events)
{
	if (machine->cpu.chip == IRIXPERF_MAPPED)
		ixp_plan_mapped(plan, events, ixp_map_software(machine));
	else
		ixp_plan_make(plan, events,
			      machine->cpu.chip == IRIXPERF_R12000);
}

static int set_check(const struct irixperf_attr *attr, uint32_t *events,
		     const struct ixp_machine **machine)
{
	char why[IXP_WHY_SIZE];
	int ret = attr_check(attr, events);

	if (ret < 0)
		return ret;
	*machine = ixp_machine(why, sizeof(why));
	if (!*machine)
		return -ENODEV;

	return (*machine)->cpu.chip == IRIXPERF_MAPPED ?
	       ixp_map_check(*machine, attr) : 0;
}

static int set_open(struct irixperf_set **set, const struct irixperf_attr *attr,
		    const struct irixperf_set *empty)
{
	const struct ixp_machine *machine;
	struct irixperf_set *new;
	struct ixp_plan plan;
	uint32_t events;
	int ret;

	ret = set_check(attr, &events, &machine);
	if (ret < 0)
		return ret;

	new = ixp_alloc(sizeof(*new));
	if (!new)
		return -ENOMEM;

	*new = *empty;
	new->machine = machine;
	set_plan(&plan, machine, events);
	if (new->overflow)
		ixp_plan_once(&plan, new->overflow->events);
	new->pin &= plan.nr_pairs == 1;
	ret = set_fill(new, attr, &plan);
	new->overflow = NULL;
	if (ret < 0)
		irixperf_set_close(new);
	else
		*set = new;

	return ret;
}

/* If the caller is @alone, no thread and no child can be made meanwhile */
int ixp_set_open_thread(struct irixperf_set **set,
			const struct irixperf_attr *attr, bool alone)
{
	struct irixperf_set empty = {
		.pid = attr->pid, .cpu = -1, .alone = alone,
	};

	return attr->pid < 0 ? -EINVAL : set_open(set, attr, &empty);
}

int irixperf_set_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr)
{
	bool own = attr->pid == 0 || attr->pid == getpid();

	return ixp_set_open_thread(set, attr, own && ixp_single_threaded());
}

int ixp_set_open_overflow(struct irixperf_set **set,
			  const struct irixperf_attr *attr, bool alone,
			  const struct ixp_overflow *overflow)
{
	struct irixperf_set empty = {
		.pid = attr->pid, .cpu = -1, .alone = alone,
		.overflow = overflow,
	};

	return set_open(set, attr, &empty);
}

/* With @pin nobody else gets the counters, if there is one for each event */
int ixp_set_open_cpu(struct irixperf_set **set,
		     const struct irixperf_attr *attr, int cpu, bool pin)
{
	struct irixperf_set empty = { .pid = -1, .cpu = cpu, .pin = pin };

	return set_open(set, attr, &empty);
}

static int set_ioctl(const struct irixperf_set *set, unsigned long request)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < set->nr && ret == 0; i++)
		if (set->leader[i])
			ret = ixp_kernel.perf_ioctl(set->fd[i], request);

	return ret;
}

int irixperf_set_enable(const struct irixperf_set *set)
{
	return set_ioctl(set, PERF_EVENT_IOC_ENABLE);
}

int irixperf_set_disable(const struct irixperf_set *set)
{
	return set_ioctl(set, PERF_EVENT_IOC_DISABLE);
}

/* Members of several pairs never run at the same time: their times add up */
static void count_add(struct irixperf_count *sum,
		      const struct irixperf_count *part)
{
	sum->value += part->value;
	sum->running += part->running;
	if (part->enabled > sum->enabled)
		sum->enabled = part->enabled;
	if (sum->running > sum->enabled)
		sum->running = sum->enabled;
}

static void count_of_group(const struct irixperf_set *set, unsigned int at,
			   const struct ixp_group *group, unsigned int event,
			   struct irixperf_count *sum)
{
	struct irixperf_count part = {
		.enabled = group->enabled, .running = group->running,
	};
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		part.value = group->value[i];
		if (set->event[at + i] == event)
			count_add(sum, &part);
	}
}

static bool group_has(const struct irixperf_set *set, unsigned int at,
		      unsigned int event)
{
	return set->event[at] == event ||
	       (group_size(set, at) > 1 && set->event[at + 1] == event);
}

int irixperf_set_read(const struct irixperf_set *set, unsigned int event,
		      struct irixperf_count *count)
{
	struct irixperf_count sum = { 0 };
	struct ixp_group group;
	bool found = false;
	unsigned int at;
	int ret;

	for (at = 0; at < set->nr; at += group_size(set, at)) {
		if (!group_has(set, at, event))
			continue;
		ret = group_read(set, at, &group);
		if (ret < 0)
			return ret;
		count_of_group(set, at, &group, event, &sum);
		found = true;
	}
	if (!found)
		return -ENOENT;
	*count = sum;

	return 0;
}

void ixp_counts_add(hwperf_cntr_t *sum, const hwperf_cntr_t *part)
{
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		sum->hwp_evctr[i] += part->hwp_evctr[i];
}

/* The last group is left where the kernel has written it */
static int set_values(const struct irixperf_set *set, uint64_t *value,
		      struct ixp_group *last)
{
	unsigned int at, i, nr;
	int ret = 0;

	for (at = 0; at < set->nr && ret == 0; at += nr) {
		struct ixp_group buf, *group = &buf;

		nr = group_size(set, at);
		if (at + nr == set->nr)
			group = last;
		ret = group_read(set, at, group);
		for (i = 0; i < nr && ret == 0; i++)
			value[at + i] = group->value[i];
	}

	return ret;
}

/* Some C libraries' memcpy() takes three times as long: it is kept away */
static void counts_copy(hwperf_cntr_t *to, const hwperf_cntr_t *from)
{
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < HWPERF_EVENTMAX; i++) {
		to->hwp_evctr[i] = from->hwp_evctr[i];
		__asm__ volatile("" : : : "memory");
	}
}

/**
 * ixp_set_get() - read the counts of all events
 * @set: the events, of which there is one at least
 * @base: what they are added to
 * @to: the sums. The kernel writes a group there first, so that it is found out
 *	if the caller may not
 *
 * Return: 0, or an error, after which @to is as before.
 */
int ixp_set_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		hwperf_cntr_t *to)
{
	uint64_t value[2 * IXP_MAX_PAIRS];
	unsigned int i;
	int ret;

	ret = set_values(set, value, (void *)to);
	if (ret < 0)
		return ret;

	counts_copy(to, base);
	for (i = 0; i < set->nr; i++)
		to->hwp_evctr[set->event[i]] += value[i];

	return 0;
}

/* If it fails, nothing has been added */
int ixp_set_add(const struct irixperf_set *set, hwperf_cntr_t *sum)
{
	hwperf_cntr_t new;
	int ret = ixp_set_get(set, sum, &new);

	if (ret == 0)
		*sum = new;

	return ret;
}

static int set_counts(const struct irixperf_set *set,
		      struct irixperf_count count[IRIXPERF_EVENTS])
{
	struct ixp_group group;
	unsigned int at, i;
	int ret;

	for (at = 0; at < set->nr; at += group_size(set, at)) {
		ret = group_read(set, at, &group);
		if (ret < 0)
			return ret;
		for (i = 0; i < group.nr; i++) {
			struct irixperf_count part = {
				.value = group.value[i],
				.enabled = group.enabled,
				.running = group.running,
			};

			count_add(&count[set->event[at + i]], &part);
		}
	}

	return 0;
}

/**
 * ixp_set_add_counts() - read all events with their times, each pair once
 * @set: the events
 * @sum: what they are added to, by their numbers
 *
 * Return: 0, or an error, after which @sum is as before.
 */
int ixp_set_add_counts(const struct irixperf_set *set,
		       struct irixperf_count sum[IRIXPERF_EVENTS])
{
	struct irixperf_count new[IRIXPERF_EVENTS] = { { 0 } };
	unsigned int i;
	int ret = set_counts(set, new);

	for (i = 0; i < IRIXPERF_EVENTS && ret == 0; i++) {
		sum[i].value += new[i].value;
		sum[i].enabled += new[i].enabled;
		sum[i].running += new[i].running;
	}

	return ret;
}

void irixperf_set_close(struct irixperf_set *set)
{
	struct irixperf_set *next;

	for (; set; set = next) {
		next = set->next;
		if (set->ring)
			ixp_profile_detach(set);
		set_empty(set);
		ixp_free(set);
	}
}

static void set_free(struct ixp_retired *item)
{
	irixperf_set_close((void *)((char *)item -
				    offsetof(struct irixperf_set, retired)));
}

void ixp_set_retire(struct irixperf_set *set)
{
	struct irixperf_set *each;

	if (!set)
		return;
	for (each = set; each; each = each->next)
		if (each->ring)
			ixp_profile_detach(each);
	ixp_retire(&set->retired, set_free);
}
