// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt on machines where the kernel does not use the CP0
 * timer: Origin 200 and 2000, Onyx2 (IP27), whose ticks come from the hub.
 *
 * The kernel has no handler for Cause.IP7 on these machines; it marks the line as one
 * of each CPU's own (arch_init_irq()). The timer cannot be switched off, though: it
 * asserts the line whenever Count equals Compare, every 2^32 ticks (43 s at 100 MHz),
 * and has done so before this code runs for the first time. A write to Compare
 * deasserts the line.
 */
#define pr_fmt(fmt) "mips_r10k_pmu: " fmt

#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/printk.h>

#include <asm/irq.h>
#include <asm/mipsregs.h>

#include "event.h"
#include "irq.h"

#define R10K_IRQ	(MIPS_CPU_IRQ_BASE + 7)

const char *const r10k_irq_route = "its own IP7";

static void r10k_irq_silence_timer(void)
{
	write_c0_compare(read_c0_compare());
}

/*
 * Return IRQ_HANDLED even if only the timer has interrupted: the core disables
 * a line with too many interrupts that no handler claims.
 */
static irqreturn_t r10k_irq_line(int irq, void *dev)
{
	r10k_irq_silence_timer();
	r10k_irq_serve();
	return IRQ_HANDLED;
}

/**
 * r10k_irq_init() - request the interrupt line, which stays disabled on all CPUs
 *
 * Return: 0 or an error of request_percpu_irq().
 */
int __init r10k_irq_init(void)
{
	int err = request_percpu_irq(R10K_IRQ, r10k_irq_line, "mips_r10k_pmu", &r10k_cpus);

	if (err)
		pr_err("cannot get interrupt %d: error %d\n", R10K_IRQ, err);
	return err;
}

/**
 * r10k_irq_exit() - free the interrupt line; no CPU may have it enabled
 */
void r10k_irq_exit(void)
{
	free_percpu_irq(R10K_IRQ, &r10k_cpus);
}

/**
 * r10k_irq_online() - enable the overflow interrupt on the executing CPU
 */
void r10k_irq_online(void)
{
	r10k_irq_silence_timer();
	enable_percpu_irq(R10K_IRQ, IRQ_TYPE_NONE);
}

/**
 * r10k_irq_offline() - disable the overflow interrupt on the executing CPU
 */
void r10k_irq_offline(void)
{
	disable_percpu_irq(R10K_IRQ);
}
