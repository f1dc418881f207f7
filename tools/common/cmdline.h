/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines as IRIX has them: options are words with a single dash (-mp), which
 * getopt(3) cannot read; the first word that is none is a command or a file, and
 * all after it is left alone.
 */
#ifndef CMDLINE_H
#define CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

enum cmdline_kind {
	CMDLINE_FLAG,		/* nothing follows: @flag is set */
	CMDLINE_TEXT,		/* a word follows, for @text */
	CMDLINE_TEXTS,		/* the same, up to @max times: an array, @number long */
	CMDLINE_NUMBER,		/* a number follows, for @number */
	CMDLINE_MAYBE_NUMBER,	/* if the next word is no number, it is not for this */
	CMDLINE_REFUSED		/* IRIX had it, and it cannot be had here */
};

/**
 * struct cmdline_option - an option
 * @word: what it looks like
 * @kind: what follows it
 * @flag: set if it is given; NULL if nobody needs to know
 * @text: where a text goes that follows
 * @number: where a number goes that follows, from 1 on
 * @max: the most that it may be
 * @say: what a message says: of CMDLINE_TEXT what has to follow, of CMDLINE_TEXTS
 *	that there are too many, of CMDLINE_REFUSED what there is instead, or why
 */
struct cmdline_option {
	const char *word;
	enum cmdline_kind kind;
	bool *flag;
	const char **text;
	unsigned int *number;
	unsigned int max;
	const char *say;
};

/**
 * cmdline_parse() - do what the options say
 * @option: the options there are
 * @nr: how many
 * @either: each may begin with two dashes as well
 * @argv: the words, of which the first is the program; then those that are left
 *
 * "-e 5" may also be "-e5", and "--repeat 5" "--repeat=5". "--" ends the options.
 *
 * Return: 0, or TOOL_FAILED after a message.
 */
int cmdline_parse(const struct cmdline_option *option, size_t nr, bool either,
		  char ***argv);

#endif
