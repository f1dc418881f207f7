// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tool.h"

const char *tool_name = "tool";

void tool_error(const char *format, ...)
{
	char text[4096];
	char *line, *rest = text;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	while ((line = strsep(&rest, "\n")))
		fprintf(stderr, "%s: %s\n", tool_name, line);
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
