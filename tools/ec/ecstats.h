/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ECSTATS_H
#define ECSTATS_H

#include "ec.h"

enum stats_format { STATS_TEXT, STATS_CSV, STATS_JSON };

/**
 * struct stats_options - the command line of ecstats
 * @absolute: show counts since the events were enabled, not rates
 * @all: show events that are not enabled, too
 * @screen: full screen
 * @format: of the report
 * @samples: number of reports; 0 for no limit
 * @interval: seconds between them
 * @output: file for the report, or NULL for stdout
 * @help: print help and do nothing else
 * @version: print the version and do nothing else
 */
struct stats_options {
	bool absolute;
	bool all;
	bool screen;
	enum stats_format format;
	unsigned int samples;
	double interval;
	const char *output;
	bool help;
	bool version;
};

/* stats_options.c */
int stats_options_parse(struct stats_options *opt, int argc, char **argv);
void stats_help(FILE *out);

/**
 * struct stats_sample - the counters at one moment
 * @clock: seconds of CLOCK_MONOTONIC
 * @time: seconds since 1970
 * @system: the counters
 */
struct stats_sample {
	double clock;
	double time;
	struct irixperf_system system;
};

/* sample.c */
int stats_sample_take(struct stats_sample *sample);

/* Counts since the events were enabled; rates; counts, where rates mean nothing */
enum stats_unit { STATS_COUNT, STATS_PER_SECOND, STATS_PER_INTERVAL };

/**
 * struct stats_row - one event in a report
 * @event: the event
 * @enabled: it is enabled
 * @value: count or rate, scaled to the whole time; NAN if it never had a counter
 * @waiting: there is no rate yet, as the first interval has not ended
 * @raw: the count, not scaled
 * @share: share of the time for which it had a counter; if below 1, @value is scaled
 */
struct stats_row {
	const struct irixperf_event *event;
	bool enabled;
	double value;
	bool waiting;
	uint64_t raw;
	double share;
};

/**
 * struct stats_report - what is shown at the end of an interval
 * @time: seconds since 1970
 * @seconds: how long the interval was
 * @generation: generation number of the counters
 * @unit: of the values
 * @note: why there are no rates, or NULL
 * @nr: rows
 * @row: one for each event that is shown
 */
struct stats_report {
	double time;
	double seconds;
	int generation;
	enum stats_unit unit;
	const char *note;
	unsigned int nr;
	struct stats_row row[IRIXPERF_EVENTS];
};

/* report.c */
void stats_report_make(struct stats_report *report, enum irixperf_chip chip,
		       const struct stats_sample *from,
		       const struct stats_sample *to,
		       const struct stats_options *opt);
void stats_heading(char *buf, size_t size, const struct stats_report *report);
void stats_columns(char *buf, size_t size, const struct stats_report *report);
void stats_row_text(char *buf, size_t size, const struct stats_row *row);
void stats_print_begin(FILE *out, enum stats_format format);
void stats_print(FILE *out, enum stats_format format,
		 const struct stats_report *report);

/* screen.c: full screen */
int stats_screen_begin(void);
void stats_screen_end(void);
void stats_screen_show(const struct stats_report *report,
		       const struct stats_options *opt, const char *note);

/* What a key asks for; stats_screen_key() has changed the options already */
enum stats_key { STATS_KEY_NONE, STATS_KEY_SHOW, STATS_KEY_QUIT };
enum stats_key stats_screen_key(struct stats_options *opt, double seconds);

#endif
