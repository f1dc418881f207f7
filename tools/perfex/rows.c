// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows that all forms of the report are made of, one for each event. */
#include <math.h>
#include <string.h>
#include "perfex.h"

/* Two turns of the kernel, nanoseconds */
#define TURN_NS	20000000ULL

double perfex_share(const struct irixperf_count *count)
{
	return count->enabled ?
	       (double)count->running / (double)count->enabled : 0;
}

/* If the target has not run, no event was enabled for any time: the count of 0 is exact */
bool perfex_counted(const struct irixperf_count *count)
{
	return count->running > 0 || count->enabled == 0;
}

void perfex_rows(struct perfex_row *row, const struct perfex_choice *choice,
		 const struct irixperf_count *count, const double *bound)
{
	unsigned int i;

	for (i = 0; i < choice->nr; i++) {
		row[i] = (struct perfex_row){
			.event = choice->event[i],
			.counted = perfex_counted(&count[i]),
			.value = irixperf_count_scale(&count[i]),
			.count = count[i],
			.bound = bound ? bound[i] : PERFEX_NO_BOUND,
		};
		if (row[i].counted && count[i].running >= count[i].enabled)
			row[i].bound = 0;
	}
}

void perfex_rows_of_thread(struct perfex_row *row,
			   const struct perfex_choice *choice,
			   const struct perfex_thread *thread)
{
	unsigned int i;

	perfex_rows(row, choice, thread->count, NULL);
	for (i = 0; i < choice->nr && thread->lost; i++)
		row[i].counted = false;
}

/* With -s, only if a SIGUSR1 has started the counters in this run */
static bool counted_in(const struct perfex_report *report, unsigned int run,
		       unsigned int at)
{
	const struct perfex_result *result = &report->result[run];

	return perfex_counted(&result->count[at]) &&
	       (result->started || !report->opt->by_signal);
}

/* One event over all runs, except those in which it had no turn */
static void row_of_runs(struct perfex_row *row, unsigned int at,
			const struct perfex_report *report)
{
	double sum = 0, squares = 0, bounds = 0, n = 0;
	unsigned int run;

	memset(&row->count, 0, sizeof(row->count));
	for (run = 0; run < report->runs; run++) {
		const struct perfex_result *result = &report->result[run];
		const struct irixperf_count *count = &result->count[at];
		double value = (double)irixperf_count_scale(count);

		perfex_count_add(&row->count, count);
		if (!counted_in(report, run, at))
			continue;
		n++;
		sum += value;
		/* Welford's method: sums of squares of large numbers lose digits */
		squares += n > 1 ? (value * n - sum) * (value * n - sum) /
				   (n * (n - 1)) : 0;
		bounds = result->bound[at] < 0 || bounds < 0 ? PERFEX_NO_BOUND :
			 bounds + result->bound[at] * result->bound[at];
	}
	row->counted = n > 0;
	row->mean = n > 0 ? sum / n : 0;
	row->deviation = n > 1 ? sqrt(squares / (n - 1)) : NAN;
	row->value = (uint64_t)(row->mean + 0.5);
	row->bound = n > 0 && bounds >= 0 ? sqrt(bounds) / n : PERFEX_NO_BOUND;
}

void perfex_rows_of_runs(struct perfex_row *row,
			 const struct perfex_report *report)
{
	unsigned int i;

	perfex_rows(row, report->choice, report->result[0].count,
		    report->result[0].bound);
	for (i = 0; i < report->choice->nr; i++) {
		row[i].counted = counted_in(report, 0, i);
		if (report->runs > 1)
			row_of_runs(&row[i], i, report);
	}
}

double perfex_seconds(const struct cost_table *table,
		      const struct perfex_row *row, enum cost_kind kind)
{
	return row->counted && !irixperf_time_note() ?
	       costs_shown(table, row->event, kind, (double)row->value) : -1;
}

