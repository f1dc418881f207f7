// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Open sets of events on a thread or a CPU by perf_event_open(2). Each open starts the
 * counts from zero. The events of threads are never pinned: a pinned event that once
 * finds no free counter never counts again.
 */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "kernel.h"
#include "machine.h"
#include "mapuse.h"
#include "mem.h"
#include "mode.h"
#include "plan.h"
#include "set.h"

#define ALL_FLAGS (IRIXPERF_INHERIT | IRIXPERF_INHERIT_THREAD |	\
		   IRIXPERF_DISABLED | IRIXPERF_ENABLE_ON_EXEC | IRIXPERF_APART)

/**
 * struct opening - a set that is being opened
 * @set: the events that are open already
 * @attr: what to count
 * @pea: the argument of perf_event_open(2), changed for each event
 */
struct opening {
	struct irixperf_set *set;
	const struct irixperf_attr *attr;
	struct perf_event_attr pea;
};

/*
 * Add an event; @leader is the index of its group's first event, which it may be. Only
 * the leader is disabled, which keeps its whole group from counting. A read of the
 * leader gives the counts of both events.
 */
static int set_add(struct opening *o, unsigned char event, unsigned int leader)
{
	struct irixperf_set *set = o->set;
	const struct ixp_code *code = &set->machine->event[event].code;
	const struct ixp_overflow *overflow = set->overflow;
	const bool first = leader == set->nr;
	struct perf_event_attr *pea = &o->pea;
	int fd;

	pea->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING |
			   (first ? PERF_FORMAT_GROUP : 0);
	pea->disabled = first;
	pea->pinned = first && set->pin;
	pea->enable_on_exec = first && (o->attr->flags & IRIXPERF_ENABLE_ON_EXEC);
	pea->type = code->type;
	pea->config = code->config[0];
	pea->config1 = code->config[1];
	pea->config2 = code->config[2];
	if (set->machine->cpu.chip == IRIXPERF_MAPPED)
		ixp_map_apply(pea, o->attr->mode[event]);
	else
		ixp_mode_apply(pea, o->attr->mode[event]);
	if (overflow) {
		/* The kernel requires the same inheritance for both events of a pair */
		pea->inherit &= !overflow->alone;
		pea->inherit_thread &= !overflow->alone;
		pea->sample_period = (unsigned int)overflow->period[event];
		pea->sample_type = overflow->period[event] && overflow->profile ?
				   PERF_SAMPLE_IP : 0;
	}

	fd = ixp_kernel.perf_open(pea, set->pid, set->cpu, first ? -1 : set->fd[leader]);
	switch (fd) {
	case -EACCES:
		return -EPERM;
	case -ENOENT:	/* the PMU, which the library has once found, is gone */
		return -ENODEV;
	}
	if (fd < 0)
		return fd;

	set->fd[set->nr] = fd;
	set->event[set->nr] = event;
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
 * Add an event to a group. PMUs other than the R10000's may refuse some pairs: then
 * the event gets a group of its own. The R10000's driver accepts all pairs of a plan.
 * But if a thread and one that it has started have the same events, the kernel may
 * swap their contexts: then the first event belongs to the other thread, the kernel
 * refuses the second one, and the result is -ECHILD.
 */
static int set_add_beside(struct opening *o, unsigned char event,
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

static int set_try(struct irixperf_set *set, const struct irixperf_attr *attr,
		   const struct ixp_plan *plan)
{
	const unsigned int both = IRIXPERF_INHERIT | IRIXPERF_INHERIT_THREAD;
	struct opening o = {
		.set = set,
		.attr = attr,
		.pea = {
			.size = sizeof(o.pea),
			.inherit = !!(attr->flags & both),
			.inherit_thread = (attr->flags & both) == IRIXPERF_INHERIT_THREAD,
		},
	};
	unsigned int i, half, leader;
	int ret = 0;

	for (i = 0; i < plan->nr_pairs; i++) {
		leader = set->nr;
		for (half = 0; half < 2 && ret == 0; half++)
			if (plan->pair[i][half] >= 0)
				ret = set_add_beside(&o, (unsigned char)plan->pair[i][half],
						     leader);
		if (ret < 0)
			return ret;
	}

	return threads_may_start(set, attr) ? ixp_set_whole(set) : 0;
}

static int set_fill(struct irixperf_set *set, const struct irixperf_attr *attr,
		    const struct ixp_plan *plan)
{
	unsigned int tries = 100;
	int ret;

	while ((ret = set_try(set, attr, plan)) == -ECHILD && --tries)
		ixp_set_empty(set);
	if (ret == -ECHILD)
		ret = -EAGAIN;
	if (ret == 0 &&
	    !(attr->flags & (IRIXPERF_DISABLED | IRIXPERF_ENABLE_ON_EXEC)))
		ret = irixperf_set_enable(set);

	return ret;
}

/**
 * struct whose - on which thread or CPU a set is opened, and how
 * @pid: as in struct irixperf_set
 * @cpu: as there
 * @pin: whether the events keep their counters
 * @alone: as there
 * @overflow: as there
 * @machine: as there; NULL: the one that this process runs on
 */
struct whose {
	pid_t pid;
	int cpu;
	enum ixp_pin pin;
	bool alone;
	const struct ixp_overflow *overflow;
	const struct ixp_machine *machine;
};

static int set_open(struct irixperf_set **set, const struct irixperf_attr *attr,
		    const struct whose *whose)
{
	const struct ixp_machine *machine = whose->machine;
	struct irixperf_set *new;
	struct ixp_plan plan;
	char why[IXP_WHY_SIZE];
	unsigned int modes;
	uint32_t events;
	bool mapped;
	int ret;

	if (attr->size != sizeof(*attr) || (attr->flags & ~(unsigned int)ALL_FLAGS))
		return -EINVAL;
	events = ixp_mode_events(attr, &modes);
	ret = ixp_mode_check(modes);
	if (ret < 0)
		return ret;
	if (!machine)
		machine = ixp_machine(why, sizeof(why));
	if (!machine)
		return -ENODEV;
	mapped = machine->cpu.chip == IRIXPERF_MAPPED;
	ret = mapped ? ixp_map_check(machine, attr) : 0;
	if (ret < 0)
		return ret;

	new = ixp_alloc_begun(sizeof(*new),
			      offsetof(struct irixperf_set, fd));
	if (!new)
		return -ENOMEM;
	new->machine = machine;
	new->pid = whose->pid;
	new->cpu = whose->cpu;
	new->alone = whose->alone;
	new->overflow = whose->overflow;

	if (mapped)
		new->software = ixp_map_software(machine);
	if (mapped)
		ixp_plan_mapped(&plan, events, new->software);
	else
		ixp_plan_make(&plan, events, machine->cpu.chip == IRIXPERF_R12000);
	if (new->overflow)
		ixp_plan_once(&plan, new->overflow->events);
	if (attr->flags & IRIXPERF_APART)
		ixp_plan_apart(&plan);
	new->pin = whose->pin == IXP_PIN_ALL ||
		   (whose->pin == IXP_PIN_IF_ALL_FIT && plan.nr_pairs == 1);
	ret = set_fill(new, attr, &plan);
	new->overflow = NULL;
	if (ret < 0)
		irixperf_set_close(new);
	else
		*set = new;

	return ret;
}

/* @alone: the caller is the process' only thread: nothing can inherit meanwhile */
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

/* @machine: what the events mean; it has to stay as long as the set */
int ixp_set_open_cpu(struct irixperf_set **set, const struct irixperf_attr *attr, int cpu,
		     enum ixp_pin pin, const struct ixp_machine *machine)
{
	struct whose whose = { .pid = -1, .cpu = cpu, .pin = pin, .machine = machine };

	return set_open(set, attr, &whose);
}
