/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From 32-bit counters that interrupt at bit 31 to 64-bit sums and periods.
 */
#ifndef _MIPS_R10K_PERIOD_H
#define _MIPS_R10K_PERIOD_H

#include <linux/types.h>

/* A counter that reaches this value interrupts, and keeps counting. */
#define R10K_OVERFLOW	0x80000000U

/*
 * The longest way to the interrupt. A counter started this far from it has
 * 2^31 more events to go after the interrupt until a delta gets ambiguous,
 * which no delay of the handler uses up (5 s at five events a cycle, 200 MHz).
 */
#define R10K_PERIOD_MAX	0x7fffffffU

u32 r10k_count_delta(u32 from, u32 to);
bool r10k_period_next(s64 *left, s64 period);
u32 r10k_period_start(s64 left);

#endif /* _MIPS_R10K_PERIOD_H */
