// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report for people: one line for each event, as event_line() formats it. -y
 * adds times and statistics.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "perfex.h"

static void report_event(FILE *out, const struct perfex_report *report,
			 const struct perfex_row *row)
{
	const struct irixperf_event *event =
		irixperf_event_get(report->choice->chip, row->event);
	char value[80] = "not counted";

	if (row->counted)
		snprintf(value, sizeof(value), "%" PRIu64, row->value);
	if (row->counted && report->runs > 1 && !isfinite(row->deviation))
		snprintf(value, sizeof(value), "%16" PRIu64 " in one run",
			 row->value);
	else if (row->counted && report->runs > 1)
		snprintf(value, sizeof(value), "%16" PRIu64 " +- %.0f (%.2f %%)",
			 row->value, row->deviation, row->mean > 0 ?
			 100 * row->deviation / row->mean : 0);
	event_line(out, event, value);
	fputc('\n', out);
}

static void report_costs(FILE *out, const struct perfex_report *report,
			 const struct perfex_row *row)
{
	struct cost_count count[IRIXPERF_EVENTS];
	struct perfex_stat stat[PERFEX_MAX_STATS];
	unsigned int i, nr = report->choice->nr;

	for (i = 0; i < nr; i++)
		count[i] = (struct cost_count){
			row[i].event, row[i].value, row[i].counted,
		};
	costs_report(out, report->table, count, nr);
	perfex_stats_print(out, stat,
			   perfex_stats(stat, report->table, row, nr));
}

static void report_rows(FILE *out, const struct perfex_report *report,
			const struct perfex_row *row)
{
	unsigned int i;

	if (report->opt->estimate && report->runs == 1) {
		report_costs(out, report, row);
		return;
	}
	for (i = 0; i < report->choice->nr; i++)
		report_event(out, report, &row[i]);
	if (report->opt->estimate)
		report_costs(out, report, row);
}

static void report_shares(FILE *out, const struct perfex_report *report,
			  const struct perfex_multiplex *multiplex)
{
	const struct perfex_options *opt = report->opt;
	const struct irixperf_event *best, *worst;

	fprintf(out, "NOTE: each event was counted for %.1f to %.1f %% of the time.\n",
		tool_percent(multiplex->low), tool_percent(multiplex->high));
	if (multiplex->unknown && (opt->processes || opt->threads))
		fprintf(out, "NOTE: with -mp and -pp the error of projections is not known.\n");
	else if (multiplex->unknown)
		fprintf(out, "NOTE: the run was too short to estimate the error of projections.\n");
	if (multiplex->worst < 0)
		return;
	best = irixperf_event_get(report->choice->chip, multiplex->best_event);
	worst = irixperf_event_get(report->choice->chip,
				   multiplex->worst_event);
	fprintf(out, "NOTE: in 95 of 100 runs a projection is off by no more than %.1f %% (%u %s)\n"
		"      to %.1f %% (%u %s); --csv has all bounds.\n",
		100 * multiplex->best, best->num, best->name,
		100 * multiplex->worst, worst->num, worst->name);
}

/* Print only the first line of the library's text: the rest is advice */
static void report_lost(FILE *out, const struct perfex_report *report)
{
	const struct perfex_result *result = &report->result[0];
	char text[512];

	irixperf_strerror(result->lost_error, report->choice->mode, text,
			  sizeof(text));
	fprintf(out, "WARNING: %u threads could not be counted: %.*s.\n",
		result->lost, (int)strcspn(text, "\n"), text);
}

/* Why something is left out */
static void report_note(FILE *out, const struct perfex_report *report)
{
	const char *note = perfex_note(report);

	if (note)
		fprintf(out, "NOTE: %s.\n", note);
}

static void report_notes(FILE *out, const struct perfex_report *report,
			 const struct perfex_row *row)
{
	unsigned int nr = report->choice->nr;
	char why[512];
	unsigned int failed = perfex_failures(report->result, report->runs);
	struct perfex_multiplex multiplex;

	report_note(out, report);
	if (*perfex_missing(why, sizeof(why), report, row))
		fprintf(out, "WARNING: %s.\n", why);
	if (perfex_multiplexed(&multiplex, row, nr))
		report_shares(out, report, &multiplex);
	if (failed > 0 && report->runs > 1)
		fprintf(out, "WARNING: %u of %u runs failed.\n", failed,
			report->runs);
	if (report->result[0].lost)
		report_lost(out, report);
}

