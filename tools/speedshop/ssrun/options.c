// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line. */
#include <string.h>
#include "cmdline.h"
#include "ssrun.h"

/*
 * With an experiment, -mpi asks for file names with the process' rank; under MPI they
 * always have it. Alone, it is the experiment mpi
 */
static int options_read(struct ssrun_options *opt, char ***argv)
{
	const struct cmdline_option options[] = {
		{ "-exp", CMDLINE_TEXT, .text = &opt->experiment,
		  .say = "the name of an experiment, see ssrun --list" },
		{ "-v", CMDLINE_FLAG, .flag = &opt->verbose },
		{ "-verbose", CMDLINE_FLAG, .flag = &opt->verbose },
		{ "-keep", CMDLINE_FLAG, .flag = &opt->keep },
		{ "-list", CMDLINE_FLAG, .flag = &opt->list },
		{ "-mpi", CMDLINE_FLAG, .flag = &opt->mpi },
		{ "-help", CMDLINE_FLAG, .flag = &opt->help },
		{ "-version", CMDLINE_FLAG, .flag = &opt->version },
		{ "-hang", CMDLINE_REFUSED,
		  .say = "start the command with a debugger: gdb --args COMMAND" },
		{ "-purify", CMDLINE_REFUSED,
		  .say = "there is no Purify; valgrind finds such errors" },
		{ NULL, CMDLINE_WORD, .text = &opt->experiment,
		  .is = ssrun_is_experiment },
	};

	return cmdline_parse(options, sizeof(options) / sizeof(options[0]),
			     true, argv);
}

static int options_check(struct ssrun_options *opt)
{
	if (opt->help || opt->version || opt->list)
		return 0;
	if (!opt->experiment && opt->mpi)
		opt->experiment = "mpi";
	if (!opt->experiment) {
		tool_error("no experiment given: ssrun -EXPERIMENT COMMAND, as in "
			   "ssrun -gi_hwc ls; see ssrun --list");
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
	ret = options_read(opt, &argv);
	if (ret)
		return ret;
	opt->command = argv;

	return options_check(opt);
}
