// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <time.h>
#include "ecstats.h"

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);

	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Return 0 or a negative errno value */
int stats_sample_take(struct stats_sample *sample)
{
	int ret;

	memset(sample, 0, sizeof(*sample));
	sample->system.size = sizeof(sample->system);
	ret = irixperf_system_read(&sample->system);
	sample->clock = seconds_of(CLOCK_MONOTONIC);
	sample->time = seconds_of(CLOCK_REALTIME);
	if (ec_verbose && ret < 0)
		tool_error("irixperf_system_read: %s", strerror(-ret));
	else if (ec_verbose)
		tool_error("irixperf_system_read: generation %d, %s",
			   sample->system.generation,
			   sample->system.on ? "on" : "off");

	return ret;
}
