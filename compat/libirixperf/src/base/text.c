// SPDX-License-Identifier: LGPL-2.1-or-later
/* Make a text of several pieces in a buffer; cut the text if it does not fit */
#include <stdarg.h>
#include <stdio.h>
#include "text.h"

void ixp_text_start(struct ixp_text *text, char *buf, size_t size)
{
	*text = (struct ixp_text){ .buf = buf, .size = size };
	if (size > 0)
		buf[0] = '\0';
}

void ixp_text_add(struct ixp_text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->len + 1 >= text->size)
		return;

	va_start(args, format);
	n = vsnprintf(text->buf + text->len, text->size - text->len, format,
		      args);
	va_end(args);
	if (n > 0)
		text->len += (size_t)n;
}
