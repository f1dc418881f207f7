// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmc.ko: NetBSD's pmc(9) for other modules, over perf's kernel counters. It counts
 * nothing itself. A module that uses it keeps it loaded.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include "pmc.h"

/* For the lists of processes, and for the counters of the kernel */
DEFINE_MUTEX(pmc_lock);

int pmc_get_num_counters(void)
{
	return PMC_COUNTERS;
}
EXPORT_SYMBOL_GPL(pmc_get_num_counters);

int pmc_get_counter_type(int ctr)
{
	if (ctr == -1)
		return pmc_class();
	return ctr < 0 || ctr >= PMC_COUNTERS ? -EINVAL : pmc_type(ctr);
}
EXPORT_SYMBOL_GPL(pmc_get_counter_type);

static int __init pmc_init(void)
{
	return 0;
}
module_init(pmc_init);

/* What its users have left open */
static void __exit pmc_exit(void)
{
	mutex_lock(&pmc_lock);
	pmc_task_exit();
	pmc_kernel_exit();
	mutex_unlock(&pmc_lock);
	synchronize_rcu();	/* for handlers that still run */
}
module_exit(pmc_exit);

MODULE_DESCRIPTION("NetBSD's pmc(9) over perf");
MODULE_LICENSE("GPL");
