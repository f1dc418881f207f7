/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command or a library writes to stderr, and the words that a command gets. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "unit.h"

#define MAX_ARGS	12

static char messages[8192];
static FILE *messages_saved;

/* From here on stderr is @messages */
static inline void catch_messages(void)
{
	memset(messages, 0, sizeof(messages));
	messages_saved = stderr;
	stderr = fmemopen(messages, sizeof(messages) - 1, "w");
	assert_non_null(stderr);
}

static inline void release_messages(void)
{
	fclose(stderr);
	stderr = messages_saved;
}

/* Split a line at spaces; "''" stands for an empty argument. Returns how many */
static inline int split(char *line, char *argv[MAX_ARGS + 1])
{
	char *word;
	int n = 0;

	while ((word = strsep(&line, " ")) && n < MAX_ARGS)
		argv[n++] = strcmp(word, "''") == 0 ? word + 2 : word;
	argv[n] = NULL;

	return n;
}

#endif
