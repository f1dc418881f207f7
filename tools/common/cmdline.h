/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines as IRIX has them: options are words with a single dash (-mp), which
 * getopt(3) cannot read; the first word that is not an option is a command or a file,
 * and the words after it are left alone.
 */
#ifndef CMDLINE_H
#define CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

enum cmdline_kind {
	CMDLINE_FLAG,		/* nothing follows: @flag is set */
	CMDLINE_TEXT,		/* a word follows, which goes to @text */
	CMDLINE_TEXTS,		/* the same, up to @max times; *@number counts them */
	CMDLINE_NUMBER,		/* a number follows, which goes to @number */
	CMDLINE_MAYBE_NUMBER,	/* a number may follow; any other word is not its value */
	CMDLINE_WORD,		/* any word that @is accepts, which goes to @text */
	CMDLINE_REFUSED		/* an option of IRIX that is not supported */
};

/**
 * struct cmdline_option - an option
 * @word: the option as the user types it; of CMDLINE_WORD not used
 * @kind: what follows it
 * @flag: set to true if the option is given; may be NULL
 * @text: where its text is stored
 * @number: where its number, at least 1, is stored
 * @max: the largest number; for CMDLINE_TEXTS how many texts there may be
 * @is: for CMDLINE_WORD: is this word, without its dash, such an option?
 * @say: text for a message: what must follow (CMDLINE_TEXT), that there are too many
 *	(CMDLINE_TEXTS), what to use instead or why it is refused (CMDLINE_REFUSED)
 */
struct cmdline_option {
	const char *word;
	enum cmdline_kind kind;
	bool *flag;
	const char **text;
	unsigned int *number;
	unsigned int max;
	bool (*is)(const char *word);
	const char *say;
};

/**
 * cmdline_parse() - read the options of a command line
 * @option: the known options
 * @nr: number of known options
 * @either: true if each option may also start with two dashes
 * @argv: the command line, program name first; on return, the words after the options
 *
 * "-e5" means "-e 5", and "--repeat=5" means "--repeat 5". "--" ends the options.
 *
 * Return: 0, or TOOL_FAILED after a message.
 */
int cmdline_parse(const struct cmdline_option *option, size_t nr, bool either,
		  char ***argv);

#endif
