// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU hotplug, suspend and resume.
 *
 * The driver zeroes a CPU's counters and enables their interrupt in the STARTING
 * section of CPU hotplug: with interrupts off, before the CPU is online and perf
 * can put an event on it. When the CPU goes offline, the same state runs after perf
 * has removed its events, which it does in CPUHP_AP_PERF_ONLINE. A dynamic state
 * would be simpler, but all of them run on the wrong side of
 * CPUHP_AP_PERF_ONLINE, both up and down: a CPU-wide event could start before its
 * counter is zeroed, and could still run when its counter is stopped.
 *
 * A STARTING state cannot refuse a CPU. A dynamic state does that, and is early
 * enough: tasks cannot move to a CPU until all its states have run.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>
#include <linux/printk.h>

#include "pmu.h"

/* Hotplug */

/* A CPU of another family may not have these registers. */
static int r10k_cpu_starting(unsigned int cpu)
{
	if (r10k_chip(read_c0_prid())) {
		r10k_regs_reset(&this_cpu_ptr(&r10k_cpus)->regs);
		r10k_irq_online();
	}
	return 0;
}

static int r10k_cpu_dying(unsigned int cpu)
{
	if (r10k_chip(read_c0_prid())) {
		r10k_irq_offline();
		r10k_regs_reset(&this_cpu_ptr(&r10k_cpus)->regs);
	}
	return 0;
}

/*
 * A task can move to any CPU with its events, which must mean the same on all
 * of them.
 */
static int r10k_cpu_check(unsigned int cpu)
{
	u32 prid = read_c0_prid();

	if (r10k_chip(prid) == r10k_pmu.chip)
		return 0;
	pr_err("CPU%u has PRId %#x, others %#x: mixed CPU types are not supported\n",
	       cpu, prid, r10k_pmu.prid);
	return -ENODEV;
}

/* Suspend and resume */

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
		r10k_pmu_stop(event, PERF_EF_UPDATE);
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
			r10k_pmu_start(cpu->events[i], PERF_EF_RELOAD);
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

static int r10k_cpu_check_state;

/**
 * r10k_cpu_init() - prepare all CPUs, and those that come online later
 *
 * Return: 0, or -ENODEV if the CPUs are not all of one type.
 */
int r10k_cpu_init(void)
{
	int err;

	err = cpuhp_setup_state(CPUHP_AP_PERF_MIPS_R10K_STARTING, "perf/mips/r10k:starting",
				r10k_cpu_starting, r10k_cpu_dying);
	if (err)
		return err;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/mips/r10k:online",
				r10k_cpu_check, NULL);
	if (err < 0)
		goto err_starting;
	r10k_cpu_check_state = err;

	err = cpu_pm_register_notifier(&r10k_cpu_pm_block);
	if (err)
		goto err_check;
	return 0;

err_check:
	cpuhp_remove_state(r10k_cpu_check_state);
err_starting:
	cpuhp_remove_state(CPUHP_AP_PERF_MIPS_R10K_STARTING);
	return err;
}

/**
 * r10k_cpu_exit() - switch off the counters and their interrupt on all CPUs
 */
void r10k_cpu_exit(void)
{
	cpu_pm_unregister_notifier(&r10k_cpu_pm_block);
	cpuhp_remove_state(r10k_cpu_check_state);
	cpuhp_remove_state(CPUHP_AP_PERF_MIPS_R10K_STARTING);
}
