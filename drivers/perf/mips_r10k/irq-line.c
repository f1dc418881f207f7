// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of the overflow interrupt where the kernel does not use the CP0
 * timer: Origin 200 and 2000, Onyx2 (IP27), whose ticks come from the hub.
 *
 * Nobody else serves Cause.IP7 there, so that it needs a handler, and no CPU
 * has it enabled. The timer cannot be switched off, though: it asserts the
 * line whenever Count meets Compare, every 2^32 ticks (43 s at 100 MHz), and
 * has done so for the first time before any of this runs. A write to Compare
 * takes that back.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/interrupt.h>
#include <linux/printk.h>

#include <asm/irq.h>
#include <asm/mipsregs.h>

#include "pmu.h"

#define R10K_IRQ	(MIPS_CPU_IRQ_BASE + 7)

const char *const r10k_irq_route = "its own IP7";

static void r10k_irq_silence_timer(void)
{
	write_c0_compare(read_c0_compare());
}

/*
 * Handled even if it was the timer alone: that is no stray interrupt, of
 * which too many would make the core disable the line.
 */
static irqreturn_t r10k_irq_line(int irq, void *dev)
{
	r10k_irq_silence_timer();
	r10k_irq_serve();
	return IRQ_HANDLED;
}

/**
 * r10k_irq_init() - take the line
 *
 * The core could enable it on one CPU only, whichever this runs on, and before
 * the timer is silent there. r10k_irq_online() does it for each CPU.
 *
 * Return: 0 or an error of request_irq().
 */
int r10k_irq_init(void)
{
	int err = request_irq(R10K_IRQ, r10k_irq_line, IRQF_PERCPU | IRQF_NOBALANCING |
			      IRQF_NO_THREAD | IRQF_NO_SUSPEND | IRQF_NO_AUTOEN,
			      "mips_r10k_pmu", &r10k_pmu);

	if (err)
		pr_err("cannot get interrupt %d: error %d\n", R10K_IRQ, err);
	return err;
}

/**
 * r10k_irq_exit() - give the line back, when no CPU has it enabled any more
 */
void r10k_irq_exit(void)
{
	free_irq(R10K_IRQ, &r10k_pmu);
}

/**
 * r10k_irq_online() - let overflows interrupt the executing CPU
 */
void r10k_irq_online(void)
{
	r10k_irq_silence_timer();
	set_c0_status(STATUSF_IP7);
	irq_enable_hazard();
}

/**
 * r10k_irq_offline() - no more of that
 */
void r10k_irq_offline(void)
{
	clear_c0_status(STATUSF_IP7);
	irq_disable_hazard();
}
