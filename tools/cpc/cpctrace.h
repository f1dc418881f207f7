/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of cpctrace's command share. */
#ifndef CPCTRACE_H
#define CPCTRACE_H

#include "dprog.h"

/**
 * struct options - the command line
 * @text: argument of -n, or what is in the file of -s
 * @source: its name for messages
 * @script: it is the file of -s
 * @list: -l
 * @provider: -P
 * @verbose: -v
 * @output: argument of -o, or NULL
 * @command: argument of -c, or NULL
 * @pid: argument of -p, or 0
 */
struct options {
	char *text;
	const char *source;
	bool script;
	bool list;
	bool provider;
	bool verbose;
	const char *output;
	const char *command;
	pid_t pid;
};

/* watch.c: carry out the program. Return the exit status */
int watch_program(const struct options *opt, struct program *program, FILE *out);

/* room.c: claim counters for the probes. A negative errno value: after a message */
int room_claim(struct program *program);

#endif
