// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /proc requests in system mode: r10k_evcntrs(5), pages 10, 11 and 13. A target for
 * which system mode was started reads the global counters from then on. System mode
 * outlives the process that has started it, so other processes can end it or start
 * another one; the generation number shows that. ixp_proc_acquire() chooses
 * between user and system mode.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/procfs.h>
#include "proc_system.h"
#include "arbiter.h"
#include "peer.h"
#include "proc_counters.h"
#include "system.h"
#include "view.h"

/**
 * ixp_proc_acquire() - count events for a target, in system mode if they need that
 * @t: the target; in system mode it loses the counters that it has in user mode
 * @arg: the events
 *
 * Return: the generation number, or an error of ixp_proc_count() or
 * ixp_system_acquire().
 */
int ixp_proc_acquire(struct ixp_target *t, const hwperf_profevctrarg_t *arg)
{
	int ret;

	if (!ixp_system_wanted(arg))
		return ixp_proc_count(t, arg, NULL);
	ret = ixp_system_acquire(arg, NULL, false, t->generation);
	if (ret < 0)
		return ret;
	ixp_arbiter_close(t->set);
	t->set = NULL;
	ixp_arbiter_user_end(t->pid);
	ixp_peer_close(t->peer);
	t->peer = NULL;
	t->offer = 0;
	ixp_proc_zero(t);
	t->state = IXP_SYSTEM;
	t->session = ret;
	t->generation = ret;
	ixp_proc_commit(t);

	return ret;
}

static bool system_ours(const struct ixp_target *t,
			const struct ixp_system_view *view)
{
	return view->alive && view->session == t->session;
}

static int system_seen(struct ixp_target *t, int generation)
{
	t->generation = generation;
	t->shown = false;

	return generation;
}

/* These may be the counts of a later system mode, with another generation number */
static int system_read(struct ixp_target *t, hwperf_cntr_t *counts)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK_FRESH);
	if (ret == 0)
		ret = view.error;
	if (ret < 0)
		return ret;
	ixp_view_numbers(&view);
	*counts = view.counts;

	return system_seen(t, ixp_view_generation(&view));
}

static int system_control(struct ixp_target *t, hwperf_eventctrl_t *ctrl)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK);
	if (ret == 0 && !system_ours(t, &view))
		ret = -EINVAL;
	if (ret < 0)
		return ret;
	*ctrl = view.ctrl;

	return ixp_view_generation(&view);
}

/* If the system mode that the target has started is over, acquire counters anew */
static int system_modify(struct ixp_target *t, unsigned int request,
			 const hwperf_profevctrarg_t *arg)
{
	struct ixp_system_view view;
	int ret;

	if (request == PIOCENEVCTRS ||
	    ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK) < 0 ||
	    !system_ours(t, &view))
		return ixp_proc_acquire(t, arg);
	ret = ixp_system_modify(arg, NULL, t->session);
	if (ret < 0)
		return ret == -ENOENT ? -EINVAL : ret;

	return system_seen(t, ret);
}

/* Keep the counts: they stay readable, as those of a process do */
static int system_release(struct ixp_target *t)
{
	struct ixp_system_view view;
	int ret;

	ret = ixp_system_release(t->session, 0, &view);
	if (ret < 0)
		return ret == -ENOENT ? -EINVAL : ret;
	ixp_view_numbers(&view);
	ixp_proc_zero(t);
	t->last = view.counts;
	t->state = IXP_SYSTEM_RELEASED;
	system_seen(t, ixp_view_generation(&view));

	return 0;
}

const struct ixp_target_ops ixp_ops_system = {
	.read = system_read,
	.control = system_control,
	.modify = system_modify,
	.release = system_release,
};
