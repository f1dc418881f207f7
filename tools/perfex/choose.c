// SPDX-License-Identifier: GPL-2.0-or-later
/* Which events to count: from the options, the environment or by default. */
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include "perfex.h"

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

/* Manuals of some releases print the names without the underscore */
static int from_environment(struct perfex_choice *choice)
{
	static const char *const names[2][2] = {
		{ "T5_EVENT0", "T5EVENT0" },
		{ "T5_EVENT1", "T5EVENT1" },
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < 2 && ret == 0; i++) {
		const char *name = names[i][0];
		const char *value = getenv(name);
		char where[16];

		if (!value) {
			name = names[i][1];
			value = getenv(name);
		}
		if (!value)
			continue;
		snprintf(where, sizeof(where), "in %s", name);
		ret = add_event(choice, value, where);
	}

	return ret;
}

/* On other CPUs than the R10000 an event needs no particular counter */
static bool has_two_halves(enum irixperf_chip chip)
{
	return chip != IRIXPERF_R12000 && chip != IRIXPERF_MAPPED;
}

/* The R12000 has no second number for cycles, as either counter can count 0 */
static void add_cycles(struct perfex_choice *choice)
{
	unsigned int cycles = CYCLES;

	if (choice->nr == 1 && irixperf_event_conflict(choice->chip, CYCLES,
						       choice->event[0])) {
		if (!has_two_halves(choice->chip))
			return;
		cycles = CYCLES_CTR1;
	}
	/* Nobody has asked for them: where they cannot be had, it is without */
	if (choice->nr > 0 &&
	    !irixperf_event_counterpart(choice->chip, cycles))
		return;
	choice->event[choice->nr++] = cycles;
	choice->added = (int)cycles;
}

/* False if there is nothing that nobody has asked for */
bool perfex_choice_drop_cycles(struct perfex_choice *choice)
{
	if (choice->nr != 2 || choice->added < 0)
		return false;
	if (choice->event[0] == (unsigned int)choice->added)
		choice->event[0] = choice->event[1];
	choice->nr = 1;

	return true;
}

/* All that this CPU counts, which by an event map are not all 32 */
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
