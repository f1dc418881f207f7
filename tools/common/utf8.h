/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of users, for formats that are UTF-8: they may be anything. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* What stands for a byte that is part of no character: U+FFFD */
#define UTF8_UNKNOWN	"\xef\xbf\xbd"

/*
 * How many bytes the character has with which @text begins; 0 if it begins with
 * none, or with one that Unicode does not have.
 */
size_t utf8_length(const char *text);

#endif
