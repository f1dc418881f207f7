// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report: a row "number, name, value" for each event. IRIX's layout is lost; this
 * one is our own, and only the mark of scaled values (*) is IRIX's.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include "ecstats.h"

#define NAME_WIDTH	34
#define VALUE_WIDTH	20

/* Version of the CSV and JSON reports: programs rely on their columns and members */
#define SCHEMA		1

static const struct {
	const char *heading;
	const char *word;	/* in CSV and JSON */
} units[] = {
	[STATS_COUNT] = { "count", "count" },
	[STATS_PER_SECOND] = { "per second", "per_second" },
	[STATS_PER_INTERVAL] = { "per interval", "per_interval" },
};

/* The count between two samples, or with @absolute since the events were enabled */
static struct irixperf_count count_between(const struct stats_sample *from,
					   const struct stats_sample *to,
					   unsigned int event, bool absolute)
{
	struct irixperf_count count = to->system.count[event];
	const struct irixperf_count *before = &from->system.count[event];

	if (absolute)
		return count;
	count.value -= before->value;
	count.enabled -= before->enabled;
	count.running -= before->running;

	return count;
}

static void row_make(struct stats_row *row, const struct irixperf_count *count,
		     const struct stats_report *report)
{
	row->raw = row->enabled ? count->value : 0;
	row->value = NAN;
	row->share = 0;
	row->waiting = report->unit != STATS_COUNT && report->seconds <= 0;
	if (!row->enabled || row->waiting || count->running == 0)
		return;
	row->share = count->running < count->enabled ?
		(double)count->running / (double)count->enabled : 1;
	row->value = (double)irixperf_count_scale(count);
	if (report->unit == STATS_PER_SECOND)
		row->value /= report->seconds;
}

/* Why there are no rates, or NULL */
static const char *note_of(enum irixperf_chip chip,
			   const struct irixperf_system *system)
{
	const char *note = irixperf_time_note();
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS && !note; i++)
		if (system->mode[i])
			note = irixperf_event_note(chip, i);

	return note;
}

/**
 * stats_report_make() - make a report of two samples
 * @report: the report
 * @chip: whose names the events have
 * @from: the first sample
 * @to: the second one, of the same generation
 * @opt: what to show
 */
void stats_report_make(struct stats_report *report, enum irixperf_chip chip,
		       const struct stats_sample *from,
		       const struct stats_sample *to,
		       const struct stats_options *opt)
{
	unsigned int i;

	memset(report, 0, sizeof(*report));
	report->time = to->time;
	report->seconds = to->clock - from->clock;
	report->generation = to->system.generation;
	if (!opt->absolute)
		report->note = note_of(chip, &to->system);
	report->unit = opt->absolute ? STATS_COUNT :
		       report->note ? STATS_PER_INTERVAL : STATS_PER_SECOND;
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		struct stats_row *row = &report->row[report->nr];
		struct irixperf_count count;

		row->enabled = to->system.mode[i] != 0;
		if (!row->enabled && !opt->all)
			continue;
		row->event = irixperf_event_get(chip, i);
		count = count_between(from, to, i, opt->absolute);
		row_make(row, &count, report);
		report->nr++;
	}
}

/* Time of day, length of the interval and generation number */
void stats_heading(char *buf, size_t size, const struct stats_report *report)
{
	time_t seconds = (time_t)report->time;
	struct tm day = { .tm_sec = 0 };
	char clock[16];

	localtime_r(&seconds, &day);
	strftime(clock, sizeof(clock), "%H:%M:%S", &day);
	snprintf(buf, size, "%s  interval %.2f s  generation %d", clock,
		 report->seconds, report->generation);
}

void stats_columns(char *buf, size_t size, const struct stats_report *report)
{
	snprintf(buf, size, " # %-*s %*s", NAME_WIDTH, "event", VALUE_WIDTH,
		 units[report->unit].heading);
}

static bool is_scaled(const struct stats_row *row)
{
	return row->share > 0 && row->share < 1;
}

void stats_row_text(char *buf, size_t size, const struct stats_row *row)
{
	char value[32], share[16] = "";

	if (!row->enabled)
		snprintf(value, sizeof(value), "not enabled");
	else if (row->waiting)
		snprintf(value, sizeof(value), "...");
	else if (isnan(row->value))
		snprintf(value, sizeof(value), "not counted");
	else
		snprintf(value, sizeof(value), "%.0f", row->value);
	if (is_scaled(row))
		snprintf(share, sizeof(share), " * %.1f %%", tool_percent(row->share));
	snprintf(buf, size, "%2u %-*s %*s%s", row->event->num, NAME_WIDTH,
		 row->event->name, VALUE_WIDTH, value, share);
}

static void print_text(FILE *out, const struct stats_report *report)
{
	char line[128];
	unsigned int i;

	stats_heading(line, sizeof(line), report);
	fprintf(out, "%s\n", line);
	stats_columns(line, sizeof(line), report);
	fprintf(out, "%s\n", line);
	for (i = 0; i < report->nr; i++) {
		stats_row_text(line, sizeof(line), &report->row[i]);
		fprintf(out, "%s\n", line);
	}
	if (report->note)
		fprintf(out, "NOTE: %s.\n", report->note);
	fputc('\n', out);
}

/* @none is printed for a value that is not known */
static void print_number(FILE *out, const char *none, double value)
{
	if (isnan(value))
		fputs(none, out);
	else
		fprintf(out, "%.3f", value);
}

static void print_csv(FILE *out, const struct stats_report *report)
{
	unsigned int i;

	for (i = 0; i < report->nr; i++) {
		const struct stats_row *row = &report->row[i];

		fprintf(out, "%d,%.3f,%.3f,%d,%u,%s,%d,%s,", SCHEMA,
			report->time, report->seconds, report->generation,
			row->event->num, row->event->name, row->enabled,
			units[report->unit].word);
		print_number(out, "", row->value);
		fprintf(out, ",%" PRIu64 ",%.6f\n", row->raw, tool_share(row->share));
	}
}

static void print_json_row(FILE *out, const struct stats_row *row)
{
	fprintf(out, "{\"event\":%u,\"name\":\"%s\",\"enabled\":%s,\"value\":",
		row->event->num, row->event->name,
		row->enabled ? "true" : "false");
	print_number(out, "null", row->value);
	fprintf(out, ",\"raw\":%" PRIu64 ",\"share\":%.6f}", row->raw,
		tool_share(row->share));
}

static void print_json(FILE *out, const struct stats_report *report)
{
	unsigned int i;

	fprintf(out, "{\"schema\":%d,\"time\":%.3f,\"seconds\":%.3f,"
		"\"generation\":%d,\"unit\":\"%s\",\"events\":[", SCHEMA,
		report->time, report->seconds, report->generation,
		units[report->unit].word);
	for (i = 0; i < report->nr; i++) {
		fputs(i ? "," : "", out);
		print_json_row(out, &report->row[i]);
	}
	fputs("],\"note\":", out);
	if (report->note)
		fprintf(out, "\"%s\"}\n", report->note);
	else
		fputs("null}\n", out);
}

void stats_print_begin(FILE *out, enum stats_format format)
{
	if (format == STATS_CSV)
		fputs("schema,time,seconds,generation,event,name,enabled,unit,"
		      "value,raw,share\n", out);
}

void stats_print(FILE *out, enum stats_format format,
		 const struct stats_report *report)
{
	switch (format) {
	case STATS_CSV:
		print_csv(out, report);
		break;
	case STATS_JSON:
		print_json(out, report);
		break;
	default:
		print_text(out, report);
	}
	fflush(out);
}
