// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line. */
#include <string.h>
#include "cmdline.h"
#include "perfex.h"

#define DEFAULT_INTERVAL	1000
#define MAX_INTERVAL		86400000
#define MAX_REPEAT		10000
#define MAX_NUMBER		0x7fffffff

/* Where each option goes */
static int options_read(struct perfex_options *opt, char ***argv)
{
	const struct cmdline_option options[] = {
		{ "-e", CMDLINE_TEXTS, .text = opt->event,
		  .number = &opt->nr_events, .max = 2,
		  .say = "more than two events: -e may be given twice; "
			 "-a counts all events" },
		{ "-a", CMDLINE_FLAG, .flag = &opt->all },
		{ "-x", CMDLINE_FLAG, .flag = &opt->exception },
		{ "-k", CMDLINE_FLAG, .flag = &opt->kernel },
		{ "-y", CMDLINE_FLAG, .flag = &opt->estimate },
		{ "-t", CMDLINE_FLAG, .flag = &opt->table },
		{ "-T", CMDLINE_FLAG, .flag = &opt->mixed },
		{ "-mp", CMDLINE_FLAG, .flag = &opt->processes },
		{ "-s", CMDLINE_FLAG, .flag = &opt->by_signal },
		{ "-p", CMDLINE_MAYBE_NUMBER, .flag = &opt->periodic,
		  .number = &opt->interval, .max = MAX_INTERVAL },
		{ "-pp", CMDLINE_MAYBE_NUMBER, .flag = &opt->threads,
		  .number = &opt->thread, .max = MAX_NUMBER },
		{ "-o", CMDLINE_TEXT, .text = &opt->output },
		{ "-c", CMDLINE_TEXT, .text = &opt->costs },
		{ "-l", CMDLINE_NUMBER, .number = &opt->ignored, .max = MAX_NUMBER },
		{ "--json", CMDLINE_FLAG, .flag = &opt->json },
		{ "--csv", CMDLINE_FLAG, .flag = &opt->csv },
		{ "--list", CMDLINE_FLAG, .flag = &opt->list },
		{ "--check", CMDLINE_FLAG, .flag = &opt->check },
		{ "--compare", CMDLINE_FLAG, .flag = &opt->compare },
		{ "--help", CMDLINE_FLAG, .flag = &opt->help },
		{ "--version", CMDLINE_FLAG, .flag = &opt->version },
		{ "--interval", CMDLINE_NUMBER, .flag = &opt->periodic,
		  .number = &opt->interval, .max = MAX_INTERVAL },
		{ "--repeat", CMDLINE_NUMBER, .number = &opt->repeat,
		  .max = MAX_REPEAT },
		{ "--pid", CMDLINE_NUMBER, .number = &opt->pid, .max = MAX_NUMBER },
		{ "--mhz", CMDLINE_NUMBER, .number = &opt->mhz, .max = 100000 },
		{ "--plot", CMDLINE_TEXT, .text = &opt->plot },
		{ "--cpu", CMDLINE_TEXT, .text = &opt->cpu },
	};

	return cmdline_parse(options, sizeof(options) / sizeof(options[0]),
			     false, argv);
}

/* Refuse options that exclude each other, and say why */
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
		  "-mp and -pp exclude each other: -mp reports all threads" },
		{ opt->threads, opt->by_signal,
		  "-pp and -s exclude each other" },
		{ opt->threads, opt->periodic,
		  "-pp and -p exclude each other" },
		{ opt->json, opt->csv, "--json and --csv exclude each other" },
		{ opt->pid, opt->processes || opt->threads,
		  "--pid and -mp or -pp exclude each other: perfex follows threads from their start" },
		{ opt->check, opt->command[0] || opt->json || opt->csv ||
		  opt->output || opt->plot,
		  "--check counts nothing: use it without a command, --json, --csv, -o and --plot" },
		{ opt->compare, opt->all || opt->nr_events || opt->json || opt->csv ||
		  opt->output || opt->plot || opt->pid || opt->periodic || opt->repeat ||
		  opt->check,
		  "--compare counts nothing: use it with two files alone" },
		{ opt->repeat > 1, opt->pid || opt->periodic ||
		  opt->by_signal || opt->processes || opt->threads,
		  "--repeat needs runs that are all alike: use it without --pid, -p, -s, -mp and -pp" },
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
		tool_error("use --cpu with --list only: perfex counts this CPU's events");
		return TOOL_FAILED;
	}
	if (!opt->command[0] && !opt->table && !opt->list && !opt->check &&
	    !opt->pid) {
		tool_error("no command given; see perfex --help");
		return TOOL_FAILED;
	}
	if (opt->compare && (!opt->command[0] || !opt->command[1] || opt->command[2])) {
		tool_error("--compare needs two files that --json has written");
		return TOOL_FAILED;
	}
	if (opt->ignored)
		tool_error("-l %u is ignored: its meaning on IRIX is not known",
			   opt->ignored);

	return 0;
}

int perfex_options_parse(struct perfex_options *opt, char **argv)
{
	int ret;

	memset(opt, 0, sizeof(*opt));
	ret = options_read(opt, &argv);
	if (ret)
		return ret;
	opt->command = argv;

	return options_check(opt);
}
