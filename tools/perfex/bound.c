// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How far a projection may be off. What an event counts is read ten times a
 * second; the spread of its rate over these windows tells what the windows in
 * which others had the counter may have been like. It is the ratio estimator of
 * sampling theory: rate R = sum of counts / sum of times, and the variance of
 * what is left of each window, v - R r, gives R's. Two-sided, 95 %, by Student's
 * distribution.
 */
#include <math.h>
#include "perfex.h"

#define MIN_WINDOWS	3

/* Quantiles 0.975 of Student's distribution by degrees of freedom, from 2 on */
static const double student[] = {
	4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
};

static double quantile(unsigned int df)
{
	unsigned int at = df - 2;

	if (at < sizeof(student) / sizeof(student[0]))
		return student[at];

	return 1.96 + 2.72 / df;
}

void perfex_spread_add(struct perfex_spread *spread,
		       const struct irixperf_count *now)
{
	double v = (double)(now->value - spread->last.value);
	double r = (double)(now->running - spread->last.running);

	spread->last = *now;
	if (r <= 0)
		return;
	spread->n++;
	spread->v += v;
	spread->r += r;
	spread->vv += v * v;
	spread->vr += v * r;
	spread->rr += r * r;
	if (v > spread->most)
		spread->most = v;
}

/*
 * Squares of what is left of each window. A difference of sums, it may be a
 * little less than nothing.
 */
static double squares(const struct perfex_spread *spread)
{
	double rate = spread->v / spread->r;
	double sum = spread->vv - 2 * rate * spread->vr +
		     rate * rate * spread->rr;

	return sum > 0 ? sum : 0;
}

/**
 * perfex_spread_bound() - tell how far a projection may be off
 * @spread: how even the event's rate was
 * @count: the whole
 *
 * To the spread comes half of what the busiest window would have given: how a
 * program begins and ends is seen by few events, and differs from all the rest.
 *
 * Return: an absolute number of events, which is right in 95 of 100 runs; 0 if
 * the event was counted all the time; PERFEX_NO_BOUND if there were too few
 * windows to tell.
 */
double perfex_spread_bound(const struct perfex_spread *spread,
			   const struct irixperf_count *count)
{
	double n = spread->n, share, error;

	if (count->running >= count->enabled)
		return count->running > 0 ? 0 : PERFEX_NO_BOUND;
	if (spread->n < MIN_WINDOWS)
		return PERFEX_NO_BOUND;

	share = (double)count->running / (double)count->enabled;
	error = sqrt((1 - share) * squares(spread) * n / (n - 1)) / spread->r;
	error *= quantile(spread->n - 1) * (double)count->enabled;

	return error + spread->most / share / 2;
}
