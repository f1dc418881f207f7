/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of prof share. */
#ifndef PROF_H
#define PROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "speedshop.h"
#include "tool.h"

/**
 * struct prof_place - a line of a source file
 * @file: its name without directories, NULL if it is unknown
 * @line: its number, 0 if it is unknown
 */
struct prof_place {
	const char *file;
	unsigned int line;
};

/**
 * struct prof_sample - samples at one address
 * @dso: the program or library
 * @address: the address in @dso
 * @start: address of the function, 0 if it is unknown
 * @function: name of the function
 * @count: how many samples
 * @place: the source line of @address
 * @begin: the source line where the function starts
 */
struct prof_sample {
	char *dso;
	uint64_t address;
	uint64_t start;
	char *function;
	uint64_t count;
	struct prof_place place;
	struct prof_place begin;
};

/* Keys that a file has once. Files are added up only if the first keys are equal */
enum prof_key {
	PROF_NAME,
	PROF_EXPERIMENT,
	PROF_EVENT,
	PROF_INTERVAL,
	PROF_SAME,		/* the keys above must be equal */
	PROF_COUNTER = PROF_SAME,
	PROF_PROGRAM,
	PROF_CPU,
	PROF_FPU,
	PROF_CPUS,
	PROF_MHZ,
	PROF_MAP,
	PROF_PERF,
	PROF_NOTE,
	PROF_DATE,
	PROF_COMMAND,
	PROF_CODE,
	PROF_ID,
	PROF_PID,
	PROF_LOST,
	PROF_THROTTLED,
	PROF_STARVED,
	PROF_KEYS
};

/**
 * struct prof_file - one file
 * @path: its name
 * @value: the value of each key, "" for a missing key
 * @samples: how many it has
 */
struct prof_file {
	const char *path;
	char *value[PROF_KEYS];
	uint64_t samples;
};

/**
 * struct prof_data - the files, added up
 * @files: the files
 * @nr_files: how many
 * @sample: samples by address; after prof_data_merge() each address once
 * @nr: how many addresses
 * @total: how many samples
 * @interval: events from one sample to the next
 */
struct prof_data {
	struct prof_file *files;
	size_t nr_files;
	struct prof_sample *sample;
	size_t nr;
	uint64_t total;
	uint64_t interval;
};

/* read.c: return 0, or an exit status after a message */
int prof_data_read(struct prof_data *data, char *const *paths);
void prof_data_merge(struct prof_data *data);
bool prof_is_data(const char *path);

/* source.c: returns why lines are unknown, or NULL if some are known */
const char *prof_source(struct prof_data *data, const char *executable);

/**
 * struct prof_how - what the report has
 * @lines: -lines: a list of source lines, function by function
 * @heavy: -heavy: a list of source lines, those with most events first
 * @quit: -quit: what ends a list
 * @at: the rows after which it ends, a row's least per cent, or the per cent that the
 *	rows have together
 */
struct prof_how {
	bool lines;
	bool heavy;
	enum { PROF_ALL, PROF_ROWS, PROF_PERCENT, PROF_TOGETHER } quit;
	double at;
};

/* report.c: returns 0, or an exit status after a message */
int prof_report(FILE *out, struct prof_data *data, char *const *argv,
		const struct prof_how *how);

#endif
