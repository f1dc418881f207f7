// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reports like those of perfex(1). common/costs.h has the costs of events. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include "costs.h"
#include "internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The costs, after they have been loaded for the first time */
static struct cost_table costs;
static bool costs_there;

static void print_line(const struct irixperf_event *event, long long count)
{
	char value[24];

	snprintf(value, sizeof(value), "%lld", count);
	event_line(stderr, event, value);
	fputc('\n', stderr);
}

int print_counters(int e0, long long c0, int e1, long long c1)
{
	struct pfx_choice choice;
	int ret = pfx_choose(&choice, e0, e1);

	if (ret < 0)
		return pfx_result(ret);
	print_line(irixperf_event_get(choice.chip, choice.event[0]), c0);
	print_line(irixperf_event_get(choice.chip, choice.event[1]), c1);

	return 0;
}

static int load(const char *file)
{
	struct cost_machine machine;
	struct cost_table table;
	struct cost_error error;
	const char *where;
	char text[512];
	int ret;

	costs_machine(&machine);
	ret = costs_for(&table, &machine, file, &where, &error);
	if (ret < 0) {
		costs_describe(text, sizeof(text), where, &error);
		pfx_message("%s", text);
		return ret;
	}
	costs = table;
	costs_there = true;

	return 0;
}

int load_costs(const char *file)
{
	int ret;

	if (!file)
		return pfx_result(-EFAULT);
	pthread_mutex_lock(&lock);
	ret = load(file);
	pthread_mutex_unlock(&lock);

	return pfx_result(ret);
}

/* Why something is left out of the report, or NULL */
static const char *note_of(const struct pfx_choice *choice)
{
	const char *note = irixperf_time_note();
	int i;

	for (i = 0; i < 2 && !note; i++)
		note = irixperf_event_note(costs.machine.chip,
					   choice->event[i]);

	return note;
}

static int print(const struct pfx_choice *choice, long long c0, long long c1)
{
	struct cost_count rows[2] = {
		{ choice->event[0], (uint64_t)c0, true },
		{ choice->event[1], (uint64_t)c1, true },
	};
	int ret = costs_there ? 0 : load(NULL);

	if (ret < 0)
		return ret;
	costs_report(stderr, &costs, rows, 2);
	if (note_of(choice))
		fprintf(stderr, "NOTE: %s.\n", note_of(choice));

	return 0;
}

int print_costs(int e0, long long c0, int e1, long long c1)
{
	struct pfx_choice choice;
	int ret = pfx_choose(&choice, e0, e1);

	if (ret < 0)
		return pfx_result(ret);
	pthread_mutex_lock(&lock);
	ret = print(&choice, c0, c1);
	pthread_mutex_unlock(&lock);

	return pfx_result(ret);
}
