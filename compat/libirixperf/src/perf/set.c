// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Read, add up, enable, disable and close sets of open events. No event is ever reset:
 * PERF_EVENT_IOC_RESET does not clear the times, and does not reliably clear the counts
 * of children that have exited.
 */
#include <errno.h>
#include <stddef.h>
#include <time.h>
#include <linux/perf_event.h>
#include "set.h"
#include "grace.h"
#include "kernel.h"
#include "mem.h"
#include "plan.h"

/*
 * Events of several users of perf on one thread take turns, of 4 or 10 ms: after so much
 * of the thread's time without a counter, there is none for an event.
 */
#define TURNS_NS	200000000

/* How long to sleep while the thread may run */
#define MOMENT_NS	200000

static size_t group_size(unsigned int nr)
{
	return offsetof(struct ixp_group, value) + nr * sizeof(uint64_t);
}

/*
 * Members are in the order in which the kernel writes them. When the CPU of a pair goes
 * offline, the kernel ends the group, and each event is read alone.
 */
static int group_read(const struct irixperf_set *set, unsigned int at,
		      struct ixp_group *group)
{
	unsigned int nr = set->group[at];
	size_t size = group_size(nr);
	ssize_t n = ixp_kernel.perf_read(set->fd[at], group, size);
	struct irixperf_count second;

	if (n < 0)
		return (int)n;
	if (n == (ssize_t)size && group->nr == nr)
		return 0;
	if (n != (ssize_t)group_size(1) || group->nr != 1)
		return -EIO;
	n = ixp_kernel.perf_read(set->fd[at + 1], &second, sizeof(second));
	if (n != sizeof(second))
		return n < 0 ? (int)n : -EIO;
	group->nr = nr;
	group->value[1] = second.value;

	return 0;
}

/* Close all events of the set */
void ixp_set_empty(struct irixperf_set *set)
{
	while (set->nr > 0)
		ixp_kernel.perf_close(set->fd[--set->nr]);
}

/*
 * Check that each pair can be read. If not, a thread that was started between the two
 * opens of the pair has inherited only one of its events, and the kernel cannot add up
 * such groups: -ECHILD.
 */
int ixp_set_whole(const struct irixperf_set *set)
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

/* Add two counts of an event that is in several pairs, which never run together */
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

int irixperf_set_read(const struct irixperf_set *set, unsigned int event,
		      struct irixperf_count *count)
{
	struct irixperf_count sum = { 0 }, part;
	struct ixp_group group;
	bool found = false;
	unsigned int at, i;
	int ret;

	for (at = 0; at < set->nr; at += set->group[at]) {
		if (set->event[at] != event &&
		    (set->group[at] == 1 || set->event[at + 1] != event))
			continue;
		ret = group_read(set, at, &group);
		if (ret < 0)
			return ret;
		part.enabled = group.enabled;
		part.running = group.running;
		for (i = 0; i < group.nr; i++) {
			part.value = group.value[i];
			if (set->event[at + i] == event)
				count_add(&sum, &part);
		}
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

/*
 * The address in @to at which the kernel writes a group. If @to lies in two pages, the
 * group has to lie in both, too: then the kernel checks that both can be written.
 */
static struct ixp_group *group_within(hwperf_cntr_t *to, unsigned int nr)
{
	const uintptr_t last = (uintptr_t)to + sizeof(*to) - group_size(nr);
	const uintptr_t page = ((uintptr_t)to | (IXP_PAGE - 1)) + 1;
	uintptr_t at = page - sizeof(uint64_t);

	if (page - (uintptr_t)to >= sizeof(*to))
		return (void *)to;
	if (at > last)
		at = last;

	return (void *)at;
}

/**
 * struct times - how long events were to count, and how long they did
 * @first: index of the first group of hardware events, plus 1
 * @enabled: of this group
 * @running: of all such groups
 */
struct times {
	unsigned int first;
	uint64_t enabled;
	uint64_t running;
};

/*
 * Groups take turns, and the kernel adds to the times of all at the same moment. So at any
 * time one of them counts, unless others have its counters. The first group is read first,
 * so the others can only have counted longer. On CPUs with more counters than groups need,
 * several count at the same time, and some of the missing time is not found.
 */
static void times_add(struct times *times, const struct irixperf_set *set,
		      unsigned int at, const struct ixp_group *group)
{
	if (set->software >> set->event[at] & 1)
		return;
	if (!times->first) {
		times->first = at + 1;
		times->enabled = group->enabled;
	}
	times->running += group->running;
}

static uint64_t times_missing(const struct times *times)
{
	return times->enabled > times->running ? times->enabled - times->running : 0;
}

/* Read all groups: the last one into @to, which checks @to, the others into a buffer */
static int set_values(const struct irixperf_set *set, uint64_t *value,
		      hwperf_cntr_t *to, struct times *times)
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
		times_add(times, set, at, group);
		value[at] = group->value[0];
		if (nr > 1)
			value[at + 1] = group->value[1];
	}