/* With an event from whose counts nothing is computed, or where times or rates stand */
const char *perfex_note(const struct perfex_report *report)
{
	const struct perfex_choice *choice = report->choice;
	bool times = report->opt->estimate || report->opt->plot;
	const char *note = times ? irixperf_time_note() : NULL;
	unsigned int i;

	for (i = 0; i < choice->nr && !note; i++)
		note = irixperf_event_note(choice->chip, choice->event[i]);

	return note;
}

/* Why the events in @missing, of @nr that were enabled for @enabled ns, had no turn */
static void explain_missing(char *buf, size_t size, const struct perfex_choice *missing,
			    unsigned int nr, uint64_t enabled)
{
	const bool brief = nr > 2 && enabled <= nr * TURN_NS;
	bool others = missing->apart;
	const char *why, *who = "";
	struct irixperf_attr attr;
	char names[256];

	perfex_choice_attr(&attr, missing, 0, 0);
	/* perfex has found it out before the command ran, or does so now */
	if (!brief)
		others = (others && nr <= 2) || tool_counters_taken(&attr);
	if (brief)
		why = others ? "others have a counter, and the command may have been too short" :
			       "the command was too short";
	else if (others)
		why = "others have the counters";
	else if (nr == 1)
		why = "others had the counters";
	else
		why = "the command, or each of its processes, was too short, or others had "
		      "the counters meanwhile";
	if (others)
		who = tool_system_is_on() ? "; ecadmin -l lists the events of system mode" :
					    tool_neighbours(names, sizeof(names), "; ");
	snprintf(buf, size, "%u of %u events had no turn: %s%s", missing->nr, nr, why, who);
}

char *perfex_missing(char *buf, size_t size, const struct perfex_report *report,
		     const struct perfex_row *row)
{
	struct perfex_choice missing = *report->choice;
	unsigned int i, nr = missing.nr;
	uint64_t enabled = 0;

	missing.nr = 0;
	for (i = 0; i < nr; i++) {
		if (row[i].counted)
			continue;
		missing.event[missing.nr++] = row[i].event;
		enabled = row[i].count.enabled;
	}
	buf[0] = '\0';
	if (missing.nr && report->opt->by_signal && !report->result[0].started)
		snprintf(buf, size, "perfex got no SIGUSR1: nothing was counted");
	else if (missing.nr)
		explain_missing(buf, size, &missing, nr, enabled);

	return buf;
}

/* The first run's status that is not 0 */
int perfex_status(const struct perfex_result *result, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (result[i].status)
			return result[i].status;

	return 0;
}

unsigned int perfex_failures(const struct perfex_result *result,
			     unsigned int nr)
{
	unsigned int i, failed = 0;

	for (i = 0; i < nr; i++)
		failed += result[i].status != 0;

	return failed;
}

static void bound_of(struct perfex_multiplex *multiplex,
		     const struct perfex_row *row)
{
	double relative;

	if (row->bound < 0) {
		multiplex->unknown = true;
		return;
	}
	if (row->value == 0)
		return;
	relative = row->bound / (double)row->value;
	if (relative < multiplex->best) {
		multiplex->best = relative;
		multiplex->best_event = row->event;
	}
	if (relative > multiplex->worst) {
		multiplex->worst = relative;
		multiplex->worst_event = row->event;
	}
}

bool perfex_multiplexed(struct perfex_multiplex *multiplex,
			const struct perfex_row *row, unsigned int nr)
{
	unsigned int i;

	*multiplex = (struct perfex_multiplex){
		.low = 1, .high = 0, .best = HUGE_VAL, .worst = -1,
	};
	for (i = 0; i < nr; i++) {
		double share = perfex_share(&row[i].count);

		if (!row[i].counted || !row[i].count.enabled)
			continue;
		if (share < multiplex->low)
			multiplex->low = share;
		if (share > multiplex->high)
			multiplex->high = share;
		bound_of(multiplex, &row[i]);
	}

	return multiplex->low < 1;
}

void perfex_sample_between(struct irixperf_count *count,
			   const struct perfex_sample *from,
			   const struct perfex_sample *to, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		count[i] = to->count[i];
		if (!from)
			continue;
		count[i].value -= from->count[i].value;
		count[i].enabled -= from->count[i].enabled;
		count[i].running -= from->count[i].running;
	}
}
