/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From 32-bit counters that interrupt at bit 31 to 64-bit sums and periods.
 * The only place that knows the counters' width.
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

/**
 * r10k_count_delta() - what a counter has counted between two readings
 * @from: the earlier reading
 * @to: the later one
 *
 * Return: the number of events, modulo 2^32.
 */
static inline u32 r10k_count_delta(u32 from, u32 to)
{
	return to - from;
}

/**
 * r10k_period_next() - see whether a period is over, and begin the next
 * @left: events left of the period, zero or negative if it is over; on return
 *        those left of the current one
 * @period: the length of the next period, at least 1
 *
 * What was counted beyond the end belongs to the next period, so that sample
 * after sample adds up.
 *
 * If that is a whole period or more, the period is shorter than what the
 * interrupt itself counts, on its way in or out of the kernel. The next one
 * would then come before anything else has run, and so on for ever. Twice as
 * much as it was late by leaves room for at least as much of other work.
 *
 * Return: true if a period was over.
 */
static inline bool r10k_period_next(s64 *left, s64 period)
{
	s64 late = -*left;

	if (late < 0)
		return false;

	*left = late < period ? period - late : 2 * late;
	return true;
}

/**
 * r10k_period_start() - the value to start a counter with
 * @left: events left of the period; not positive if it is over already
 *
 * A period longer than the counter's is counted in more than one go.
 *
 * Return: the value from which the counter interrupts after @left events, or
 *         after R10K_PERIOD_MAX if that is less, or at once.
 */
static inline u32 r10k_period_start(s64 left)
{
	if (left > R10K_PERIOD_MAX)
		left = R10K_PERIOD_MAX;
	return R10K_OVERFLOW - (u32)left;
}

#endif /* _MIPS_R10K_PERIOD_H */
