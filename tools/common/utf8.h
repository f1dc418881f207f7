/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of users, which may have any bytes in them, for formats that need UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* Printed for a byte that is part of no character: U+FFFD */
#define UTF8_UNKNOWN	"\xef\xbf\xbd"

/*
 * Length in bytes of the first character of @text; 0 if its bytes are not a valid
 * character of UTF-8.
 */
size_t utf8_length(const char *text);

#endif
