/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command pctr: show and set the functions of /dev/pctr, as OpenBSD's does. A
 * function that returns a status other than PCTR_OK has printed a message.
 */
#ifndef PCTR_COMMAND_H
#define PCTR_COMMAND_H

#include <stdbool.h>
#include <stdio.h>
#include <pctr.h>
#include "tool.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#ifndef PCTR_VERSION
#define PCTR_VERSION	"0.1.0"
#endif

/* pctr runs no other command, whose exit status it would have to pass on */
enum pctr_status {
	PCTR_OK = 0,
	PCTR_FAILED = 1,
	PCTR_USAGE = 2
};

/**
 * struct pctr_options - the command line
 * @all: show the counts of each CPU
 * @list: list the events
 * @release: clear all functions
 * @help: print help and do nothing else
 * @version: print the version and do nothing else
 * @counter: the counter of -s; -1 without -s
 * @event: the event of -f, as it was typed; NULL without -f
 * @function: an option of a function was given, other than -f
 * @mask: the unit mask of -m
 * @threshold: the number of -t
 * @fn: the function without its event
 */
struct pctr_options {
	bool all;
	bool list;
	bool release;
	bool help;
	bool version;
	int counter;
	const char *event;
	bool function;
	unsigned int mask;
	unsigned int threshold;
	unsigned int fn;
};

/* options.c */
int options_parse(struct pctr_options *opt, int argc, char **argv);
void options_help(FILE *out);

/* text.c: functions as users type and read them */
int function_parse(unsigned int *fn, const struct pctr_options *opt,
		   const struct pctr_cpu *cpu);
void function_print(unsigned int fn, const struct pctr_cpu *cpu);

/* list.c, listpfm.c */
int list_events(const struct pctr_cpu *cpu);
int list_libpfm4(void);

#endif
