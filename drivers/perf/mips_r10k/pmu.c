// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance counters of the MIPS R10000, R12000, R14000 and R16000.
 *
 * Two 32-bit counters, each of which interrupts at bit 31. What can be
 * counted stands in events.def, on which counter in constraints.c, and the
 * registers are regs.c's. This file is perf's view of them: callbacks, with
 * interrupts off and on the CPU that the event is for, and the start-up.
 *
 * Hardware: MIPS R10000 Microprocessor User's Manual, section 14.20.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/cpuhotplug.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/printk.h>

#include "pmu.h"

DEFINE_PER_CPU(struct r10k_cpu, r10k_cpus) = {
	.regs.ops = &r10k_cp0_ops,
};

/* Perf callbacks */

/**
 * r10k_pmu_update() - add to the 64-bit sum what was counted since last time
 * @event: an event that has a counter
 * @now: the counter's value
 */
void r10k_pmu_update(struct perf_event *event, u32 now)
{
	struct hw_perf_event *hwc = &event->hw;
	u32 delta = r10k_count_delta(local64_read(&hwc->prev_count), now);

	lockdep_assert_irqs_disabled();
	local64_set(&hwc->prev_count, now);
	local64_add(delta, &event->count);
	local64_sub(delta, &hwc->period_left);
}

/**
 * r10k_pmu_next_period() - begin the next period if one is over
 * @event: an event just updated
 *
 * Return: true if one was over.
 */
bool r10k_pmu_next_period(struct perf_event *event)
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
 * r10k_pmu_reload() - the value from which the counter interrupts in time
 * @event: an event; with nothing left of its period it interrupts at once
 *
 * Return: the value, which is the base of the next update.
 */
u32 r10k_pmu_reload(struct perf_event *event)
{
	u32 value = r10k_period_start(local64_read(&event->hw.period_left));

	local64_set(&event->hw.prev_count, value);
	return value;
}

static void r10k_pmu_read(struct perf_event *event)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);

	/* Up to date, and its counter may have been another's since. */
	if (event->hw.state & PERF_HES_STOPPED)
		return;

	r10k_pmu_update(event, r10k_regs_read(&cpu->regs, event->hw.idx));
}

/*
 * The counter gets a new value whatever @flags says: since the event stopped,
 * the core may have changed the period, and others may have had the counter.
 *
 * The core asks for a new period by setting what is left of it to 0. Less
 * than that is a period that was over before its interrupt was served: the
 * counter starts beyond bit 31 then, so that the sample comes at once.
 */
static void r10k_pmu_start(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;
	const struct r10k_rule *rule = &r10k_pmu.rules[hwc->config];

	if (!(hwc->state & PERF_HES_STOPPED))
		return;

	hwc->state = 0;
	if (!local64_read(&hwc->period_left))
		r10k_pmu_next_period(event);
	r10k_regs_start(&cpu->regs, hwc->idx, rule->field[hwc->idx] | hwc->config_base,
			r10k_pmu_reload(event));
}

/**
 * r10k_pmu_stop() - pmu->stop()
 * @event: an event that has a counter
 * @flags: ignored: the sum is always brought up to date
 */
