// SPDX-License-Identifier: GPL-2.0-or-later
/* For tools that print counts at regular intervals. */
#include "tool.h"

double tool_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);

	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Less than 0.01 would be mostly the cost of reading; the comparison also refuses "nan" */
double tool_interval(const char *text)
{
	char *end;
	double interval = strtod(text, &end);

	if (end != text && !*end && interval >= 0.01 && interval <= 1e6)
		return interval;
	tool_error("the interval is a number of seconds, from 0.01 to 1000000, not '%s'",
		   text);

	return 0;
}

/* The moments that passed while the machine was asleep are left out */
double tool_next_moment(double moment, double interval)
{
	double late = tool_clock(CLOCK_MONOTONIC) - (moment + interval);

	if (late > interval)
		moment += (double)(long)(late / interval) * interval;

	return moment + interval;
}
