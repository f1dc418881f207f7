// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of processes. Each is a perf event of the task, which its children inherit
 * from zero.
 *
 * A child has no record here before it is configured itself; its events are found in
 * the lists of those that they were inherited from.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "pmc.h"

/**
 * struct pmc_task - the counters of a process
 * @rcu: frees it
 * @list: all of them
 * @task: the process
 * @event: one for each counter, or NULL
 * @lost: it has not counted all: in the process, and in those that have inherited it
 */
struct pmc_task {
	struct rcu_head rcu;
	struct list_head list;
	struct task_struct *task;
	struct perf_event *event[PMC_COUNTERS];
	bool lost[PMC_COUNTERS][2];
};

/**
 * struct pmc_sight - what a counter of a process shows
 * @runs: it counts
 * @count: by flags of pmc_get_counter_value(): the process', and its children's
 * @error: a negative errno value if that count is not known
 */
struct pmc_sight {
	bool runs;
	u64 count[2];
	int error[2];
};

static LIST_HEAD(tasks);

static void record_free(struct pmc_task *p)
{
	int i;

	for (i = 0; i < PMC_COUNTERS; i++)
		if (p->event[i])
			perf_event_release_kernel(p->event[i]);
	list_del(&p->list);
	put_task_struct(p->task);
	/* A handler may still run */
	kfree_rcu(p, rcu);
}

static bool has_heirs(struct perf_event *event, enum perf_event_state least)
{
	struct perf_event *child;
	bool any = false;

	if (!event)
		return false;
	mutex_lock(&event->child_mutex);
	list_for_each_entry(child, &event->child_list, child_list)
		any |= READ_ONCE(child->state) >= least;
	mutex_unlock(&event->child_mutex);
	return any;
}

/* Forget those that have ended and been waited for: inherited events end with theirs */
static void records_sweep(void)
{
	struct pmc_task *p, *next;
	bool heirs;
	int i;

	list_for_each_entry_safe(p, next, &tasks, list) {
		heirs = false;
		for (i = 0; i < PMC_COUNTERS; i++)
			heirs |= has_heirs(p->event[i], PERF_EVENT_STATE_DEAD);
		if (!pid_alive(p->task) && !heirs)
			record_free(p);
	}
}

static struct pmc_task *record_find(const struct task_struct *task)
{
	struct pmc_task *p;

	list_for_each_entry(p, &tasks, list)
		if (p->task == task)
			return p;
	return NULL;
}

static struct pmc_task *record_make(struct task_struct *task)
{
	struct pmc_task *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	p->task = get_task_struct(task);
	list_add(&p->list, &tasks);
	return p;
}

/* Is there a counter of a process that keeps the kernel from taking it? */
bool pmc_task_uses(int ctr)
{
	struct pmc_task *p;

	records_sweep();
	list_for_each_entry(p, &tasks, list)
		if (p->event[ctr])
			return true;
	return false;
}

void pmc_task_exit(void)
{
	struct pmc_task *p, *next;

	list_for_each_entry_safe(p, next, &tasks, list)
		record_free(p);
}

/**
 * inherited_find() - the event that a task has inherited
 * @task: the task
 * @ctr: the counter
 * @parent: gets the event that it was inherited from
 *
 * If there is one, the caller gets @parent's child_mutex with it, which keeps it. Its
 * count is up to date.
 *
 * Return: the event or NULL.
 */
static struct perf_event *inherited_find(const struct task_struct *task, int ctr,
					 struct perf_event **parent)
{
	struct perf_event *child;
	u64 enabled, running;
	struct pmc_task *p;

	list_for_each_entry(p, &tasks, list) {
		*parent = p->event[ctr];
		if (!*parent)
			continue;
		perf_event_read_value(*parent, &enabled, &running);
		mutex_lock(&(*parent)->child_mutex);
		list_for_each_entry(child, &(*parent)->child_list, child_list)
			if (READ_ONCE(child->ctx->task) == task)
				return child;
		mutex_unlock(&(*parent)->child_mutex);
	}
	return NULL;
}

