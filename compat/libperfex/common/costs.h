/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The time that each occurrence of an event costs, for perfex -y and libperfex: a
 * built-in table, which files of the site and of the user can change, and the report.
 * All of it follows perfex(1) of IRIX.
 */
#ifndef COSTS_H
#define COSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <irixperf.h>

/* Costs that a site has measured itself; they replace those of the built-in table */
#define COSTS_SITE_FILE	"/etc/perfex.costs"

enum cost_kind {
	COST_TYPICAL = 0,
	COST_MINIMUM = 1,
	COST_MAXIMUM = 2,
	COST_KINDS = 3
};

/* CPU clock cycles, or nanoseconds for what does not depend on the CPU's clock */
enum cost_unit {
	COST_CLKS = 0,
	COST_NSEC = 1
};

/**
 * struct cost_machine - the machine that a table of costs is for
 * @chip: the type of its CPU
 * @model: the CPU's name, such as "R10000"
 * @major: the first number of the CPU's revision
 * @minor: the second number of the CPU's revision
 * @board: such as "IP27"; empty if it is not known
 * @mhz: the clock rate; 0 if it is not known
 */
struct cost_machine {
	enum irixperf_chip chip;
	char model[16];
	unsigned int major;
	unsigned int minor;
	char board[8];
	double mhz;
};

/**
 * struct cost - the cost of one occurrence
 * @value: the number
 * @unit: its unit
 */
struct cost {
	double value;
	enum cost_unit unit;
};

/**
 * struct cost_row - the costs of one event
 * @known: @cost is valid; asynchronous events, such as interventions, have no costs
 *	in the built-in table
 * @cost: by enum cost_kind
 */
struct cost_row {
	bool known;
	struct cost cost[COST_KINDS];
};

/**
 * struct cost_table - the costs of a machine
 * @machine: the machine
 * @board: the board that the built-in costs are of, such as "IP27"; with its CPU's
 *	name if the machine has another CPU
 * @row: by event number
 */
struct cost_table {
	struct cost_machine machine;
	const char *board;
	struct cost_row row[IRIXPERF_EVENTS];
};

/**
 * struct cost_error - an error in a file of costs
 * @line: its line, from 1 on; 0 if the file cannot be read
 * @column: its column, from 1 on
 * @text: what is wrong
 */
struct cost_error {
	unsigned int line;
	unsigned int column;
	char text[96];
};

/**
 * costs_machine() - tell which machine this is
 * @machine: gets the answer; if there are no counters, an R10000 without a name
 *
 * The clock rate is that of the first processor. If it has to be measured, that takes
 * some milliseconds.
 *
 * Return: 0, or an error of irixperf_cpu_detect().
 */
int costs_machine(struct cost_machine *machine);

/**
 * costs_builtin() - fill in the built-in costs for a machine
 * @table: gets the costs, and a copy of @machine
 * @machine: the machine
 */
void costs_builtin(struct cost_table *table,
		   const struct cost_machine *machine);

/**
 * costs_load() - replace rows of a table by those in a file
 * @table: the table; unchanged if the file has an error
 * @path: the file, in the format that costs_print() writes; rows may be missing
 * @error: gets the error
 *
 * Return: 0; -EINVAL if the file has an error; or why it cannot be read, such as
 * -ENOENT.
 */
int costs_load(struct cost_table *table, const char *path,
	       struct cost_error *error);

/**
 * costs_for() - make the table of costs for a machine
 * @table: gets the built-in costs, replaced by those of the site's file, and these by
 *	those of the user's
 * @machine: the machine
 * @path: the user's file, or NULL
 * @where: gets the name of the file that has an error
 * @error: gets the error
 *
 * Return: as costs_load(). It is no error if the site has no file.
 */
int costs_for(struct cost_table *table, const struct cost_machine *machine,
	      const char *path, const char **where, struct cost_error *error);

/*
 * Say what is wrong: "perfex.costs:3:20: 'x' is not a cost", or why @path cannot be read;
 * no newline
 */
void costs_describe(char *buf, size_t size, const char *path,
		    const struct cost_error *error);

/* Write a table in the format that costs_load() reads */
void costs_print(FILE *out, const struct cost_table *table);

/**
 * costs_seconds() - compute the time that occurrences of an event cost
 * @table: the costs
 * @event: the event's number
 * @kind: which of its costs
 * @count: how many occurrences
 *
 * Return: seconds; 0 if the event has no costs, or if they are in clock cycles and the
 * clock rate is not known.
 */
double costs_seconds(const struct cost_table *table, unsigned int event,
		     enum cost_kind kind, double count);

/*
 * The same as it is shown: in seconds, or in clocks where seconds mean nothing
 * (irixperf_time_note). Negative if the costs or the clock that they need are not known,
 * or nothing is computed from the event's counts (irixperf_event_note).
 */
double costs_shown(const struct cost_table *table, unsigned int event,
		   enum cost_kind kind, double count);

/**
 * struct cost_count - a row of the report
 * @event: the event's number
 * @count: how often it occurred
 * @counted: @count is valid
 */
struct cost_count {
	unsigned int event;
	uint64_t count;
	bool counted;
};

/* Sort as the report does: the event that costs most comes first */
void costs_sort(const struct cost_table *table, struct cost_count *row,
		unsigned int nr);

/**
 * costs_report() - write counts with the times that they cost
 * @out: where to write
 * @table: the costs
 * @row: the counts; this sorts them
 * @nr: how many counts
 */
void costs_report(FILE *out, const struct cost_table *table,
		  struct cost_count *row, unsigned int nr);

/*
 * Write how a line about an event starts in all reports: "%2u label....", with dots up
 * to column EVENT_LINE_LABEL. A longer label gets two dots. Returns the last column.
 */
int event_line_label(FILE *out, const struct irixperf_event *event);

/* The same, then @value, which ends at column EVENT_LINE_WIDTH if it fits; no newline */
#define EVENT_LINE_LABEL	62
#define EVENT_LINE_WIDTH	79
void event_line(FILE *out, const struct irixperf_event *event, const char *value);

#endif
