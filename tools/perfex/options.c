// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line. IRIX's options are single-dash words (-mp), which getopt(3)
 * cannot read; the first word that is no option is the command, and all after
 * it is the command's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "perfex.h"

#define DEFAULT_INTERVAL	1000
#define MAX_INTERVAL		86400000
#define MAX_REPEAT		10000
#define MAX_NUMBER		0x7fffffff

enum kind {
	FLAG,
	TEXT,
	NUMBER,
	MAYBE_NUMBER,
};

/**
 * struct row - an option
 * @word: what it looks like
 * @kind: what follows it
 * @flag: set if it is given; may be NULL if something must follow
 * @text: where a text goes that follows
 * @number: where a number goes that follows, from 1 on
 * @max: the most that it may be
 */
struct row {
	const char *word;
	enum kind kind;
	bool *flag;
	const char **text;
	unsigned int *number;
	unsigned int max;
};

/* Decimal digits alone */
static bool parse_number(unsigned int *number, const char *text,
			 unsigned int max)
{
	unsigned long value;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value < 1 || value > max)
		return false;
	*number = (unsigned int)value;

	return true;
}

static int needs_argument(const char *word)
{
	tool_error("option %s needs an argument; see perfex --help", word);

	return TOOL_FAILED;
}

static int set_event(struct perfex_options *opt, const char *value)
{
	if (opt->nr_events == 2) {
		tool_error("more than two events: -e may be given twice; "
			   "-a counts all events");
		return TOOL_FAILED;
	}
	opt->event[opt->nr_events++] = value;

	return 0;
}

static int set_value(const struct row *row, const char *value)
{
	if (!value)
		return needs_argument(row->word);
	if (row->flag)
		*row->flag = true;
	if (row->kind == TEXT) {
		*row->text = value;
		return 0;
	}
	if (parse_number(row->number, value, row->max))
		return 0;
	tool_error("option %s needs a number from 1 to %u, and not '%s'",
		   row->word, row->max, value);

	return TOOL_FAILED;
}

/* A command cannot be told from a number, but few begin with a digit */
static void set_flag(const struct row *row, char ***argv)
{
	const char *next = (*argv)[1];

	*row->flag = true;
	if (row->kind == MAYBE_NUMBER && next &&
	    parse_number(row->number, next, row->max))
		(*argv)++;
}

/* What follows "-e" in "-e5", or "--repeat" in "--repeat=5"; or the next word */
static const char *option_value(char ***argv, size_t len)
{
	const char *word = **argv;

	if (word[len] == '=' && word[1] == '-')
		return word + len + 1;
	if (word[len])
		return word + len;
	if ((*argv)[1])
		(*argv)++;
	else
		return NULL;

	return **argv;
}

static int option_row(const struct row *row, char ***argv)
{
	if (row->kind == FLAG || row->kind == MAYBE_NUMBER) {
		set_flag(row, argv);
		return 0;
	}

	return set_value(row, option_value(argv, strlen(row->word)));
}

/* -e5 but not -ax; --repeat=5 but not --repeat5 */
static bool is_row(const struct row *row, const char *word)
{
	size_t len = strlen(row->word);

	if (strcmp(word, row->word) == 0)
		return true;
	if (row->kind == FLAG || row->kind == MAYBE_NUMBER ||
	    strncmp(word, row->word, len) != 0)
		return false;

	return word[1] == '-' ? word[len] == '=' : len == 2;
}

