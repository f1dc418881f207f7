// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test the counters when the driver starts.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/processor.h>

#include "event.h"
#include "probe.h"

#define PROBE_EVENT	15	/* graduated instructions, on either counter */
#define PROBE_TURNS	1000
#define PROBE_INSNS	(2 * (PROBE_TURNS + 1))
#define PROBE_SLACK	(PROBE_INSNS / 8)
#define PROBE_PATIENCE	100000	/* turns of a loop: a millisecond or more */

/* Count a known loop on both counters at once, in kernel mode. */
static void r10k_probe_try(u32 counted[R10K_COUNTERS])
{
	const struct r10k_rule *rule = &r10k_model.rules[PROBE_EVENT];
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
static bool r10k_probe_try_interrupt(unsigned int i)
{
	const struct r10k_rule *rule = &r10k_model.rules[PROBE_EVENT];
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
static int r10k_probe_interrupt(void)
{
	unsigned int i;

	for (i = 0; i < R10K_COUNTERS; i++) {
		if (r10k_probe_try_interrupt(i))
			continue;
		pr_err("%s counters not usable: the overflow of counter %u does not interrupt\n",
		       r10k_chip_name(r10k_model.prid), i);
		return -ENODEV;
	}
	return 0;
}

/**
 * r10k_probe() - test the counters of one CPU
 *
 * Wrong counts are worse than no counters. The slack allows for the few
 * instructions around the loop, and for revision 2.x of the R10000, which can
 * undercount.
 *
 * Return: 0, or -ENODEV if they do not count, or do not interrupt.
 */
int r10k_probe(void)
{
	u32 counted[R10K_COUNTERS];
	unsigned int i;

	r10k_probe_try(counted);
	for (i = 0; i < R10K_COUNTERS; i++) {
		if (counted[i] >= PROBE_INSNS - PROBE_SLACK &&
		    counted[i] <= PROBE_INSNS + PROBE_SLACK)
			continue;
		pr_err("%s counters not usable: counted %u and %u instead of %u instructions\n",
		       r10k_chip_name(r10k_model.prid), counted[0], counted[1], PROBE_INSNS);
		return -ENODEV;
	}
	return r10k_probe_interrupt();
}
