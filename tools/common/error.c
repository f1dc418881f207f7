// SPDX-License-Identifier: GPL-2.0-or-later
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
