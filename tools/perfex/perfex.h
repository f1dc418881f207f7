/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of perfex share. */
#ifndef PERFEX_H
#define PERFEX_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <irixperf.h>
#include "tool.h"

#define PERFEX_VERSION	"0.1.0"

/**
 * struct perfex_options - the command line, checked for form only
 * @all: -a
 * @exception: -x
 * @kernel: -k
 * @help: --help
 * @version: --version
 * @nr_events: how many -e
 * @event: their arguments
 * @output: argument of -o, or NULL
 * @command: the command and its arguments, NULL at the end
 */
struct perfex_options {
	bool all;
	bool exception;
	bool kernel;
	bool help;
	bool version;
	unsigned int nr_events;
	const char *event[2];
	const char *output;
	char **command;
};

/* options.c: return 0, or an exit status after a message */
int perfex_options_parse(struct perfex_options *opt, char **argv);
void perfex_help(FILE *out);

/**
 * struct perfex_choice - which events to count
 * @chip: whose events they are
 * @nr: how many
 * @event: their numbers, in rising order
 * @mode: HWPERF_CNTEN_* bits
 * @project: -a: counts are projected from a share of the time
 */
struct perfex_choice {
	enum irixperf_chip chip;
	unsigned int nr;
	unsigned int event[IRIXPERF_EVENTS];
	unsigned int mode;
	bool project;
};

/* choose.c: return 0, or an exit status after a message */
int perfex_choose(struct perfex_choice *choice, enum irixperf_chip chip,
		  const struct perfex_options *opt);

/**
 * struct perfex_command - a child that waits before it becomes the command
 * @pid: its process
 * @gate: what it waits for: a byte to go, the end of the file to give up
 * @news: brings its errno if the command could not be run
 */
struct perfex_command {
	pid_t pid;
	int gate;
	int news;
};

/* command.c: the first returns 0 or -errno, the others an exit status */
int perfex_command_prepare(struct perfex_command *cmd, char **argv);
void perfex_command_cancel(struct perfex_command *cmd);
int perfex_command_run(struct perfex_command *cmd, const char *name, bool *ran);

/* report.c */
void perfex_report(FILE *out, const struct perfex_choice *choice,
		   const struct irixperf_count *count);

#endif
