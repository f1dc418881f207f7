// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse the expressions of D programs. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"

/* Operators with two operands, and how close they bind: C's rules */
static const struct {
	const char *text;
	enum d_op op;
	unsigned int rank;
} binaries[] = {
	{ "||", D_OR, 1 }, { "&&", D_AND, 2 }, { "==", D_EQ, 3 }, { "!=", D_NE, 3 },
	{ "<", D_LT, 4 }, { "<=", D_LE, 4 }, { ">", D_GT, 4 }, { ">=", D_GE, 4 },
};

#define BINARIES	(sizeof(binaries) / sizeof(binaries[0]))

/* Names with a value of their own */
static const struct {
	const char *name;
	enum d_op op;
	enum d_type type;
} builtins[] = {
	{ "execname", D_EXECNAME, D_STR }, { "pid", D_PID, D_INT },
	{ "tid", D_TID, D_INT }, { "cpu", D_CPU, D_INT },
	{ "timestamp", D_TIMESTAMP, D_INT }, { "probeprov", D_PROBEPROV, D_STR },
	{ "probemod", D_PROBEMOD, D_STR }, { "probefunc", D_PROBEFUNC, D_STR },
	{ "probename", D_PROBENAME, D_STR },
};

#define BUILTINS	(sizeof(builtins) / sizeof(builtins[0]))

/* Functions of an address */
static const struct {
	const char *name;
	enum d_op op;
} functions[] = {
	{ "func", D_FUNC }, { "ufunc", D_UFUNC }, { "sym", D_SYM }, { "usym", D_USYM },
	{ "stack", D_KSTACK }, { "ustack", D_USTACK },
};

#define FUNCTIONS	(sizeof(functions) / sizeof(functions[0]))

static struct node *node_new(struct parser *p, enum d_op op, enum d_type type)
{
	struct program *program = p->program;
	struct node *node;

	if (program->nr_nodes == D_NODES) {
		lex_error(&p->lex, "the program is too large");
		return NULL;
	}
	node = &program->node[program->nr_nodes++];
	node->op = op;
	node->type = type;

	return node;
}

void parse_keep(struct parser *p, const char *text)
{
	struct node *node = node_new(p, D_LITERAL, D_STR);

	if (node)
		node->text = text;
	else
		free((char *)text);
}

/* Evaluation goes as deep as the tree is high, so that has a limit */
static const struct node *above(struct parser *p, struct node *node,
				const struct node *a, const struct node *b)
{
	const struct node *part[] = { a, b };
	unsigned int i;

	node->a = a;
	node->b = b;
	for (i = 0; i < 2; i++)
		if (part[i] && part[i]->height >= node->height)
			node->height = part[i]->height + 1;
	if (node->height <= D_HEIGHT)
		return node;
	lex_error(&p->lex, "an expression has too many operators");

	return NULL;
}

static const struct node *number(struct parser *p, int64_t value)
{
	struct node *node = node_new(p, D_NUMBER, D_INT);

	if (node)
		node->number = value;

	return node;
}

static const struct node *literal(struct parser *p, const char *text)
{
	struct node *node = node_new(p, D_LITERAL, D_STR);

	if (!node)
		return NULL;
	node->text = strndup(text, D_STRING - 1);
	if (!node->text)
		lex_error(&p->lex, "out of memory");

	return node->text ? node : NULL;
}

/* arg0 to arg9; -1 for another name */
static int argument_number(const char *name)
{
	return strncmp(name, "arg", 3) == 0 && name[3] >= '0' && name[3] <= '9' &&
	       !name[4] ? name[3] - '0' : -1;
}

/* $1: a number, or with $$1 a string; $target */
static const struct node *parse_macro(struct parser *p)
{
	const char *name = p->lex.text + 1;
	bool string = *name == '$';
	struct program *program = p->program;
	unsigned int index;
	int64_t value;

	if (strcmp(name, "target") == 0)
		return node_new(p, D_TARGET, D_INT);
	if (!tool_number(&index, name + string, D_TEXT)) {
		lex_error(&p->lex, "'%s' is not supported: there are $1, $$1 and $target",
			  p->lex.text);
		return NULL;
	}
	if (index > program->nr_macros) {
		lex_error(&p->lex, "there is no argument %s on the command line",
			  p->lex.text);
		return NULL;
	}
	if (index > program->used_macros)
		program->used_macros = index;
	if (string)
		return literal(p, program->macros[index - 1]);
	if (!lex_integer(program->macros[index - 1], &value)) {
		lex_error(&p->lex, "%s is '%s', which is no number: use $%s",
			  p->lex.text, program->macros[index - 1], p->lex.text);
		return NULL;
	}

	return number(p, value);
}

/* NAME(ADDRESS), stack(), stack(FRAMES); the name is read already */
static const struct node *parse_function(struct parser *p, enum d_op op,
					 const char *name)
{
	bool stack = op == D_KSTACK || op == D_USTACK;
	struct node *node = node_new(p, op, D_STR);
	const struct node *a = NULL;

	if (!node || !lex_take(&p->lex, "(")) {
		lex_error(&p->lex, "'%s' needs brackets: %s(%s)", name, name,
			  stack ? "" : "ADDRESS");
		return NULL;
	}
	node->number = D_FRAMES;
	if (!stack) {
		a = parse_expression(p);
	} else if (p->lex.token == T_NUMBER) {
		node->number = p->lex.number;
		lex_next(&p->lex);
	}
	p->program->stacks |= stack;
	if (a && a->type != D_INT)
		lex_error(&p->lex, "%s() needs an address", name);
	lex_expect(&p->lex, ")");

	return above(p, node, a, NULL);
}

