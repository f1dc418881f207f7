// SPDX-License-Identifier: LGPL-2.1-or-later
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "internal.h"

void pfx_message(const char *format, ...)
{
	char text[4096 + 256];
	char *line, *rest = text;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	while ((line = strsep(&rest, "\n")))
		fprintf(stderr, "libperfex: %s\n", line);
}

int pfx_result(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;

	return -1;
}
