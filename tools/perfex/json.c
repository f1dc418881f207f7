// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report as one JSON object (RFC 8259). A value that is not known is null. New
 * members may be added; any other change also changes "schema".
 */
#include <inttypes.h>
#include <math.h>
#include <sys/hwperfmacros.h>
#include "perfex.h"
#include "utf8.h"

#define SCHEMA	1

void perfex_json_text(FILE *out, const char *text)
{
	size_t length;

	fputc('"', out);
	for (; *text; text += length ? length : 1) {
		unsigned char c = (unsigned char)*text;

		length = utf8_length(text);
		if (!length)
			fputs(UTF8_UNKNOWN, out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else
			fwrite(text, 1, length, out);
	}
	fputc('"', out);
}

static void text_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\": ", name);
	perfex_json_text(out, text);
	fputs(", ", out);
}

/* @last: no comma follows the last member of an object */
static void number_member(FILE *out, const char *name, bool there,
			  const char *format, double value, bool last)
{
	fprintf(out, "\"%s\": ", name);
	if (there && isfinite(value))
		fprintf(out, format, value);
	else
		fputs("null", out);
	if (!last)
		fputs(", ", out);
}

static void json_costs(FILE *out, const struct perfex_report *report,
		       const struct perfex_row *row)
{
	static const char *const names[COST_KINDS] = {
		"typical_s", "minimum_s", "maximum_s",
	};
	int kind;

	for (kind = 0; kind < COST_KINDS; kind++) {
		double time = perfex_seconds(report->table, row, kind);

		number_member(out, names[kind], time >= 0, "%.9f", time, false);
	}
}

static void json_row(FILE *out, const struct perfex_report *report,
		     const struct perfex_row *row, bool repeat)
{
	const struct irixperf_event *event =
		irixperf_event_get(report->choice->chip, row->event);

	fprintf(out, "{\"event\": %u, ", row->event);
	text_member(out, "name", event->name);
	text_member(out, "label", event->label);
	if (row->counted)
		fprintf(out, "\"count\": %" PRIu64 ", ", row->value);
	else
		fputs("\"count\": null, ", out);
	fprintf(out, "\"raw\": %" PRIu64 ", \"enabled_ns\": %" PRIu64
		", \"running_ns\": %" PRIu64 ", ", row->count.value,
		row->count.enabled, row->count.running);
	if (report->opt->estimate)
		json_costs(out, report, row);
	if (repeat) {
		number_member(out, "mean", row->counted, "%.3f", row->mean,
			      false);
		number_member(out, "deviation", row->counted, "%.3f",
			      row->deviation, false);
	}
	number_member(out, "share", true, "%.6f", tool_share(perfex_share(&row->count)),
		      false);
	number_member(out, "bound", row->bound >= 0, "%.0f", row->bound, true);
	fputc('}', out);
}

static void json_rows(FILE *out, const struct perfex_report *report,
		      const struct perfex_row *row, bool repeat)
{
	unsigned int i;

	fputs("\"counts\": [", out);
	for (i = 0; i < report->choice->nr; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		json_row(out, report, &row[i], repeat);
	}
	fputs("]", out);
}

static void json_threads(FILE *out, const struct perfex_report *report)
{
	const struct perfex_result *result = &report->result[0];
	struct perfex_row row[IRIXPERF_EVENTS];
	const char *comma = "";
	unsigned int i;

	fputs(" \"threads\": [", out);
	for (i = 0; i < result->nr_threads; i++) {
		const struct perfex_thread *thread = &result->thread[i];

		if (!perfex_thread_wanted(result, thread, report->opt))
			continue;
		fprintf(out, "%s\n {\"pid\": %d, \"tid\": %d, \"number\": %u, ",
			comma, thread->pid, thread->tid, thread->number);
		perfex_rows_of_thread(row, report->choice, thread);
		json_rows(out, report, row, false);
		fputc('}', out);
		comma = ",";
	}
	fputs("],\n", out);
}

