// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt on machines where the kernel does not use the CP0
 * timer: Origin 200 and 2000, Onyx2 (IP27), whose ticks come from the hub.
 *
 * The kernel has no handler for Cause.IP7 on these machines and does not enable
 * it, so this file does both. The timer cannot be switched off, though: it asserts
 * the line whenever Count equals Compare, every 2^32 ticks (43 s at 100 MHz), and
 * has done so before this code runs for the first time. A write to Compare
 * deasserts the line.
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
 * r10k_irq_init() - request the interrupt line
 *
 * The line stays disabled: request_irq() could enable it only on the executing
 * CPU, and before its timer is silent. r10k_irq_online() does it for each CPU.
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
 * r10k_irq_exit() - free the interrupt line; no CPU may have it enabled
 */
void r10k_irq_exit(void)
{
	free_irq(R10K_IRQ, &r10k_pmu);
}

/**
 * r10k_irq_online() - enable the overflow interrupt on the executing CPU
 */
void r10k_irq_online(void)
{
	r10k_irq_silence_timer();
	set_c0_status(STATUSF_IP7);
	irq_enable_hazard();
}

/**
 * r10k_irq_offline() - disable the overflow interrupt on the executing CPU
 */
void r10k_irq_offline(void)
{
	clear_c0_status(STATUSF_IP7);
	irq_disable_hazard();
}
