// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Files of costs, which perfex -t writes and perfex -c reads. A row reads
 *
 *	NUMBER [LABEL....] TYPICAL UNIT MINIMUM UNIT MAXIMUM UNIT
 *
 * where UNIT is clks or nsec. The label is for the human reader; the parser skips it.
 * It also skips comments, which begin with #, and the lines that -t writes before the
 * rows. The decimal separator is a point in all locales.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "costs.h"

#define MAX_WORDS	64
#define MAX_COST	1e9

static const char *const units[] = {
	[COST_CLKS] = "clks",
	[COST_NSEC] = "nsec",
};

/**
 * struct words - a line of a file, split into words
 * @line: the line, with a 0 byte after each word
 * @end: its length
 * @nr: how many words it has
 * @word: the start of each word
 */
struct words {
	char *line;
	size_t end;
	unsigned int nr;
	char *word[MAX_WORDS];
};

static void words_split(struct words *words, char *line)
{
	char *p = line;

	words->line = line;
	words->end = strlen(line);
	words->nr = 0;
	while (words->nr < MAX_WORDS) {
		while (isspace((unsigned char)*p))
			*p++ = '\0';
		if (!*p)
			return;
		words->word[words->nr++] = p;
		while (*p && !isspace((unsigned char)*p))
			p++;
	}
}

__attribute__((format(printf, 4, 5)))
static int mistake(struct cost_error *error, const struct words *words,
		   const char *at, const char *format, ...)
{
	va_list args;

	error->column = (unsigned int)(at - words->line) + 1;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);

	return -EINVAL;
}

/* A number is digits with at most one point. False for anything else */
static bool parse_number(double *value, const char *text)
{
	double scale = 1;
	bool point = false;
	const char *p;

	*value = 0;
	for (p = text; *p; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (*p < '0' || *p > '9')
			return false;
		*value = *value * 10 + (*p - '0');
		if (point)
			scale *= 10;
	}
	*value /= scale;

	return p - text > point && *value <= MAX_COST;
}

static bool parse_unit(enum cost_unit *unit, const char *text)
{
	if (strcmp(text, units[COST_CLKS]) == 0)
		*unit = COST_CLKS;
	else if (strcmp(text, units[COST_NSEC]) == 0)
		*unit = COST_NSEC;
	else
		return false;

	return true;
}

/* A word of nothing but dots belongs to the label, too: "foo ...." */
static bool is_label(const char *word)
{
	return !strchr("0123456789.+-", word[0]) ||
	       word[strspn(word, ".")] == '\0';
}

/* The label ends before the first word that begins like a number */
static unsigned int find_costs(const struct words *words)
{
	unsigned int i = 1;

	while (i < words->nr && is_label(words->word[i]))
		i++;

	return i;
}

static int parse_cost(struct cost *cost, const struct words *words,
		      unsigned int at, struct cost_error *error)
{
	if (at + 2 > words->nr)
		return mistake(error, words, words->line + words->end,
			       "three costs, each with clks or nsec, must end the line");
	if (!parse_number(&cost->value, words->word[at]))
		return mistake(error, words, words->word[at],
			       "'%.32s' is not a cost", words->word[at]);
	at++;
	if (!parse_unit(&cost->unit, words->word[at]))
		return mistake(error, words, words->word[at],
			       "'%.32s' is not a unit: clks or nsec",
			       words->word[at]);

	return 0;
}

static int parse_costs(struct cost_row *row, const struct words *words,
		       struct cost_error *error)
{
	unsigned int at = find_costs(words);
	unsigned int i;
	int ret = 0;

	row->known = true;
	for (i = 0; i < COST_KINDS && ret == 0; i++, at += 2)
		ret = parse_cost(&row->cost[i], words, at, error);
	if (ret == 0 && at < words->nr)
		ret = mistake(error, words, words->word[at],
			      "'%.32s': nothing may follow the costs",
			      words->word[at]);

	return ret;
}

static int parse_row(struct cost_table *table, const struct words *words,
		     struct cost_error *error)
{
	struct cost_row row;
	double event;
	int ret;

