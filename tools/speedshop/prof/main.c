// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * prof: report what ssrun has recorded, by functions and by lines. A work-alike
 * of IRIX's command of this name, as far as experiments with hardware counters
 * go.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "prof.h"

static const char help_text[] =
"Usage: prof [-lines] [EXECUTABLE] FILE...\n"
"Report the samples in FILE, which ssrun(1) has written, by functions: those with\n"
"most events first. Several files, of the same program and experiment, are added\n"
"up.\n"
"\n"
"  -lines      report source lines as well\n"
"  -help       show this help and exit\n"
"  -version    show the version and exit\n"
"\n"
"Each option may begin with two dashes as well. Lines are looked up in EXECUTABLE,\n"
"or else in the file that ran, which must have been compiled with -g, by\n"
"addr2line(1); the variable ADDR2LINE names another one.\n"
"\n"
"Exit status: 0, or 125 if prof fails.\n";

/* Options of IRIX's prof that need what ssrun does not record */
static const struct {
	const char *word;
	const char *reason;
} refused[] = {
	{ "-b", "no call stacks are recorded" },
	{ "-butterfly", "no call stacks are recorded" },
	{ "-archinfo", "no use of registers is recorded" },
};

static const char *refused_reason(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (strcmp(word, refused[i].word) == 0)
			return refused[i].reason;

	return NULL;
}

struct options {
	bool lines;
	bool help;
	bool version;
	const char *executable;
	char **files;
};

static bool *option_flag(struct options *opt, const char *word)
{
	if (strcmp(word, "-lines") == 0)
		return &opt->lines;
	if (strcmp(word, "-help") == 0)
		return &opt->help;
	if (strcmp(word, "-version") == 0)
		return &opt->version;

	return NULL;
}

static int option_parse(struct options *opt, const char *given)
{
	const char *word = given[1] == '-' ? given + 1 : given;
	bool *flag = option_flag(opt, word);

	if (flag) {
		*flag = true;
		return 0;
	}
	if (refused_reason(word))
		tool_error("option %s is not supported: %s", given,
			   refused_reason(word));
	else
		tool_error("unknown option %s; see prof --help", given);

	return TOOL_FAILED;
}

/* What is no file of ssrun's, and others follow, is the program itself */
static int options_check(struct options *opt)
{
	if (opt->help || opt->version)
		return 0;
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
	for (argv++; *argv && (*argv)[0] == '-' && (*argv)[1]; argv++) {
		if (strcmp(*argv, "--") == 0) {
			argv++;
			break;
		}
		ret = option_parse(opt, *argv);
		if (ret)
			return ret;
	}
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
	if (opt->lines && reason)
		tool_error("no source lines of %s: %s",
			   opt->executable ? opt->executable :
			   data.files[0].value[PROF_PROGRAM], reason);
	prof_report(stdout, &data, argv, opt->lines);

	return 0;
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
	if (status)
		return status;
	if (fflush(stdout)) {
		tool_error("cannot write the report: %s", strerror(errno));
		return TOOL_FAILED;
	}

	return TOOL_OK;
}
