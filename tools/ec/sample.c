// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include "ecstats.h"

/* Return 0 or a negative errno value */
int stats_sample_take(struct stats_sample *sample)
{
	int ret;

	memset(sample, 0, sizeof(*sample));
	sample->system.size = sizeof(sample->system);
	ret = irixperf_system_read(&sample->system);
	sample->clock = tool_clock(CLOCK_MONOTONIC);
	sample->time = tool_clock(CLOCK_REALTIME);
	if (ec_verbose && ret < 0)
		tool_error("irixperf_system_read: %s", strerror(-ret));
	else if (ec_verbose)
		tool_error("irixperf_system_read: generation %d, %s",
			   sample->system.generation,
			   sample->system.on ? "on" : "off");

	return ret;
}
