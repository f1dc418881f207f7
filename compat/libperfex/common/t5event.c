// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdlib.h>
#include "t5event.h"

/* Manuals of some releases print the names without the underscore */
static const char *const variables[T5_EVENTS][2] = {
	{ "T5_EVENT0", "T5EVENT0" },
	{ "T5_EVENT1", "T5EVENT1" },
};

const char *t5_event(unsigned int which, const char **name)
{
	const char *value;

	*name = variables[which][0];
	value = getenv(*name);
	if (value)
		return value;
	*name = variables[which][1];

	return getenv(*name);
}
