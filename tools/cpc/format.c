// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats of printf() and printa(), and what they print. */
#include <inttypes.h>
#include <string.h>
#include "parse.h"

#define WIDTH_MAX	255

/**
 * struct conversion - a part of a format that begins with %
 * @start: its first character
 * @end: what follows it
 * @flags: the flags, width and precision, as printf(3) takes them
 * @letter: what is converted
 * @count: %@: the value of an aggregation
 */
struct conversion {
	const char *start;
	const char *end;
	char flags[24];
	char letter;
	bool count;
};

static const char *skip_digits(const char *text, int *number)
{
	for (*number = 0; *text >= '0' && *text <= '9'; text++)
		if (*number <= WIDTH_MAX)
			*number = *number * 10 + *text - '0';

	return text;
}

/* Find the next conversion, or with @start NULL the end. Return NULL, or what is wrong */
static const char *conversion_next(struct conversion *c, const char *format)
{
	const char *at = strchr(format, '%'), *flags;
	int width, precision = 0;

	c->start = at;
	if (!at)
		return NULL;
	c->count = at[1] == '@';
	at += 1 + c->count;
	flags = at;
	at = skip_digits(at + strspn(at, "-+ #0"), &width);
	if (*at == '.')
		at = skip_digits(at + 1, &precision);
	if (width > WIDTH_MAX || precision > WIDTH_MAX)
		return "a width is above 255";
	if (at - flags >= (ptrdiff_t)sizeof(c->flags))
		return "a conversion has too many flags";
	snprintf(c->flags, sizeof(c->flags), "%.*s", (int)(at - flags), flags);
	at += strspn(at, "hl");
	c->letter = *at;
	c->end = at + (*at != '\0');

	return *at && strchr("diuxXocsSaAp%", *at) ? NULL :
	       "the conversions are %d %i %u %x %X %o %c %s %a %A %p %% and %@d";
}

static bool takes_string(char letter)
{
	return strchr("sSaA", letter);
}

/* printf() must convert each value, printa() need not */
const char *format_check(const char *format, const enum d_type *type, unsigned int nr,
			 bool aggregation)
{
	unsigned int at = 0;
	struct conversion c;
	const char *wrong;

	for (;; format = c.end) {
		wrong = conversion_next(&c, format);
		if (wrong)
			return wrong;
		if (!c.start)
			break;
		if (c.letter == '%')
			continue;
		if (c.count) {
			if (!aggregation)
				return "%@ is for printa()";
			if (takes_string(c.letter))
				return "%@ is a number";
			continue;
		}
		if (at == nr)
			return "the format has more conversions than there are values";
		if ((type[at] == D_STR) != takes_string(c.letter))
			return "a conversion does not fit the type of its value; %a and %A "
			       "print what func() and sym() give";
		at++;
	}

	return at < nr && !aggregation ? "there are more values than conversions" : NULL;
}

static void print_number(FILE *out, const struct conversion *c, int64_t number)
{
	char format[40];

	if (c->letter == 'c') {
		number &= 0x7f;
		fputc((number < ' ' && number != '\n' && number != '\t') || number == 0x7f ?
		      '?' : (int)number, out);
		return;
	}
	if (c->letter == 'p')
		snprintf(format, sizeof(format), "%%#%s" PRIx64, c->flags);
	else
		snprintf(format, sizeof(format), "%%%sll%c", c->flags, c->letter);
	fprintf(out, format, (long long)number);
}

static void print_string(FILE *out, const struct conversion *c, const char *text)
{
	char format[40];

	snprintf(format, sizeof(format), "%%%ss", c->flags);
	fprintf(out, format, text);
}

/**
 * print_values() - print values as a format says
 * @out: where
 * @format: the format, which format_check() has accepted
 * @value: the values
 * @nr: how many
 * @count: value of an aggregation, or NULL
 */
void print_values(FILE *out, const char *format, const struct value *value,
		  unsigned int nr, const int64_t *count)
{
	struct conversion c;
	unsigned int at = 0;

	for (; !conversion_next(&c, format) && c.start; format = c.end) {
		fwrite(format, 1, (size_t)(c.start - format), out);
		if (c.letter == '%')
			putc('%', out);
		else if (c.count && count)
			print_number(out, &c, *count);
		else if (at < nr && value[at].type == D_STR)
			print_string(out, &c, value[at++].text);
		else if (at < nr)
			print_number(out, &c, value[at++].number);
	}
	fputs(format, out);
}