	if (!parse_number(&event, words->word[0]) ||
	    strchr(words->word[0], '.') || event >= IRIXPERF_EVENTS)
		return mistake(error, words, words->word[0],
			       "'%.32s' is not an event's number, 0 to 31",
			       words->word[0]);
	ret = parse_costs(&row, words, error);
	if (ret == 0)
		table->row[(unsigned int)event] = row;

	return ret;
}

/* A line that -t writes before the rows, such as "Costs for IP27 processor" */
static bool is_header(const char *line)
{
	static const char *const headers[] = { "Costs for ", "MIPS ", "CPU r" };
	size_t i;

	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (strncmp(line, headers[i], strlen(headers[i])) == 0)
			return true;

	return false;
}

static int parse_line(struct cost_table *table, char *line,
		      struct cost_error *error)
{
	struct words words;
	char *first;

	line[strcspn(line, "\r\n")] = '\0';
	first = line + strspn(line, " \t");
	if (*first == '\0' || *first == '#' || is_header(first))
		return 0;
	words_split(&words, line);

	/* A line of nothing but other white space, such as a form feed, has no words */
	return words.nr > 0 ? parse_row(table, &words, error) : 0;
}

static int parse_file(struct cost_table *table, FILE *file,
		      struct cost_error *error)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (ret == 0 && getline(&line, &size, file) >= 0) {
		error->line++;
		ret = parse_line(table, line, error);
	}
	if (ret == 0 && ferror(file)) {
		ret = errno ? -errno : -EIO;
		error->line = 0;
	}
	free(line);

	return ret;
}

int costs_load(struct cost_table *table, const char *path,
	       struct cost_error *error)
{
	struct cost_table new = *table;
	FILE *file = fopen(path, "re");
	int ret = -errno;

	memset(error, 0, sizeof(*error));
	if (file) {
		ret = parse_file(&new, file, error);
		fclose(file);
	}
	if (ret == 0)
		*table = new;
	else if (error->line == 0)
		snprintf(error->text, sizeof(error->text), "%s",
			 strerror(-ret));

	return ret;
}

int costs_for(struct cost_table *table, const struct cost_machine *machine,
	      const char *path, const char **where, struct cost_error *error)
{
	int ret;

	costs_builtin(table, machine);
	*where = COSTS_SITE_FILE;
	ret = costs_load(table, *where, error);
	if (ret == -ENOENT)
		ret = 0;
	if (ret < 0 || !path)
		return ret;
	*where = path;

	return costs_load(table, path, error);
}

void costs_describe(char *buf, size_t size, const char *path,
		    const struct cost_error *error)
{
	if (error->line == 0)
		snprintf(buf, size, "%s: %s", path, error->text);
	else
		snprintf(buf, size, "%s:%u:%u: %s", path, error->line,
			 error->column, error->text);
}

static void print_header(FILE *out, const struct cost_table *table)
{
	const struct cost_machine *machine = &table->machine;

	fprintf(out, "Costs for %s processor\n",
		machine->board[0] ? machine->board : "unknown");
	if (machine->model[0])
		fprintf(out, "MIPS %s CPU\n", machine->model);
	if (machine->major)
		fprintf(out, "CPU revision %u.%u\n", machine->major,
			machine->minor);
	if (strcmp(machine->board, table->board) != 0)
		fprintf(out, "# built-in costs are those of the %s\n",
			table->board);
	fprintf(out, "# event, then typical, minimum and maximum cost of each\n");
}

static void print_row(FILE *out, const struct irixperf_event *event,
		      const struct cost_row *row)
{
	unsigned int i;

	event_line_label(out, event);
	for (i = 0; i < COST_KINDS; i++)
		fprintf(out, " %8.2f %s", row->cost[i].value,
			units[row->cost[i].unit]);
	fputc('\n', out);
}

void costs_print(FILE *out, const struct cost_table *table)
{
	unsigned int i;

	print_header(out, table);
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct irixperf_event *event =
			irixperf_event_get(table->machine.chip, i);

		if (!event)
			continue;
		if (table->row[i].known)
			print_row(out, event, &table->row[i]);
		else
			fprintf(out, "# %u %s: no cost is known\n", i,
				event->label);
	}
}
