// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * prof: report by function and by line what ssrun has recorded. A work-alike of
 * IRIX's command of this name, for experiments with hardware counters only.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "prof.h"

static const char help_text[] =
"Usage: prof [-lines] [-heavy] [-quit N] [EXECUTABLE] FILE...\n"
"Report the samples in FILE, which ssrun(1) has written, for each function. The\n"
"function with the most events comes first. prof adds up several files; they must\n"
"be of the same program and experiment.\n"
"\n"
"  -l, -lines   report source lines as well, function by function\n"
"  -h, -heavy   report source lines as well, those with most events first\n"
"  -q, -quit N  shorten each list to the N rows with most events; N%: to the rows\n"
"               with at least N per cent of the samples; Ncum%: to the first rows\n"
"               that have N per cent together\n"
"  -help        show this help and exit\n"
"  -version     show the version and exit\n"
"\n"
"Each option may begin with two dashes as well. prof looks up lines with\n"
"addr2line(1), or the program that the variable ADDR2LINE names, in EXECUTABLE or\n"
"else in the file that ran. Compile the program with -g.\n"
"\n"
"Exit status: 0, or 125 if prof fails.\n";

static const char rows[] = "a number of rows, or up to 100 per cent: 10, 5%, 90cum%";

struct options {
	struct prof_how how;
	const char *quit;
	bool help;
	bool version;
	const char *executable;
	char **files;
};

/* Some options of IRIX's prof need what ssrun does not record */
static int options_read(struct options *opt, char ***argv)
{
	static const char stacks[] = "ssrun does not record call stacks";
	const struct cmdline_option options[] = {
		{ "-l", CMDLINE_FLAG, .flag = &opt->how.lines },
		{ "-lines", CMDLINE_FLAG, .flag = &opt->how.lines },
		{ "-h", CMDLINE_FLAG, .flag = &opt->how.heavy },
		{ "-heavy", CMDLINE_FLAG, .flag = &opt->how.heavy },
		/* Before -q, which may have its value in the same word */
		{ "-quit", CMDLINE_TEXT, .text = &opt->quit, .say = rows },
		{ "-q", CMDLINE_TEXT, .text = &opt->quit, .say = rows },
		{ "-help", CMDLINE_FLAG, .flag = &opt->help },
		{ "-version", CMDLINE_FLAG, .flag = &opt->version },
		{ "-b", CMDLINE_REFUSED, .say = stacks },
		{ "-butterfly", CMDLINE_REFUSED, .say = stacks },
		{ "-archinfo", CMDLINE_REFUSED,
		  .say = "ssrun does not record the use of registers" },
	};

	return cmdline_parse(options, sizeof(options) / sizeof(options[0]),
			     true, argv);
}

static int parse_quit(struct prof_how *how, const char *text)
{
	static const char digits[] = "0123456789";
	const char *end = text + strspn(text, digits);
	bool whole = *end != '.';

	if (!whole)
		end += 1 + strspn(end + 1, digits);
	how->at = strtod(text, NULL);
	if (strcmp(end, "%") == 0)
		how->quit = PROF_PERCENT;
	else if (strcmp(end, "cum%") == 0)
		how->quit = PROF_TOGETHER;
	else if (!*end && whole)
		how->quit = PROF_ROWS;
	if (how->quit != PROF_ALL && how->at > 0 &&
	    (how->quit == PROF_ROWS || how->at <= 100))
		return 0;
	tool_error("-quit needs %s; not '%s'", rows, text);

	return TOOL_FAILED;
}

/* If the first of several files is not one of ssrun's, it is the program itself */
static int options_check(struct options *opt)
{
	if (opt->help || opt->version)
		return 0;
	if (opt->quit && parse_quit(&opt->how, opt->quit))
		return TOOL_FAILED;
	if (!opt->files[0]) {
		tool_error("no file given; see prof --help");
		return TOOL_FAILED;
	}
	if (opt->files[1] && !prof_is_data(opt->files[0]) && errno == 0)
		opt->executable = *opt->files++;

	return 0;
}

static int options_parse(struct options *opt, char **argv)
{
	int ret;

	memset(opt, 0, sizeof(*opt));
	ret = options_read(opt, &argv);
	if (ret)
		return ret;
	opt->files = argv;

	return options_check(opt);
}

static int report(const struct options *opt, char **argv)
{
	struct prof_data data;
	const char *reason;
	int ret;

	ret = prof_data_read(&data, opt->files);
	if (ret)
		return ret;
	prof_data_merge(&data);
	reason = prof_source(&data, opt->executable);
	if ((opt->how.lines || opt->how.heavy) && reason)
		tool_error("no source lines of %s: %s",
			   opt->executable ? opt->executable :
			   data.files[0].value[PROF_PROGRAM], reason);

	return prof_report(stdout, &data, argv, &opt->how);
}

int main(int argc, char **argv)
{
	struct options opt;
	int status;

	(void)argc;
	tool_name = "prof";
	status = options_parse(&opt, argv);
	if (status)
		return status;

	if (opt.help)
		fputs(help_text, stdout);
	else if (opt.version)
		printf("prof (r10kperf) %s\n", SPEEDSHOP_VERSION);
	else
		status = report(&opt, argv);

	return status ? status : tool_flush_stdout();
}
