// SPDX-License-Identifier: GPL-2.0-or-later
/* The report, in the sections and columns of IRIX's prof. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "prof.h"

#define RULE "-------------------------------------------------------------------------\n"

/**
 * struct row - a row of a list
 * @count: how many samples
 * @group: samples of the function that it belongs to
 * @sample: one of the samples
 * @place: the source line to show
 */
struct row {
	uint64_t count;
	uint64_t group;
	const struct prof_sample *sample;
	struct prof_place place;
};

static const char *text_of(const char *text, const char *otherwise)
{
	return text && text[0] ? text : otherwise;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_pair(FILE *out, const char *value, const char *label)
{
	fprintf(out, "%25s: %s\n", value, label);
}

static void print_number(FILE *out, uint64_t value, const char *label)
{
	fprintf(out, "%25" PRIu64 ": %s\n", value, label);
}

static void print_title(FILE *out, char *const *argv)
{
	time_t now = time(NULL);
	char date[64];

	strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", localtime(&now));
	fprintf(out, RULE "SpeedShop profile listing generated %s\n  ", date);
	for (; *argv; argv++)
		fprintf(out, " %s", *argv);
	fputc('\n', out);
}

static void print_header(FILE *out, const struct prof_data *data)
{
	char *const *value = data->files[0].value;
	char text[256];

	print_pair(out, value[PROF_NAME], "Target program");
	print_pair(out, value[PROF_EXPERIMENT], "Experiment name");
	snprintf(text, sizeof(text), "hwc,%s,%s:cu", value[PROF_EVENT],
		 value[PROF_INTERVAL]);
	print_pair(out, text, "Marching orders");
	snprintf(text, sizeof(text), "%s / %s", value[PROF_CPU],
		 text_of(value[PROF_FPU], value[PROF_CPU]));
	print_pair(out, text, "CPU / FPU");
	print_pair(out, text_of(value[PROF_CPUS], "unknown"), "Number of CPUs");
	print_pair(out, strcmp(value[PROF_MHZ], "0") ?
		   text_of(value[PROF_MHZ], "unknown") : "unknown",
		   "Clock frequency (MHz.)");
}

/* Print why the counts of a file are too low */
static void print_losses(FILE *out, char *const *value)
{
	if (strcmp(text_of(value[PROF_LOST], "0"), "0"))
		fprintf(out, "\tsamples lost by all processes of the run: %s\n",
			value[PROF_LOST]);
	if (strcmp(text_of(value[PROF_THROTTLED], "0"), "0"))
		fprintf(out, "\tcounter stopped by the kernel, until the next "
			"clock tick: %s times\n", value[PROF_THROTTLED]);
	if (strcmp(text_of(value[PROF_STARVED], "0"), "0"))
		fprintf(out, "\tother users of perf had the counter for a part of the "
			"time: counts are too low\n");
}

static void print_notes(FILE *out, const struct prof_data *data)
{
	char *const *first = data->files[0].value;
	size_t i;

	fprintf(out, "\nExperiment notes--\n");
	if (first[PROF_MAP][0])
		fprintf(out, "\tno R10000: event %s is %s, by %s\n",
			first[PROF_EVENT], first[PROF_PERF], first[PROF_MAP]);
	if (first[PROF_NOTE][0])
		fprintf(out, "\t%s\n", first[PROF_NOTE]);
	for (i = 0; i < data->nr_files; i++) {
		const struct prof_file *file = &data->files[i];

		fprintf(out, "\tFrom file %s:\n"
			"\tCaliper point 0 at target begin, PID %s\n\t\t%s\n"
			"\tCaliper point 1 at target end\n", file->path,
			file->value[PROF_PID], file->value[PROF_COMMAND]);
		print_losses(out, file->value);
	}
}

static void print_summary(FILE *out, const struct prof_data *data)
{
	char *const *value = data->files[0].value;
	char text[256];

	fprintf(out, RULE "Summary of R10K perf. counter overflow PC sampling "
		"data (%s)--\n", value[PROF_EXPERIMENT]);
	print_number(out, data->total, "Total samples");
	snprintf(text, sizeof(text), "%s (%s)", value[PROF_COUNTER],
		 value[PROF_EVENT]);
	print_pair(out, text, "Counter name (number)");
	print_number(out, data->interval, "Counter overflow value");
	print_number(out, data->total * data->interval, "Total counts");
}

static int compare_places(const struct prof_place *a, const struct prof_place *b)
{
	int order = strcmp(text_of(a->file, ""), text_of(b->file, ""));

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_functions(const struct row *x, const struct row *y)
{
	int order = strcmp(x->sample->dso, y->sample->dso);

	if (!order)
		order = strcmp(x->sample->function, y->sample->function);
	if (!order)
		order = (x->sample->start > y->sample->start) -
			(x->sample->start < y->sample->start);

	return order;
}

/* Rows of one source line of one function are equal */
static int compare_same(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare_functions(x, y);

	return order ? order : compare_places(&x->place, &y->place);
}

/* By the counts of functions, and by source lines in each function */
static int compare_groups(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? 1 : -1;

	return compare_same(a, b);
}

static int compare_counts(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;

	return compare_same(a, b);
}

/* Of rows that compare_same() has sorted */
static void sum_functions(struct row *rows, size_t nr)
{
	size_t from, to, i;

	for (from = 0; from < nr; from = to) {
		uint64_t sum = 0;

		for (to = from; to < nr && !compare_functions(&rows[from], &rows[to]); to++)
			sum += rows[to].count;
		for (i = from; i < to; i++)
			rows[i].group = sum;
	}
}

/* Merge equal rows, then sort by count. Return how many rows are left */
static size_t rows_merge(struct row *rows, size_t nr)
{
	size_t i, used = 0;

	if (!nr)
		return 0;
	qsort(rows, nr, sizeof(*rows), compare_same);
	for (i = 1; i < nr; i++) {
		if (compare_same(&rows[used], &rows[i]) == 0)
			rows[used].count += rows[i].count;
		else
			rows[++used] = rows[i];
	}
	sum_functions(rows, used + 1);
	qsort(rows, used + 1, sizeof(*rows), compare_counts);

	return used + 1;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* How many rows, sorted by count, -quit leaves */
static size_t rows_left(const struct row *rows, size_t nr,
			const struct prof_data *data, const struct prof_how *how)
{
	uint64_t so_far = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if ((how->quit == PROF_ROWS && (double)i >= how->at) ||
		    (how->quit == PROF_PERCENT &&
		     percent(rows[i].count, data->total) < how->at) ||
		    (how->quit == PROF_TOGETHER &&
		     percent(so_far, data->total) >= how->at))
			break;
		so_far += rows[i].count;
	}

	return i;
}

static void print_row(FILE *out, const char *index, const struct prof_data *data,
		      uint64_t count, uint64_t so_far)
{
	fprintf(out, "%7s %15" PRIu64 " %5.1f%% %5.1f%% %11" PRIu64 "  ", index,
		count * data->interval, percent(count, data->total),
		percent(so_far, data->total), count);
}

static void print_rows(FILE *out, const struct prof_data *data,
		       const struct row *rows, size_t nr, bool indexed)
{
	uint64_t so_far = 0;
	char index[24] = "";
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct prof_sample *sample = rows[i].sample;

		so_far += rows[i].count;
		if (indexed)
			snprintf(index, sizeof(index), "[%zu]", i + 1);
		print_row(out, index, data, rows[i].count, so_far);
		fprintf(out, "%s (%s: %s, %u)\n", sample->function,
			base_name(sample->dso),
			text_of(rows[i].place.file, "<unknown>"),
			rows[i].place.line);
	}
	print_row(out, "", data, data->total, data->total);
	fputs("TOTAL\n", out);
}

enum list { FUNCTIONS, LINES, HEAVY };

static void print_list(FILE *out, const struct prof_data *data,
		       struct row *rows, const struct prof_how *how, enum list list)
{
	static const char *const titles[] = {
		[FUNCTIONS] = "Function list, in descending order by counts",
		[LINES] = "Line list, in descending order by function-counts and then line number",
		[HEAVY] = "Line list, in descending order by counts",
	};
	size_t i, nr;

	for (i = 0; i < data->nr; i++) {
		const struct prof_sample *sample = &data->sample[i];

		rows[i].count = sample->count;
		rows[i].sample = sample;
		rows[i].place = list == FUNCTIONS ? sample->begin : sample->place;
	}
	fprintf(out, RULE "%s\n" RULE
		"%7s %15s %6s %6s %11s  function (dso: file, line)\n\n",
		titles[list], list == FUNCTIONS ? "[index]" : "", "counts", "%",
		"cum.%", "samples");
	nr = rows_left(rows, rows_merge(rows, data->nr), data, how);
	if (list == LINES)
		qsort(rows, nr, sizeof(*rows), compare_groups);
	print_rows(out, data, rows, nr, list == FUNCTIONS);
}

/**
 * prof_report() - print the report
 * @out: the file to print to
 * @data: the samples, merged
 * @argv: the command line
 * @how: which lists, and how much of them
 *
 * Return: 0, or an exit status after a message.
 */
int prof_report(FILE *out, struct prof_data *data, char *const *argv,
		const struct prof_how *how)
{
	struct row *rows = calloc(data->nr + 1, sizeof(*rows));

	if (!rows) {
		tool_error("%s", strerror(ENOMEM));
		return TOOL_FAILED;
	}
	print_title(out, argv);
	print_header(out, data);
	print_notes(out, data);
	print_summary(out, data);
	print_list(out, data, rows, how, FUNCTIONS);
	if (how->lines)
		print_list(out, data, rows, how, LINES);
	if (how->heavy)
		print_list(out, data, rows, how, HEAVY);
	free(rows);

	return 0;
}
