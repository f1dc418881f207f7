/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the perf side of the driver shares between its files.
 */
#ifndef _MIPS_R10K_PMU_H
#define _MIPS_R10K_PMU_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "constraints.h"
#include "events.h"
#include "period.h"
#include "regs.h"

/*
 * attr.config: the text for sysfs and the bits themselves. Any other bit, and
 * anything in config1 and later, is refused.
 */
#define R10K_CFG_EVENT_TEXT	"config:0-4"
#define R10K_CFG_EVENT		GENMASK_ULL(4, 0)
#define R10K_CFG_EXL_TEXT	"config:8-9"
#define R10K_CFG_EXL		GENMASK_ULL(9, 8)

/* Values of the exl field: is what runs with Status.EXL set counted? */
enum r10k_exl {
	R10K_EXL_AS_KERNEL = 0,		/* unless exclude_kernel is set */
	R10K_EXL_ALWAYS = 1,
	R10K_EXL_NEVER = 2,
};

/**
 * struct r10k_pmu - the PMU; all CPUs of a machine have the same
 * @pmu: perf's side of it
 * @prid: PRId register of the CPUs
 * @chip: the R10K_CHIP_* bit that @prid stands for
 * @rules: where each event can run
 */
struct r10k_pmu {
	struct pmu pmu;
	u32 prid;
	unsigned int chip;
	struct r10k_rule rules[R10K_EVENTS];
};

/**
 * struct r10k_cpu - the counters of one CPU
 * @regs: the registers
 * @placement: which counters are in use
 * @events: by whom
 */
struct r10k_cpu {
	struct r10k_regs regs;
	struct r10k_placement placement;
	struct perf_event *events[R10K_COUNTERS];
};

/*
 * An event in struct hw_perf_event: config is the event number, config_base
 * the modes and IE of the control register, idx the counter or -1.
 */

extern struct r10k_pmu r10k_pmu;
DECLARE_PER_CPU(struct r10k_cpu, r10k_cpus);

/* attr.c */
int r10k_attr_init(struct perf_event *event);

/* pmu.c */
void r10k_pmu_update(struct perf_event *event, u32 now);
bool r10k_pmu_next_period(struct perf_event *event);
u32 r10k_pmu_reload(struct perf_event *event);
void r10k_pmu_stop(struct perf_event *event, int flags);

/* irq.c */
int r10k_irq_init(void);
void r10k_irq_exit(void);
bool r10k_irq_can_sample(void);
int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs) __weak;

/* sysfs.c */
const struct attribute_group **r10k_sysfs_init(void);

/* cp0.c */
extern const struct r10k_regs_ops r10k_cp0_ops;
u32 r10k_cp0_prid(void);
void r10k_cp0_loop(unsigned int turns);

#endif /* _MIPS_R10K_PMU_H */
