// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /proc requests on what another process has acquired for itself: its counters
 * are read and released as they are (own.h). To change them is a holder's.
 */
#include <errno.h>
#include <sys/procfs.h>
#include "own.h"

static int view_read(struct ixp_target *t, void *arg)
{
	hwperf_cntr_t counts;
	int ret = ixp_view_read(t->view, &counts), copied = 0;

	if (ret >= 0)
		copied = ixp_user_write(arg, &counts, sizeof(counts));

	return copied < 0 ? copied : ret;
}

static int view_control(struct ixp_target *t, void *arg)
{
	struct ixp_view *view = t->view;
	int ret = ixp_view_look(view);

	if (ret == 0 && view->state == IXP_OWN_RELEASED)
		ret = -EINVAL;
	if (ret == 0)
		ret = ixp_user_write(arg, &view->own.ctrl,
				    sizeof(view->own.ctrl));

	return ret < 0 ? ret : view->generation;
}

/**
 * ixp_proc_view_run() - carry out a request on what a process has itself
 * @t: the process; it has a view
 * @request: PIOCGETEVCTRS, PIOCGETEVCTRL or PIOCRELEVCTRS
 * @arg: what it takes
 *
 * Return: a generation number, 0 for PIOCRELEVCTRS, or a negative errno value;
 * -EPIPE if the process has no counters itself any more.
 */
int ixp_proc_view_run(struct ixp_target *t, unsigned int request, void *arg)
{
	switch (request) {
	case PIOCGETEVCTRS:
		return view_read(t, arg);
	case PIOCGETEVCTRL:
		return view_control(t, arg);
	default:
		return ixp_view_release(t->view);
	}
}
