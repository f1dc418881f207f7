// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages. What they say of words and files can control no terminal. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tool.h"

const char *tool_name = "tool";

/**
 * tool_printable() - remove what controls a terminal from a text
 * @text: the text; control characters become question marks, also those of ISO 8859
 *	(0x80 to 0x9f) in UTF-8
 * @keep: a control character that stays, or 0
 */
void tool_printable(char *text, char keep)
{
	unsigned char *c = (unsigned char *)text;

	for (; *c; c++) {
		if ((*c < ' ' && *c != (unsigned char)keep) || *c == 0x7f)
			*c = '?';
		if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
			c[0] = c[1] = '?';
	}
}

void tool_error(const char *format, ...)
{
	char text[4096];
	char *line, *rest = text;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	while ((line = strsep(&rest, "\n"))) {
		tool_printable(line, '\t');
		fprintf(stderr, "%s: %s\n", tool_name, line);
	}
}

/* getopt_long(3) prints words as they are. It returns '?' after a message here, too */
int tool_getopt(int argc, char **argv, const char *letters, const struct option *names)
{
	const char *letter = NULL;
	int c;

	opterr = 0;
	c = getopt_long(argc, argv, letters, names, NULL);
	if (c != '?')
		return c;
	/* 0: a long name; more than a byte: one with a value that it does not take */
	if (optopt && optopt <= UCHAR_MAX)
		letter = strchr(letters, optopt);
	if (letter && letter[1] == ':')
		tool_error("option -%c needs an argument; see %s --help", optopt, tool_name);
	else if (optopt && optopt <= UCHAR_MAX && !letter)
		tool_error("unknown option -%c; see %s --help", optopt, tool_name);
	else
		tool_error("unknown option %s; see %s --help", argv[optind - 1], tool_name);

	return c;
}

int tool_flush_stdout(void)
{
	bool flushed = fflush(stdout) == 0;

	if (flushed && !ferror(stdout))
		return TOOL_OK;
	/* If an earlier write failed, its errno is lost */
	tool_error("cannot write to stdout: %s",
		   strerror(flushed ? EIO : errno));

	return TOOL_FAILED;
}
