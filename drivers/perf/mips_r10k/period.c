// SPDX-License-Identifier: GPL-2.0-only
/*
 * Period and sum arithmetic. The only place that knows the counters' width.
 */
#include "period.h"

/**
 * r10k_count_delta() - what a counter has counted between two readings
 * @from: the earlier reading
 * @to: the later one
 *
 * Return: the number of events, modulo 2^32.
 */
u32 r10k_count_delta(u32 from, u32 to)
{
	return to - from;
}

/**
 * r10k_period_next() - see whether a period is over, and begin the next
 * @left: events left of the period, zero or negative if it is over; on return
 *        those left of the current one
 * @period: the length of the next period
 *
 * What was counted beyond the end belongs to the next period, so that sample
 * after sample adds up. Only an interrupt later than a whole period, which
 * would be followed by the next one at once, starts afresh.
 *
 * Return: true if a period was over.
 */
bool r10k_period_next(s64 *left, s64 period)
{
	if (*left > 0)
		return false;

	*left += period;
	if (*left <= 0)
		*left = period;
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
u32 r10k_period_start(s64 left)
{
	if (left > R10K_PERIOD_MAX)
		left = R10K_PERIOD_MAX;
	return R10K_OVERFLOW - (u32)left;
}
