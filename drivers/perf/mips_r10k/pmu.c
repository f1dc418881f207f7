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

#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/printk.h>

#include "attr.h"
#include "cpu.h"
#include "event.h"
#include "irq.h"
#include "probe.h"
#include "sysfs.h"

static void r10k_pmu_read(struct perf_event *event)
{
	/* Its count is up to date, and another event may have used its counter since. */
	if (event->hw.state & PERF_HES_STOPPED)
		return;

	r10k_event_update(event, r10k_read_counter(event->hw.idx));
}

/* Move an event to the other counter, to make room for one that cannot go there. */
static void r10k_pmu_move(struct r10k_cpu *cpu, unsigned int from)
{
	struct perf_event *event = cpu->events[from];
	bool running = !(event->hw.state & PERF_HES_STOPPED);

	r10k_event_stop(event, PERF_EF_UPDATE);
	cpu->events[from] = NULL;
	cpu->events[!from] = event;
	event->hw.idx = !from;
	if (running)
		r10k_event_start(event, PERF_EF_RELOAD);
}

static int r10k_pmu_add(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;
	int i;

	i = r10k_place(&cpu->placement, &r10k_model.rules[hwc->config]);
	if (i < 0)
		return i;
	if (cpu->events[i])
		r10k_pmu_move(cpu, i);

	cpu->events[i] = event;
	hwc->idx = i;
	hwc->state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		r10k_event_start(event, PERF_EF_RELOAD);
	perf_event_update_userpage(event);
	return 0;
}

static void r10k_pmu_del(struct perf_event *event, int flags)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);
	struct hw_perf_event *hwc = &event->hw;

	r10k_event_stop(event, PERF_EF_UPDATE);
	cpu->events[hwc->idx] = NULL;
	r10k_unplace(&cpu->placement, hwc->idx);
	hwc->idx = -1;
	perf_event_update_userpage(event);
}

/*
 * The core calls these two around changes of several events, such as a task
 * switch: both counters are stopped meanwhile, and start together. A counter can have
 * overflowed just before it was stopped, so that its interrupt has not been handled.
 */
static void r10k_pmu_disable(struct pmu *pmu)
{
	r10k_regs_pause(&this_cpu_ptr(&r10k_cpus)->regs);
}

static void r10k_pmu_enable(struct pmu *pmu)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);

	if (r10k_model.late_start)
		r10k_event_restart_due(cpu);
	r10k_regs_resume(&cpu->regs);
}

static struct pmu r10k_pmu = {
	.module = THIS_MODULE,
	.pmu_enable = r10k_pmu_enable,
	.pmu_disable = r10k_pmu_disable,
	.event_init = r10k_attr_init,
	.add = r10k_pmu_add,
	.del = r10k_pmu_del,
	.start = r10k_event_start,
	.stop = r10k_event_stop,
	.read = r10k_pmu_read,
};

static void __init r10k_pmu_identify(void)
{
	r10k_model.prid = read_c0_prid();
	r10k_model.chip = r10k_chip(r10k_model.prid);
	r10k_pmu.attr_groups = r10k_sysfs_init();
}

static int __init r10k_pmu_init(void)
{
	int err;

	r10k_pmu_identify();
	if (!r10k_model.chip)
		return -ENODEV;

	err = r10k_irq_init();
	if (err)
		return err;
	err = r10k_cpu_init();
	if (err)
		goto err_irq;
	err = r10k_probe();
	if (err)
		goto err_cpu;
	err = perf_pmu_register(&r10k_pmu, "cpu", PERF_TYPE_RAW);
	if (err)
		goto err_cpu;

	pr_info("%s revision %u.%u, %u counters, overflow on %s\n",
		r10k_chip_name(r10k_model.prid), r10k_model.prid >> 4 & 0xf,
		r10k_model.prid & 0xf, R10K_COUNTERS, r10k_irq_route);
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
	perf_pmu_unregister(&r10k_pmu);
	r10k_cpu_exit();
	r10k_irq_exit();
}
module_exit(r10k_pmu_exit);

MODULE_DESCRIPTION("Performance counters of the MIPS R10000 family");
MODULE_LICENSE("GPL");
