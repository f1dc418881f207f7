// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the CPU has: its class, its counters, and the perf event of an event's number.
 *
 * On an R10000 and its successors the numbers are those of the driver mips_r10k_pmu.
 * Elsewhere, and without that driver, a number has perf's type and configuration:
 * PMC_EVENT() of <machine/pmc.h>.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include "pmc.h"

#define R10K_EVENTS	32

#ifdef CONFIG_MIPS
#include <asm/cpu-info.h>
#include <asm/cpu.h>

static int family(void)
{
	u32 prid = boot_cpu_data.processor_id;

	switch (prid & (PRID_COMP_MASK | PRID_IMP_MASK)) {
	case PRID_IMP_R10000:
		return (prid & PRID_REV_MASK) < 0x30 ? PMC_CLASS_R10000_V2 : PMC_CLASS_R10000;
	case PRID_IMP_R12000:
	case PRID_IMP_R14000:
		return PMC_CLASS_R12000;
	}
	return PMC_CLASS_GENERIC;
}
#else
static int family(void)
{
	return PMC_CLASS_GENERIC;
}
#endif

/* The driver may come and go, as a module: so ask each time whether it is there */
static bool has_driver(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.disabled = 1,
	};
	struct perf_event *event = perf_event_create_kernel_counter(&attr, -1, current,
								    NULL, NULL);

	if (IS_ERR(event))
		return PTR_ERR(event) != -ENOENT;
	perf_event_release_kernel(event);
	return true;
}

int pmc_class(void)
{
	int class = family();

	return class != PMC_CLASS_GENERIC && !has_driver() ? PMC_CLASS_GENERIC : class;
}

int pmc_type(int ctr)
{
	switch (pmc_class()) {
	case PMC_CLASS_R12000:
		return PMC_TYPE_R12000;
	case PMC_CLASS_GENERIC:
		return PMC_TYPE_GENERIC;
	}
	return ctr ? PMC_TYPE_R10000_1 : PMC_TYPE_R10000_0;
}

/* -ENODEV if the counter cannot count the event; perf may still refuse it */
int pmc_attr(struct perf_event_attr *attr, int ctr, const struct pmc_counter_cfg *cfg)
{
	int type = pmc_type(ctr);

	*attr = (struct perf_event_attr) {
		.type = PERF_TYPE_RAW,
		.size = sizeof(*attr),
		.config = cfg->event_id,
		.sample_period = cfg->reset_value,
		.disabled = 1,
	};
	if (type == PMC_TYPE_GENERIC) {
		attr->type = cfg->event_id >> PMC_EVENT_TYPE_SHIFT;
		attr->config = cfg->event_id & PMC_EVENT_CONFIG;
		return 0;
	}
	if (cfg->event_id >= R10K_EVENTS ||
	    (type != PMC_TYPE_R12000 && cfg->event_id / (R10K_EVENTS / 2) != ctr))
		return -ENODEV;
	return 0;
}

#define THROTTLED	(~0ULL)	/* perf's MAX_INTERRUPTS */

static DEFINE_PER_CPU(unsigned long, overflows);

/*
 * Called in the interrupt: a counter of a process or of the kernel has overflowed. If
 * that comes too often, perf stops the event until the clock's next tick.
 */
void pmc_overflow(struct perf_event *event, struct perf_sample_data *data,
		  struct pt_regs *regs)
{
	bool *lost = event->overflow_handler_context;

	this_cpu_inc(overflows);
	if (event->hw.interrupts == THROTTLED)
		WRITE_ONCE(lost[!!event->parent], true);
}

static int overflows_get(char *buffer, const struct kernel_param *kp)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(overflows, cpu);
	return sysfs_emit(buffer, "%lu\n", sum);
}

static const struct kernel_param_ops overflows_ops = {
	.get = overflows_get,
};

module_param_cb(overflows, &overflows_ops, NULL, 0444);
MODULE_PARM_DESC(overflows, "how often counters with a reset_value have overflowed");
