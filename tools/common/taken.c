// SPDX-License-Identifier: GPL-2.0-or-later
/* Has system mode taken the counters? ecadmin, cpustat and cpctrace start it. */
#include <ctype.h>
#include <time.h>
#include "tool.h"

/* Long enough for each event to get a turn, if it gets any at all */
#define TRIAL	0.1	/* seconds, of processor time */

int tool_system_is_on(void)
{
	struct irixperf_system system = { .size = sizeof(system) };

	return irixperf_system_read(&system) == 0 && system.on;
}

int tool_system_generation(void)
{
	struct irixperf_system system = { .size = sizeof(system) };

	return irixperf_system_read(&system) == 0 ? system.generation : 0;
}

static int has_run(const struct irixperf_set *set,
		   const struct irixperf_attr *attr)
{
	struct irixperf_count count;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] &&
		    irixperf_set_read(set, i, &count) == 0 && count.running)
			return 1;

	return 0;
}

/* False if the set cannot be opened: the caller will open it, and report why not */
static int is_starved(const struct irixperf_attr *attr)
{
	clock_t end = clock() + (clock_t)(TRIAL * CLOCKS_PER_SEC);
	struct irixperf_set *set;
	int ran;

	if (irixperf_set_open(&set, attr) < 0)
		return 0;
	do
		ran = has_run(set, attr);
	while (!ran && clock() < end);
	irixperf_set_close(set);

	return !ran;
}

int tool_counters_taken(const struct irixperf_attr *attr)
{
	return tool_system_is_on() && is_starved(attr);
}

char *tool_starter(char text[TOOL_STARTER], const struct irixperf_system *system)
{
	time_t since = (time_t)system->since;
	char command[sizeof(system->command) + 1], date[32], *c;
	struct tm day = { .tm_mday = 1 };

	snprintf(command, sizeof(command), "%.*s", (int)sizeof(system->command),
		 system->command);
	for (c = command; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	localtime_r(&since, &day);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &day);
	snprintf(text, TOOL_STARTER, "%s, PID %d, started that at %s; "
		 "irixperf-holder, PID %d, has the counters since then",
		 command, (int)system->starter, date, (int)system->holder);

	return text;
}

int tool_taken_error(void)
{
	struct irixperf_system system = { .size = sizeof(system) };
	char text[TOOL_STARTER] = "";

	if (irixperf_system_read(&system) == 0 && system.on)
		tool_starter(text, &system);
	tool_error("cannot count: the counters are given to events of all "
		   "programs\n%s%s"
		   "ecadmin -l lists the events, ecstats shows their counts; "
		   "as root, ecadmin -r releases the counters", text,
		   text[0] ? "\n" : "");

	return TOOL_FAILED;
}
