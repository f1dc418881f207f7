// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test the counters when the driver starts.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/processor.h>

#include "event.h"
#include "probe.h"

#define PROBE_EVENT	15	/* graduated instructions, on either counter */
#define PROBE_PREFETCHES 16	/* executed prefetches, of an R12000 */
#define PROBE_LOADS	18	/* graduated loads, which counter 1 can count on every CPU */
#define PROBE_TURNS	1000
#define PROBE_INSNS	(2 * (PROBE_TURNS + 1))
#define PROBE_SLACK	(PROBE_INSNS / 8)
#define PROBE_LOOKS	5
#define PROBE_DROP_US	10	/* how long the line may stay asserted */
#define PROBE_PATIENCE	100000	/* turns of a loop: a millisecond or more */

/* Count a known loop on both counters at once, each with its event, in kernel mode. */
static void r10k_probe_try(u32 counted[R10K_COUNTERS], unsigned int num0, unsigned int num1)
{
	const unsigned int num[R10K_COUNTERS] = { num0, num1 };
	struct r10k_regs *regs;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	r10k_regs_pause(regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		r10k_regs_start(regs, i, r10k_model.rules[num[i]].field[i] | R10K_CTRL_K, 0);
	r10k_regs_resume(regs);
	r10k_cp0_loop(PROBE_TURNS);
	r10k_regs_pause(regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		counted[i] = r10k_regs_stop(regs, i);
	r10k_regs_resume(regs);
	local_irq_restore(flags);
}

/*
 * Let a counter count until it interrupts, and wait until irq.c has disarmed it, as
 * it does with every counter without an event. The loop has loads.
 */
static bool r10k_probe_try_interrupt(unsigned int i)
{
	const struct r10k_rule *rule = &r10k_model.rules[i ? PROBE_LOADS : PROBE_EVENT];
	unsigned int patience = PROBE_PATIENCE;
	struct r10k_regs *regs;
	bool came;

	preempt_disable();
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	local_irq_disable();
	r10k_regs_start(regs, i, rule->field[i] | R10K_CTRL_K | R10K_CTRL_IE,
			R10K_OVERFLOW - 1);
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
 * Look at the interrupt line with a counter that has been given this control and value,
 * and when the counter is off again. A tick of the timer asserts the line, too.
 */
static void r10k_probe_look(u32 control, u32 value, bool *asserted, bool *stays)
{
	unsigned int us = PROBE_DROP_US;
	struct r10k_regs *regs;
	unsigned long flags;

	local_irq_save(flags);
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	r10k_regs_start(regs, 0, control | R10K_CTRL_IE, value);
	udelay(1);
	*asserted = read_c0_cause() & CAUSEF_IP7;
	/* The driver often stops a counter that keeps its value */
	r10k_regs_stop(regs, 0);
	while ((*stays = read_c0_cause() & CAUSEF_IP7) && us--)
		udelay(1);
	r10k_regs_reset(regs);
	local_irq_restore(flags);
}

/*
 * The manual reads as if the line were asserted while bit 31 is set; or it may take an
 * event that sets the bit. In either way the line has to drop with the counter: else the
 * CPU would do nothing but handle its interrupt. A tick can disturb a look, but not all.
 */
static int r10k_probe_line(void)
{
	const struct r10k_rule *rule = &r10k_model.rules[PROBE_EVENT];
	bool asserted, stays, drops = false;
	unsigned int i;

	r10k_model.latched = false;
	for (i = 0; i < PROBE_LOOKS; i++) {
		r10k_probe_look(rule->field[0] | R10K_CTRL_K, R10K_OVERFLOW - 1, &asserted,
				&stays);
		drops |= !stays;
		r10k_probe_look(0, R10K_OVERFLOW, &asserted, &stays);
		r10k_model.latched |= !asserted;
	}
	if (!drops) {
		pr_err("%s counters not usable: IP7 stays asserted after an overflow\n",
		       r10k_chip_name(r10k_model.prid));
		return -ENODEV;
	}
	if (r10k_model.latched)
		pr_info("%s counters interrupt only when they count to bit 31\n",
			r10k_chip_name(r10k_model.prid));
	return 0;
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

/*
 * The slack allows for the few instructions around the loop, and for revision 2.x of
 * the R10000, which can undercount.
 */
static bool r10k_probe_is_right(u32 counted)
{
	return counted >= PROBE_INSNS - PROBE_SLACK && counted <= PROBE_INSNS + PROBE_SLACK;
}

/*
 * Counter 1 of an R12000 does not count what counter 0 does. If it has other events, code
 * 0 is that of prefetches, of which the loop has none, and not that of cycles.
 *
 * Return: true if it has.
 */
static bool r10k_probe_split(void)
{
	u32 counted[R10K_COUNTERS];
	unsigned int num;

	for (num = 0; num < R10K_EVENTS; num++)
		r10k_model.rules[num] = r10k_rule_split(r10k_model.chip, num);
	r10k_probe_try(counted, PROBE_EVENT, PROBE_PREFETCHES);
	if (!r10k_probe_is_right(counted[0]) || counted[1] > PROBE_SLACK)
		return false;
	pr_info("%s counts each event on one counter, as an R10000 does\n",
		r10k_chip_name(r10k_model.prid));
	return true;
}

/**
 * r10k_probe() - test the counters of one CPU
 *
 * Wrong counts are worse than no counters.
 *
 * Return: 0, or -ENODEV if they do not count, or do not interrupt.
 */
int r10k_probe(void)
{
	u32 counted[R10K_COUNTERS];
	int err;

	r10k_probe_try(counted, PROBE_EVENT, PROBE_EVENT);
	if (!r10k_probe_is_right(counted[0]) ||
	    (!r10k_probe_is_right(counted[1]) &&
	     (r10k_model.chip & R10K_CHIP_R10K || !r10k_probe_split()))) {
		pr_err("%s counters not usable: counted %u and %u instead of %u instructions\n",
		       r10k_chip_name(r10k_model.prid), counted[0], counted[1], PROBE_INSNS);
		return -ENODEV;
	}
	err = r10k_probe_interrupt();
	return err ?: r10k_probe_line();
}
