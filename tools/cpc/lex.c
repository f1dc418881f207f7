// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "lex.h"

/* Longer ones first */
static const char *const operators[] = {
	"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "=", "-", "/", ",", ";", "(", ")",
	"[", "]", "{", "}", "@",
};

void lex_error(struct lexer *lex, const char *format, ...)
{
	char text[512];
	va_list args;

	if (lex->failed)
		return;
	lex->failed = true;
	lex->token = T_END;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tool_printable(text, '\n');
	tool_error("%s, line %u: %s", lex->source, lex->line, text);
}

void lex_unexpected(struct lexer *lex, const char *needed)
{
	if (lex->token == T_END)
		lex_error(lex, "%s is expected before the end", needed);
	else
		lex_error(lex, "%s is expected before '%s'", needed, lex->text);
}

static bool skip_comment(struct lexer *lex)
{
	const char *end;

	if (strncmp(lex->at, "//", 2) == 0) {
		lex->at += strcspn(lex->at, "\n");
		return true;
	}
	if (strncmp(lex->at, "/*", 2) != 0)
		return false;
	end = strstr(lex->at + 2, "*/");
	if (!end) {
		lex_error(lex, "a comment does not end");
		return false;
	}
	for (; lex->at < end + 2; lex->at++)
		lex->line += *lex->at == '\n';

	return true;
}

/* Skip white space and comments */
void lex_space(struct lexer *lex)
{
	do {
		for (; isspace((unsigned char)*lex->at); lex->at++)
			lex->line += *lex->at == '\n';
	} while (skip_comment(lex));
}

/* Take a word of @len characters. False if it is too long */
static bool take(struct lexer *lex, enum token token, size_t len)
{
	if (len >= sizeof(lex->text)) {
		lex_error(lex, "'%.20s...' is too long", lex->at);
		return false;
	}
	memcpy(lex->text, lex->at, len);
	lex->text[len] = '\0';
	lex->at += len;
	lex->token = token;

	return true;
}

static size_t name_length(const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;

	return len;
}

bool lex_integer(const char *text, int64_t *number)
{
	char *end;

	errno = 0;
	*number = (int64_t)strtoull(text, &end, 0);

	return isdigit((unsigned char)*text) && !*end && !errno;
}

static void lex_number(struct lexer *lex)
{
	if (take(lex, T_NUMBER, name_length(lex->at)) && !lex_integer(lex->text, &lex->number))
		lex_error(lex, "'%s' is no number", lex->text);
}

static char escaped(char c)
{
	static const char from[] = "abfnrtv\\\"'?", to[] = "\a\b\f\n\r\t\v\\\"'?";
	const char *found = c ? strchr(from, c) : NULL;

	return found ? to[found - from] : '\0';
}

static void lex_string(struct lexer *lex)
{
	size_t len = 0;

	for (lex->at++; *lex->at && *lex->at != '"' && *lex->at != '\n'; lex->at++) {
		char c = *lex->at == '\\' ? escaped(*++lex->at) : *lex->at;

		if (!c) {
			lex_error(lex, "'\\%c' is not known in a string", *lex->at);
			return;
		}
		if (len + 1 == sizeof(lex->text)) {
			lex_error(lex, "a string is longer than %d bytes", D_STRING - 1);
			return;
		}
		lex->text[len++] = c;
	}
	lex->text[len] = '\0';
	if (*lex->at != '"')
		lex_error(lex, "a string does not end");
	else
		lex->at++;
	if (!lex->failed)
		lex->token = T_STRING;
}

static void lex_operator(struct lexer *lex)
{
	size_t i;

	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t len = strlen(operators[i]);

		if (strncmp(lex->at, operators[i], len) == 0) {
			take(lex, T_OPERATOR, len);
			return;
		}
	}
	lex_error(lex, "'%c' is not supported", *lex->at);
}

void lex_next(struct lexer *lex)
{
	lex_space(lex);
	if (lex->failed || !*lex->at) {
		lex->token = T_END;
		lex->text[0] = '\0';
	} else if (isdigit((unsigned char)*lex->at)) {
		lex_number(lex);
	} else if (*lex->at == '"') {
		lex_string(lex);
	} else if (*lex->at == '$') {
		take(lex, T_MACRO, 1 + (lex->at[1] == '$') +
		     name_length(lex->at + 1 + (lex->at[1] == '$')));
	} else if (name_length(lex->at)) {
		take(lex, T_NAME, name_length(lex->at));
	} else {
		lex_operator(lex);
	}
}

bool lex_is(const struct lexer *lex, const char *operator)
{
	return lex->token == T_OPERATOR && strcmp(lex->text, operator) == 0;
}

/* Go on if this is the next word */
bool lex_take(struct lexer *lex, const char *operator)
{
	if (!lex_is(lex, operator))
		return false;
	lex_next(lex);

	return true;
}

void lex_expect(struct lexer *lex, const char *operator)
{
	char needed[8];

	snprintf(needed, sizeof(needed), "'%s'", operator);
	if (!lex_take(lex, operator))
		lex_unexpected(lex, needed);
}

void lex_description(struct lexer *lex)
{
	lex_space(lex);
	take(lex, T_NAME, strcspn(lex->at, " \t\r\n,/{};"));
}
