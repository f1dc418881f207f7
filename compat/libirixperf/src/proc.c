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
static int set_open(struct irixperf_set **set, const struct ixp_ident *id,
		    const hwperf_profevctrarg_t *arg)
{
	struct irixperf_attr attr = {
		.size = sizeof(attr),
		.flags = IRIXPERF_INHERIT_THREAD | IRIXPERF_DISABLED,
		.pid = id->pid,
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

	ret = set_open(&set, &t->id, arg);
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

static int proc_acquire(const struct ixp_ident *id, void *arg)
{
	struct ixp_target fresh = { .id = *id };
	hwperf_profevctrarg_t copy;
	struct ixp_target *t;
	int ret;

	ret = ixp_user_copy(&copy, arg, sizeof(copy));
	if (ret < 0)
		return ret;

	ixp_target_sweep();
	t = ixp_target_find(id);
	if (t)
		return target_program(t, &copy);

	ret = target_program(&fresh, &copy);
	if (ret < 0)
		return ret;

	t = ixp_target_new(id);
	if (!t) {
		irixperf_set_close(fresh.set);
		return -ENOMEM;
	}
	fresh.next = t->next;
	*t = fresh;

	return ret;
}

static int proc_modify(const struct ixp_ident *id, void *arg)
{
	struct ixp_target *t = ixp_target_find(id);
	hwperf_profevctrarg_t copy;
	int ret;

	if (!t)
		return -EINVAL;

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

static int proc_read(const struct ixp_ident *id, void *arg)
{
	struct ixp_target *t = ixp_target_find(id);
	hwperf_cntr_t counts;
	int ret;

	if (!t)
		return -EINVAL;

	ret = target_read(t, &counts);
	if (ret == 0)
		ret = ixp_user_copy(arg, &counts, sizeof(counts));

	return ret < 0 ? ret : t->generation;
}

static int proc_control(const struct ixp_ident *id, void *arg)
{
	struct ixp_target *t = ixp_target_find(id);
	int ret;

	if (!t || t->released)
		return -EINVAL;

	ret = ixp_user_copy(arg, &t->ctrl, sizeof(t->ctrl));

	return ret < 0 ? ret : t->generation;
}

static int proc_release(const struct ixp_ident *id, void *arg)
{
	struct ixp_target *t = ixp_target_find(id);
	hwperf_cntr_t counts;
	int ret;

	(void)arg;
	if (!t || t->released)
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

static int proc_unsupported(const struct ixp_ident *id, void *arg)
{
	(void)id;
	(void)arg;

	return -ENOTSUP;
}

static const struct {
	unsigned int request;
	int (*run)(const struct ixp_ident *id, void *arg);
} proc_table[] = {
	{ PIOCENEVCTRS, proc_acquire },
	{ PIOCGETEVCTRS, proc_read },
	{ PIOCGETPREVCTRS, proc_unsupported },
	{ PIOCGETEVCTRL, proc_control },
	{ PIOCSETEVCTRL, proc_modify },
	{ PIOCRELEVCTRS, proc_release },
	{ PIOCSAVECCNTRS, proc_unsupported },
};

#define PROC_REQUESTS	(sizeof(proc_table) / sizeof(proc_table[0]))

int irixperf_proc_ioctl(int fd, unsigned int request, void *arg)
{
	struct ixp_ident id;
	int ret;

	if (request < PIOCENEVCTRS || request >= PIOCENEVCTRS + PROC_REQUESTS)
		return -ENOTTY;

	ret = ixp_ident_of_fd(&id, fd);
	if (ret < 0 && ret != -ESRCH)
		return ret;

	ixp_target_lock();
	if (ret == -ESRCH)
		ixp_target_sweep();
	else
		ret = proc_table[request - PIOCENEVCTRS].run(&id, arg);
	ixp_target_unlock();

	return ret;
}
