// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of ecstats. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <stdlib.h>
#include "ecstats.h"

#define INTERVAL_DEFAULT	5

static const char *const help_text =
"Usage: ecstats [-aCDefr] [-s SAMPLES] [-o FILE] [--csv | --json] [INTERVAL]\n"
"Show the counts of the R10000's counters on all CPUs, in all programs, every\n"
"INTERVAL seconds (default: 5). ecadmin chooses the events.\n"
"\n"
"  -r          show rates (default)\n"
"  -a          show absolute counts since the events were enabled\n"
"  -e          show the enabled events (default)\n"
"  -f          show all events\n"
"  -C          use the full screen; keys: a, r, e and f as the options, up and\n"
"              down, ^L redraws, q quits\n"
"  -s SAMPLES  end after this number of reports\n"
"  -D          print each request and its result\n"
"  -o FILE     write the report to FILE (--output)\n"
"      --csv      print one line for each event and report, for programs\n"
"      --json     print one JSON object for each report, for programs\n"
"      --help     show this help and exit\n"
"      --version  show the version and exit\n"
"\n"
"Events that shared a counter did not count all the time: their values are\n"
"scaled, and marked *.\n"
"\n"
"Exit status: 0; 1 if no events are enabled, if they are released, or on\n"
"failure; 2 if the command line is wrong.\n";

void stats_help(FILE *out)
{
	fputs(help_text, out);
}

enum { OPT_HELP = 256, OPT_VERSION, OPT_CSV, OPT_JSON };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "output", required_argument, NULL, 'o' },
	{ NULL, 0, NULL, 0 }
};

static int set_flag(bool *flag, bool value)
{
	*flag = value;

	return EC_OK;
}

static int set_format(struct stats_options *opt, enum stats_format format)
{
	if (opt->format != STATS_TEXT && opt->format != format) {
		tool_error("--csv and --json exclude each other");
		return EC_USAGE;
	}
	opt->format = format;

	return EC_OK;
}

static int set_samples(struct stats_options *opt, const char *text)
{
	if (!tool_number(&opt->samples, text, UINT_MAX)) {
		tool_error("-s needs a number of reports, at least 1, not '%s'",
			   text);
		return EC_USAGE;
	}

	return EC_OK;
}

static int set_interval(struct stats_options *opt, const char *text)
{
	opt->interval = tool_interval(text);

	return opt->interval > 0 ? EC_OK : EC_USAGE;
}

static int option_parse(struct stats_options *opt, int c)
{
	switch (c) {
	case 'a':
	case 'r':
		return set_flag(&opt->absolute, c == 'a');
	case 'e':
	case 'f':
		return set_flag(&opt->all, c == 'f');
	case 'C':
		return set_flag(&opt->screen, true);
	case 'D':
		return set_flag(&ec_verbose, true);
	case 's':
		return set_samples(opt, optarg);
	case 'o':
		opt->output = optarg;
		return EC_OK;
	case OPT_CSV:
		return set_format(opt, STATS_CSV);
	case OPT_JSON:
		return set_format(opt, STATS_JSON);
	case OPT_HELP:
		return set_flag(&opt->help, true);
	case OPT_VERSION:
		return set_flag(&opt->version, true);
	default:
		tool_error("see ecstats --help");
		return EC_USAGE;
	}
}

static int options_check(struct stats_options *opt, char **words)
{
	int status = EC_OK;

	if (opt->help || opt->version)
		return EC_OK;
	if (words[0])
		status = set_interval(opt, words[0]);
	if (status)
		return status;
	if (words[0] && words[1]) {
		tool_error("unexpected argument '%s'; see ecstats --help",
			   words[1]);
		return EC_USAGE;
	}
	if (opt->screen && (opt->output || opt->format != STATS_TEXT)) {
		tool_error("-C excludes -o, --csv and --json");
		return EC_USAGE;
	}

	return EC_OK;
}

int stats_options_parse(struct stats_options *opt, int argc, char **argv)
{
	int status = EC_OK;
	int c;

	memset(opt, 0, sizeof(*opt));
	opt->interval = INTERVAL_DEFAULT;
	optind = 0;
	while (status == EC_OK &&
	       (c = getopt_long(argc, argv, "aCDefo:rs:", long_options,
				NULL)) != -1)
		status = option_parse(opt, c);

	return status ? status : options_check(opt, argv + optind);
}
