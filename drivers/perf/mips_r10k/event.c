// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop an event on its counter.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/cache.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include "event.h"

struct r10k_model r10k_model __ro_after_init;
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
 * the sample comes at once, or with r10k_model.late_start at the next event.
 */
void r10k_event_start(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;
	const struct r10k_rule *rule = &r10k_model.rules[hwc->config];
	int state = hwc->state;

	if (!(state & PERF_HES_STOPPED) || cpu->placement.held[hwc->idx] == R10K_BROKEN)
		return;

	hwc->state = 0;
	if (!local64_read(&hwc->period_left) && !(state & R10K_HES_DUE))
		r10k_event_next_period(event);
	r10k_regs_start(&cpu->regs, hwc->idx, rule->field[hwc->idx] | hwc->config_base,
			r10k_event_reload(event));
}

/*
 * r10k_regs_stop() has zeroed the counter. If it keeps its overflow, it would interrupt for
 * ever, and look like 2^31 events to the next event that starts there.
 */
static void r10k_event_check_counter(struct r10k_cpu *cpu, unsigned int i)
{
	if (!(r10k_read_counter(i) & R10K_OVERFLOW))
		return;
	pr_err("CPU%u: counter %u ignores what is written to it: it counts no more\n",
	       smp_processor_id(), i);
	r10k_break(&cpu->placement, i);
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
	u32 last;

	if (hwc->state & PERF_HES_STOPPED)
		return;

	last = r10k_regs_stop(&cpu->regs, hwc->idx);
	r10k_event_update(event, last);
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!local64_read(&hwc->period_left))
		hwc->state |= R10K_HES_DUE;
	if (last & R10K_OVERFLOW)
		r10k_event_check_counter(cpu, hwc->idx);
}

/**
 * r10k_event_restart_due() - give a new value to counters that overflowed when paused
 * @cpu: the executing CPU, whose counters are paused
 *
 * For r10k_model.late_start: a counter that resumes with bit 31 set does not interrupt.
 */
void r10k_event_restart_due(struct r10k_cpu *cpu)
{
	unsigned int i, due = r10k_regs_due(&cpu->regs);

	for (i = 0; i < R10K_COUNTERS; i++) {
		if (!(due & 1U << i))
			continue;
		r10k_event_update(cpu->events[i], r10k_read_counter(i));
		r10k_write_counter(i, r10k_event_reload(cpu->events[i]));
		if (r10k_read_counter(i) & R10K_OVERFLOW)
			r10k_event_give_up(cpu, i);
	}
}

/**
 * r10k_event_give_up() - stop an event for ever, because its counter is broken
 * @cpu: the executing CPU, whose counters are paused
 * @i: the counter, which has another value than it was given
 *
 * The sum has what was counted before.
 */
void r10k_event_give_up(struct r10k_cpu *cpu, unsigned int i)
{
	local64_set(&cpu->events[i]->hw.prev_count, r10k_read_counter(i));
	r10k_event_stop(cpu->events[i], PERF_EF_UPDATE);
}
