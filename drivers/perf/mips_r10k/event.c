// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop an event on its counter.
 */
#include "event.h"

struct r10k_model r10k_model;
DEFINE_PER_CPU(struct r10k_cpu, r10k_cpus);

/**
 * r10k_event_start() - pmu->start()
 * @event: an event that has a counter
 * @flags: ignored: the counter always gets a new value, because since the event
 *         stopped the core may have changed the period, and another event may
 *         have used the counter
 *
 * The core requests a new period by setting period_left to 0. If period_left is
 * negative, or was already 0 when the event stopped, the period was over but its
 * interrupt has not been handled: then the counter starts at bit 31 or above, so that
 * the sample comes at once.
 */
void r10k_event_start(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;
	const struct r10k_rule *rule = &r10k_model.rules[hwc->config];
	int state = hwc->state;

	if (!(state & PERF_HES_STOPPED))
		return;

	hwc->state = 0;
	if (!local64_read(&hwc->period_left) && !(state & R10K_HES_DUE))
		r10k_event_next_period(event);
	r10k_regs_start(&cpu->regs, hwc->idx, rule->field[hwc->idx] | hwc->config_base,
			r10k_event_reload(event));
}

/**
 * r10k_event_stop() - pmu->stop()
 * @event: an event that has a counter
 * @flags: ignored: the sum is always updated
 */
void r10k_event_stop(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;

	r10k_event_update(event, r10k_regs_stop(&cpu->regs, hwc->idx));
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!local64_read(&hwc->period_left))
		hwc->state |= R10K_HES_DUE;
}
