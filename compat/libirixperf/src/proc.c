// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The event counter requests of /proc, as r10k_evcntrs(5) describes them on
 * pages 13 and 14. Where the page is silent, the programs that used them decide:
 *
 * - PIOCENEVCTRS on counters already acquired, and PIOCSETEVCTRL, start all
 *   counts from zero. PIOCSETEVCTRL after PIOCRELEVCTRS acquires them again.
 * - Requests other than PIOCENEVCTRS fail with EINVAL before it; after the
 *   release PIOCGETEVCTRL and a second PIOCRELEVCTRS do so too.
 * - A target is its main thread and the threads that it starts later. Child
 *   processes are not added to it yet, and kernel mode does not mean system
 *   mode yet.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include "internal.h"

static bool ctrl_wants(const hwperf_eventctrl_t *ctrl, unsigned int event)
{
	return ctrl->hwp_evctrl[event].hwperf_spec != 0;
}

static bool ctrl_empty(const hwperf_eventctrl_t *ctrl)
{
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		if (ctrl_wants(ctrl, i))
			return false;

	return true;
}

/* A block without events is legal: programs acquire first and choose later */
static int set_open(struct irixperf_set **set, pid_t pid,
		    const hwperf_profevctrarg_t *arg)
{
	struct irixperf_attr attr = {
		.size = sizeof(attr),
		.flags = IRIXPERF_INHERIT_THREAD | IRIXPERF_DISABLED,
		.pid = pid,
	};
	struct irixperf_cpu cpu;
	int ret;

	*set = NULL;
	ret = ixp_spec_decode(&attr, arg);
	if (ret < 0)
		return ret;
	if (ctrl_empty(&arg->hwp_evctrargs))
		return irixperf_cpu_detect(&cpu);

	return irixperf_set_open(set, &attr);
}

/*
 * The old events must be off before the new ones are turned on: the kernel
 * looks for free counters when an event is enabled, not when one is closed.
 */
static int set_switch(const struct irixperf_set *old,
		      const struct irixperf_set *new)
{
	int ret;

	if (old)
		irixperf_set_disable(old);
	ret = new ? irixperf_set_enable(new) : 0;
	if (ret < 0 && old)
		irixperf_set_enable(old);

	return ret;
}

static int target_program(struct ixp_target *t,
			  const hwperf_profevctrarg_t *arg)
{
	struct irixperf_set *set;
	int ret;

	ret = set_open(&set, t->pid, arg);
	if (ret < 0)
		return ret;

	ret = set_switch(t->set, set);
	if (ret < 0) {
		irixperf_set_close(set);
		return ret;
	}

	irixperf_set_close(t->set);
	t->set = set;
	t->ctrl = arg->hwp_evctrargs;
	t->released = false;
	memset(&t->last, 0, sizeof(t->last));

	return ++t->generation;
}

static int target_acquire(const struct ixp_ident *id, int fd,
			  const hwperf_profevctrarg_t *arg)
{
	struct ixp_target *t;
	int ret;

	ret = ixp_target_new(&t, id, fd);
	if (ret < 0)
		return ret;

	ret = target_program(t, arg);
	if (ret < 0)
		ixp_target_free(t);
	else
		ixp_target_add(t);

	return ret;
}

static int proc_acquire(const struct ixp_ident *id, int fd, void *arg)
{
	hwperf_profevctrarg_t copy;
	struct ixp_target *t;
	int ret;

	ret = ixp_user_copy(&copy, arg, sizeof(copy));
	if (ret < 0)
		return ret;

	ixp_target_sweep();
	t = ixp_target_find(id);

	return t ? target_program(t, &copy) : target_acquire(id, fd, &copy);
}

static int proc_modify(struct ixp_target *t, void *arg)
{
	hwperf_profevctrarg_t copy;
	int ret;

	ret = ixp_user_copy(&copy, arg, sizeof(copy));

	return ret < 0 ? ret : target_program(t, &copy);
}

static int target_read(const struct ixp_target *t, hwperf_cntr_t *counts)
{
	struct irixperf_count count;
	unsigned int i;
	int ret;

	*counts = t->last;
	for (i = 0; i < HWPERF_EVENTMAX; i++) {
		if (!t->set || !ctrl_wants(&t->ctrl, i))
			continue;
		ret = irixperf_set_read(t->set, i, &count);
		if (ret < 0)
			return ret;
		counts->hwp_evctr[i] = count.value;
	}

	return 0;
}

static int proc_read(struct ixp_target *t, void *arg)
{
	hwperf_cntr_t counts;
	int ret;

	ret = target_read(t, &counts);
	if (ret == 0)
		ret = ixp_user_copy(arg, &counts, sizeof(counts));

	return ret < 0 ? ret : t->generation;
}

static int proc_control(struct ixp_target *t, void *arg)
{
	int ret;

	if (t->released)
		return -EINVAL;

	ret = ixp_user_copy(arg, &t->ctrl, sizeof(t->ctrl));

	return ret < 0 ? ret : t->generation;
}

static int proc_release(struct ixp_target *t, void *arg)
{
	hwperf_cntr_t counts;
	int ret;

	(void)arg;
	if (t->released)
		return -EINVAL;

	set_switch(t->set, NULL);
	ret = target_read(t, &counts);
	if (ret < 0) {
		set_switch(NULL, t->set);
		return ret;
	}
	irixperf_set_close(t->set);
	t->set = NULL;
	t->last = counts;
	t->released = true;

	return 0;
}

/* Requests on a target that has been acquired */
static const struct {
	unsigned int request;
	int (*run)(struct ixp_target *t, void *arg);
} proc_table[] = {
	{ PIOCGETEVCTRS, proc_read },
	{ PIOCGETEVCTRL, proc_control },
	{ PIOCSETEVCTRL, proc_modify },
	{ PIOCRELEVCTRS, proc_release },
};

#define PROC_REQUESTS	(sizeof(proc_table) / sizeof(proc_table[0]))

static int proc_run(const struct ixp_ident *id, int fd, unsigned int request,
		    void *arg)
{
	struct ixp_target *t;
	size_t i;

	if (request == PIOCENEVCTRS)
		return proc_acquire(id, fd, arg);

	for (i = 0; i < PROC_REQUESTS; i++) {
		if (proc_table[i].request != request)
			continue;
		t = ixp_target_find(id);
		return t ? proc_table[i].run(t, arg) : -EINVAL;
	}

	return -ENOTSUP;
}

int irixperf_proc_ioctl(int fd, unsigned int request, void *arg)
{
	struct ixp_ident id;
	int ret;

	if (request < PIOCENEVCTRS || request > PIOCSAVECCNTRS)
		return -ENOTTY;

	ret = ixp_ident_of_fd(&id, fd);
	if (ret < 0 && ret != -ESRCH)
		return ret;

	ixp_target_lock();
	if (ret == -ESRCH)
		ixp_target_sweep();
	else
		ret = proc_run(&id, fd, request, arg);
	ixp_target_unlock();

	return ret;
}
