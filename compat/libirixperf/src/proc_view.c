// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /proc requests on what another process has acquired for itself: its counters
 * are read and released as they are (own.h). To change them is a holder's.
 */
#include <errno.h>
#include <sys/procfs.h>
#include "own.h"
#include "proc.h"

/* In place of what the process has itself, if it has: see own.h */
int ixp_proc_view_supersede(struct ixp_target *t, struct irixperf_set *set)
{
	struct ixp_view *view = t->view;
	int ret;

	if (!view)
		return ixp_proc_replace(t, set, NULL);

	if (ixp_view_take(view) == 0)
		ixp_threads_disable(view->set);
	ret = ixp_proc_replace(t, set, NULL);
	if (ret < 0) {
		if (view->own.state == IXP_OWN_COUNTS)
			ixp_threads_enable(view->set);
		ixp_view_give_back(view);
		return ret;
	}
	t->generation = view->generation;
	t->view = NULL;
	ixp_view_close(view);

	return 0;
}

/* The process may have acquired its counters itself */
int ixp_proc_view_find(struct ixp_target **t, const struct ixp_ident *id,
		       int fd)
{
	struct ixp_target *new;
	int ret = ixp_target_new(&new, id, fd);

	if (ret < 0)
		return ret;
	ret = new->self ? -EPIPE : ixp_view_open(&new->view, fd, new->pid);
	if (ret == 0)
		ret = ixp_view_look(new->view);
	if (ret < 0) {
		ixp_target_free(new);
		return ret == -EPIPE ? -EINVAL : ret;
	}
	ixp_target_add(new);
	*t = new;

	return 0;
}

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
