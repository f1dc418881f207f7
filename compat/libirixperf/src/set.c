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
	unsigned int modes;

	if (attr->size != sizeof(*attr) ||
	    (attr->flags & ~(unsigned int)ALL_FLAGS))
		return -EINVAL;

	*events = ixp_mode_events(attr, &modes);

	return ixp_mode_check(modes);
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

/**
 * struct opening - a set that is being opened
 * @set: what is open of it
 * @attr: what to count
 * @pea: the same for the kernel: what all events have in common, and the last one
 */
struct opening {
	struct irixperf_set *set;
	const struct irixperf_attr *attr;
	struct perf_event_attr pea;
};

static void opening_begin(struct opening *o, struct irixperf_set *set,
			  const struct irixperf_attr *attr)
{
	const unsigned int flags = attr->flags;

	o->set = set;
	o->attr = attr;
	o->pea = (struct perf_event_attr){
		.size = sizeof(o->pea),
		.inherit = !!(flags & (IRIXPERF_INHERIT |
				       IRIXPERF_INHERIT_THREAD)),
		.inherit_thread = !(flags & IRIXPERF_INHERIT) &&
				  (flags & IRIXPERF_INHERIT_THREAD),
	};
}

/* The leader alone holds the group back, and is read for both */
static void opening_event(struct opening *o, unsigned int event, bool leader)
{
	struct perf_event_attr *pea = &o->pea;

	pea->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING |
			   (leader ? PERF_FORMAT_GROUP : 0);
	pea->disabled = leader;
	pea->pinned = leader && o->set->pin;
	pea->enable_on_exec = leader &&
			      (o->attr->flags & IRIXPERF_ENABLE_ON_EXEC);
	set_event(pea, o->set->machine, event, o->attr->mode[event]);
	ixp_overflow_attr(pea, o->set->overflow, event);
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

/* @leader: where the first of its group is; that of a new one is where it will be */
static int set_add(struct opening *o, signed char event, unsigned int leader)
{
	struct irixperf_set *set = o->set;
	const bool first = leader == set->nr;
	int fd;

	opening_event(o, (unsigned char)event, first);
	fd = ixp_kernel.perf_open(&o->pea, set->pid, set->cpu,
				  first ? -1 : set->fd[leader]);
	if (fd < 0)
		return open_error(fd);

	set->fd[set->nr] = fd;
	set->event[set->nr] = (unsigned char)event;
	set->group[set->nr] = 0;
	set->group[leader]++;
	set->nr++;

	return 0;
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
static int set_add_beside(struct opening *o, signed char event,
			  unsigned int leader)
{
	const struct irixperf_set *set = o->set;
	int ret = set_add(o, event, leader);

	if (ret != -EINVAL || leader == set->nr)
		return ret;
	if (set->machine->cpu.chip == IRIXPERF_MAPPED)
		return set_add(o, event, set->nr);

	return threads_may_start(set, o->attr) ? -ECHILD : ret;
}

static int set_add_pair(struct opening *o, const signed char pair[2])
{
	const unsigned int leader = o->set->nr;
	int i, ret = 0;

	for (i = 0; i < 2 && ret == 0; i++)
		if (pair[i] >= 0)
			ret = set_add_beside(o, pair[i], leader);

	return ret;
}

static size_t group_size(unsigned int nr)
{
	return offsetof(struct ixp_group, value) + nr * sizeof(uint64_t);
}

/* Members are in the order in which the kernel writes them */
static int group_read(const struct irixperf_set *set, unsigned int at,
		      struct ixp_group *group)
{
	unsigned int nr = set->group[at];
	size_t size = group_size(nr);
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
		nr = set->group[at];
		if (nr > 1)
			ret = group_read(set, at, &group);
	}

	return ret;
}

static int set_try(struct irixperf_set *set, const struct irixperf_attr *attr,
		   const struct ixp_plan *plan)
{
	struct opening o;
	unsigned int i;
	int ret = 0;

	opening_begin(&o, set, attr);
	for (i = 0; i < plan->nr_pairs && ret == 0; i++)
		ret = set_add_pair(&o, plan->pair[i]);
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

/**
 * struct whose - on what a set is opened, and with what
 * @pid: as the set has it
 * @cpu: the same
 * @pin: the same, if there is a counter for each event
 * @alone: as the set has it
 * @overflow: the same
 */
struct whose {
	pid_t pid;
	int cpu;
	bool pin;
	bool alone;
	const struct ixp_overflow *overflow;
};

static void set_begin(struct irixperf_set *set, const struct whose *whose,
		      const struct ixp_machine *machine)
{
	set->machine = machine;
	set->pid = whose->pid;
	set->cpu = whose->cpu;
	set->pin = whose->pin;
	set->alone = whose->alone;
	set->overflow = whose->overflow;
}

static int set_open(struct irixperf_set **set, const struct irixperf_attr *attr,
		    const struct whose *whose)
{
	const struct ixp_machine *machine;
	struct irixperf_set *new;
	struct ixp_plan plan;
	uint32_t events;
	int ret;

	ret = set_check(attr, &events, &machine);
	if (ret < 0)
		return ret;

	new = ixp_alloc_begun(sizeof(*new),
			      offsetof(struct irixperf_set, fd));
	if (!new)
		return -ENOMEM;

	set_begin(new, whose, machine);
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
	struct whose whose = { .pid = attr->pid, .cpu = -1, .alone = alone };

	return attr->pid < 0 ? -EINVAL : set_open(set, attr, &whose);
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
	struct whose whose = {
		.pid = attr->pid, .cpu = -1, .alone = alone,
		.overflow = overflow,
	};

	return set_open(set, attr, &whose);
}

/* With @pin nobody else gets the counters, if there is one for each event */
int ixp_set_open_cpu(struct irixperf_set **set,
		     const struct irixperf_attr *attr, int cpu, bool pin)
{
	struct whose whose = { .pid = -1, .cpu = cpu, .pin = pin };

	return set_open(set, attr, &whose);
}

static int set_ioctl(const struct irixperf_set *set, unsigned long request)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < set->nr && ret == 0; i += set->group[i])
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
	       (set->group[at] > 1 && set->event[at + 1] == event);
}

