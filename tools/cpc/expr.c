// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse the expressions of D programs. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"

/* Operators with two operands, and how close they bind; C's rules, and ^^ */
static const struct {
	const char *text;
	enum d_op op;
	unsigned int rank;
} binaries[] = {
	{ "||", D_OR, 1 }, { "^^", D_XOR, 2 }, { "&&", D_AND, 3 }, { "|", D_BOR, 4 },
	{ "^", D_BXOR, 5 }, { "&", D_BAND, 6 }, { "==", D_EQ, 7 }, { "!=", D_NE, 7 },
	{ "<", D_LT, 8 }, { "<=", D_LE, 8 }, { ">", D_GT, 8 }, { ">=", D_GE, 8 },
	{ "<<", D_SHL, 9 }, { ">>", D_SHR, 9 }, { "+", D_ADD, 10 }, { "-", D_SUB, 10 },
	{ "*", D_MUL, 11 }, { "/", D_DIV, 11 }, { "%", D_MOD, 11 },
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
				const struct node *a, const struct node *b,
				const struct node *c)
{
	const struct node *part[] = { a, b, c };
	unsigned int i;

	node->a = a;
	node->b = b;
	node->c = c;
	for (i = 0; i < 3; i++)
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

bool parse_is_builtin(const char *name)
{
	size_t i;

	for (i = 0; i < BUILTINS; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return true;

	return argument_number(name) >= 0;
}

/* $1: a number, or with $$1 a string; $target */
static const struct node *parse_macro(struct parser *p)
{
	const char *name = p->lex.text + 1;
	bool string = *name == '$';
	const struct program *program = p->program;
	char *end;
	unsigned long index = strtoul(name + string, &end, 10);
	const char *value;

	if (strcmp(name, "target") == 0)
		return node_new(p, D_TARGET, D_INT);
	if (*end || index == 0 || end == name + string) {
		lex_error(&p->lex, "'%s' is not supported: there are $1, $$1 and $target",
			  p->lex.text);
		return NULL;
	}
	if (index > program->nr_macros) {
		lex_error(&p->lex, "there is no argument %s on the command line",
			  p->lex.text);
		return NULL;
	}
	value = program->macros[index - 1];
	if (string)
		return literal(p, value);
	index = strtoul(value, &end, 0);
	if (*end || *value < '0' || *value > '9') {
		lex_error(&p->lex, "%s is '%s', which is no number: use $%s",
			  p->lex.text, value, p->lex.text);
		return NULL;
	}

	return number(p, (int64_t)index);
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
	p->program->names = true;
	p->program->stacks |= stack;
	if (a && a->type != D_INT)
		lex_error(&p->lex, "%s() needs an address", name);
	if (!lex_take(&p->lex, ")"))
		lex_error(&p->lex, "')' is expected behind %s(", name);

	return above(p, node, a, NULL, NULL);
}

/* VARIABLE++ and VARIABLE-- in an expression: the value is that before */
static const struct node *parse_postfix(struct parser *p, const char *name)
{
	enum d_op op = lex_is(&p->lex, "++") ? D_INCREMENT : D_DECREMENT;
	struct variable *var = parse_variable(p, name);
	struct node *node = node_new(p, op, D_INT);

	lex_next(&p->lex);
	if (!node || !var)
		return NULL;
	if (var->set && var->type == D_STR) {
		lex_error(&p->lex, "'%s' is a string", name);
		return NULL;
	}
	var->set = true;
	node->number = var - p->program->var;
	p->clause->state = true;

	return node;
}

static const struct node *parse_scalar(struct parser *p, const char *name)
{
	const struct variable *var = parse_known_variable(p, name);
	struct node *node;

	if (lex_is(&p->lex, "++") || lex_is(&p->lex, "--"))
		return parse_postfix(p, name);
	if (!var || !var->set) {
		lex_error(&p->lex, "'%s' is not known: it is no variable of cpctrace, and "
			  "nothing is assigned to it before", name);
		return NULL;
	}
	p->clause->state = true;
	node = node_new(p, D_VARIABLE, var->type);
	if (node)
		node->number = var - p->program->var;

	return node;
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
	if (lex_is(&p->lex, "->") || lex_is(&p->lex, "[")) {
		lex_error(&p->lex, "'%s%s' is not supported: there are only variables "
			  "that all threads share", name, p->lex.text);
		return NULL;
	}
	for (i = 0; i < BUILTINS; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return node_new(p, builtins[i].op, builtins[i].type);
	if (argument_number(name) < 0)
		return parse_scalar(p, name);
	node = node_new(p, D_ARG, D_INT);
	if (node)
		node->number = argument_number(name);

	return node;
}

static const struct node *parse_operand(struct parser *p);

static const struct node *parse_unary(struct parser *p, enum d_op op)
{
	struct node *node = node_new(p, op, D_INT);
	const char *text = op == D_NOT ? "!" : op == D_NEG ? "-" : "~";
	const struct node *a;

	lex_next(&p->lex);
	a = node ? parse_operand(p) : NULL;
	if (!a)
		return NULL;
	if (a->type != D_INT)
		lex_error(&p->lex, "'%s' needs a number", text);

	return above(p, node, a, NULL, NULL);
}

static const struct node *parse_bracket(struct parser *p)
{
	bool outer = p->in_predicate;
	const struct node *node;

	lex_next(&p->lex);
	p->in_predicate = false;
	node = parse_expression(p);
	p->in_predicate = outer;
	if (!lex_take(&p->lex, ")"))
		lex_error(&p->lex, "')' is expected before '%s'", p->lex.text);

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
		node = number(p, p->lex.number);
		lex_next(&p->lex);
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
		node = parse_unary(p, D_NOT);
	} else if (lex_is(&p->lex, "-")) {
		node = parse_unary(p, D_NEG);
	} else if (lex_is(&p->lex, "~")) {
		node = parse_unary(p, D_INVERT);
	} else {
		lex_error(&p->lex, "an expression is expected before '%s'",
			  p->lex.token == T_END ? "the end" : p->lex.text);
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
	return above(p, node, a, b, NULL);
}

/* The operator that comes next; BINARIES if it is none, or ends the predicate */
static size_t next_binary(const struct parser *p)
{
	size_t i;

	if (p->lex.token != T_OPERATOR || (p->in_predicate && lex_is(&p->lex, "/")))
		return BINARIES;
	for (i = 0; i < BINARIES; i++)
		if (strcmp(binaries[i].text, p->lex.text) == 0)
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

/* CONDITION ? EXPRESSION : EXPRESSION */
static const struct node *parse_condition(struct parser *p, const struct node *a)
{
	struct node *node = node_new(p, D_COND, D_INT);
	const struct node *b, *c;

	if (!node || !a || a->type != D_INT) {
		lex_error(&p->lex, "'?' needs a number before it");
		return NULL;
	}
	b = parse_expression(p);
	if (!lex_take(&p->lex, ":"))
		lex_error(&p->lex, "':' is expected before '%s'", p->lex.text);
	c = parse_expression(p);
	if (!b || !c)
		return NULL;
	if (b->type != c->type)
		lex_error(&p->lex, "'?' between a number and a string");
	node->type = b->type;

	return above(p, node, a, b, c);
}

const struct node *parse_expression(struct parser *p)
{
	const struct node *node;

	if (++p->depth > D_DEPTH) {
		lex_error(&p->lex, "an expression is too deep");
		return NULL;
	}
	node = parse_binary(p, 1);
	if (!p->lex.failed && lex_take(&p->lex, "?"))
		node = parse_condition(p, node);
	p->depth--;

	return p->lex.failed ? NULL : node;
}

static const struct node *value_of(struct parser *p, const struct variable *var)
{
	struct node *node;

	/* A variable that was not assigned before is 0 */
	node = node_new(p, D_VARIABLE, var->set ? var->type : D_INT);
	if (node)
		node->number = var - p->program->var;

	return node;
}

/* VARIABLE++ and VARIABLE-- */
const struct node *parse_step(struct parser *p, struct variable *var, char operator)
{
	return binary(p, operator == '+' ? D_ADD : D_SUB, value_of(p, var), number(p, 1),
		      operator == '+' ? "++" : "--");
}

/* VARIABLE OPERATOR= EXPRESSION */
const struct node *parse_changed(struct parser *p, struct variable *var,
				 const char *operator)
{
	const struct node *right = parse_expression(p);
	size_t i;

	for (i = 0; i < BINARIES && right; i++)
		if (strcmp(binaries[i].text, operator) == 0)
			return binary(p, binaries[i].op, value_of(p, var), right,
				      operator);
	lex_error(&p->lex, "the operator '%s=' is not supported", operator);

	return NULL;
}
