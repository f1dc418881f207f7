// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line. IRIX's options are single-dash words (-mp), which getopt(3)
 * cannot read; the first word that is no option is the command, and all after
 * it is the command's.
 */
#include <string.h>
#include "perfex.h"

static const char *const help_text =
"Usage: perfex [-a | -e EVENT [-e EVENT]] [-k] [-x] [-o FILE] COMMAND [ARG]...\n"
"Run COMMAND and report what the R10000's event counters counted in it and in\n"
"all its descendants, on standard error.\n"
"\n"
"  -e EVENT    count EVENT: a number from 0 to 31 or a name, in any case;\n"
"              two may be given, one for each counter\n"
"  -a          count all 32 events in turn and project the totals\n"
"  -k          count in kernel mode as well as in user mode\n"
"  -x          count at exception level as well as in user mode\n"
"  -o FILE     write the report to FILE\n"
"      --help     show this help and exit\n"
"      --version  show the version and exit\n"
"\n"
"Without -e and -a the events are taken from the environment variables\n"
"T5_EVENT0 and T5_EVENT1, and without these cycles are counted. With one event\n"
"the other counter counts cycles. On the R10000 events 0 to 15 need counter 0\n"
"and 16 to 31 need counter 1; the R12000 and later count any two events.\n"
"The names are those in /sys/bus/event_source/devices/cpu/events. On another CPU\n"
"an event map says which of its events stand for them: irixperf-eventmap(5).\n"
"\n"
"Exit status: that of COMMAND, or 128 + N if signal N ended it; 125 if perfex\n"
"fails, 126 if COMMAND cannot be run, 127 if it is not found.\n";

void perfex_help(FILE *out)
{
	fputs(help_text, out);
}

/* Options of IRIX's perfex that are understood and refused */
static const char *const later_options[] = {
	"-y", "-t", "-T", "-c", "-l", "-mp", "-s", "-p", "-pp",
};

static bool option_later(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(later_options) / sizeof(later_options[0]); i++)
		if (strcmp(word, later_options[i]) == 0)
			return true;

	return false;
}

static bool *option_flag(struct perfex_options *opt, const char *word)
{
	const struct {
		const char *word;
		bool *flag;
	} flags[] = {
		{ "-a", &opt->all },
		{ "-x", &opt->exception },
		{ "-k", &opt->kernel },
		{ "--help", &opt->help },
		{ "--version", &opt->version },
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(word, flags[i].word) == 0)
			return flags[i].flag;

	return NULL;
}

/* "-e 5" or "-e5"; return NULL after a message if nothing follows */
static const char *option_value(char ***argv)
{
	const char *word = **argv;

	if (word[2])
		return word + 2;
	if (!(*argv)[1]) {
		tool_error("option %s needs an argument; see perfex --help",
			   word);
		return NULL;
	}
	(*argv)++;

	return **argv;
}

static int option_event(struct perfex_options *opt, const char *value)
{
	if (!value)
		return TOOL_FAILED;
	if (opt->nr_events == 2) {
		tool_error("more than two events: -e may be given twice; "
			   "-a counts all events");
		return TOOL_FAILED;
	}
	opt->event[opt->nr_events++] = value;

	return 0;
}

static int option_output(struct perfex_options *opt, const char *value)
{
	opt->output = value;

	return value ? 0 : TOOL_FAILED;
}

static int option_parse(struct perfex_options *opt, char ***argv)
{
	const char *word = **argv;
	bool *flag = option_flag(opt, word);

	if (flag) {
		*flag = true;
		return 0;
	}
	if (option_later(word)) {
		tool_error("option %s is not supported yet", word);
		return TOOL_USAGE;
	}
	if (word[1] == 'e')
		return option_event(opt, option_value(argv));
	if (word[1] == 'o')
		return option_output(opt, option_value(argv));

	tool_error("unknown option %s; see perfex --help", word);

	return TOOL_FAILED;
}

static int options_check(const struct perfex_options *opt)
{
	if (opt->help || opt->version)
		return 0;
	if (opt->all && opt->nr_events) {
		tool_error("-a and -e exclude each other: -a counts all events");
		return TOOL_FAILED;
	}
	if (!opt->command[0]) {
		tool_error("no command given; see perfex --help");
		return TOOL_FAILED;
	}

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
