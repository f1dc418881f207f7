// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the kernel: an event on each CPU, to count or to profile. A counter that
 * the kernel has is refused to processes, and the other way round. That binds those who
 * use pmc(9); perf's other users share the counters with them.
 *
 * A profile goes to /proc/profile, which the kernel has if it was started with profile=.
 * The clock's ticks go there as well, unless that is profile=kvm or profile=schedule.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/profile.h>
#include <linux/ptrace.h>
#include "pmc.h"

/**
 * struct pmc_kernel - a counter of the kernel
 * @used: the kernel has it
 * @profiles: for a profile
 * @runs: it counts
 * @lost: it has not counted all
 * @event: one for each CPU that was online, else NULL
 */
static struct pmc_kernel {
	bool used;
	bool profiles;
	bool runs;
	bool lost;
	struct perf_event *event[NR_CPUS];
} kernel[PMC_COUNTERS];

bool pmc_kernel_has(int ctr)
{
	return kernel[ctr].used;
}

bool pmc_kernel_runs(int ctr)
{
	return kernel[ctr].runs;
}

static void on_profile(struct perf_event *event, struct perf_sample_data *data,
		       struct pt_regs *regs)
{
	if (!user_mode(regs))
		profile_hits(prof_on, (void *)instruction_pointer(regs), 1);
	pmc_overflow(event, data, regs);
}

static void events_release(struct pmc_kernel *k)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (k->event[cpu])
			perf_event_release_kernel(k->event[cpu]);
		k->event[cpu] = NULL;
	}
	k->used = false;
	k->profiles = false;
	k->runs = false;
	k->lost = false;
}

/* A pinned event of another user of perf takes the counter of a CPU; or a CPU goes */
static bool has_lost(struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR ||
	       !(READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT);
}

static void events_check(struct pmc_kernel *k)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (k->runs && k->event[cpu] && has_lost(k->event[cpu]))
			WRITE_ONCE(k->lost, true);
}

static int events_open(struct pmc_kernel *k, struct perf_event_attr *attr,
		       perf_overflow_handler_t handler)
{
	struct perf_event *event;
	int cpu, ret = 0;

	for_each_online_cpu(cpu) {
		event = perf_event_create_kernel_counter(attr, cpu, NULL, handler, &k->lost);
		if (PTR_ERR(event) == -ENODEV && !cpu_active(cpu))
			continue;
		if (IS_ERR(event)) {
			ret = PTR_ERR(event);
			break;
		}
		k->event[cpu] = event;
	}
	if (ret == -ENOENT || ret == -EINVAL || ret == -EOPNOTSUPP)
		ret = -ENODEV;
	if (ret)
		events_release(k);
	return ret;
}

static int events_run(struct pmc_kernel *k, bool on)
{
	int cpu, ret = 0;

	if (on && k->runs)
		return 0;
	for_each_possible_cpu(cpu) {
		if (!k->event[cpu])
			continue;
		if (on)
			perf_event_enable(k->event[cpu]);
		else
			perf_event_disable(k->event[cpu]);
		if (on && has_lost(k->event[cpu]))
			ret = -EBUSY;
	}
	if (ret) {
		events_run(k, false);
		k->lost = true;	/* other CPUs have counted a little */
		return ret;
	}
	events_check(k);
	k->runs = on;
	return 0;
}

static int kernel_take(int ctr, struct pmc_counter_cfg *cfg, bool profile)
{
	struct pmc_kernel *k = &kernel[ctr];
	struct perf_event_attr attr;
	int ret = pmc_attr(&attr, ctr, cfg);

	if (ret)
		return ret;
	attr.pinned = 1;
	attr.exclude_user = profile;
	if (k->used || pmc_task_uses(ctr))
		return -EBUSY;
	ret = events_open(k, &attr, profile ? on_profile : pmc_overflow);
	if (ret)
		return ret;
	k->used = true;
	k->profiles = profile;
	if (profile)
		ret = events_run(k, true);
	if (ret)
		events_release(k);
	return ret;
}

static int kernel_give(int ctr, bool profile)
{
	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return -EINVAL;
	if (!kernel[ctr].used || kernel[ctr].profiles != profile)
		return -ENXIO;
	events_release(&kernel[ctr]);
	return 0;
}

int pmc_kernel_run(int ctr, bool on)
{
	return kernel[ctr].used && !kernel[ctr].profiles ? events_run(&kernel[ctr], on) : -ENXIO;
}

int pmc_kernel_value(int ctr, u64 *value)
{
	struct pmc_kernel *k = &kernel[ctr];
	u64 enabled, running;
	int cpu;

	if (!k->used)
		return -ENXIO;
	*value = 0;
	for_each_possible_cpu(cpu) {
		if (!k->event[cpu])
			continue;
		*value += perf_event_read_value(k->event[cpu], &enabled, &running);
		if (running != enabled)
			WRITE_ONCE(k->lost, true);
	}
	events_check(k);
	return READ_ONCE(k->lost) ? -EBUSY : 0;
}

void pmc_kernel_exit(void)
{
	int ctr;

	for (ctr = 0; ctr < PMC_COUNTERS; ctr++)
		events_release(&kernel[ctr]);
}

int pmc_alloc_kernel_counter(int ctr, struct pmc_counter_cfg *cfg)
{
	int ret;

	if (ctr < 0 || ctr >= PMC_COUNTERS)
		return -EINVAL;
	mutex_lock(&pmc_lock);
	ret = kernel_take(ctr, cfg, false);
	mutex_unlock(&pmc_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_alloc_kernel_counter);

int pmc_free_kernel_counter(int ctr)
{
	int ret;

	mutex_lock(&pmc_lock);
	ret = kernel_give(ctr, false);
	mutex_unlock(&pmc_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_free_kernel_counter);

int pmc_start_profiling(int ctr, struct pmc_counter_cfg *cfg)
{
	int ret;

	if (ctr < 0 || ctr >= PMC_COUNTERS || !cfg->reset_value)
		return -EINVAL;
	if (!prof_on)
		return -ENXIO;
	mutex_lock(&pmc_lock);
	ret = kernel_take(ctr, cfg, true);
	mutex_unlock(&pmc_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_start_profiling);

int pmc_stop_profiling(int ctr)
{
	int ret;

	mutex_lock(&pmc_lock);
	ret = kernel_give(ctr, true);
	mutex_unlock(&pmc_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_stop_profiling);
