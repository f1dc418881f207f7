/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A text of several pieces in a buffer of fixed size */
#ifndef IXP_TEXT_H
#define IXP_TEXT_H

#include <stddef.h>

/**
 * struct ixp_text - a text that grows in a buffer
 * @buf: the buffer
 * @size: its size
 * @len: length of the text
 */
struct ixp_text {
	char *buf;
	size_t size;
	size_t len;
};

void ixp_text_start(struct ixp_text *text, char *buf, size_t size);
__attribute__((format(printf, 2, 3)))
void ixp_text_add(struct ixp_text *text, const char *format, ...);

#endif