	return ret;
}

/* A loop, because memcpy() takes three times as long in some C libraries */
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
 * @set: the events, at least one
 * @base: counts that are added to theirs
 * @to: gets the sums; must be aligned. The kernel first writes a group to it, which
 *	fails if the address is not valid
 * @starved: grows by the nanoseconds without a counter
 *
 * Return: 0, or an error, after which @to is unchanged.
 */
int ixp_set_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		hwperf_cntr_t *to, uint64_t *starved)
{
	uint64_t value[2 * IXP_MAX_PAIRS];
	struct times times = { 0 };
	unsigned int i;
	int ret;

	ret = set_values(set, value, to, &times);
	if (ret < 0)
		return ret;

	*starved += times_missing(&times);
	counts_copy(to, base);
	for (i = 0; i < set->nr; i++)
		to->hwp_evctr[set->event[i]] += value[i];

	return 0;
}

/**
 * ixp_set_take() - add an event that another process has opened
 * @set: gets the event; all its other events must come from this function, too
 * @fd: descriptor of the event, which the set owns if the call succeeds
 * @event: the number that the other process gives
 * @leader: whether the other process says that it is the first of its group
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

/* Add the counts of a set to @sum; after a failure @sum is unchanged */
int ixp_set_add(const struct irixperf_set *set, hwperf_cntr_t *sum, uint64_t *starved)
{
	hwperf_cntr_t new;
	int ret = ixp_set_get(set, sum, &new, starved);

	if (ret == 0)
		*sum = new;

	return ret;
}

static int set_times(const struct irixperf_set *set, struct times *times)
{
	struct ixp_group group;
	unsigned int at;
	int ret = 0;

	for (at = 0; at < set->nr && ret == 0; at += set->group[at]) {
		ret = group_read(set, at, &group);
		if (ret == 0)
			times_add(times, set, at, &group);
	}

	return ret;
}

/**
 * ixp_set_starved() - tell how long events were without a counter
 * @set: the events of a thread
 *
 * Return: nanoseconds, no less than what any read before has found; 0 if they cannot be
 * read.
 */
uint64_t ixp_set_starved(const struct irixperf_set *set)
{
	struct times times = { 0 };
	struct ixp_group group = { 0 };
	int ret = set_times(set, &times);

	/* The first group last, so that this is no less than the time that is missing */
	if (ret == 0 && times.first)
		ret = group_read(set, times.first - 1, &group);
	if (ret < 0 || !times.first || group.enabled < times.running)
		return 0;

	return group.enabled - times.running;
}

/**
 * ixp_set_starts() - check that events that have been enabled count
 * @set: the events of a thread
 * @own: it is the calling thread, whose time goes on while this asks
 * @until: when to give up on another thread, or if time stands still, by ixp_now_ms()
 *
 * Return: 0, also if the thread runs too little to tell; -EBUSY if others have the
 * counters for themselves; or another negative errno value.
 */
int ixp_set_starts(const struct irixperf_set *set, bool own, uint64_t until)
{
	static const struct timespec moment = { .tv_nsec = MOMENT_NS };
	struct times times;
	uint64_t before = 0;
	int ret;

	for (;;) {
		times = (struct times){ 0 };
		ret = set_times(set, &times);
		if (ret < 0 || times.running || !times.enabled)
			return ret;
		if (times.enabled >= TURNS_NS)
			return -EBUSY;
		/* Not if system mode has stopped the events */
		own = own && times.enabled != before;
		before = times.enabled;
		if (own)
			continue;
		if (ixp_now_ms() >= until)
			return 0;
		nanosleep(&moment, NULL);
	}
}

static int set_counts(const struct irixperf_set *set,
		      struct irixperf_count count[IRIXPERF_EVENTS], struct times *times)
{
	struct ixp_group group;
	unsigned int at, i;
	int ret;

	for (at = 0; at < set->nr; at += set->group[at]) {
		ret = group_read(set, at, &group);
		if (ret < 0)
			return ret;
		times_add(times, set, at, &group);
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
 * ixp_set_add_counts() - add up the counts and times of all events
 * @set: the events
 * @sum: the counts that they are added to, by event number
 * @starved: grows by the nanoseconds without a counter
 *
 * Return: 0, or an error, after which @sum is unchanged.
 */
int ixp_set_add_counts(const struct irixperf_set *set,
		       struct irixperf_count sum[IRIXPERF_EVENTS], uint64_t *starved)
{
	struct irixperf_count new[IRIXPERF_EVENTS] = { { 0 } };
	struct times times = { 0 };
	unsigned int i;
	int ret = set_counts(set, new, &times);

	if (ret == 0)
		*starved += times_missing(&times);
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
		if (set->detach)
			set->detach(set);
		ixp_set_empty(set);
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
		if (each->detach)
			each->detach(each);
	ixp_retire(&set->retired, set_free);
}
