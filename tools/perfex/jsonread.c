// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read reports that perfex --json has written: JSON (RFC 8259), of which the members
 * that --compare needs are kept and all others skipped.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "perfex.h"

/* A report with a series of days is smaller */
#define MAX_BYTES	(64 << 20)
#define MAX_DEPTH	16
#define NUMBER_SIZE	64

/**
 * struct reader - a text that is being read
 * @at: the next byte; the text ends with a NUL
 * @depth: how many objects and arrays are open
 * @bad: it is not JSON; then @at does not move any more
 */
struct reader {
	const char *at;
	unsigned int depth;
	bool bad;
};

static char peek(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");

	return r->bad ? '\0' : *r->at;
}

static bool take(struct reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;

	return true;
}

static void need(struct reader *r, char c)
{
	if (!take(r, c))
		r->bad = true;
}

/* Escapes of other characters than these become question marks */
static char escaped(struct reader *r)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found = *r->at ? strchr(from, *r->at) : NULL;

	if (!found && (*r->at != 'u' || strspn(r->at + 1, "0123456789abcdefABCDEF") < 4)) {
		r->bad = true;
		return '?';
	}
	r->at += found ? 1 : 5;

	return found ? to[found - from] : '?';
}

/* Read a string, and keep what fits into @text */
static void string(struct reader *r, char *text, size_t size)
{
	size_t len = 0;

	need(r, '"');
	while (!r->bad && *r->at != '"') {
		char c = *r->at;

		if ((unsigned char)c < ' ') {
			r->bad = true;
			break;
		}
		r->at++;
		if (c == '\\')
			c = escaped(r);
		if (len + 1 < size)
			text[len++] = c;
	}
	if (size)
		text[len] = '\0';
	if (!r->bad)
		r->at++;
}

/* Read a number, true, false or null. Return false if it is no number */
static bool number(struct reader *r, double *value)
{
	static const char *const words[] = { "null", "true", "false" };
	size_t i, len;
	char *end;

	peek(r);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		len = strlen(words[i]);
		if (strncmp(r->at, words[i], len) == 0) {
			r->at += len;
			return false;
		}
	}
	len = strspn(r->at, "+-0123456789.eE");
	*value = strtod(r->at, &end);
	if (r->bad || !len || len >= NUMBER_SIZE || end != r->at + len ||
	    !isfinite(*value)) {
		r->bad = true;
		return false;
	}
	r->at = end;

	return true;
}

static bool opens(struct reader *r, char c)
{
	need(r, c);
	if (++r->depth > MAX_DEPTH)
		r->bad = true;

	return !r->bad;
}

/* Is there another element? @first: before the first one */
static bool more(struct reader *r, char end, bool first)
{
	if (r->bad)
		return false;
	if (take(r, end)) {
		r->depth--;
		return false;
	}
	if (!first)
		need(r, ',');

	return !r->bad;
}

static void name_of(struct reader *r, char *name, size_t size)
{
	string(r, name, size);
	need(r, ':');
}

static void skip(struct reader *r)
{
	char c = peek(r);
	double value;
	bool first;

	if (c == '"') {
		string(r, NULL, 0);
	} else if (c == '[') {
		for (first = opens(r, '['); more(r, ']', first); first = false)
			skip(r);
	} else if (c == '{') {
		for (first = opens(r, '{'); more(r, '}', first); first = false) {
			name_of(r, NULL, 0);
			skip(r);
		}
	} else {
		number(r, &value);
	}
}

static void one_count(struct reader *r, struct perfex_compared *to)
{
	struct perfex_compared_row row = { .bound = -1 };
	char name[32];
	bool first, numbered = false;
	double value;

	for (first = opens(r, '{'); more(r, '}', first); first = false) {
		name_of(r, name, sizeof(name));
		if (strcmp(name, "name") == 0)
			string(r, row.name, sizeof(row.name));
		else if (strcmp(name, "event") == 0 && number(r, &value))
			numbered = value >= 0 && value < IRIXPERF_EVENTS &&
				   value == (row.event = (unsigned int)value);
		else if (strcmp(name, "count") == 0)
			row.counted = number(r, &row.count);
		else if (strcmp(name, "bound") == 0 && number(r, &value))
			row.bound = value;
		else if (strcmp(name, "deviation") == 0 && number(r, &value))
			row.bound = 2 * value;
		else if (strcmp(name, "event") && strcmp(name, "bound") &&
			 strcmp(name, "deviation"))
			skip(r);
	}
	if (!numbered || !row.name[0] || to->nr == IRIXPERF_EVENTS)
		r->bad = true;
	else
		to->row[to->nr++] = row;
}

/* The strings of an array, with @between them; what does not fit is left out */
static void words(struct reader *r, char *to, size_t size, const char *between)
{
	char word[256];
	size_t len;
	bool first;

	for (first = opens(r, '['); more(r, ']', first); first = false) {
		string(r, word, sizeof(word));
		len = strlen(to);
		snprintf(to + len, size - len, "%s%s", len ? between : "", word);
	}
}

static void model(struct reader *r, struct perfex_compared *to)
{
	char name[32];
	bool first;

	for (first = opens(r, '{'); more(r, '}', first); first = false) {
		name_of(r, name, sizeof(name));
		if (strcmp(name, "model") == 0)
			string(r, to->model, sizeof(to->model));
		else
			skip(r);
	}
}

static void whole(struct reader *r, struct perfex_compared *to)
{
	double value = 0;
	char name[32];
	bool first;

	for (first = opens(r, '{'); more(r, '}', first); first = false) {
		name_of(r, name, sizeof(name));
		if (strcmp(name, "schema") == 0)
			to->schema = number(r, &value) ? value : 0;
		else if (strcmp(name, "command") == 0)
			words(r, to->command, sizeof(to->command), " ");
		else if (strcmp(name, "cpu") == 0)
			model(r, to);
		else if (strcmp(name, "modes") == 0)
			words(r, to->modes, sizeof(to->modes), ", ");
		else if (strcmp(name, "note") == 0 && peek(r) == '"')
			string(r, to->note, sizeof(to->note));
		else if (strcmp(name, "counts") == 0)
			for (first = opens(r, '['); more(r, ']', first); first = false)
				one_count(r, to);
		else
			skip(r);
	}
}

static char *read_all(FILE *file)
{
	size_t size = 0, got;
	char *text = NULL, *larger;

	do {
		larger = size < MAX_BYTES ? realloc(text, size + 65536 + 1) : NULL;
		if (!larger) {
			free(text);
			return NULL;
		}
		text = larger;
		got = fread(text + size, 1, 65536, file);
		size += got;
	} while (got == 65536);
	text[size] = '\0';

	return text;
}

/**
 * perfex_json_read() - read a report
 * @to: filled in
 * @file: the file
 *
 * Return: 0; -EINVAL if it is no report of perfex --json, -EFBIG if it is too large.
 */
int perfex_json_read(struct perfex_compared *to, FILE *file)
{
	char *text = read_all(file);
	struct reader r = { .at = text };

	memset(to, 0, sizeof(*to));
	if (!text)
		return -EFBIG;
	whole(&r, to);
	if (peek(&r))
		r.bad = true;
	free(text);

	return r.bad || to->schema != PERFEX_SCHEMA || !to->nr ? -EINVAL : 0;
}
