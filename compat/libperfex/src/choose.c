// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Choose the two events of a call. Each environment variable replaces one argument. It
 * is no longer known what IRIX did if only T5_EVENT1 was set: programs that mention
 * this case only got errors.
 */
#include <errno.h>
#include <sys/hwperfmacros.h>
#include "internal.h"
#include "t5event.h"

static int choose_one(struct pfx_choice *choice, unsigned int which, int number)
{
	const struct irixperf_event *event;
	const char *name;
	const char *text = t5_event(which, &name);

	if (text) {
		event = irixperf_event_find(choice->chip, text);
		if (!event)
			pfx_message("unknown event '%s' in %s: events are "
				    "numbered 0 to 31", text, name);
	} else {
		event = number < 0 ? NULL :
			irixperf_event_get(choice->chip, (unsigned int)number);
		if (!event)
			pfx_message("unknown event %d: events are numbered 0 to 31",
				    number);
	}
	if (!event)
		return -EINVAL;
	choice->event[which] = event->num;

	return 0;
}

/* On a machine without counters the event numbers are those of an R10000 */
int pfx_choose(struct pfx_choice *choice, int e0, int e1)
{
	struct irixperf_cpu cpu;
	int ret;

	choice->chip = irixperf_cpu_detect(&cpu) < 0 ? IRIXPERF_R10000_V3 :
						       cpu.chip;
	ret = choose_one(choice, 0, e0);

	return ret < 0 ? ret : choose_one(choice, 1, e1);
}

int pfx_check_conflict(const struct pfx_choice *choice)
{
	unsigned int a = choice->event[0], b = choice->event[1];

	/* An event that is given twice is counted once: programs for IRIX give one twice */
	if (a == b || !irixperf_event_conflict(choice->chip, a, b))
		return 0;

	pfx_message("conflicting counters: events %u (%s) and %u (%s) both need "
		    "counter %u\n"
		    "choose one event from 0 to 15 and one from 16 to 31",
		    a, irixperf_event_get(choice->chip, a)->name,
		    b, irixperf_event_get(choice->chip, b)->name,
		    a / HWPERF_CNT1BASE);

	return -EINVAL;
}
