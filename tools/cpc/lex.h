/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a D program. */
#ifndef LEX_H
#define LEX_H

#include "dprog.h"

enum token {
	T_END, T_NAME, T_NUMBER, T_STRING, T_MACRO, T_OPERATOR,
};

/**
 * struct lexer - a text that is read
 * @source: its name, for messages
 * @at: what is not read yet
 * @line: the line that it is in
 * @token: kind of the word that was read last
 * @text: the word; of T_STRING what is in the quotation marks
 * @number: value of T_NUMBER
 * @failed: there was a mistake, and it was reported
 */
struct lexer {
	const char *source;
	const char *at;
	unsigned int line;
	enum token token;
	char text[D_STRING];
	int64_t number;
	bool failed;
};

/* The whole text is a number of C. False if it is none, or has more than 64 bits */
bool lex_integer(const char *text, int64_t *number);
void lex_next(struct lexer *lex);
void lex_space(struct lexer *lex);
bool lex_is(const struct lexer *lex, const char *operator);
bool lex_take(struct lexer *lex, const char *operator);

/* Report a mistake, unless there was one before */
__attribute__((format(printf, 2, 3)))
void lex_error(struct lexer *lex, const char *format, ...);

/* Go on, or report that this is not the next word */
void lex_expect(struct lexer *lex, const char *operator);

/* Report that the next word is not what is needed */
void lex_unexpected(struct lexer *lex, const char *needed);

/* Read a probe description, up to a comma, a predicate or a clause */
void lex_description(struct lexer *lex);

#endif
