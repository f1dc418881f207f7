// SPDX-License-Identifier: GPL-2.0-or-later
/* Levenshtein's distance, for "did you mean". */
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include "tool.h"

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static int same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* One row of the table, made from the row above it in place */
static void distance_row(size_t *row, char letter, const char *b, size_t b_len)
{
	size_t diagonal = row[0];
	size_t j;

	row[0]++;
	for (j = 1; j <= b_len; j++) {
		size_t above = row[j];

		row[j] = min3(above + 1, row[j - 1] + 1,
			      diagonal + !same_letter(letter, b[j - 1]));
		diagonal = above;
	}
}

size_t tool_word_distance(const char *a, const char *b)
{
	size_t row[TOOL_WORD_MAX + 1];
	size_t b_len = strlen(b);
	size_t j;

	if (strlen(a) > TOOL_WORD_MAX || b_len > TOOL_WORD_MAX)
		return SIZE_MAX;

	for (j = 0; j <= b_len; j++)
		row[j] = j;
	for (; *a; a++)
		distance_row(row, *a, b, b_len);

	return row[b_len];
}

int tool_word_is_near(const char *a, size_t distance)
{
	return distance <= strlen(a) / 3 + 1 && distance < strlen(a);
}
