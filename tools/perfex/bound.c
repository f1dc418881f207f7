// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * By how much a projection may be off. perfex reads each event ten times a second;
 * the spread of its rate over these windows tells what its rate may have been while
 * other events had the counter. This is the ratio estimator of sampling theory: the
 * rate is R = sum of counts / sum of times, and the variance of the residuals
 * v - R r of the windows gives the variance of R. The bound is two-sided, 95 %, by
 * Student's distribution.
 */
#include <math.h>
#include "perfex.h"

#define MIN_WINDOWS	3

/* 0.975 quantiles of Student's distribution, for 2 and more degrees of freedom */
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
 * Sum of the squares of the residuals v - R r. It is calculated as a difference of
 * sums, which rounding may make slightly negative.
 */
static double squares(const struct perfex_spread *spread)
{
	double rate = spread->v / spread->r;
	double sum = spread->vv - 2 * rate * spread->vr +
		     rate * rate * spread->rr;

	return sum > 0 ? sum : 0;
}

/**
 * perfex_spread_bound() - estimate by how much a projection may be off
 * @spread: how much the event's rate varied
 * @count: the event's total
 *
 * Half of the busiest window's projected count is added: a program's start and end
 * differ from the rest of the run, and few events have a counter then.
 *
 * Return: the bound as a number of events, which holds in 95 of 100 runs; 0 if the
 * event was counted all the time; PERFEX_NO_BOUND if there were too few windows.
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
