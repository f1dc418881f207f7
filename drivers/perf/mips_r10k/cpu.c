// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of all CPUs: start and end of the driver, suspend and resume.
 *
 * No machine with these CPUs can take one of them offline (Kconfig), and all are online
 * when the driver starts. So there is no callback for CPU hotplug.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/bits.h>
#include <linux/cpu_pm.h>
#include <linux/init.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include <asm/cpu.h>

#include "cpu.h"
#include "event.h"
#include "irq.h"

/*
 * A task can move to any CPU with its events, which must mean the same on all
 * of them, and one CPU is probed for all. @mixed is set by any CPU whose type differs.
 */
static void __init r10k_cpu_check(void *mixed)
{
	u32 prid = read_c0_prid();

	if (r10k_chip(prid) == r10k_model.chip &&
	    !((prid ^ r10k_model.prid) & PRID_IMP_MASK))
		return;
	pr_err("CPU%u has PRId %#x, others %#x: mixed CPU types are not supported\n",
	       smp_processor_id(), prid, r10k_model.prid);
	WRITE_ONCE(*(bool *)mixed, true);
}

/* The contents of the registers after power-on are not documented. */
static void __init r10k_cpu_start(void *unused)
{
	r10k_regs_reset(&this_cpu_ptr(&r10k_cpus)->regs);
	r10k_irq_online();
}

static void r10k_cpu_end(void *unused)
{
	r10k_irq_offline();
	r10k_regs_reset(&this_cpu_ptr(&r10k_cpus)->regs);
}

/* The registers may lose their contents: first add the counts to the sums. */
static void r10k_cpu_suspend(struct r10k_cpu *cpu)
{
	struct perf_event *event;
	unsigned int i;

	cpu->suspended = 0;
	r10k_regs_pause(&cpu->regs);
	for (i = 0; i < R10K_COUNTERS; i++) {
		event = cpu->events[i];
		if (!event || event->hw.state & PERF_HES_STOPPED)
			continue;
		r10k_event_stop(event, PERF_EF_UPDATE);
		cpu->suspended |= BIT(i);
	}
	r10k_regs_reset(&cpu->regs);
}

static void r10k_cpu_resume(struct r10k_cpu *cpu)
{
	unsigned int i;

	r10k_regs_reset(&cpu->regs);
	r10k_irq_online();
	r10k_regs_pause(&cpu->regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		if (cpu->suspended & BIT(i))
			r10k_event_start(cpu->events[i], PERF_EF_RELOAD);
	r10k_regs_resume(&cpu->regs);
}

/* Called with interrupts off. The CPU has the same events on exit as on enter. */
static int r10k_cpu_pm(struct notifier_block *nb, unsigned long action, void *unused)
{
	struct r10k_cpu *cpu = this_cpu_ptr(&r10k_cpus);

	switch (action) {
	case CPU_PM_ENTER:
		r10k_cpu_suspend(cpu);
		return NOTIFY_OK;
	case CPU_PM_ENTER_FAILED:
	case CPU_PM_EXIT:
		r10k_cpu_resume(cpu);
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

static struct notifier_block r10k_cpu_pm_block = {
	.notifier_call = r10k_cpu_pm,
};

/**
 * r10k_cpu_init() - zero the counters of all CPUs and enable their interrupt
 *
 * Return: 0, or -ENODEV if the CPUs are not all of one type.
 */
int __init r10k_cpu_init(void)
{
	bool mixed = false;
	int err;

	on_each_cpu(r10k_cpu_check, &mixed, 1);
	if (mixed)
		return -ENODEV;
	err = cpu_pm_register_notifier(&r10k_cpu_pm_block);
	if (err)
		return err;
	on_each_cpu(r10k_cpu_start, NULL, 1);
	return 0;
}

/**
 * r10k_cpu_exit() - switch off the counters and their interrupt on all CPUs
 */
void r10k_cpu_exit(void)
{
	on_each_cpu(r10k_cpu_end, NULL, 1);
	cpu_pm_unregister_notifier(&r10k_cpu_pm_block);
}
