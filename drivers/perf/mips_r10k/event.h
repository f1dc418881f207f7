/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of an event: whether it runs, its sum and its period. Callers have
 * interrupts off, and run on the CPU that the event is for.
 */
#ifndef _MIPS_R10K_EVENT_H
#define _MIPS_R10K_EVENT_H

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "constraints.h"
#include "cp0.h"
#include "events.h"
#include "period.h"
#include "regs.h"

/**
 * struct r10k_model - the CPUs of this machine, which are all of one type
 * @prid: their PRId register
 * @chip: the R10K_CHIP_* bit that @prid stands for; 0 if they have other counters
 * @rules: for each event, the counters that can count it
 * @late_start: a counter that starts with bit 31 set does not interrupt
 */
struct r10k_model {
	u32 prid;
	unsigned int chip;
	struct r10k_rule rules[R10K_EVENTS];
	bool late_start;
};

/**
 * struct r10k_cpu - the counters of one CPU
 * @regs: the registers
 * @placement: which counters are in use
 * @events: the event on each counter, or NULL
 * @suspended: bit i is set if the event on counter i was running when the CPU was
 *             suspended
 * @sample: the sample that an overflow passes to perf; not on the stack, where the
 *          kernel may zero all of it each time, though few fields matter
 */
struct r10k_cpu {
	struct r10k_regs regs;
	struct r10k_placement placement;
	struct perf_event *events[R10K_COUNTERS];
	unsigned int suspended;
	struct perf_sample_data sample;
};

/*
 * How the driver uses struct hw_perf_event: config is the event number,
 * config_base the modes and IE of the control register, idx the counter or -1. In
 * state, perf reserves a bit for the driver:
 */
#define R10K_HES_DUE	PERF_HES_ARCH	/* stopped when its period was just over */

extern struct r10k_model r10k_model;
DECLARE_PER_CPU(struct r10k_cpu, r10k_cpus);

/*
 * Sums and periods. Only the CPU that has the event changes prev_count and
 * period_left, with interrupts off; any CPU can reset count.
 */

/**
 * r10k_event_update() - add the events since the last update to the 64-bit sum
 * @event: an event that has a counter
 * @now: the counter's value
 */
static inline void r10k_event_update(struct perf_event *event, u32 now)
{
	struct hw_perf_event *hwc = &event->hw;
	u32 delta = r10k_count_delta(local64_read(&hwc->prev_count), now);

	lockdep_assert_irqs_disabled();
	local64_set(&hwc->prev_count, now);
	local64_set(&hwc->period_left, local64_read(&hwc->period_left) - delta);
	local64_add(delta, &event->count);
}

/**
 * r10k_event_next_period() - if the event's period is over, start the next
 * @event: an event that has just been updated
 *
 * Return: true if the period was over.
 */
static inline bool r10k_event_next_period(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 left = local64_read(&hwc->period_left);
	s64 length = r10k_period_next(&left, hwc->sample_period);

	if (!length)
		return false;
	local64_set(&hwc->period_left, left);
	hwc->last_period = length;
	return true;
}

/**
 * r10k_event_reload() - find the value to start an event's counter with
 * @event: the event
 *
 * From this value the counter interrupts at the end of the event's period, or as
 * soon as it can if it is over. The next update counts from this value.
 *
 * Return: the value.
 */
static inline u32 r10k_event_reload(struct perf_event *event)
{
	u32 value = r10k_period_start(local64_read(&event->hw.period_left),
				      r10k_model.late_start);

	local64_set(&event->hw.prev_count, value);
	return value;
}

/* Perf's callbacks pmu->start() and pmu->stop() */
void r10k_event_start(struct perf_event *event, int flags);
void r10k_event_stop(struct perf_event *event, int flags);

void r10k_event_restart_due(struct r10k_cpu *cpu);
void r10k_event_give_up(struct r10k_cpu *cpu, unsigned int i);

#endif /* _MIPS_R10K_EVENT_H */
