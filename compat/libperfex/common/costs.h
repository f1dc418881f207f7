/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What an occurrence of each event costs, for perfex -y and libperfex: tables
 * that are built in, the site's and the user's changes to them, and the report
 * that is made of them. perfex(1) of IRIX is the source of the semantics.
 */
#ifndef COSTS_H
#define COSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <irixperf.h>

/* What a site knows better than the built-in table */
#define COSTS_SITE_FILE	"/etc/perfex.costs"

enum cost_kind {
	COST_TYPICAL = 0,
	COST_MINIMUM = 1,
	COST_MAXIMUM = 2,
	COST_KINDS = 3
};

/* Clocks are those of the CPU; what the board does takes its time anyway */
enum cost_unit {
	COST_CLKS = 0,
	COST_NSEC = 1
};

/**
 * struct cost_machine - the machine whose costs are meant
 * @chip: which events its CPU has
 * @model: the CPU's name, such as "R10000"
 * @major: its revision
 * @minor: its revision
 * @board: such as "IP27"; empty if it is none that is known
 * @mhz: its clock; 0 if nothing tells
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
 * struct cost - of one occurrence
 * @value: how many
 * @unit: of these
 */
struct cost {
	double value;
	enum cost_unit unit;
};

/**
 * struct cost_row - the costs of one event
 * @known: there are some; what comes asynchronously, such as interventions, has
 *	none in the built-in table
 * @cost: by enum cost_kind
 */
struct cost_row {
	bool known;
	struct cost cost[COST_KINDS];
};

/**
 * struct cost_table - the costs of a machine
 * @machine: the machine
 * @board: whose costs are built in, such as "IP27"; its CPU is named where it is
 *	another than the machine's
 * @row: by event number
 */
struct cost_table {
	struct cost_machine machine;
	const char *board;
	struct cost_row row[IRIXPERF_EVENTS];
};

/**
 * struct cost_error - what is wrong with a file of costs
 * @line: where, from 1 on; 0 if the file cannot be read
 * @column: where in the line, from 1 on
 * @text: what
 */
struct cost_error {
	unsigned int line;
	unsigned int column;
	char text[96];
};

/**
 * costs_machine() - look which machine this is
 * @machine: the answer. Without counters it is an R10000 without a name
 *
 * The clock is that of the first processor. It may take some milliseconds,
 * where it has to be measured.
 *
 * Return: 0, or an error of irixperf_cpu_detect().
 */
int costs_machine(struct cost_machine *machine);

/**
 * costs_builtin() - make the table that is built in for a machine
 * @table: the table
 * @machine: the machine; it is copied
 */
void costs_builtin(struct cost_table *table,
		   const struct cost_machine *machine);

/**
 * costs_load() - replace rows of a table by those in a file
 * @table: the table; unchanged if the file has a mistake
 * @path: the file, in the form that costs_print() writes; it may have some rows
 * @error: what is wrong, if this fails
 *
 * Return: 0, -EINVAL for a mistake in the file, or why it cannot be read, such
 * as -ENOENT.
 */
int costs_load(struct cost_table *table, const char *path,
	       struct cost_error *error);

/**
 * costs_for() - the table that holds on a machine: built in, the site's, the
 * user's, each over the one before
 * @table: the table
 * @machine: the machine
 * @path: the user's file, or NULL
 * @where: the file that is wrong, if this fails
 * @error: what is wrong with it
 *
 * Return: as costs_load(); the site's file need not be there.
 */
int costs_for(struct cost_table *table, const struct cost_machine *machine,
	      const char *path, const char **where, struct cost_error *error);

/* "perfex.costs:3:20: not a number", or why the file cannot be read; no newline */
void costs_describe(char *buf, size_t size, const char *path,
		    const struct cost_error *error);

/* Write a table as costs_load() reads it */
void costs_print(FILE *out, const struct cost_table *table);

/**
 * costs_seconds() - the time that occurrences of an event cost
 * @table: the costs, with a clock
 * @event: the event's number
 * @kind: which of its costs
 * @count: how many
 *
 * Return: seconds; 0 if the event has no costs, or they are in clocks and there
 * is no clock.
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
 * @count: how many
 * @counted: it has been
 */
struct cost_count {
	unsigned int event;
	uint64_t count;
	bool counted;
};

/* Sort as the report does: what costs most comes first */
void costs_sort(const struct cost_table *table, struct cost_count *row,
		unsigned int nr);

/**
 * costs_report() - write counts with the times that they cost
 * @out: where to
 * @table: the costs
 * @row: the counts, which are sorted
 * @nr: how many
 */
void costs_report(FILE *out, const struct cost_table *table,
		  struct cost_count *row, unsigned int nr);

/*
 * How a line about an event starts, in all reports: "%2u label....", with dots up to
 * column EVENT_LINE_LABEL. After a longer label there are two dots. Returns the column
 * where it ends.
 */
int event_line_label(FILE *out, const struct irixperf_event *event);

/* The same, then @value, which ends at column EVENT_LINE_WIDTH if it fits; no newline */
#define EVENT_LINE_LABEL	62
#define EVENT_LINE_WIDTH	79
void event_line(FILE *out, const struct irixperf_event *event, const char *value);

#endif
