// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Say in words why a set of events could not be opened: name the events that this CPU
 * does not have, and those that it has.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <irixperf.h>
#include "machine.h"
#include "mapuse.h"
#include "mode.h"
#include "text.h"

static const char *event_name(unsigned int num)
{
	return irixperf_event_get(IRIXPERF_MAPPED, num)->name;
}

/* Events that the map does not have */
static void say_missing(struct ixp_text *text, const struct ixp_machine *m,
			const struct irixperf_attr *attr)
{
	unsigned int i, nr = 0;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] && !m->event[i].line)
			ixp_text_add(text, "%s%u (%s)", nr++ ? ", " :
				     "no counterpart on this CPU: ",
				     i, event_name(i));
	if (nr)
		ixp_text_add(text, "\n");
}

/* Events that the map has, but this machine cannot count */
static void say_refused(struct ixp_text *text, const struct ixp_machine *m,
			const struct irixperf_attr *attr)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct ixp_map_event *event = &m->event[i];

		if (attr->mode[i] && event->line && !event->there)
			ixp_text_add(text, "cannot be counted: %u (%s)\n"
				     "%s:%u: %s: %s\n", i, event_name(i),
				     m->path, event->line, event->name,
				     event->why);
	}
}

static void say_there(struct ixp_text *text, const struct ixp_machine *m)
{
	unsigned int i, nr = 0;

	ixp_text_add(text, "%s has: ", m->path);
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (m->event[i].there)
			ixp_text_add(text, "%s%u (%s)", nr++ ? ", " : "", i,
				     event_name(i));
}

static bool all_there(const struct ixp_machine *m,
		      const struct irixperf_attr *attr)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] && !m->event[i].there)
			return false;

	return true;
}

/* Say what the map has to do with it; false if the map was not the reason */
static bool explain_map(struct ixp_text *text, const struct ixp_machine *m,
			const struct irixperf_attr *attr)
{
	if (!all_there(m, attr)) {
		say_missing(text, m, attr);
		say_refused(text, m, attr);
		say_there(text, m);
		return true;
	}
	if (ixp_map_check(m, attr) < 0) {
		ixp_text_add(text, "exception level is part of kernel mode on "
			     "this CPU: ask for both");
		return true;
	}

	return false;
}

char *irixperf_set_explain(int err, const struct irixperf_attr *attr, char *buf,
			   size_t size)
{
	const struct ixp_machine *m;
	struct ixp_text text;
	unsigned int modes = 0;
	char why[PATH_MAX + IXP_WHY_SIZE];

	ixp_text_start(&text, buf, size);
	m = ixp_machine(why, sizeof(why));
	if (err == -EINVAL && attr && m && m->cpu.chip == IRIXPERF_MAPPED &&
	    explain_map(&text, m, attr))
		return buf;

	if (attr)
		ixp_mode_events(attr, &modes);
	irixperf_strerror(err, modes, buf, size);
	if (err == -ENODEV && !m) {
		while (text.len < size && buf[text.len])
			text.len++;
		ixp_text_add(&text, "\n%s", why);
	}

	return buf;
}
