// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of processes. Each is a perf event of the task, which its children inherit
 * from zero if it runs.
 *
 * perf may exchange the events of two tasks when one follows the other on a CPU, if
 * both have inherited all of them from the same events: it looks only at sums. It does
 * not (since Linux 6.13, and late releases of 6.12) if samples are to have what each task
 * has counted: PERF_SAMPLE_READ. So these events ask for that. Older kernels refuse it.
 *
 * A child has no record here before it is configured itself; its events are found in
 * the lists of those that they were inherited from.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "pmc.h"

/**
 * struct pmc_task - the counters of a process
 * @list: all of them
 * @task: the process
 * @event: one for each counter, or NULL
 */
struct pmc_task {
	struct list_head list;
	struct task_struct *task;
	struct perf_event *event[PMC_COUNTERS];
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
	kfree(p);
}

static bool has_heirs(const struct pmc_task *p)
{
	bool any = false;
	int i;

	for (i = 0; i < PMC_COUNTERS; i++) {
		if (!p->event[i])
			continue;
		mutex_lock(&p->event[i]->child_mutex);
		any |= !list_empty(&p->event[i]->child_list);
		mutex_unlock(&p->event[i]->child_mutex);
	}
	return any;
}

/* Forget those that have ended and been waited for, and whose descendants have ended */
static void records_sweep(void)
{
	struct pmc_task *p, *next;

	list_for_each_entry_safe(p, next, &tasks, list)
		if (!pid_alive(p->task) && !has_heirs(p))
			record_free(p);
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
 * If there is one, the caller gets @parent's child_mutex with it, which keeps it.
 *
 * Return: the event or NULL.
 */
static struct perf_event *inherited_find(const struct task_struct *task, int ctr,
					 struct perf_event **parent)
{
	struct perf_event *child;
	struct pmc_task *p;

	list_for_each_entry(p, &tasks, list) {
		*parent = p->event[ctr];
		if (!*parent)
			continue;
		mutex_lock(&(*parent)->child_mutex);
		list_for_each_entry(child, &(*parent)->child_list, child_list)
			if (READ_ONCE(child->ctx->task) == task)
				return child;
		mutex_unlock(&(*parent)->child_mutex);
	}
	return NULL;
}

/* Look at a process' event, its own or an inherited one. False if it has none */
static bool task_look(struct task_struct *task, int ctr, bool *runs, u64 *own, u64 *children)
{
	struct pmc_task *p = record_find(task);
	struct perf_event *event = p ? p->event[ctr] : NULL, *parent = NULL;

	if (!event)
		event = inherited_find(task, ctr, &parent);
	if (!event)
		return false;
	*runs = event->state >= PERF_EVENT_STATE_INACTIVE;
	*own = pmc_event_own(event);
	/* Grandchildren add to the first event, not to the one between */
	*children = atomic64_read(&event->child_count);
	if (parent)
		mutex_unlock(&parent->child_mutex);
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
	attr->inherit = 1;
	attr->sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID;
	event = perf_event_create_kernel_counter(attr, -1, task, attr->sample_period ?
						 pmc_overflow : NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event) == -ENOENT || PTR_ERR(event) == -EINVAL ||
		       PTR_ERR(event) == -EOPNOTSUPP ? -ENODEV : PTR_ERR(event);
	if (p->event[ctr])
		perf_event_release_kernel(p->event[ctr]);
	p->event[ctr] = event;
	return 0;
}

int pmc_configure_counter(struct lwp *l, int ctr, struct pmc_counter_cfg *cfg)
{
	struct perf_event_attr attr;
	bool runs = false;
	u64 own, children;
	int ret;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return -EINVAL;
	ret = pmc_attr(&attr, ctr, cfg);
	if (ret)
		return ret;

	mutex_lock(&pmc_lock);
	records_sweep();
	if (pmc_kernel_has(ctr) || (task_look(l, ctr, &runs, &own, &children) && runs))
		ret = -EBUSY;
	else
		ret = task_configure(l, ctr, &attr);
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
	u64 own, children = 0;
	int ret = 0;
	bool runs;

	if (ctr < 0 || ctr >= PMC_COUNTERS || flags & ~PMC_VALUE_FLAGS_CHILDREN)
		return -EINVAL;
	mutex_lock(&pmc_lock);
	if (!l)
		ret = pmc_kernel_value(ctr, &own);
	else if (!task_look(l, ctr, &runs, &own, &children))
		ret = -ENXIO;
	mutex_unlock(&pmc_lock);
	if (!ret)
		*pval = flags & PMC_VALUE_FLAGS_CHILDREN ? children : own;
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_get_counter_value);

int pmc_counter_isrunning(struct lwp *l, int ctr)
{
	bool runs = false;
	u64 own, children;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return 0;
	mutex_lock(&pmc_lock);
	if (l)
		task_look(l, ctr, &runs, &own, &children);
	runs |= pmc_kernel_runs(ctr);
	mutex_unlock(&pmc_lock);
	return runs;
}
EXPORT_SYMBOL_GPL(pmc_counter_isrunning);

int pmc_counter_isconfigured(struct lwp *l, int ctr)
{
	u64 own, children;
	bool runs, has;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return 0;
	mutex_lock(&pmc_lock);
	has = pmc_kernel_has(ctr) || (l && task_look(l, ctr, &runs, &own, &children));
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
