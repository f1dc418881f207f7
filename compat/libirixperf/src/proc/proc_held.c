// SPDX-License-Identifier: LGPL-2.1-or-later
/* /proc requests on counters that a holder has: send them to the holder (remote.h). */
#include <sys/procfs.h>
#include "proc_held.h"
#include "remote.h"

static int held_read(struct ixp_target *t, hwperf_cntr_t *counts)
{
	struct ixp_remote_reply reply;
	int ret = ixp_remote_ask(t->remote, PIOCGETEVCTRS, NULL, &reply);

	if (ret >= 0)
		*counts = reply.counts;

	return ret;
}

static int held_control(struct ixp_target *t, hwperf_eventctrl_t *ctrl)
{
	struct ixp_remote_reply reply;
	int ret = ixp_remote_ask(t->remote, PIOCGETEVCTRL, NULL, &reply);

	if (ret >= 0)
		*ctrl = reply.ctrl;

	return ret;
}

static int held_modify(struct ixp_target *t, unsigned int request,
		       const hwperf_profevctrarg_t *arg)
{
	struct ixp_remote_reply reply;

	return ixp_remote_ask(t->remote, request, arg, &reply);
}

static int held_release(struct ixp_target *t)
{
	struct ixp_remote_reply reply;

	return ixp_remote_ask(t->remote, PIOCRELEVCTRS, NULL, &reply);
}

const struct ixp_target_ops ixp_ops_held = {
	.read = held_read,
	.control = held_control,
	.modify = held_modify,
	.release = held_release,
};
