// SPDX-License-Identifier: GPL-2.0-or-later
/* Which events to count: from the options, the environment or by default. */
#include <string.h>
#include <sys/hwperfmacros.h>
#include "perfex.h"
#include "t5event.h"

#define CYCLES		0
#define CYCLES_CTR1	16

static int unknown_event(enum irixperf_chip chip, const char *text,
			 const char *where)
{
	const struct irixperf_event *near = tool_event_nearest(chip, text);

	if (near)
		tool_error("unknown event '%s' %s: did you mean %s (%u)?", text,
			   where, near->name, near->num);
	else
		tool_error("unknown event '%s' %s: events are numbered 0 to 31%s",
			   text, where, chip == IRIXPERF_MAPPED ? "" :
			   "\ntheir names: perfex --list");

	return TOOL_FAILED;
}

static int add_event(struct perfex_choice *choice, const char *text,
		     const char *where)
{
	const struct irixperf_event *event;

	event = irixperf_event_find(choice->chip, text);
	if (!event)
		return unknown_event(choice->chip, text, where);
	choice->event[choice->nr++] = event->num;

	return 0;
}

static int from_options(struct perfex_choice *choice,
			const struct perfex_options *opt)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < opt->nr_events && ret == 0; i++)
		ret = add_event(choice, opt->event[i], "after -e");

	return ret;
}

static int from_environment(struct perfex_choice *choice)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < T5_EVENTS && ret == 0; i++) {
		const char *name, *value = t5_event(i, &name);
		char where[16];

		if (!value)
			continue;
		snprintf(where, sizeof(where), "in %s", name);
		ret = add_event(choice, value, where);
	}

	return ret;
}

/* The R10000 counts each event on one of its two counters, other CPUs on any */
static bool has_two_halves(enum irixperf_chip chip)
{
	return chip != IRIXPERF_R12000 && chip != IRIXPERF_MAPPED;
}

/*
 * The R10000 counts cycles as event 0 on counter 0 and as event 16 on counter 1. The
 * R12000 has no second number for cycles: either counter can count event 0.
 */
static void add_cycles(struct perfex_choice *choice)
{
	unsigned int cycles = CYCLES;

	if (choice->nr == 1 && irixperf_event_conflict(choice->chip, CYCLES,
						       choice->event[0])) {
		if (!has_two_halves(choice->chip))
			return;
		cycles = CYCLES_CTR1;
	}
	/* The user has not asked for cycles: leave them out if they cannot be counted */
	if (choice->nr > 0 &&
	    !irixperf_event_counterpart(choice->chip, cycles))
		return;
	choice->event[choice->nr++] = cycles;
	choice->added = (int)cycles;
}

/* Remove the cycles that perfex has added. False if it has not added any */
bool perfex_choice_drop_cycles(struct perfex_choice *choice)
{
	if (choice->nr != 2 || choice->added < 0)
		return false;
	if (choice->event[0] == (unsigned int)choice->added)
		choice->event[0] = choice->event[1];
	choice->nr = 1;

	return true;
}

/* All events that this CPU counts: an event map may lack some of the 32 */
static void add_all(struct perfex_choice *choice)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (irixperf_event_counterpart(choice->chip, i))
			choice->event[choice->nr++] = i;
}

static int conflicting(const struct perfex_choice *choice, bool check)
{
	unsigned int a = choice->event[0], b = choice->event[1];

	if (a == b) {
		tool_error("conflicting events: %u is given twice", a);
		return TOOL_FAILED;
	}
	tool_error("conflicting events: %u (%s) and %u (%s) both need counter %u\n"
		   "choose one event from 0 to 15 and one from 16 to 31, or "
		   "count all with -a",
		   a, irixperf_event_get(choice->chip, a)->name,
		   b, irixperf_event_get(choice->chip, b)->name,
		   a / HWPERF_CNT1BASE);

	return check ? PERFEX_NO_FIT : TOOL_FAILED;
}

static void sort_two(struct perfex_choice *choice)
{
	unsigned int first = choice->event[0];

	if (choice->nr == 2 && first > choice->event[1]) {
		choice->event[0] = choice->event[1];
		choice->event[1] = first;
	}
}

static int choose_events(struct perfex_choice *choice,
			 const struct perfex_options *opt)
{
	int ret;

	if (opt->all) {
		add_all(choice);
		return 0;
	}

	ret = from_options(choice, opt);
	if (ret == 0 && choice->nr == 0)
		ret = from_environment(choice);
	if (ret)
		return ret;

	if (choice->nr == 2 &&
	    irixperf_event_conflict(choice->chip, choice->event[0],
				    choice->event[1]))
		return conflicting(choice, opt->check);
	if (choice->nr < 2)
		add_cycles(choice);
	sort_two(choice);

	return 0;
}

int perfex_choose(struct perfex_choice *choice, enum irixperf_chip chip,
		  const struct perfex_options *opt)
{
	memset(choice, 0, sizeof(*choice));
	choice->chip = chip;
	choice->added = -1;
	choice->project = opt->all;
	choice->mode = HWPERF_CNTEN_U | (opt->kernel ? HWPERF_CNTEN_K : 0) |
		       (opt->exception ? HWPERF_CNTEN_E : 0);

	return choose_events(choice, opt);
}
