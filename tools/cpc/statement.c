// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse the statements of D programs. */
#include <stdlib.h>
#include <string.h>
#include "parse.h"

static struct aggregation *aggregation_get(struct parser *p)
{
	struct program *program = p->program;
	const char *name = p->lex.token == T_NAME ? p->lex.text : "";
	struct aggregation *aggr;
	unsigned int i;

	if (strlen(name) >= D_NAME) {
		lex_error(&p->lex, "the name '@%s' is too long", name);
		return NULL;
	}
	for (i = 0; i < program->nr_aggrs; i++)
		if (strcmp(program->aggr[i].name, name) == 0)
			break;
	if (i == D_AGGRS) {
		lex_error(&p->lex, "there are more than %d aggregations", D_AGGRS);
		return NULL;
	}
	aggr = &program->aggr[i];
	if (i == program->nr_aggrs) {
		program->nr_aggrs++;
		snprintf(aggr->name, sizeof(aggr->name), "%.*s", D_NAME - 1, name);
	}
	if (p->lex.token == T_NAME)
		lex_next(&p->lex);
	p->clause->state = true;

	return aggr;
}

/* EXPRESSION [, EXPRESSION]..., up to a bracket that is not taken */
static unsigned int parse_list(struct parser *p, const struct node **arg,
			       unsigned int max, const char *end)
{
	unsigned int nr = 0;

	if (lex_is(&p->lex, end))
		return 0;
	do {
		if (nr == max) {
			lex_error(&p->lex, "there are more than %u expressions", max);
			return nr;
		}
		arg[nr++] = parse_expression(p);
	} while (!p->lex.failed && lex_take(&p->lex, ","));

	return nr;
}

/* All uses of an aggregation must be alike */
static void check_keys(struct parser *p, struct aggregation *aggr,
		       const struct statement *st, bool sum)
{
	unsigned int i;

	if (p->lex.failed)
		return;
	if (!aggr->used) {
		aggr->used = true;
		aggr->sum = sum;
		aggr->keys = st->nr;
		for (i = 0; i < st->nr; i++)
			aggr->type[i] = st->arg[i]->type;
	}
	if (aggr->sum != sum || aggr->keys != st->nr)
		lex_error(&p->lex, "@%s has other keys or another function before",
			  aggr->name);
	for (i = 0; i < st->nr && i < aggr->keys; i++)
		if (aggr->type[i] != st->arg[i]->type)
			lex_error(&p->lex, "@%s has keys of other types before",
				  aggr->name);
}

/* @NAME[KEYS] = count() or sum(EXPRESSION) */
static void parse_aggregate(struct parser *p, struct statement *st)
{
	bool sum;

	st->action = ACT_AGGREGATE;
	st->aggregation = aggregation_get(p);
	if (lex_take(&p->lex, "[")) {
		st->nr = parse_list(p, st->arg, D_KEYS, "]");
		parse_expect(p, "]");
	}
	parse_expect(p, "=");
	sum = p->lex.token == T_NAME && strcmp(p->lex.text, "sum") == 0;
	if (!sum && (p->lex.token != T_NAME || strcmp(p->lex.text, "count") != 0))
		lex_error(&p->lex, "the aggregating function '%s' is not supported: "
			  "there are count and sum", p->lex.text);
	lex_next(&p->lex);
	parse_expect(p, "(");
	if (sum)
		st->value = parse_expression(p);
	parse_need(p, st->value, D_INT, "sum()");
	parse_expect(p, ")");
	if (st->aggregation)
		check_keys(p, st->aggregation, st, sum);
}

static const char *parse_format(struct parser *p)
{
	const char *format = NULL;

	if (p->lex.token == T_STRING)
		format = strdup(p->lex.text);
	if (format)
		parse_keep(p, format);
	lex_next(&p->lex);

	return format;
}

static void parse_printf(struct parser *p, struct statement *st)
{
	const char *wrong;
	enum d_type type[D_ARGS];
	unsigned int i;

	st->action = ACT_PRINTF;
	st->format = parse_format(p);
	if (!st->format) {
		lex_error(&p->lex, "printf() begins with a format in quotation marks");
		return;
	}
	if (lex_take(&p->lex, ","))
		st->nr = parse_list(p, st->arg, D_ARGS, ")");
	for (i = 0; i < st->nr && !p->lex.failed; i++)
		type[i] = st->arg[i]->type;
	wrong = p->lex.failed ? NULL : format_check(st->format, type, st->nr, false);
	if (wrong)
		lex_error(&p->lex, "printf(): %s", wrong);
}

static void take_aggregation(struct parser *p, struct statement *st, const char *what)
{
	parse_expect(p, "@");
	if (p->lex.failed)
		return;
	st->aggregation = aggregation_get(p);
	if (st->aggregation && !st->aggregation->used)
		lex_error(&p->lex, "%s: @%s is not known here", what,
			  st->aggregation->name);
}

