// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report as comma-separated values (RFC 4180): a row for each event of each
 * thread, of each interval and of the total. A value that is not known is empty. New
 * columns may be added at the end; any other change also changes "schema".
 */
#include <inttypes.h>
#include <math.h>
#include "perfex.h"

#define SCHEMA	1

/**
 * struct place - what the counts of a row belong to
 * @scope: "total", "thread" or "interval"
 * @pid: the process
 * @tid: the thread, or 0
 * @start: its start, in seconds since counting started
 * @end: its end, in seconds since counting started
 * @repeat: --repeat: the row has a mean and a deviation
 */
struct place {
	const char *scope;
	pid_t pid;
	pid_t tid;
	double start;
	double end;
	bool repeat;
};

void perfex_csv_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void optional(FILE *out, bool there, const char *format, double value)
{
	fputc(',', out);
	if (there)
		fprintf(out, format, value);
}

static void csv_costs(FILE *out, const struct perfex_report *report,
		      const struct perfex_row *row)
{
	int kind;

	for (kind = 0; kind < COST_KINDS; kind++) {
		double time = report->opt->estimate ?
			      perfex_seconds(report->table, row, kind) : -1;

		optional(out, time >= 0, "%.9f", time);
	}
}

static void csv_row(FILE *out, const struct perfex_report *report,
		    const struct place *place, const struct perfex_row *row)
{
	const struct irixperf_event *event =
		irixperf_event_get(report->choice->chip, row->event);

	fprintf(out, "%d,%s,%d,", SCHEMA, place->scope, place->pid);
	if (place->tid)
		fprintf(out, "%d", place->tid);
	fprintf(out, ",%.6f,%.6f,%u,%s,", place->start, place->end, row->event,
		event->name);
	if (row->counted)
		fprintf(out, "%" PRIu64, row->value);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f",
		row->count.value, row->count.enabled, row->count.running,
		tool_share(perfex_share(&row->count)));
	optional(out, row->bound >= 0, "%.0f", row->bound);
	csv_costs(out, report, row);
	optional(out, place->repeat && row->counted, "%.3f", row->mean);
	optional(out, place->repeat && row->counted && isfinite(row->deviation),
		 "%.3f", row->deviation);
	fputs("\n", out);
}

static void csv_rows(FILE *out, const struct perfex_report *report,
		     const struct place *place, const struct perfex_row *row)
{
	unsigned int i;

	for (i = 0; i < report->choice->nr; i++)
		csv_row(out, report, place, &row[i]);
}

static void csv_threads(FILE *out, const struct perfex_report *report)
{
	const struct perfex_result *result = &report->result[0];
	struct perfex_row row[IRIXPERF_EVENTS];
	unsigned int i;

	for (i = 0; i < result->nr_threads; i++) {
		const struct perfex_thread *thread = &result->thread[i];
		const struct place place = {
			.scope = "thread", .pid = thread->pid,
			.tid = thread->tid, .end = result->seconds,
		};

		if (!perfex_thread_wanted(result, thread, report->opt))
			continue;
		perfex_rows_of_thread(row, report->choice, thread);
		csv_rows(out, report, &place, row);
	}
}

void perfex_csv_head(FILE *out)
{
	fputs("schema,scope,pid,tid,start_s,end_s,event,name,count,raw,enabled_ns,"
	      "running_ns,share,bound,typical_s,minimum_s,maximum_s,mean,"
	      "deviation\n", out);
}

/* The rows of one period of -p, printed when it ends */
void perfex_csv_interval(FILE *out, const struct perfex_report *report,
			 const struct perfex_sample *from,
			 const struct perfex_sample *to)
{
	const struct place place = {
		.scope = "interval", .pid = report->result[0].pid,
		.start = from->time, .end = to->time,
	};
	struct irixperf_count count[IRIXPERF_EVENTS];
	struct perfex_row row[IRIXPERF_EVENTS];

	perfex_sample_between(count, from, to, report->choice->nr);
	perfex_rows(row, report->choice, count, NULL);
	csv_rows(out, report, &place, row);
}

void perfex_csv(FILE *out, const struct perfex_report *report)
{
	const struct place place = {
		.scope = "total", .pid = report->result[0].pid,
		.end = report->result[0].seconds, .repeat = report->runs > 1,
	};
	struct perfex_row row[IRIXPERF_EVENTS];

	/* With -p the heading has been printed before the first period */
	if (!report->opt->periodic)
		perfex_csv_head(out);
	perfex_rows_of_runs(row, report);
	csv_threads(out, report);
	csv_rows(out, report, &place, row);
}
