// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt on machines where the kernel uses the CP0 timer
 * (CEVT_R4K): Indigo2 (IP28), Octane (IP30), O2 (IP32), Malta.
 *
 * Counters and timer share Cause.IP7. The timer's handler calls perf_irq()
 * first, and checks the timer only if perf_irq() does not return IRQ_HANDLED. So
 * this file returns IRQ_HANDLED only for overflows, or timer ticks would be
 * lost. If both are pending, the line stays asserted and the next interrupt
 * serves the timer.
 *
 * The timer has already enabled the line on each CPU.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include <asm/barrier.h>
#include <asm/mipsregs.h>
#include <asm/time.h>

#include "irq.h"

const char *const r10k_irq_route = "IP7 shared with the timer";

/*
 * The handler that was in perf_irq before ours. Only it knows of overflows of other
 * sources on the same line, so it is called for interrupts that are not ours.
 */
static int (*r10k_irq_chained)(void) __ro_after_init;

/* An overflow has been served, and the timer has not expired since */
static DEFINE_PER_CPU(bool, r10k_irq_served);

/*
 * The line may stay asserted for a moment after an overflow was served. The timer's
 * handler would take that for a tick of its own.
 */
static bool r10k_irq_late(void)
{
	return this_cpu_read(r10k_irq_served) &&
	       (s32)(read_c0_count() - read_c0_compare()) < 0;
}

static int r10k_irq_shared(void)
{
	bool handled = r10k_irq_serve() || r10k_irq_late();

	this_cpu_write(r10k_irq_served, handled);
	return handled ? IRQ_HANDLED : r10k_irq_chained();
}

/**
 * r10k_irq_init() - hook into the timer's interrupt
 *
 * Return: 0, or -ENODEV if counters and timer do not share a line here.
 */
int __init r10k_irq_init(void)
{
	if (cp0_perfcount_irq >= 0) {
		pr_err("the overflow interrupt is not that of the CP0 timer: not supported\n");
		return -ENODEV;
	}
	r10k_irq_chained = perf_irq;
	/* Another CPU may call it at once, and then needs r10k_irq_chained. */
	smp_store_release(&perf_irq, r10k_irq_shared);
	return 0;
}

/**
 * r10k_irq_exit() - restore the timer's interrupt
 */
void r10k_irq_exit(void)
{
	/*
	 * A handler that somebody has put in front of this one would still call it.
	 * Nothing else in the kernel does that while this driver is built.
	 */
	WARN_ON(cmpxchg(&perf_irq, r10k_irq_shared, r10k_irq_chained) != r10k_irq_shared);
	/* Another CPU may still be running r10k_irq_shared(): wait until it has left it. */
	synchronize_rcu();
}

/**
 * r10k_irq_online() - nothing to do: the timer has enabled the line
 */
void r10k_irq_online(void)
{
}

/**
 * r10k_irq_offline() - nothing to do: the timer needs the line
 */
void r10k_irq_offline(void)
{
}
