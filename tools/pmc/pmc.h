/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of pmc share. */
#ifndef PMC_TOOL_H
#define PMC_TOOL_H

#include <stdbool.h>
#include "tool.h"

/**
 * struct pmc_options - the command line
 * @list: -h
 * @cancel: -C
 * @user: -u
 * @kernel: -k
 * @help: --help
 * @version: --version
 * @nr: number of -c options
 * @name: their arguments
 * @event: the events that these name
 * @chip: the kind of CPU
 * @command: the command and its arguments, NULL at the end
 */
struct pmc_options {
	bool list;
	bool cancel;
	bool user;
	bool kernel;
	bool help;
	bool version;
	unsigned int nr;
	const char *name[IRIXPERF_EVENTS];
	unsigned int event[IRIXPERF_EVENTS];
	enum irixperf_chip chip;
	char **command;
};

/* count.c: run the command. Return its exit status, or the tool's own */
int pmc_count(const struct pmc_options *opt);

#endif
