/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the parser share. */
#ifndef PARSE_H
#define PARSE_H

#include "lex.h"

/**
 * struct parser - a text that is parsed
 * @program: gets what is in it
 * @lex: its words
 * @clause: the clause that is being read
 * @depth: how deep the parser is in an expression
 */
struct parser {
	struct program *program;
	struct lexer lex;
	struct clause *clause;
	unsigned int depth;
};

/* expr.c: NULL after a mistake */
const struct node *parse_expression(struct parser *p);

/* Let the program own a text */
void parse_keep(struct parser *p, const char *text);

/* format.c: what is wrong with a format for values of these types, or NULL */
const char *format_check(const char *format, const enum d_type *type, unsigned int nr,
			 bool aggregation);

#endif
