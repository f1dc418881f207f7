/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the perf side of the driver shares between its files.
 */
#ifndef _MIPS_R10K_PMU_H
#define _MIPS_R10K_PMU_H

#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "constraints.h"
#include "cp0.h"
#include "events.h"
#include "period.h"
#include "regs.h"

/*
 * attr.config: the text for sysfs and the bits themselves. Any other bit, and
 * anything in config1 and later, is refused.
 */
#define R10K_CFG_EVENT_TEXT	"config:0-4"
#define R10K_CFG_EVENT		GENMASK_ULL(4, 0)
#define R10K_CFG_EXL_TEXT	"config:8-9"
#define R10K_CFG_EXL		GENMASK_ULL(9, 8)

/* Values of the exl field: count code that runs with Status.EXL set? */
enum r10k_exl {
	R10K_EXL_AS_KERNEL = 0,		/* unless exclude_kernel is set */
	R10K_EXL_ALWAYS = 1,
	R10K_EXL_NEVER = 2,
};

/**
 * struct r10k_pmu - the PMU, which is the same on all CPUs of a machine
 * @pmu: what the perf core sees
 * @prid: PRId register of the CPUs
 * @chip: the R10K_CHIP_* bit that @prid stands for
 * @rules: for each event, the counters that can count it
 */
struct r10k_pmu {
	struct pmu pmu;
	u32 prid;
	unsigned int chip;
	struct r10k_rule rules[R10K_EVENTS];
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

extern struct r10k_pmu r10k_pmu;
DECLARE_PER_CPU(struct r10k_cpu, r10k_cpus);

/*
 * Sums and periods. Only the CPU that has the event changes prev_count and
 * period_left, with interrupts off; any CPU can reset count.
 */

/**
 * r10k_pmu_update() - add the events since the last update to the 64-bit sum
 * @event: an event that has a counter
 * @now: the counter's value
 */
static inline void r10k_pmu_update(struct perf_event *event, u32 now)
{
	struct hw_perf_event *hwc = &event->hw;
	u32 delta = r10k_count_delta(local64_read(&hwc->prev_count), now);

	lockdep_assert_irqs_disabled();
	local64_set(&hwc->prev_count, now);
	local64_set(&hwc->period_left, local64_read(&hwc->period_left) - delta);
	local64_add(delta, &event->count);
}

/**
 * r10k_pmu_next_period() - if the event's period is over, start the next
 * @event: an event that has just been updated
 *
 * Return: true if the period was over.
 */
static inline bool r10k_pmu_next_period(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 left = local64_read(&hwc->period_left);

	if (!r10k_period_next(&left, hwc->sample_period))
		return false;
	local64_set(&hwc->period_left, left);
	hwc->last_period = hwc->sample_period;
	return true;
}

/**
 * r10k_pmu_reload() - find the value to start an event's counter with
 * @event: the event
 *
 * From this value the counter interrupts at the end of the event's period, or at
 * once if it is over. The next update counts from this value.
 *
 * Return: the value.
 */
static inline u32 r10k_pmu_reload(struct perf_event *event)
{
	u32 value = r10k_period_start(local64_read(&event->hw.period_left));

	local64_set(&event->hw.prev_count, value);
	return value;
}

/* attr.c */
int r10k_attr_init(struct perf_event *event);

/* pmu.c */
void r10k_pmu_start(struct perf_event *event, int flags);
void r10k_pmu_stop(struct perf_event *event, int flags);

/* cpu.c */
int r10k_cpu_init(void);
void r10k_cpu_exit(void);

/* irq.c */
bool r10k_irq_serve(void);
bool r10k_irq_can_sample(void);
int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs) __weak;

/* irq-shared.c if the kernel uses the CP0 timer, else irq-line.c */
extern const char *const r10k_irq_route;
int r10k_irq_init(void);
void r10k_irq_exit(void);
void r10k_irq_online(void);
void r10k_irq_offline(void);

/* sysfs.c */
const struct attribute_group **r10k_sysfs_init(void);

#endif /* _MIPS_R10K_PMU_H */
