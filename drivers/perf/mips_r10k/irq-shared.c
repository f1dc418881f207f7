// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of the overflow interrupt where the kernel uses the CP0 timer
 * (CEVT_R4K): Indigo2 (IP28), Octane (IP30), O2 (IP32), Malta.
 *
 * Counters and timer share Cause.IP7. The timer's handler calls perf_irq()
 * first, and looks at the timer only if that returns something else than
 * IRQ_HANDLED. So IRQ_HANDLED is for overflows alone, else timer ticks get
 * lost. If both are pending, the line stays asserted and the next pass serves
 * the timer.
 *
 * The line is on for the timer's sake, on each CPU: nothing to do there.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/bug.h>
#include <linux/interrupt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include <asm/time.h>

#include "pmu.h"

const char *const r10k_irq_route = "IP7 shared with the timer";

/*
 * Whose handler we have taken over from. The hook is the only one that knows
 * of overflows of other sources on the same line, so it gets its turn.
 */
static int (*r10k_irq_chained)(void);

static int r10k_irq_shared(void)
{
	return r10k_irq_serve() ? IRQ_HANDLED : r10k_irq_chained();
}

/**
 * r10k_irq_init() - take part in the timer's interrupt
 *
 * Return: 0, or -ENODEV if counters and timer do not share a line here.
 */
int r10k_irq_init(void)
{
	if (cp0_perfcount_irq >= 0) {
		pr_err("the overflow interrupt is not that of the CP0 timer: not supported\n");
		return -ENODEV;
	}
	r10k_irq_chained = perf_irq;
	perf_irq = r10k_irq_shared;
	return 0;
}

/**
 * r10k_irq_exit() - leave the timer's interrupt as it was
 */
void r10k_irq_exit(void)
{
	WARN_ON(perf_irq != r10k_irq_shared);
	perf_irq = r10k_irq_chained;
	/* A CPU may still be on its way through the handler. */
	synchronize_rcu();
}

/**
 * r10k_irq_online() - let overflows interrupt the executing CPU
 */
void r10k_irq_online(void)
{
}

/**
 * r10k_irq_offline() - no more of that
 */
void r10k_irq_offline(void)
{
}
