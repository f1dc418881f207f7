/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conversion of 32-bit counters, which interrupt at bit 31, to 64-bit sums and
 * periods. Only this file knows the counters' width.
 */
#ifndef _MIPS_R10K_PERIOD_H
#define _MIPS_R10K_PERIOD_H

#include <linux/types.h>

/* A counter that reaches this value interrupts, and keeps counting. */
#define R10K_OVERFLOW	0x80000000U

/*
 * The largest number of events that a counter counts until it interrupts. It then
 * needs 2^31 more events until a delta gets ambiguous, which takes longer than
 * any delay of the handler (2 s at five events a cycle, 200 MHz).
 */
#define R10K_PERIOD_MAX	0x7fffffffU

/**
 * r10k_count_delta() - the number of events between two readings of a counter
 * @from: the earlier reading
 * @to: the later one
 *
 * Return: the number, modulo 2^32.
 */
static inline u32 r10k_count_delta(u32 from, u32 to)
{
	return to - from;
}

/**
 * r10k_period_next() - if a period is over, start the next
 * @left: events left of the period, zero or negative if it is over; on return,
 *        events left of the current period
 * @period: the length of the next period, at least 1
 *
 * Events counted after the end of a period belong to the next one, so that the
 * periods add up to the count.
 *
 * If there are @period of them or more, the interrupt itself counts more events
 * than a period has, while it enters and leaves the kernel. The next interrupt would
 * then come before anything else has run, and so on for ever. The next period is
 * therefore three times the delay: two thirds are left, half of which is for other
 * work.
 *
 * Return: the length of the new period, or 0 if the period was not over.
 */
static inline s64 r10k_period_next(s64 *left, s64 period)
{
	s64 late = -*left;

	if (late < 0)
		return 0;
	if (late >= period)
		period = 3 * late;
	*left = period - late;
	return period;
}

/**
 * r10k_period_start() - the value to start a counter with
 * @left: events left of the period; zero or negative if it is over already
 * @late_start: a counter that starts with bit 31 set does not interrupt
 *
 * A period longer than R10K_PERIOD_MAX takes more than one interrupt.
 *
 * Return: the value from which the counter interrupts after @left events, but at the
 *         latest after R10K_PERIOD_MAX; if @left is not positive, at once, or with
 *         @late_start at the next event.
 */
static inline u32 r10k_period_start(s64 left, bool late_start)
{
	if (left > R10K_PERIOD_MAX)
		left = R10K_PERIOD_MAX;
	if (left <= 0 && late_start)
		left = 1;
	return R10K_OVERFLOW - (u32)left;
}

#endif /* _MIPS_R10K_PERIOD_H */
