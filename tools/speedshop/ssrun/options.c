// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line: IRIX's options are words with a single dash; two are taken
 * as well. The first word that is no option is the command.
 */
#include <string.h>
#include "ssrun.h"

/* Options of IRIX's ssrun that cannot be had here, and what there is instead */
static const struct {
	const char *word;
	const char *instead;
} refused[] = {
	{ "-hang", "start the command with a debugger: gdb --args COMMAND" },
	{ "-purify", "there is no Purify; valgrind finds such errors" },
};

static const char *refused_instead(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (strcmp(word, refused[i].word) == 0)
			return refused[i].instead;

	return NULL;
}

/* -mpi asks for names with the process' rank, which they have anyway */
static bool *option_flag(struct ssrun_options *opt, const char *word)
{
	static bool ignored;
	const struct {
		const char *word;
		bool *flag;
	} flags[] = {
		{ "-v", &opt->verbose },
		{ "-verbose", &opt->verbose },
		{ "-keep", &opt->keep },
		{ "-list", &opt->list },
		{ "-mpi", &ignored },
		{ "-help", &opt->help },
		{ "-version", &opt->version },
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(word, flags[i].word) == 0)
			return flags[i].flag;

	return NULL;
}

static int option_experiment(struct ssrun_options *opt, char ***argv)
{
	if (!(*argv)[1]) {
		tool_error("option -exp needs the name of an experiment; "
			   "see ssrun --list");
		return TOOL_FAILED;
	}
	opt->experiment = *++*argv;

	return 0;
}

static int option_parse(struct ssrun_options *opt, char ***argv)
{
	const char *word = **argv;
	bool *flag;

	if (word[1] == '-')
		word++;
	if (strcmp(word, "-exp") == 0)
		return option_experiment(opt, argv);
	flag = option_flag(opt, word);
	if (flag) {
		*flag = true;
		return 0;
	}
	if (refused_instead(word))
		tool_error("option %s is not supported: %s", word,
			   refused_instead(word));
	else
		tool_error("unknown option %s; see ssrun --help", **argv);

	return TOOL_FAILED;
}

static int options_check(const struct ssrun_options *opt)
{
	if (opt->help || opt->version || opt->list)
		return 0;
	if (!opt->experiment) {
		tool_error("no experiment given: ssrun -exp EXPERIMENT COMMAND;"
			   " see ssrun --list");
		return TOOL_FAILED;
	}
	if (!opt->command[0]) {
		tool_error("no command given; see ssrun --help");
		return TOOL_FAILED;
	}

	return 0;
}

int ssrun_options_parse(struct ssrun_options *opt, char **argv)
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
