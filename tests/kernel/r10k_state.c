// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows what the driver must leave behind when it is unloaded:
 * /sys/module/r10k_state/parameters/perf_irq  whose hook the timer calls first
 * .../counters                                control and counter registers
 * .../lost                                    how often registers were lost
 * .../ticks                                   what the timer has counted
 *
 * When the machine wakes from sleep it fills the counters with rubbish before
 * anyone else looks at them. The emulator would keep them.
 */
#include <linux/cpu_pm.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
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

static unsigned int lost;
module_param(lost, uint, 0444);

/* All events and modes, overflown, with the interrupt on */
static int lose(struct notifier_block *nb, unsigned long what, void *data)
{
	if (what != CPU_PM_EXIT && what != CPU_PM_ENTER_FAILED)
		return NOTIFY_DONE;
	write_c0_perfcntr0(0x80000123);
	write_c0_perfcntr1(0x9abcdef0);
	write_c0_perfctrl0(0x1ff);
	write_c0_perfctrl1(0x1ff);
	lost++;
	return NOTIFY_OK;
}

static struct notifier_block loser = {
	.notifier_call = lose,
	.priority = INT_MAX,
};

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

static int __init r10k_state_init(void)
{
	return cpu_pm_register_notifier(&loser);
}
module_init(r10k_state_init);

static void __exit r10k_state_exit(void)
{
	cpu_pm_unregister_notifier(&loser);
}
module_exit(r10k_state_exit);

MODULE_DESCRIPTION("State that the R10000 counter driver shares with others");
MODULE_LICENSE("GPL");