/* An execve() of a set-user-ID program ends all events of its task, for good */
static bool is_dead(const struct task_struct *task, const struct perf_event *event)
{
	return event->state < PERF_EVENT_STATE_ERROR && !(task->flags & PF_EXITING);
}

static void look_at(struct pmc_sight *sight, const struct task_struct *task,
		    struct perf_event *event)
{
	const bool *lost = event->overflow_handler_context;
	unsigned long flags;

	/* An interrupt may update the two times meanwhile */
	raw_spin_lock_irqsave(&event->ctx->lock, flags);
	sight->runs = event->state >= PERF_EVENT_STATE_INACTIVE;
	sight->count[0] = local64_read(&event->count);
	sight->count[1] = atomic64_read(&event->child_count);
	if (READ_ONCE(lost[!!event->parent]) ||
	    event->total_time_enabled != event->total_time_running)
		sight->error[0] = -EBUSY;
	if (is_dead(task, event))
		sight->error[0] = -ESRCH;
	if (READ_ONCE(lost[1]) || atomic64_read(&event->child_total_time_enabled) !=
				  atomic64_read(&event->child_total_time_running))
		sight->error[1] = -EBUSY;
	raw_spin_unlock_irqrestore(&event->ctx->lock, flags);
}

/* Look at a process' event, its own or an inherited one. False if it has none */
static bool task_look(struct task_struct *task, int ctr, struct pmc_sight *sight)
{
	struct pmc_task *p = record_find(task);
	struct perf_event *event = p ? p->event[ctr] : NULL, *parent;
	u64 enabled, running;

	*sight = (struct pmc_sight){};
	if (event) {
		perf_event_read_value(event, &enabled, &running);
		/* A child that exits adds to the sums */
		mutex_lock(&event->child_mutex);
		look_at(sight, task, event);
		mutex_unlock(&event->child_mutex);
		return true;
	}
	event = inherited_find(task, ctr, &parent);
	if (!event)
		return false;
	look_at(sight, task, event);
	mutex_unlock(&parent->child_mutex);
	/* perf adds the counts of grandchildren to the first event, not to the one between */
	sight->error[1] = -EOPNOTSUPP;
	return true;
}

static int task_configure(struct task_struct *task, int ctr, struct perf_event_attr *attr)
{
	struct pmc_task *p = record_find(task);
	struct perf_event *event;

	if (!p)
		p = record_make(task);
	if (!p)
		return -ENOMEM;
	/*
	 * At a switch perf exchanges the events of tasks that have inherited the same, as
	 * their sum stays what it was. It does not where samples need counts of a task.
	 */
	attr->inherit = 1;
	attr->sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID;
	event = perf_event_create_kernel_counter(attr, -1, task, pmc_overflow, p->lost[ctr]);
	if (IS_ERR(event))
		return PTR_ERR(event) == -ENOENT || PTR_ERR(event) == -EINVAL ||
		       PTR_ERR(event) == -EOPNOTSUPP ? -ENODEV : PTR_ERR(event);
	if (p->event[ctr])
		perf_event_release_kernel(p->event[ctr]);
	p->event[ctr] = event;
	memset(p->lost[ctr], 0, sizeof(p->lost[ctr]));
	return 0;
}

/* A new event takes the old one with it, and all that were inherited from it */
static bool is_in_use(struct task_struct *task, int ctr)
{
	struct pmc_task *p = record_find(task);
	struct pmc_sight sight;

	return pmc_kernel_has(ctr) || (task_look(task, ctr, &sight) && sight.runs) ||
	       (p && has_heirs(p->event[ctr], PERF_EVENT_STATE_INACTIVE));
}

