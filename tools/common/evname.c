// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events: misspelt ones, and those that differ between CPUs. */
#include <stdint.h>
#include <string.h>
#include "tool.h"

/* A number is not a misspelt name, even if no event has it */
static int is_number(const char *text)
{
	return text[strspn(text, "+-0123456789")] == '\0';
}

const struct irixperf_event *tool_event_nearest(enum irixperf_chip chip,
						const char *text)
{
	const struct irixperf_event *best = NULL;
	size_t best_distance = SIZE_MAX;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS && !is_number(text); i++) {
		const struct irixperf_event *event = irixperf_event_get(chip, i);
		size_t distance;

		if (!event)
			continue;
		distance = tool_word_distance(text, event->name);
		if (distance < best_distance) {
			best = event;
			best_distance = distance;
		}
	}

	return tool_word_is_near(text, best_distance) ? best : NULL;
}

void tool_event_unknown(enum irixperf_chip chip, const char *text, const char *hint)
{
	const struct irixperf_event *near = tool_event_nearest(chip, text);

	if (near)
		tool_error("unknown event '%s': did you mean %s (%u)?\n%s", text,
			   near->name, near->num, hint);
	else
		tool_error("unknown event '%s'\n%s", text, hint);
}

bool tool_event_is_same(unsigned int chips, enum irixperf_chip chip,
			unsigned int num)
{
	const char *name = irixperf_event_get(chip, num)->name;
	unsigned int other;

	for (other = IRIXPERF_R10000_V2; other <= IRIXPERF_R12000; other <<= 1)
		if ((chips & other) &&
		    strcmp(irixperf_event_get(other, num)->name, name) != 0)
			return false;

	return true;
}
