// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test the counters when the driver starts, and find out what no manual says.
 *
 * The counters count here as they do for events: with IE, and with a mode. Wrong counts
 * and lost interrupts are worse than no counters.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/processor.h>

#include "event.h"
#include "probe.h"

#define PROBE_TURNS	1000
#define PROBE_PATIENCE	100000	/* turns of a loop: a millisecond or more */
#define PROBE_CONTROL	(R10K_CTRL_IE | R10K_CTRL_K)

/* What r10k_cp0_loop() counts in a turn. Counter i has event i of these in each layout. */
static const struct {
	unsigned int num, each;
} r10k_probe_events[R10K_COUNTERS] __initconst = {
	{ 15, 3 },	/* graduated instructions */
	{ 18, 1 },	/* graduated loads */
};

static const struct r10k_rule * __init r10k_probe_rule(unsigned int e)
{
	return &r10k_model.rules[r10k_probe_events[e].num];
}

/* Count the loop, at once on all counters that have the event. Interrupts are off. */
static void __init r10k_probe_count(const struct r10k_rule *rule, u32 counted[R10K_COUNTERS])
{
	struct r10k_regs *regs = &this_cpu_ptr(&r10k_cpus)->regs;
	unsigned int i;

	r10k_regs_pause(regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		if (rule->counters & 1U << i)
			r10k_regs_start(regs, i, rule->field[i] | PROBE_CONTROL, 0);
	r10k_regs_resume(regs);
	r10k_cp0_loop(PROBE_TURNS);
	r10k_regs_pause(regs);
	for (i = 0; i < R10K_COUNTERS; i++)
		counted[i] = r10k_regs_stop(regs, i);
	r10k_regs_resume(regs);
}

/*
 * The slack allows for the few instructions around the loop, and for revision 2.x of the
 * R10000, which can undercount.
 */
static bool __init r10k_probe_event(unsigned int e)
{
	const struct r10k_rule *rule = r10k_probe_rule(e);
	u32 expected = r10k_probe_events[e].each * PROBE_TURNS;
	u32 counted[R10K_COUNTERS];
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	r10k_probe_count(rule, counted);
	local_irq_restore(flags);
	for (i = 0; i < R10K_COUNTERS; i++) {
		if (!(rule->counters & 1U << i) ||
		    (counted[i] >= expected - expected / 8 &&
		     counted[i] <= expected + expected / 8))
			continue;
		pr_info("counter %u has counted %u of event %u instead of %u\n",
			i, counted[i], r10k_probe_events[e].num, expected);
		return false;
	}
	return true;
}

static bool __init r10k_probe_layout(enum r10k_layout layout)
{
	unsigned int num;

	for (num = 0; num < R10K_EVENTS; num++)
		r10k_model.rules[num] = r10k_rule(r10k_model.chip, num, layout);
	return r10k_probe_event(0) && r10k_probe_event(1);
}

/*
 * The sources disagree about the R12000: r10k_evcntrs(5) has all events on both counters,
 * IRIX used half of them on each.
 */
static int __init r10k_probe_layouts(void)
{
	enum r10k_layout first = r10k_model.chip & R10K_CHIP_R10K ? R10K_SPLIT4 : R10K_FULL;
	enum r10k_layout layout;

	for (layout = first; layout <= R10K_SPLIT4; layout++) {
		if (!r10k_probe_layout(layout))
			continue;
		if (layout != first)
			pr_info("counter 0 has events 0 to 15 only, counter 1 has 16 to 31, by codes of %u bits\n",
				layout == R10K_SPLIT4 ? 4 : 5);
		return 0;
	}
	pr_err("%s counters not usable: they do not count\n", r10k_chip_name(r10k_model.prid));
	return -ENODEV;
}

static void __init r10k_probe_start(struct r10k_regs *regs, unsigned int i, u32 value)
{
	r10k_regs_start(regs, i, r10k_probe_rule(i)->field[i] | PROBE_CONTROL, value);
}

/* A value from which a counter reaches bit 31 in the middle of the loop */
static u32 __init r10k_probe_below(unsigned int i)
{
	return R10K_OVERFLOW - r10k_probe_events[i].each * PROBE_TURNS / 2;
}

/*
 * Whether a counter that starts with a value asserts the line before the loop ends. The
 * timer may assert it, too: wait until that has been served.
 */
static bool __init r10k_probe_asserts(unsigned int i, u32 value)
{
	unsigned int patience = PROBE_PATIENCE;
	struct r10k_regs *regs;
	bool asserted;

	local_irq_disable();
	while (r10k_cp0_line() && --patience) {
		local_irq_enable();
		cpu_relax();
		local_irq_disable();
	}
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	r10k_probe_start(regs, i, value);
	r10k_cp0_loop(PROBE_TURNS);
	asserted = r10k_cp0_line();
	r10k_regs_reset(regs);
	local_irq_enable();
	return patience && asserted;
}

/*
 * Whether an overflow gets to irq.c, which disarms each counter that has no event. A
 * kernel that found its timer not usable does not enable the line, and never calls
 * perf_irq(). Not only samples would be lost then, but also counts.
 */
static bool __init r10k_probe_arrives(unsigned int i)
{
	unsigned int patience = PROBE_PATIENCE;
	struct r10k_regs *regs;
	bool came;

	preempt_disable();
	regs = &this_cpu_ptr(&r10k_cpus)->regs;
	local_irq_disable();
	r10k_probe_start(regs, i, r10k_probe_below(i));
	local_irq_enable();
	r10k_cp0_loop(PROBE_TURNS);
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
 * The manual has the line asserted while bit 31 is set (R10000 User's Manual, section
 * 14.20). A CPU that asserts it only when an event sets the bit will do, too. Ask twice:
 * the timer may have asserted it.
 */
static int __init r10k_probe_interrupt(unsigned int i)
{
	if (!r10k_probe_asserts(i, r10k_probe_below(i)) || !r10k_probe_arrives(i)) {
		pr_err("%s counters not usable: the overflow of counter %u does not interrupt\n",
		       r10k_chip_name(r10k_model.prid), i);
		return -ENODEV;
	}
	if (!r10k_probe_asserts(i, R10K_OVERFLOW) || !r10k_probe_asserts(i, R10K_OVERFLOW)) {
		pr_info("counter %u interrupts only at the event that sets bit 31\n", i);
		r10k_model.late_start = true;
	}
	return 0;
}

/**
 * r10k_probe() - test the counters of one CPU
 *
 * Fills in r10k_model.rules and r10k_model.late_start.
 *
 * Return: 0, or -ENODEV if they do not count, or do not interrupt.
 */
int __init r10k_probe(void)
{
	int err;

	migrate_disable();
	err = r10k_probe_layouts() ?: r10k_probe_interrupt(0) ?: r10k_probe_interrupt(1);
	migrate_enable();
	return err;
}