static const struct node *parse_name(struct parser *p)
{
	char name[D_STRING];
	struct node *node;
	size_t i;

	snprintf(name, sizeof(name), "%s", p->lex.text);
	lex_next(&p->lex);
	for (i = 0; i < FUNCTIONS; i++)
		if (strcmp(functions[i].name, name) == 0)
			return parse_function(p, functions[i].op, name);
	if (lex_is(&p->lex, "(")) {
		lex_error(&p->lex, "the function '%s' is not supported: there are func, "
			  "ufunc, sym, usym, stack and ustack", name);
		return NULL;
	}
	for (i = 0; i < BUILTINS; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return node_new(p, builtins[i].op, builtins[i].type);
	if (argument_number(name) < 0) {
		lex_error(&p->lex, "'%s' is not known; variables are not supported", name);
		return NULL;
	}
	node = node_new(p, D_ARG, D_INT);
	if (node)
		node->number = argument_number(name);

	return node;
}

static const struct node *parse_operand(struct parser *p);

static const struct node *parse_not(struct parser *p)
{
	struct node *node = node_new(p, D_NOT, D_INT);
	const struct node *a;

	lex_next(&p->lex);
	a = node ? parse_operand(p) : NULL;
	if (!a)
		return NULL;
	if (a->type != D_INT)
		lex_error(&p->lex, "'!' needs a number");

	return above(p, node, a, NULL);
}

static const struct node *parse_number(struct parser *p, int64_t sign)
{
	const struct node *node = NULL;

	if (p->lex.token == T_NUMBER)
		node = number(p, sign < 0 ? (int64_t)(0 - (uint64_t)p->lex.number) :
				 p->lex.number);
	else
		lex_unexpected(&p->lex, "a number");
	lex_next(&p->lex);

	return node;
}

static const struct node *parse_bracket(struct parser *p)
{
	const struct node *node;

	lex_next(&p->lex);
	node = parse_expression(p);
	lex_expect(&p->lex, ")");

	return node;
}

static const struct node *parse_operand(struct parser *p)
{
	const struct node *node = NULL;

	if (++p->depth > D_DEPTH) {
		lex_error(&p->lex, "an expression is too deep");
		return NULL;
	}
	if (p->lex.token == T_NUMBER) {
		node = parse_number(p, 1);
	} else if (p->lex.token == T_STRING) {
		node = literal(p, p->lex.text);
		lex_next(&p->lex);
	} else if (p->lex.token == T_MACRO) {
		node = parse_macro(p);
		lex_next(&p->lex);
	} else if (p->lex.token == T_NAME) {
		node = parse_name(p);
	} else if (lex_is(&p->lex, "(")) {
		node = parse_bracket(p);
	} else if (lex_is(&p->lex, "!")) {
		node = parse_not(p);
	} else if (lex_take(&p->lex, "-")) {
		node = parse_number(p, -1);
	} else {
		lex_unexpected(&p->lex, "an expression");
	}
	p->depth--;

	return p->lex.failed ? NULL : node;
}

static const struct node *binary(struct parser *p, enum d_op op, const struct node *a,
				 const struct node *b, const char *text)
{
	struct node *node = node_new(p, op, D_INT);
	bool compares = op >= D_EQ && op <= D_GE;

	if (!node || !a || !b)
		return NULL;
	if (a->type != b->type || (a->type == D_STR && !compares)) {
		lex_error(&p->lex, a->type != b->type ?
			  "'%s' between a number and a string" :
			  "'%s' needs numbers", text);
		return NULL;
	}
	return above(p, node, a, b);
}

/* The operator that comes next; BINARIES if it is none */
static size_t next_binary(const struct parser *p)
{
	size_t i;

	for (i = 0; i < BINARIES; i++)
		if (lex_is(&p->lex, binaries[i].text))
			break;

	return i;
}

/* Operators that bind at least as close as @rank */
static const struct node *parse_binary(struct parser *p, unsigned int rank)
{
	const struct node *left = parse_operand(p), *right;
	size_t i;

	while (!p->lex.failed && (i = next_binary(p)) < BINARIES &&
	       binaries[i].rank >= rank) {
		if (++p->depth > D_DEPTH) {
			lex_error(&p->lex, "an expression is too deep");
			return NULL;
		}
		lex_next(&p->lex);
		right = parse_binary(p, binaries[i].rank + 1);
		left = binary(p, binaries[i].op, left, right, binaries[i].text);
		p->depth--;
	}

	return left;
}

const struct node *parse_expression(struct parser *p)
{
	const struct node *node;

	if (++p->depth > D_DEPTH) {
		lex_error(&p->lex, "an expression is too deep");
		return NULL;
	}
	node = parse_binary(p, 1);
	p->depth--;

	return p->lex.failed ? NULL : node;
}