static int option_parse(struct perfex_options *opt, char ***argv)
{
	const struct row rows[] = {
		{ "-a", FLAG, .flag = &opt->all },
		{ "-x", FLAG, .flag = &opt->exception },
		{ "-k", FLAG, .flag = &opt->kernel },
		{ "-y", FLAG, .flag = &opt->estimate },
		{ "-t", FLAG, .flag = &opt->table },
		{ "-T", FLAG, .flag = &opt->mixed },
		{ "-mp", FLAG, .flag = &opt->processes },
		{ "-s", FLAG, .flag = &opt->by_signal },
		{ "-p", MAYBE_NUMBER, .flag = &opt->periodic,
		  .number = &opt->interval, .max = MAX_INTERVAL },
		{ "-pp", MAYBE_NUMBER, .flag = &opt->threads,
		  .number = &opt->thread, .max = MAX_NUMBER },
		{ "-o", TEXT, .text = &opt->output },
		{ "-c", TEXT, .text = &opt->costs },
		{ "-l", NUMBER, .number = &opt->ignored, .max = MAX_NUMBER },
		{ "--json", FLAG, .flag = &opt->json },
		{ "--csv", FLAG, .flag = &opt->csv },
		{ "--list", FLAG, .flag = &opt->list },
		{ "--check", FLAG, .flag = &opt->check },
		{ "--help", FLAG, .flag = &opt->help },
		{ "--version", FLAG, .flag = &opt->version },
		{ "--interval", NUMBER, .flag = &opt->periodic,
		  .number = &opt->interval, .max = MAX_INTERVAL },
		{ "--repeat", NUMBER, .number = &opt->repeat,
		  .max = MAX_REPEAT },
		{ "--pid", NUMBER, .number = &opt->pid, .max = MAX_NUMBER },
		{ "--mhz", NUMBER, .number = &opt->mhz, .max = 100000 },
		{ "--plot", TEXT, .text = &opt->plot },
		{ "--cpu", TEXT, .text = &opt->cpu },
	};
	const char *value;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (is_row(&rows[i], **argv))
			return option_row(&rows[i], argv);

	if ((**argv)[1] != 'e') {
		tool_error("unknown option %s; see perfex --help", **argv);
		return TOOL_FAILED;
	}
	value = option_value(argv, 2);

	return value ? set_event(opt, value) : needs_argument("-e");
}

/* What cannot be had together, and why */
static int options_exclude(const struct perfex_options *opt)
{
	const struct {
		bool a, b;
		const char *text;
	} pairs[] = {
		{ opt->all, opt->nr_events > 0,
		  "-a and -e exclude each other: -a counts all events" },
		{ opt->processes, opt->by_signal,
		  "-mp and -s exclude each other" },
		{ opt->processes, opt->periodic,
		  "-mp and -p exclude each other" },
		{ opt->by_signal, opt->periodic,
		  "-s and -p exclude each other" },
		{ opt->processes, opt->threads,
		  "-mp and -pp exclude each other: -mp has all threads" },
		{ opt->threads, opt->by_signal,
		  "-pp and -s exclude each other" },
		{ opt->threads, opt->periodic,
		  "-pp and -p exclude each other" },
		{ opt->json, opt->csv, "--json and --csv exclude each other" },
		{ opt->pid, opt->processes || opt->threads,
		  "--pid and -mp or -pp exclude each other: threads are followed from their start" },
		{ opt->repeat > 1, opt->pid || opt->periodic ||
		  opt->by_signal || opt->processes || opt->threads,
		  "--repeat is for runs that are all alike: not with --pid, -p, -s, -mp or -pp" },
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pairs[i].a && pairs[i].b) {
			tool_error("%s", pairs[i].text);
			return TOOL_FAILED;
		}
	}

	return 0;
}

static int options_check(struct perfex_options *opt)
{
	int ret = 0;

	if (opt->help || opt->version)
		return 0;
	if (opt->periodic && !opt->interval)
		opt->interval = DEFAULT_INTERVAL;
	ret = options_exclude(opt);
	if (ret)
		return ret;
	if (opt->cpu && !opt->list) {
		tool_error("--cpu is for --list alone: this CPU's events are counted");
		return TOOL_FAILED;
	}
	if (!opt->command[0] && !opt->table && !opt->list && !opt->check &&
	    !opt->pid) {
		tool_error("no command given; see perfex --help");
		return TOOL_FAILED;
	}
	if (opt->ignored)
		tool_error("-l %u is ignored: what it meant is not known",
			   opt->ignored);

	return 0;
}

int perfex_options_parse(struct perfex_options *opt, char **argv)
{
	int ret;

	memset(opt, 0, sizeof(*opt));
	for (argv++; *argv && (*argv)[0] == '-' && (*argv)[1]; argv++) {
		if (strcmp(*argv, "--") == 0) {
			argv++;
			break;
		}
		ret = option_parse(opt, &argv);
		if (ret)
			return ret;
	}
	opt->command = argv;

	return options_check(opt);
}
