// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of ecadmin. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "ecadmin.h"

static const char *const help_text =
"Usage: ecadmin [-aDlMT] [-d EVENT[,EVENT]...] [-e EVENT[,EVENT]...]\n"
"       ecadmin -r [-Dl]\n"
"Enable and disable events of the R10000's counters for all CPUs and all\n"
"programs, in user mode and in the kernel. ecstats shows the counts.\n"
"\n"
"  -e LIST     enable these events: numbers from 0 to 31 or names, in upper\n"
"              or lower case, separated by commas; '*' means all; '?' alone lists\n"
"              all, and exits\n"
"  -a          enable all events, as -e '*' does\n"
"  -d LIST     disable these events\n"
"  -l          list the enabled events\n"
"  -r          release the counters, so that programs can acquire them\n"
"  -M          allow CPUs of several types, with the events that mean the same\n"
"              on all of them\n"
"  -D          print each request and its result\n"
"  -T          ignored\n"
"      --check    change nothing; say how events would share the counters\n"
"      --help     show this help and exit\n"
"      --version  show the version and exit\n"
"\n"
"Only root can change the events; every user may list them. Events stay enabled\n"
"until you disable or release them. Meanwhile no program can acquire counters;\n"
"perfex and perf count with those that are left. After each change all counts\n"
"start from zero.\n"
"\n"
"Exit status: 0, even if there was nothing to change; 1 on failure; 2 if the\n"
"command line is wrong.\n";

void admin_help(FILE *out)
{
	fputs(help_text, out);
}

enum { OPT_HELP = 256, OPT_VERSION, OPT_CHECK };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ NULL, 0, NULL, 0 }
};

static int add_change(struct admin_options *opt, bool enable, const char *list)
{
	struct admin_change *more = tool_one_more(opt->change, opt->nr,
						  sizeof(*more));

	if (!more) {
		tool_error("out of memory");
		return EC_FAILED;
	}
	opt->change = more;
	opt->change[opt->nr++] = (struct admin_change){ enable, list };

	return EC_OK;
}

static int set_flag(bool *flag)
{
	*flag = true;

	return EC_OK;
}

static int option_parse(struct admin_options *opt, int c)
{
	switch (c) {
	case 'a':
		return add_change(opt, true, "*");
	case 'e':
		return add_change(opt, true, optarg);
	case 'd':
		return add_change(opt, false, optarg);
	case 'l':
		return set_flag(&opt->list);
	case 'M':
		return set_flag(&opt->mixed);
	case 'r':
		return set_flag(&opt->release);
	case 'D':
		return set_flag(&ec_verbose);
	case 'T':
		tool_error("-T is ignored: its meaning on IRIX is not known");
		return EC_OK;
	case OPT_CHECK:
		return set_flag(&opt->check);
	case OPT_HELP:
		return set_flag(&opt->help);
	case OPT_VERSION:
		return set_flag(&opt->version);
	default:
		tool_error("see ecadmin --help");
		return EC_USAGE;
	}
}

static int options_check(const struct admin_options *opt, const char *word)
{
	if (opt->help || opt->version)
		return EC_OK;
	if (word) {
		tool_error("unexpected argument '%s'; see ecadmin --help", word);
		return EC_USAGE;
	}
	if (opt->release && (opt->nr > 0 || opt->check)) {
		tool_error("-r releases all events: it excludes -a, -d, -e and "
			   "--check");
		return EC_USAGE;
	}
	if (!opt->release && !opt->list && opt->nr == 0) {
		tool_error("nothing to do; see ecadmin --help");
		return EC_USAGE;
	}

	return EC_OK;
}

int admin_options_parse(struct admin_options *opt, int argc, char **argv)
{
	int status = EC_OK;
	int c;

	memset(opt, 0, sizeof(*opt));
	optind = 0;
	while (status == EC_OK &&
	       (c = getopt_long(argc, argv, "aDd:e:lMrT", long_options,
				NULL)) != -1)
		status = option_parse(opt, c);

	return status ? status : options_check(opt, argv[optind]);
}
