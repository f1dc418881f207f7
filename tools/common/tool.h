/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands share: exit statuses, messages, guesses at misspelt words. */
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <irixperf.h>

/*
 * A command that runs another passes its exit status on; these are its own,
 * as in env(1).
 */
enum tool_status {
	TOOL_OK = 0,
	TOOL_FAILED = 125,
	TOOL_CANNOT_RUN = 126,
	TOOL_NOT_FOUND = 127,
	TOOL_SIGNAL = 128
};

/* The name that stands before each message */
extern const char *tool_name;

/*
 * Print one message on stderr. Each of its lines gets the name in front, so
 * that it can be told from the output of the command that runs.
 */
__attribute__((format(printf, 1, 2)))
void tool_error(const char *format, ...);

/* What is in stdout by now goes out: TOOL_OK, or TOOL_FAILED after a message */
int tool_flush_stdout(void);

/*
 * How many letters must be changed, added or left out to make @b of @a, in any
 * case of letters. Longer words than TOOL_WORD_MAX are infinitely far away.
 */
#define TOOL_WORD_MAX	63
size_t tool_word_distance(const char *a, const char *b);

/* Is @b close enough to be what was meant by @a? */
int tool_word_is_near(const char *a, size_t distance);

/* file.c: of names and contents that are not trusted; see there */
int tool_create(const char *path, mode_t mode);
FILE *tool_open_regular(const char *path);
void tool_printable(char *text, char keep);

/* Send a signal to all descendants of this process, but for @spare: any at all? */
bool tool_tree_signal(int sig, pid_t spare);

/*
 * Are events of all programs counted (system mode)? Then those of one program get
 * what is left of the counters, which may be nothing.
 */
int tool_system_is_on(void);

/* Is nothing left for @attr? Tried with the caller, if system mode is on */
int tool_counters_taken(const struct irixperf_attr *attr);

/* Say so, and what helps. Returns TOOL_FAILED */
int tool_taken_error(void);

/* The event whose name is nearest to @text, or NULL if none is near */
const struct irixperf_event *tool_event_nearest(enum irixperf_chip chip,
						const char *text);

#endif
