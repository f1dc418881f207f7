// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers on command lines, and a clock for tools that print counts at intervals. */
#include "tool.h"

/* Only decimal digits, without sign or space */
bool tool_number(unsigned int *number, const char *text, unsigned int max)
{
	unsigned long value;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value < 1 || value > max)
		return false;
	*number = (unsigned int)value;

	return true;
}

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

/* The moments that passed while the tool was stopped are left out, but for the last one */
double tool_next_moment(double moment, double interval)
{
	double late = tool_clock(CLOCK_MONOTONIC) - (moment + interval);

	if (late > interval)
		moment += (double)(long)(late / interval) * interval;

	return moment + interval;
}