int irixperf_set_read(const struct irixperf_set *set, unsigned int event,
		      struct irixperf_count *count)
{
	struct irixperf_count sum = { 0 };
	struct ixp_group group;
	bool found = false;
	unsigned int at;
	int ret;

	for (at = 0; at < set->nr; at += set->group[at]) {
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

/* Where in @to the kernel writes a group: if @to lies in two pages, into both */
static struct ixp_group *group_within(hwperf_cntr_t *to, unsigned int nr)
{
	const uintptr_t last = (uintptr_t)to + sizeof(*to) - group_size(nr);
	const uintptr_t page = ((uintptr_t)to | (IXP_PAGE - 1)) + 1;
	uintptr_t place = page - sizeof(uint64_t);

	if (page - (uintptr_t)to >= sizeof(*to))
		return (void *)to;
	if (place > last)
		place = last;

	return (void *)place;
}

/* The last group is left where the kernel has written it */
static int set_values(const struct irixperf_set *set, uint64_t *value,
		      hwperf_cntr_t *to)
{
	struct ixp_group buf, *group;
	unsigned int at, nr;
	int ret = 0;

	for (at = 0; at < set->nr && ret == 0; at += nr) {
		nr = set->group[at];
		group = &buf;
		if (at + nr == set->nr)
			group = group_within(to, nr);
		ret = group_read(set, at, group);
		if (ret < 0)
			break;
		value[at] = group->value[0];
		if (nr > 1)
			value[at + 1] = group->value[1];
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
 * @to: the sums, aligned. The kernel writes a group there first, so that it is
 *	found out if the caller may not
 *
 * Return: 0, or an error, after which @to is as before.
 */
int ixp_set_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		hwperf_cntr_t *to)
{
	uint64_t value[2 * IXP_MAX_PAIRS];
	unsigned int i;
	int ret;

	ret = set_values(set, value, to);
	if (ret < 0)
		return ret;

	counts_copy(to, base);
	for (i = 0; i < set->nr; i++)
		to->hwp_evctr[set->event[i]] += value[i];

	return 0;
}

/**
 * ixp_set_take() - add an event that another process has opened
 * @set: gets the event, in which all others have come the same way
 * @fd: its descriptor, which is the set's if that succeeds
 * @event: its number, as the other process says
 * @leader: whether it is the first of its group, as the other process says
 *
 * Return: 0, or -EIO if there is no such event, no such group, or no room.
 */
int ixp_set_take(struct irixperf_set *set, int fd, unsigned int event, bool leader)
{
	const unsigned int at = set->nr;

	if (event >= IRIXPERF_EVENTS || at == 2 * IXP_MAX_PAIRS)
		return -EIO;
	if (!leader) {
		/* A group has two events at most */
		if (at == 0 || set->group[at - 1] != 1)
			return -EIO;
		set->group[at - 1]++;
	}
	set->fd[at] = fd;
	set->event[at] = (unsigned char)event;
	set->group[at] = leader;
	set->nr++;

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

	for (at = 0; at < set->nr; at += set->group[at]) {
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
