/* SPDX-License-Identifier: GPL-2.0-only */
/* From perf_event_attr to an event of these CPUs. */
#ifndef _MIPS_R10K_ATTR_H
#define _MIPS_R10K_ATTR_H

#include <linux/bits.h>
#include <linux/perf_event.h>

/*
 * attr.config: the text for sysfs and the bits themselves. Any other bit, and
 * anything in config1 and later, is refused.
 */
#define R10K_CFG_EVENT_TEXT	"config:0-4"
#define R10K_CFG_EVENT		GENMASK_ULL(4, 0)
#define R10K_CFG_EXL_TEXT	"config:8-9"
#define R10K_CFG_EXL		GENMASK_ULL(9, 8)

/* Values of the exl field: count code that runs with Status.EXL set? */
enum r10k_exl {
	R10K_EXL_AS_KERNEL = 0,		/* unless exclude_kernel is set */
	R10K_EXL_ALWAYS = 1,
	R10K_EXL_NEVER = 2,
};

int r10k_attr_init(struct perf_event *event);

#endif /* _MIPS_R10K_ATTR_H */
