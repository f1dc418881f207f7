// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance counters of the MIPS R10000, R12000, R14000 and R16000.
 *
 * There are two 32-bit counters, each of which interrupts at bit 31. events.def
 * lists the events, constraints.c knows which counters can count them, and regs.h
 * writes the registers. This file has the initialization and perf's callbacks,
 * which run with interrupts off and on the CPU that the event is for.
 *
 * Hardware: MIPS R10000 Microprocessor User's Manual, section 14.20.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/processor.h>

#include "pmu.h"

DEFINE_PER_CPU(struct r10k_cpu, r10k_cpus);

/* Perf callbacks */

static void r10k_pmu_read(struct perf_event *event)
{
	/* Its count is up to date, and another event may have used its counter since. */
	if (event->hw.state & PERF_HES_STOPPED)
		return;

	r10k_pmu_update(event, r10k_read_counter(event->hw.idx));
}

/**
 * r10k_pmu_start() - pmu->start()
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
void r10k_pmu_start(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;
	const struct r10k_rule *rule = &r10k_pmu.rules[hwc->config];
	int state = hwc->state;

	if (!(state & PERF_HES_STOPPED))
		return;

	hwc->state = 0;
	if (!local64_read(&hwc->period_left) && !(state & R10K_HES_DUE))
		r10k_pmu_next_period(event);
	r10k_regs_start(&cpu->regs, hwc->idx, rule->field[hwc->idx] | hwc->config_base,
			r10k_pmu_reload(event));
}

/**
 * r10k_pmu_stop() - pmu->stop()
 * @event: an event that has a counter
 * @flags: ignored: the sum is always updated
 */
void r10k_pmu_stop(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;

	r10k_pmu_update(event, r10k_regs_stop(&cpu->regs, hwc->idx));
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!local64_read(&hwc->period_left))
		hwc->state |= R10K_HES_DUE;
}

/* Move an event to the other counter, to make room for one that cannot go there. */
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
	hwc->state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
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
 * The core calls these two around changes of several events, such as a task
 * switch: both counters are stopped meanwhile, and start together.
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

/* Probing */

#define PROBE_EVENT	15	/* graduated instructions, on either counter */
#define PROBE_TURNS	1000
#define PROBE_INSNS	(2 * (PROBE_TURNS + 1))
#define PROBE_SLACK	(PROBE_INSNS / 8)
#define PROBE_PATIENCE	100000	/* turns of a loop: a millisecond or more */

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
 * Make a counter interrupt, and wait until irq.c has disarmed it, as it does with
 * every counter without an event.
 */
static bool r10k_pmu_try_interrupt(unsigned int i)
{
	const struct r10k_rule *rule = &r10k_pmu.rules[PROBE_EVENT];
	unsigned int patience = PROBE_PATIENCE;
	struct r10k_regs *regs;
	bool came;

	preempt_disable();
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	local_irq_disable();
	r10k_regs_start(regs, i, rule->field[i] | R10K_CTRL_IE, R10K_OVERFLOW);
	local_irq_enable();
	while (READ_ONCE(regs->control[i]) && --patience)
		cpu_relax();
	local_irq_disable();
	came = !regs->control[i];
	r10k_regs_reset(regs);
	local_irq_enable();
	preempt_enable();
	return came;
}

/*
 * The interrupt may not arrive: a kernel that found its timer not usable does not
 * enable the line, and never calls perf_irq(). Not only samples would be lost then,
 * but also counts.
 */
static int r10k_pmu_probe_interrupt(void)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++) {
		if (r10k_pmu_try_interrupt(i))
			continue;
		pr_err("%s counters not usable: the overflow of counter %u does not interrupt\n",
		       r10k_chip_name(r10k_pmu.prid), i);
		return -ENODEV;
	}
	return 0;
}

/*
 * Wrong counts are worse than no counters. The slack allows for the few
 * instructions around the loop, and for revision 2.x of the R10000, which can
 * undercount.
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
	return r10k_pmu_probe_interrupt();
}

static void __init r10k_pmu_identify(void)
{
	unsigned int num;

	r10k_pmu.prid = read_c0_prid();
	r10k_pmu.chip = r10k_chip(r10k_pmu.prid);
	for (num = 0; num < R10K_EVENTS; num++)
		r10k_pmu.rules[num] = r10k_rule(r10k_pmu.chip, num);
	r10k_pmu.pmu.attr_groups = r10k_sysfs_init();
}

static int __init r10k_pmu_init(void)
{
	int err;

	r10k_pmu_identify();
	if (!r10k_pmu.chip)
		return -ENODEV;

	err = r10k_irq_init();
	if (err)
		return err;
	err = r10k_cpu_init();
	if (err)
		goto err_irq;
	err = r10k_pmu_probe();
	if (err)
		goto err_cpu;
	err = perf_pmu_register(&r10k_pmu.pmu, "cpu", PERF_TYPE_RAW);
	if (err)
		goto err_cpu;

	pr_info("%s revision %u.%u, %u counters, overflow on %s%s\n",
		r10k_chip_name(r10k_pmu.prid), r10k_pmu.prid >> 4 & 0xf,
		r10k_pmu.prid & 0xf, R10K_COUNTERS, r10k_irq_route,
		r10k_irq_can_sample() ? "" : ", no samples: this kernel lets no module take them");
	return 0;

err_cpu:
	r10k_cpu_exit();
err_irq:
	r10k_irq_exit();
	return err;
}
module_init(r10k_pmu_init);

static void __exit r10k_pmu_exit(void)
{
	perf_pmu_unregister(&r10k_pmu.pmu);
	r10k_cpu_exit();
	r10k_irq_exit();
}
module_exit(r10k_pmu_exit);

MODULE_DESCRIPTION("Performance counters of the MIPS R10000 family");
MODULE_LICENSE("GPL");
