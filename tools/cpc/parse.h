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
 * @in_predicate: a predicate is being read, which '/' ends
 * @depth: how deep the parser is in an expression
 */
struct parser {
	struct program *program;
	struct lexer lex;
	struct clause *clause;
	bool in_predicate;
	unsigned int depth;
};

/* expr.c: NULL after a mistake */
const struct node *parse_expression(struct parser *p);
const struct node *parse_step(struct parser *p, struct variable *var, char operator);
const struct node *parse_changed(struct parser *p, struct variable *var,
				 const char *operator);
bool parse_is_builtin(const char *name);

/* Let the program own a text */
void parse_keep(struct parser *p, const char *text);

/* statement.c */
void parse_statement(struct parser *p, struct statement *st);

/* parse.c: take this operator, which must be next; a mistake if @node is of another type */
void parse_expect(struct parser *p, const char *operator);
void parse_need(struct parser *p, const struct node *node, enum d_type type,
		const char *where);

/* The variable of this name; a new one if @name is not known yet, or NULL */
struct variable *parse_variable(struct parser *p, const char *name);
struct variable *parse_known_variable(struct parser *p, const char *name);

/* format.c: what is wrong with a format for values of these types, or NULL */
const char *format_check(const char *format, const enum d_type *type, unsigned int nr,
			 bool aggregation);

#endif
