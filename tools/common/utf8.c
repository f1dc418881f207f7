// SPDX-License-Identifier: GPL-2.0-or-later
#include "utf8.h"

/*
 * The first byte of a character, from @first to @last, determines its length and the
 * limits of the second byte, @low and @high (Unicode, table 3-7).
 */
static const struct {
	unsigned char first, last;
	unsigned char low, high;
	size_t length;
} forms[] = {
	{ 0x00, 0x7f, 0x00, 0x00, 1 },
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

size_t utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t i = 0, at;

	while (byte[0] < forms[i].first || byte[0] > forms[i].last)
		if (++i == sizeof(forms) / sizeof(forms[0]))
			return 0;
	if (forms[i].length > 1 &&
	    (byte[1] < forms[i].low || byte[1] > forms[i].high))
		return 0;
	for (at = 2; at < forms[i].length; at++)
		if ((byte[at] & 0xc0) != 0x80)
			return 0;

	return forms[i].length;
}
