// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /proc requests in system mode: r10k_evcntrs(5), pages 10, 11 and 13. Who has
 * begun system mode through /proc reads the global counters from then on. As
 * system mode outlives who began it, others can end it or begin another one;
 * the generation number tells.
 */
#include <errno.h>
#include <string.h>
#include <sys/procfs.h>
#include "arbiter.h"
#include "info.h"
#include "internal.h"
#include "proc.h"
#include "system.h"

/**
 * ixp_proc_system_acquire() - begin system mode for a process
 * @t: the process; what it has in user mode is lost to system mode
 * @arg: the events, for which ixp_system_wanted() holds
 *
 * Return: the generation number, or an error of ixp_system_acquire().
 */
int ixp_proc_system_acquire(struct ixp_target *t,
			    const hwperf_profevctrarg_t *arg)
{
	int ret = ixp_system_acquire(arg, false, t->generation);

	if (ret < 0)
		return ret;
	ixp_arbiter_close(t->set);
	t->set = NULL;
	ixp_arbiter_user_end(t->pid);
	t->offer = 0;
	memset(&t->last, 0, sizeof(t->last));
	memset(&t->added, 0, sizeof(t->added));
	t->system = ret;
	t->generation = ret;
	t->released = false;

	return ret;
}

static bool system_ours(const struct ixp_target *t,
			const struct ixp_system_view *view)
{
	return view->alive && view->session == t->system;
}

/* What another system mode counts is returned as well, as another generation */
static int system_read(struct ixp_target *t, void *arg)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK_FRESH);
	if (ret == 0)
		ret = view.error;
	if (ret == 0)
		ret = ixp_user_write(arg, &view.counts, sizeof(view.counts));
	if (ret < 0)
		return ret;
	t->generation = view.generation;

	return t->generation;
}

/* All else is in @usage already */
static int system_usage(struct ixp_target *t, void *usage)
{
	hwperf_prusage_t *to = usage;
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK_FRESH);
	if (ret == 0)
		ret = view.error;
	if (ret < 0)
		return ret;
	to->pu_cpu_mon.cm_cntrs = view.counts;
	t->generation = view.generation;

	return t->generation;
}

static int system_control(struct ixp_target *t, void *arg)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret == 0 && !system_ours(t, &view))
		ret = -EINVAL;
	if (ret == 0)
		ret = ixp_user_write(arg, &view.ctrl, sizeof(view.ctrl));

	return ret < 0 ? ret : view.generation;
}

static int system_modify(struct ixp_target *t, void *arg)
{
	struct ixp_system_view view;
	hwperf_profevctrarg_t copy;
	int ret;

	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret < 0 || !system_ours(t, &view))
		return -ENOTTY;

	ret = ixp_user_read(&copy, arg, sizeof(copy));
	if (ret == 0)
		ret = ixp_system_modify(&copy, t->system);
	if (ret > 0)
		t->generation = ret;

	return ret;
}

/* Counts stay readable, as those of a process do: so they are kept here */
static int system_release(struct ixp_target *t, void *arg)
{
	struct ixp_system_view view;
	int ret;

	(void)arg;
	ret = ixp_system_release(t->system, &view);
	if (ret < 0)
		return ret;
	t->last = view.counts;
	t->kept = true;
	memset(&t->added, 0, sizeof(t->added));
	t->global = true;
	t->generation = view.generation;
	t->system = 0;
	t->released = true;

	return 0;
}

static const struct {
	unsigned int request;
	int (*run)(struct ixp_target *t, void *arg);
} system_table[] = {
	{ PIOCGETEVCTRS, system_read },
	{ PIOCGETPREVCTRS, system_usage },
	{ PIOCGETEVCTRL, system_control },
	{ PIOCSETEVCTRL, system_modify },
	{ PIOCRELEVCTRS, system_release },
};

#define SYSTEM_REQUESTS	(sizeof(system_table) / sizeof(system_table[0]))

/**
 * ixp_proc_system_run() - carry out a request on a process in system mode
 * @t: the process; @t->system is not 0
 * @request: the request, other than PIOCENEVCTRS
 * @arg: what it takes
 *
 * Return: a generation number, 0 for PIOCRELEVCTRS, or a negative errno value;
 * -ENOTTY if its system mode has been ended, and the request begins anew.
 */
int ixp_proc_system_run(struct ixp_target *t, unsigned int request, void *arg)
{
	size_t i;

	for (i = 0; i < SYSTEM_REQUESTS; i++)
		if (system_table[i].request == request)
			return system_table[i].run(t, arg);

	return -ENOTSUP;
}