static void json_series(FILE *out, const struct perfex_report *report)
{
	const struct perfex_result *result = &report->result[0];
	const struct perfex_sample *from = NULL;
	struct irixperf_count count[IRIXPERF_EVENTS];
	struct perfex_row row[IRIXPERF_EVENTS];
	unsigned int i;

	fputs(" \"series\": [", out);
	for (i = 0; i < result->nr_samples; i++) {
		const struct perfex_sample *to = &result->sample[i];

		fprintf(out, "%s\n {\"start_s\": %.6f, \"end_s\": %.6f, ",
			from ? "," : "", from ? from->time : 0, to->time);
		perfex_sample_between(count, from, to, report->choice->nr);
		perfex_rows(row, report->choice, count, NULL);
		json_rows(out, report, row, false);
		fputc('}', out);
		from = to;
	}
	fputs("],\n", out);
}

static void json_stats(FILE *out, const struct perfex_report *report,
		       const struct perfex_row *row)
{
	struct perfex_stat stat[PERFEX_MAX_STATS];
	unsigned int nr = perfex_stats(stat, report->table, row,
				       report->choice->nr);
	unsigned int i;

	fputs(" \"statistics\": [", out);
	for (i = 0; i < nr; i++) {
		fputs(i ? ",\n  {" : "\n  {", out);
		text_member(out, "label", stat[i].label);
		number_member(out, "value", true, "%.9g", stat[i].value, true);
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void json_note(FILE *out, const char *name, const char *note)
{
	fprintf(out, " \"%s\": ", name);
	if (note && *note)
		perfex_json_text(out, note);
	else
		fputs("null", out);
	fputs(",\n", out);
}

static void json_command(FILE *out, char *const *argv)
{
	const char *comma = "";

	fputs(" \"command\": [", out);
	for (; *argv; argv++, comma = ", ") {
		fputs(comma, out);
		perfex_json_text(out, *argv);
	}
	fputs("],\n", out);
}

static void json_machine(FILE *out, const struct perfex_report *report)
{
	const struct cost_machine *machine = &report->table->machine;

	fputs(" \"cpu\": {", out);
	text_member(out, "model", machine->model);
	text_member(out, "board", machine->board);
	number_member(out, "mhz", machine->mhz > 0, "%.0f", machine->mhz,
		      false);
	fprintf(out, "\"revision\": \"%u.%u\"},\n", machine->major,
		machine->minor);
}

static void json_mode(FILE *out, unsigned int mode)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} modes[] = {
		{ HWPERF_CNTEN_U, "user" }, { HWPERF_CNTEN_K, "kernel" },
		{ HWPERF_CNTEN_E, "exception" },
	};
	const char *comma = "";
	size_t i;

	fputs(" \"modes\": [", out);
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!(mode & modes[i].bit))
			continue;
		fprintf(out, "%s\"%s\"", comma, modes[i].name);
		comma = ", ";
	}
	fputs("],\n", out);
}

static void json_result(FILE *out, const struct perfex_report *report)
{
	const struct perfex_result *result = &report->result[report->runs - 1];
	bool command = report->opt->command[0];

	fprintf(out,
		" \"pid\": %d, \"status\": %d, \"runs\": %u, \"failed_runs\": %u, \"lost_threads\": %u,\n ",
		result->pid, perfex_status(report->result, report->runs),
		report->runs, perfex_failures(report->result, report->runs),
		result->lost);
	number_member(out, "elapsed_s", true, "%.6f", result->seconds, false);
	number_member(out, "user_s", command, "%.6f", result->user, false);
	number_member(out, "system_s", command, "%.6f", result->system, true);
	fputs(",\n", out);
}

void perfex_json(FILE *out, const struct perfex_report *report)
{
	struct perfex_row row[IRIXPERF_EVENTS];
	char why[512];

	perfex_rows_of_runs(row, report);
	fprintf(out, "{\"schema\": %d,\n", SCHEMA);
	json_command(out, report->opt->command);
	json_result(out, report);
	json_machine(out, report);
	json_mode(out, report->choice->mode);
	json_note(out, "note", perfex_note(report));
	json_note(out, "warning", perfex_missing(why, sizeof(why), report, row));
	if (report->opt->processes || report->opt->threads)
		json_threads(out, report);
	if (report->opt->periodic)
		json_series(out, report);
	if (report->opt->estimate)
		json_stats(out, report, row);
	fputc(' ', out);
	json_rows(out, report, row, report->runs > 1);
	fputs("}\n", out);
}
