// SPDX-License-Identifier: GPL-2.0-or-later
/* The sets of events that count a command with all its descendants. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "perfex.h"

void perfex_choice_attr(struct irixperf_attr *attr,
			const struct perfex_choice *choice, pid_t pid,
			unsigned int flags)
{
	unsigned int i;

	*attr = (struct irixperf_attr){
		.size = sizeof(*attr),
		.flags = flags | (choice->apart ? IRIXPERF_APART : 0),
		.pid = pid,
	};
	for (i = 0; i < choice->nr; i++)
		attr->mode[choice->event[i]] = (unsigned char)choice->mode;
}

int perfex_choice_open(struct irixperf_set **set,
		       const struct perfex_choice *choice, pid_t pid,
		       unsigned int flags)
{
	struct irixperf_attr attr;

	perfex_choice_attr(&attr, choice, pid, flags);

	return irixperf_set_open(set, &attr);
}

/* Print why; the message names the events that cannot be counted */
int perfex_fail_to_count(int err, const struct perfex_choice *choice)
{
	struct irixperf_attr attr;
	char text[2048];

	perfex_choice_attr(&attr, choice, 0, 0);
	tool_error("cannot count: %s", irixperf_set_explain(err, &attr, text,
							    sizeof(text)));

	return TOOL_FAILED;
}

int perfex_choice_read(const struct irixperf_set *set,
		       const struct perfex_choice *choice,
		       struct irixperf_count *count)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < choice->nr && ret == 0; i++)
		ret = irixperf_set_read(set, choice->event[i], &count[i]);

	return ret;
}

/* Did any event have a counter for less than the whole time? */
bool perfex_choice_multiplexed(const struct perfex_choice *choice,
			       const struct irixperf_count *count)
{
	unsigned int i;

	for (i = 0; i < choice->nr; i++)
		if (count[i].running < count[i].enabled)
			return true;

	return false;
}

/* Add a set for the thread @pid */
int perfex_target_open(struct perfex_target *target, pid_t pid,
		       unsigned int flags)
{
	struct irixperf_set **more = tool_one_more(target->set, target->nr_sets,
						   sizeof(*more));
	int ret;

	if (!more)
		return -ENOMEM;
	target->set = more;
	ret = perfex_choice_open(&more[target->nr_sets], target->choice, pid,
				 flags);
	if (ret == 0)
		target->nr_sets++;

	return ret;
}

void perfex_count_add(struct irixperf_count *sum,
		      const struct irixperf_count *part)
{
	sum->value += part->value;
	sum->enabled += part->enabled;
	sum->running += part->running;
}

int perfex_target_read(const struct perfex_target *target,
		       struct irixperf_count *count)
{
	struct irixperf_count part[IRIXPERF_EVENTS];
	unsigned int i, event;
	int ret = 0;

	memset(count, 0, IRIXPERF_EVENTS * sizeof(*count));
	for (i = 0; i < target->nr_sets && ret == 0; i++) {
		ret = perfex_choice_read(target->set[i], target->choice, part);
		for (event = 0; event < target->choice->nr && ret == 0; event++)
			perfex_count_add(&count[event], &part[event]);
	}

	return ret;
}

int perfex_target_enable(const struct perfex_target *target, bool on)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < target->nr_sets && ret == 0; i++)
		ret = on ? irixperf_set_enable(target->set[i]) :
			   irixperf_set_disable(target->set[i]);

	return ret;
}

void perfex_target_close(struct perfex_target *target)
{
	while (target->nr_sets > 0)
		irixperf_set_close(target->set[--target->nr_sets]);
	free(target->set);
	target->set = NULL;
}