static void parse_printa(struct parser *p, struct statement *st)
{
	const struct aggregation *aggr;
	const char *wrong;

	st->action = ACT_PRINTA;
	if (p->lex.token == T_STRING) {
		st->format = parse_format(p);
		parse_expect(p, ",");
	}
	take_aggregation(p, st, "printa()");
	if (lex_is(&p->lex, ","))
		lex_error(&p->lex, "printa() of several aggregations is not supported");
	aggr = st->aggregation;
	if (p->lex.failed || !st->format)
		return;
	wrong = format_check(st->format, aggr->type, aggr->keys, true);
	if (wrong)
		lex_error(&p->lex, "printa(): %s", wrong);
}

static void parse_trunc(struct parser *p, struct statement *st)
{
	st->action = ACT_TRUNC;
	take_aggregation(p, st, "trunc()");
	if (lex_take(&p->lex, ","))
		st->value = parse_expression(p);
	parse_need(p, st->value, D_INT, "trunc()");
}

static void parse_exit(struct parser *p, struct statement *st)
{
	st->action = ACT_EXIT;
	st->value = parse_expression(p);
	parse_need(p, st->value, D_INT, "exit()");
}

static const struct {
	const char *name;
	void (*parse)(struct parser *p, struct statement *st);
} actions[] = {
	{ "printf", parse_printf },
	{ "printa", parse_printa },
	{ "trunc", parse_trunc },
	{ "exit", parse_exit },
};

/* The rest of "NAME(" */
static void parse_action(struct parser *p, struct statement *st, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(actions[i].name, name) != 0)
			continue;
		lex_next(&p->lex);
		actions[i].parse(p, st);
		parse_expect(p, ")");
		p->clause->visible |= st->action != ACT_TRUNC;
		return;
	}
	lex_error(&p->lex, "the action '%s' is not supported: there are printf, printa, "
		  "trunc and exit", name);
}

/* VARIABLE = EXPRESSION, VARIABLE OPERATOR= EXPRESSION, VARIABLE++ */
static void parse_set(struct parser *p, struct statement *st, const char *name)
{
	bool known = parse_known_variable(p, name);
	char word[4];
	size_t len;

	if (parse_is_builtin(name)) {
		lex_error(&p->lex, "'%s' cannot be assigned to", name);
		return;
	}
	st->action = ACT_SET;
	st->variable = parse_variable(p, name);
	p->clause->state = true;
	if (!st->variable)
		return;
	snprintf(word, sizeof(word), "%.3s", p->lex.text);
	len = strlen(word);
	if (strcmp(word, "++") == 0 || strcmp(word, "--") == 0) {
		lex_next(&p->lex);
		st->value = parse_step(p, st->variable, word[0]);
	} else if (lex_take(&p->lex, "=")) {
		st->value = parse_expression(p);
	} else if (p->lex.token == T_OPERATOR && len > 1 && word[len - 1] == '=' &&
		   !strchr("<>=!", word[0])) {
		word[len - 1] = '\0';
		lex_next(&p->lex);
		st->value = parse_changed(p, st->variable, word);
	} else {
		lex_error(&p->lex, "'%s': an expression alone does nothing; "
			  "assign or print it", name);
	}
	if (p->lex.failed || !st->value)
		return;
	if ((known || st->variable->set) && st->variable->set &&
	    st->variable->type != st->value->type)
		lex_error(&p->lex, "'%s' is a %s", name,
			  st->variable->type == D_INT ? "number" : "string");
	st->variable->set = true;
	st->variable->type = st->value->type;
}

static void parse_named(struct parser *p, struct statement *st)
{
	char name[D_STRING];

	snprintf(name, sizeof(name), "%s", p->lex.text);
	lex_next(&p->lex);
	if (lex_is(&p->lex, "->"))
		lex_error(&p->lex, "'%s->' is not supported: there are only variables "
			  "that all threads share", name);
	else if (lex_is(&p->lex, "["))
		lex_error(&p->lex, "the array '%s' is not supported", name);
	else if (lex_is(&p->lex, "("))
		parse_action(p, st, name);
	else
		parse_set(p, st, name);
}

void parse_statement(struct parser *p, struct statement *st)
{
	if (lex_take(&p->lex, "@")) {
		parse_aggregate(p, st);
	} else if (p->lex.token == T_NAME) {
		parse_named(p, st);
	} else if (lex_is(&p->lex, "++") || lex_is(&p->lex, "--")) {
		lex_error(&p->lex, "write %s behind the variable", p->lex.text);
	} else {
		lex_error(&p->lex, "a statement cannot begin with '%s'",
			  p->lex.token == T_END ? "the end" : p->lex.text);
	}
}
