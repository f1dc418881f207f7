// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows what the driver must leave behind when it is unloaded:
 * /sys/module/r10k_state/parameters/perf_irq  whose hook the timer calls first
 * .../counters                                control and counter registers
 * .../ticks                                   what the timer has counted
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

#include <asm/mipsregs.h>
#include <asm/time.h>

static int show_perf_irq(char *page, const struct kernel_param *param)
{
	return sysfs_emit(page, "%ps\n", perf_irq);
}

/* Values as on one CPU, whichever reads: the guest has one. */
static int show_counters(char *page, const struct kernel_param *param)
{
	return sysfs_emit(page, "%#x %#x %#x %#x\n",
			  (u32)read_c0_perfctrl0(), (u32)read_c0_perfcntr0(),
			  (u32)read_c0_perfctrl1(), (u32)read_c0_perfcntr1());
}

static int show_ticks(char *page, const struct kernel_param *param)
{
	return sysfs_emit(page, "%lu\n", jiffies - INITIAL_JIFFIES);
}

static const struct kernel_param_ops perf_irq_ops = { .get = show_perf_irq };
static const struct kernel_param_ops counters_ops = { .get = show_counters };
static const struct kernel_param_ops ticks_ops = { .get = show_ticks };

module_param_cb(perf_irq, &perf_irq_ops, NULL, 0444);
module_param_cb(counters, &counters_ops, NULL, 0444);
module_param_cb(ticks, &ticks_ops, NULL, 0444);

MODULE_DESCRIPTION("State that the R10000 counter driver shares with others");
MODULE_LICENSE("GPL");
