// SPDX-License-Identifier: LGPL-2.1-or-later
/* /proc requests on counters that this process has in user mode, or had. */
#include <errno.h>
#include <sys/hwperftypes.h>
#include "proc_user.h"
#include "ixp_child.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "proc_system.h"
#include "set.h"
#include "setlist.h"
#include "snapshot.h"

static int user_read(struct ixp_target *t, hwperf_cntr_t *counts)
{
	int ret;

	ixp_proc_children(t);
	*counts = t->last;
	ixp_counts_add(counts, &t->added);
	ret = ixp_proc_add(t, counts);
	if (ret < 0)
		return ret;
	if (!ixp_child_any_saved())
		ixp_snapshot_publish(t);

	return t->generation;
}

static int user_control(struct ixp_target *t, hwperf_eventctrl_t *ctrl)
{
	if (ixp_target_released(t))
		return -EINVAL;
	*ctrl = t->arg.hwp_evctrargs;

	return t->generation;
}

static int user_modify(struct ixp_target *t, unsigned int request,
		       const hwperf_profevctrarg_t *arg)
{
	(void)request;

	return ixp_proc_acquire(t, arg);
}

static int user_release(struct ixp_target *t)
{
	if (ixp_target_released(t))
		return -EINVAL;
	ixp_proc_children(t);

	return ixp_proc_stop(t);
}

const struct ixp_target_ops ixp_ops_user = {
	.read = user_read,
	.control = user_control,
	.modify = user_modify,
	.release = user_release,
};