int pmc_configure_counter(struct lwp *l, int ctr, struct pmc_counter_cfg *cfg)
{
	struct perf_event_attr attr;
	int ret;

	if (!l || ctr < 0 || ctr >= PMC_COUNTERS)
		return -EINVAL;
	ret = pmc_attr(&attr, ctr, cfg);
	if (ret)
		return ret;

	mutex_lock(&pmc_lock);
	records_sweep();
	ret = is_in_use(l, ctr) ? -EBUSY : task_configure(l, ctr, &attr);
	mutex_unlock(&pmc_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_configure_counter);

/*
 * A task can stop and start what it has inherited, as its own events cannot go away
 * meanwhile. Those of another task can, with the task.
 */
static int inherited_run(struct task_struct *task, int ctr, bool on)
{
	struct perf_event *parent, *event = inherited_find(task, ctr, &parent);

	if (!event)
		return -ENXIO;
	mutex_unlock(&parent->child_mutex);
	if (task != current)
		return -EBUSY;
	if (on)
		perf_event_enable(event);
	else
		perf_event_disable(event);
	return 0;
}

static int task_run(struct task_struct *task, int ctr, bool on)
{
	struct pmc_task *p = record_find(task);

	if (!p || !p->event[ctr])
		return inherited_run(task, ctr, on);
	if (p->event[ctr]->state < PERF_EVENT_STATE_ERROR)
		return -ESRCH;
	if (on)
		perf_event_enable(p->event[ctr]);
	else
		perf_event_disable(p->event[ctr]);
	return 0;
}

/* Without a process: the kernel's counter */
static int counter_run(struct task_struct *task, int ctr, bool on)
{
	int ret;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return -EINVAL;
	mutex_lock(&pmc_lock);
	ret = task ? task_run(task, ctr, on) : pmc_kernel_run(ctr, on);
	mutex_unlock(&pmc_lock);
	return ret;
}

int pmc_enable_counter(struct lwp *l, int ctr)
{
	return counter_run(l, ctr, true);
}
EXPORT_SYMBOL_GPL(pmc_enable_counter);

int pmc_disable_counter(struct lwp *l, int ctr)
{
	return counter_run(l, ctr, false);
}
EXPORT_SYMBOL_GPL(pmc_disable_counter);

int pmc_get_counter_value(struct lwp *l, int ctr, int flags, uint64_t *pval)
{
	struct pmc_sight sight;
	int ret;

	if (ctr < 0 || ctr >= PMC_COUNTERS || flags & ~PMC_VALUE_FLAGS_CHILDREN ||
	    (!l && flags))
		return -EINVAL;
	mutex_lock(&pmc_lock);
	if (!l)
		ret = pmc_kernel_value(ctr, &sight.count[0]);
	else
		ret = task_look(l, ctr, &sight) ? sight.error[flags] : -ENXIO;
	mutex_unlock(&pmc_lock);
	if (!ret)
		*pval = sight.count[flags];
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_get_counter_value);

int pmc_counter_isrunning(struct lwp *l, int ctr)
{
	struct pmc_sight sight;
	bool runs;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return 0;
	mutex_lock(&pmc_lock);
	runs = pmc_kernel_runs(ctr) || (l && task_look(l, ctr, &sight) && sight.runs);
	mutex_unlock(&pmc_lock);
	return runs;
}
EXPORT_SYMBOL_GPL(pmc_counter_isrunning);

int pmc_counter_isconfigured(struct lwp *l, int ctr)
{
	struct pmc_sight sight;
	bool has;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return 0;
	mutex_lock(&pmc_lock);
	has = pmc_kernel_has(ctr) || (l && task_look(l, ctr, &sight));
	mutex_unlock(&pmc_lock);
	return has;
}
EXPORT_SYMBOL_GPL(pmc_counter_isconfigured);

int pmc_enabled(struct lwp *l)
{
	int ctr, any = 0;

	for (ctr = 0; ctr < PMC_COUNTERS; ctr++)
		any |= pmc_counter_isconfigured(l, ctr);
	return any;
}
EXPORT_SYMBOL_GPL(pmc_enabled);