static void report_head(FILE *out, const struct perfex_report *report,
			const struct perfex_row *row)
{
	struct perfex_multiplex multiplex;

	if (report->choice->chip == IRIXPERF_MAPPED)
		fprintf(out, "NOTE: no R10000: this CPU's events, chosen by %s\n",
			irixperf_map_file());
	if (report->choice->project ||
	    perfex_multiplexed(&multiplex, row, report->choice->nr))
		fprintf(out, "WARNING: Multiplexing events to project totals"
			     "--inaccuracy possible.\n");
	if (report->runs > 1)
		fprintf(out, "Mean and standard deviation of %u runs\n",
			report->runs);
}

static void report_thread(FILE *out, const struct perfex_report *report,
			  const struct perfex_thread *thread)
{
	struct perfex_row row[IRIXPERF_EVENTS];
	struct perfex_multiplex multiplex;

	fprintf(out, "Thread %d, number %u of process %d\n", thread->tid,
		thread->number, thread->pid);
	perfex_rows_of_thread(row, report->choice, thread);
	report_rows(out, report, row);
	if (perfex_multiplexed(&multiplex, row, report->choice->nr))
		report_shares(out, report, &multiplex);
	fputc('\n', out);
}

/* As on IRIX, each thread has a file of its own beside that of the total */
static int report_thread_file(const struct perfex_report *report,
			      const struct perfex_thread *thread)
{
	char path[4096];
	FILE *out;
	int failed;

	snprintf(path, sizeof(path), "%s.%d", report->opt->output, thread->tid);
	out = fopen(path, "we");
	if (!out) {
		tool_error("cannot write to %s: %s", path, strerror(errno));
		return TOOL_FAILED;
	}
	report_thread(out, report, thread);
	report_note(out, report);
	failed = ferror(out);
	failed |= fclose(out);
	if (failed)
		tool_error("cannot write the report to %s", path);

	return failed ? TOOL_FAILED : 0;
}

static unsigned int nr_processes(const struct perfex_result *result)
{
	unsigned int i, nr = 0;

	for (i = 0; i < result->nr_threads; i++)
		nr += result->thread[i].number == 1;

	return nr;
}

static int report_threads(FILE *out, const struct perfex_report *report)
{
	const struct perfex_result *result = &report->result[0];
	unsigned int processes = nr_processes(result);
	unsigned int i, shown = 0;
	int ret = 0;

	for (i = 0; i < result->nr_threads; i++) {
		if (!perfex_thread_wanted(result, &result->thread[i],
					  report->opt))
			continue;
		shown++;
		if (report->opt->output)
			ret |= report_thread_file(report, &result->thread[i]);
		else
			report_thread(out, report, &result->thread[i]);
	}
	if (!shown)
		tool_error("there was no thread number %u",
			   report->opt->thread);
	fprintf(out, "Total of %u thread%s in %u process%s\n",
		result->nr_threads, result->nr_threads == 1 ? "" : "s",
		processes, processes == 1 ? "" : "es");

	return ret ? TOOL_FAILED : 0;
}

int perfex_report(FILE *out, const struct perfex_report *report)
{
	struct perfex_row row[IRIXPERF_EVENTS];
	int ret = 0;

	perfex_rows_of_runs(row, report);
	if (report->opt->json) {
		perfex_json(out, report);
		return 0;
	}
	if (report->opt->csv) {
		perfex_csv(out, report);
		return 0;
	}
	report_head(out, report, row);
	if (report->opt->processes || report->opt->threads)
		ret = report_threads(out, report);
	report_rows(out, report, row);
	report_notes(out, report, row);

	return ret;
}

void perfex_result_free(struct perfex_result *result)
{
	free(result->thread);
	free(result->sample);
}
