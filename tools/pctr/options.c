// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of pctr. Its letters are OpenBSD's, except for -a and -r. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"

static const char *const help_text =
"Usage: pctr [-a]\n"
"       pctr -s COUNTER [-f EVENT [-k] [-u] [-AEeIiMS] [-m MASK] [-t NUMBER]]\n"
"       pctr -l\n"
"       pctr -r\n"
"Show the time stamp and the counters of /dev/pctr on the CPU that runs the\n"
"command, with their functions; or set the function of a counter.\n"
"\n"
"  -a          show the counters of each CPU that the command may use\n"
"  -s COUNTER  set the function of this counter, 0 to 3; an R10000 has 0 and 1;\n"
"              without -f clear it\n"
"  -f EVENT    count this event: a number in hexadecimal, or a name, which the\n"
"              events of x86 CPUs lack\n"
"  -u          count in user mode\n"
"  -k          count in kernel mode; default: in both\n"
"  -l          list the events\n"
"  -r          clear all functions, so that programs can acquire the counters\n"
"      --help     show this help and exit\n"
"      --version  show the version and exit\n"
"\n"
"These are for the counters of x86 CPUs:\n"
"  -m MASK     unit mask, in hexadecimal\n"
"  -M -E -S -I count lines of the L2 cache in the modified, exclusive, shared and\n"
"              invalid state: bits of the unit mask\n"
"  -A          count what all agents on the bus do: a bit of the unit mask\n"
"  -t NUMBER   count cycles with at least so many occurrences, 0 to 255\n"
"  -i          with -t: count cycles with fewer occurrences\n"
"  -e          count edges\n"
"\n"
"Only root can set functions; every user may read the counters. A function stays\n"
"until root changes it or clears all functions. Meanwhile no program can acquire\n"
"counters; perfex and perf count with those that are left. After each change all\n"
"counts start from zero.\n"
"\n"
"Exit status: 0; 1 on failure; 2 if the command line is wrong.\n";

void options_help(FILE *out)
{
	fputs(help_text, out);
}

enum { OPT_HELP = 256, OPT_VERSION };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

/* Flags of the function; unit mask and threshold are numbers */
static const struct {
	char letter;
	unsigned int bits;
} flags[] = {
	{ 'A', PCTR_UM_A }, { 'E', PCTR_UM_E }, { 'e', PCTR_E }, { 'I', PCTR_UM_I },
	{ 'i', PCTR_I }, { 'k', PCTR_K }, { 'M', PCTR_UM_M }, { 'S', PCTR_UM_S },
	{ 'u', PCTR_U },
};

static int take_number(unsigned int *number, char letter, int base, unsigned int max)
{
	const char *digits = base == 16 ? "0123456789abcdefABCDEFxX" : "0123456789";
	unsigned long value;
	char *end;

	value = strtoul(optarg, &end, base);
	if (*optarg && strspn(optarg, digits) == strlen(optarg) && !*end &&
	    value <= max) {
		*number = (unsigned int)value;
		return PCTR_OK;
	}
	tool_error(base == 16 ? "-%c needs a hexadecimal number from 0 to %x, not '%s'" :
		   "-%c needs a number from 0 to %u, not '%s'", letter, max, optarg);

	return PCTR_USAGE;
}

static int take_counter(struct pctr_options *opt)
{
	unsigned int number = 0;
	int status = take_number(&number, 's', 10, PCTR_NUM - 1);

	opt->counter = (int)number;

	return status;
}

static int take_flag(struct pctr_options *opt, int c)
{
	size_t i;

	opt->function = true;
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		if (flags[i].letter == c) {
			opt->fn |= flags[i].bits;
			return PCTR_OK;
		}
	}
	tool_error("see pctr --help");

	return PCTR_USAGE;
}

static int option_parse(struct pctr_options *opt, int c)
{
	switch (c) {
	case 'a':
		opt->all = true;
		return PCTR_OK;
	case 'f':
		opt->event = optarg;
		return PCTR_OK;
	case 'l':
		opt->list = true;
		return PCTR_OK;
	case 'm':
		opt->function = true;
		return take_number(&opt->mask, 'm', 16, 0xff);
	case 'r':
		opt->release = true;
		return PCTR_OK;
	case 's':
		return take_counter(opt);
	case 't':
		opt->function = true;
		return take_number(&opt->threshold, 't', 10, 0xff);
	case OPT_HELP:
		opt->help = true;
		return PCTR_OK;
	case OPT_VERSION:
		opt->version = true;
		return PCTR_OK;
	default:
		return take_flag(opt, c);
	}
}

static int refuse(const char *why)
{
	tool_error("%s; see pctr --help", why);

	return PCTR_USAGE;
}

static int options_check(const struct pctr_options *opt, const char *word)
{
	bool sets = opt->counter >= 0;

	if (opt->help || opt->version)
		return PCTR_OK;
	if (word) {
		tool_error("unexpected argument '%s'; see pctr --help", word);
		return PCTR_USAGE;
	}
	if (opt->all + opt->list + opt->release + sets > 1)
		return refuse("only one of -a, -l, -r and -s can be used");
	if (!sets && (opt->event || opt->function))
		return refuse("options of a function need -s COUNTER");
	if (sets && !opt->event && opt->function)
		return refuse("options of a function need -f EVENT");

	return PCTR_OK;
}

int options_parse(struct pctr_options *opt, int argc, char **argv)
{
	int status = PCTR_OK;
	int c;

	*opt = (struct pctr_options){ .counter = -1 };
	optind = 0;
	while (status == PCTR_OK &&
	       (c = getopt_long(argc, argv, "AaEef:IiklMm:rSs:t:u", long_options,
				NULL)) != -1)
		status = option_parse(opt, c);
	opt->fn |= opt->mask << PCTR_UM_SHIFT | opt->threshold << PCTR_CM_SHIFT;
	if (!(opt->fn & (PCTR_K | PCTR_U)))
		opt->fn |= PCTR_K | PCTR_U;

	return status ? status : options_check(opt, argv[optind]);
}
