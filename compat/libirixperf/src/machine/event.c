// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events by number and by name, from the project's one event table. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <irixperf.h>
#include "plan.h"

#define R10K_CHIP_V2	IRIXPERF_R10000_V2
#define R10K_CHIP_V3	IRIXPERF_R10000_V3
#define R10K_CHIP_R10K	(R10K_CHIP_V2 | R10K_CHIP_V3)
#define R10K_CHIP_R12K	IRIXPERF_R12000
#define R10K_CHIP_ALL	(R10K_CHIP_R10K | R10K_CHIP_R12K)

static const struct {
	unsigned int chips;
	struct irixperf_event event;
} event_table[] = {
#define R10K_EVENT(_num, _twin, _chips, _id, _name, _label, _desc)	\
	{								\
		.chips = (_chips),					\
		.event = {						\
			.num = (_num),					\
			.name = (_name),				\
			.label = (_label),				\
			.desc = (_desc),				\
			.twin = (_twin),				\
		},							\
	},
#include "events.def"
#undef R10K_EVENT
};

#define EVENT_ROWS	(sizeof(event_table) / sizeof(event_table[0]))

/* The numbers in an event map are those of the R10000, revision 3.x */
static unsigned int table_chip(enum irixperf_chip chip)
{
	return chip == IRIXPERF_MAPPED ? IRIXPERF_R10000_V3 : chip;
}

const struct irixperf_event *irixperf_event_get(enum irixperf_chip chip,
						unsigned int num)
{
	size_t i;

	for (i = 0; i < EVENT_ROWS; i++)
		if (event_table[i].event.num == num &&
		    (event_table[i].chips & table_chip(chip)))
			return &event_table[i].event;

	return NULL;
}

/* Decimal digits only: strtoul() would accept " 1", "+1" and "-1" as well */
static bool event_number(const char *text, unsigned int *num)
{
	*num = 0;
	if (!*text)
		return false;

	for (; isdigit((unsigned char)*text); text++)
		if (*num < IRIXPERF_EVENTS)
			*num = *num * 10 + (unsigned int)(*text - '0');

	return !*text;
}

static bool name_equal(const char *name, const char *text)
{
	for (; *name && *text; name++, text++)
		if (*name != (*text == '-' ? '_' : tolower((unsigned char)*text)))
			return false;

	return *name == *text;
}

const struct irixperf_event *irixperf_event_find(enum irixperf_chip chip,
						 const char *text)
{
	unsigned int num;
	size_t i;

	if (event_number(text, &num))
		return irixperf_event_get(chip, num);

	for (i = 0; i < EVENT_ROWS; i++)
		if ((event_table[i].chips & table_chip(chip)) &&
		    name_equal(event_table[i].event.name, text))
			return &event_table[i].event;

	return NULL;
}

int irixperf_event_conflict(enum irixperf_chip chip, unsigned int a,
			    unsigned int b)
{
	if (chip == IRIXPERF_R12000 || chip == IRIXPERF_MAPPED)
		return a == b;
	return a / IXP_HALF_EVENTS == b / IXP_HALF_EVENTS;
}