void r10k_pmu_stop(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;

	r10k_pmu_update(event, r10k_regs_stop(&cpu->regs, hwc->idx));
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/* Clear a counter for an event that cannot use the other one. */
static void r10k_pmu_move(struct r10k_cpu *cpu, unsigned int from)
{
	struct perf_event *event = cpu->events[from];
	bool running = !(event->hw.state & PERF_HES_STOPPED);

	r10k_pmu_stop(event, PERF_EF_UPDATE);
	cpu->events[from] = NULL;
	cpu->events[!from] = event;
	event->hw.idx = !from;
	if (running)
		r10k_pmu_start(event, PERF_EF_RELOAD);
}

static int r10k_pmu_add(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;
	int i;

	i = r10k_place(&cpu->placement, &r10k_pmu.rules[hwc->config]);
	if (i < 0)
		return i;
	if (cpu->events[i])
		r10k_pmu_move(cpu, i);

	cpu->events[i] = event;
	hwc->idx = i;
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		r10k_pmu_start(event, PERF_EF_RELOAD);
	perf_event_update_userpage(event);
	return 0;
}

static void r10k_pmu_del(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;

	r10k_pmu_stop(event, PERF_EF_UPDATE);
	cpu->events[hwc->idx] = NULL;
	r10k_unplace(&cpu->placement, hwc->idx);
	hwc->idx = -1;
	perf_event_update_userpage(event);
}

/*
 * The core brackets with these what it does to several events at once, such
 * as a task switch: both counters stand still meanwhile, and start together.
 */
static void r10k_pmu_disable(struct pmu *pmu)
{
	r10k_regs_pause(&this_cpu_ptr(&r10k_cpus)->regs);
}

static void r10k_pmu_enable(struct pmu *pmu)
{
	r10k_regs_resume(&this_cpu_ptr(&r10k_cpus)->regs);
}

struct r10k_pmu r10k_pmu = {
	.pmu = {
		.module = THIS_MODULE,
		.pmu_enable = r10k_pmu_enable,
		.pmu_disable = r10k_pmu_disable,
		.event_init = r10k_attr_init,
		.add = r10k_pmu_add,
		.del = r10k_pmu_del,
		.start = r10k_pmu_start,
		.stop = r10k_pmu_stop,
		.read = r10k_pmu_read,
	},
};

/* Hotplug */

/*
 * A task can move to any CPU, and takes its events along: they must mean the
 * same everywhere.
 */
static int r10k_pmu_online(unsigned int cpu)
{
	u32 prid = r10k_cp0_prid();
	unsigned long flags;

	if (r10k_chip(prid) != r10k_pmu.chip) {
		pr_err("CPU%u has PRId %#x, others %#x: mixed CPU types are not supported\n",
		       cpu, prid, r10k_pmu.prid);
		return -ENODEV;
	}
	local_irq_save(flags);
	r10k_regs_reset(&this_cpu_ptr(&r10k_cpus)->regs);
	local_irq_restore(flags);
	return 0;
}

/* Probing */

#define PROBE_EVENT	15	/* graduated instructions, on either counter */
#define PROBE_TURNS	1000
#define PROBE_INSNS	(2 * (PROBE_TURNS + 1))
#define PROBE_SLACK	(PROBE_INSNS / 8)

/* Count a known loop on both counters at once, in kernel mode. */
static void r10k_pmu_try(u32 counted[R10K_COUNTERS])
{
	const struct r10k_rule *rule = &r10k_pmu.rules[PROBE_EVENT];
	struct r10k_regs *regs;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	r10k_regs_pause(regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		r10k_regs_start(regs, i, rule->field[i] | R10K_CTRL_K, 0);
	r10k_regs_resume(regs);
	r10k_cp0_loop(PROBE_TURNS);
	r10k_regs_pause(regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		counted[i] = r10k_regs_stop(regs, i);
	r10k_regs_resume(regs);
	local_irq_restore(flags);
}

/*
 * Counters that count something else are worse than none. The slack is for
 * the few instructions around the loop, and for revision 2.x of the R10000,
 * which can undercount.
 */
static int r10k_pmu_probe(void)
{
	u32 counted[R10K_COUNTERS];
	unsigned int i;

	r10k_pmu_try(counted);
	for (i = 0; i < R10K_COUNTERS; i++) {
		if (counted[i] >= PROBE_INSNS - PROBE_SLACK &&
		    counted[i] <= PROBE_INSNS + PROBE_SLACK)
			continue;
		pr_err("%s counters not usable: counted %u and %u instead of %u instructions\n",
		       r10k_chip_name(r10k_pmu.prid), counted[0], counted[1], PROBE_INSNS);
		return -ENODEV;
	}
	return 0;
}

static void __init r10k_pmu_identify(void)
{
	unsigned int num;

	r10k_pmu.prid = r10k_cp0_prid();
	r10k_pmu.chip = r10k_chip(r10k_pmu.prid);
	for (num = 0; num < R10K_EVENTS; num++)
		r10k_pmu.rules[num] = r10k_rule(r10k_pmu.chip, num);
	r10k_pmu.pmu.attr_groups = r10k_sysfs_init();
}

static int r10k_pmu_hotplug_state;

static int __init r10k_pmu_init(void)
{
	int err;

	r10k_pmu_identify();
	if (!r10k_pmu.chip)
		return -ENODEV;

	err = r10k_irq_init();
	if (err)
		return err;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/mips/r10k:online",
				r10k_pmu_online, NULL);
	if (err < 0)
		goto err_irq;
	r10k_pmu_hotplug_state = err;

	err = r10k_pmu_probe();
	if (err)
		goto err_hotplug;
	err = perf_pmu_register(&r10k_pmu.pmu, "cpu", PERF_TYPE_RAW);
	if (err)
		goto err_hotplug;

	pr_info("%s revision %u.%u, %u counters, overflow on IP7 shared with the timer%s\n",
		r10k_chip_name(r10k_pmu.prid), r10k_pmu.prid >> 4 & 0xf,
		r10k_pmu.prid & 0xf, R10K_COUNTERS,
		r10k_irq_can_sample() ? "" : ", no samples: this kernel lets no module take them");
	return 0;

err_hotplug:
	cpuhp_remove_state(r10k_pmu_hotplug_state);
err_irq:
	r10k_irq_exit();
	return err;
}
module_init(r10k_pmu_init);

static void __exit r10k_pmu_exit(void)
{
	perf_pmu_unregister(&r10k_pmu.pmu);
	cpuhp_remove_state(r10k_pmu_hotplug_state);
	r10k_irq_exit();
}
module_exit(r10k_pmu_exit);

MODULE_DESCRIPTION("Performance counters of the MIPS R10000 family");
MODULE_LICENSE("GPL");
