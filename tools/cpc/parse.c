// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parse D programs, by recursive descent. cpctrace(1) has the grammar. What is not part
 * of it is refused by its name.
 */
#include <stdlib.h>
#include <string.h>
#include "lex.h"
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

static void need_type(struct parser *p, const struct node *node, enum d_type type,
		      const char *where)
{
	if (node && node->type != type)
		lex_error(&p->lex, "%s needs a %s", where,
			  type == D_INT ? "number" : "string");
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
		       const struct statement *st)
{
	unsigned int i;

	if (p->lex.failed)
		return;
	if (!aggr->used) {
		aggr->used = true;
		aggr->keys = st->nr;
		for (i = 0; i < st->nr; i++)
			aggr->type[i] = st->arg[i]->type;
	}
	if (aggr->keys != st->nr)
		lex_error(&p->lex, "@%s has other keys before", aggr->name);
	for (i = 0; i < st->nr && i < aggr->keys; i++)
		if (aggr->type[i] != st->arg[i]->type)
			lex_error(&p->lex, "@%s has keys of other types before",
				  aggr->name);
}

/* @NAME[KEYS] = count() */
static void parse_aggregate(struct parser *p, struct statement *st)
{
	st->action = ACT_COUNT;
	st->aggregation = aggregation_get(p);
	if (lex_take(&p->lex, "[")) {
		st->nr = parse_list(p, st->arg, D_KEYS, "]");
		lex_expect(&p->lex, "]");
	}
	lex_expect(&p->lex, "=");
	if (p->lex.token != T_NAME || strcmp(p->lex.text, "count") != 0)
		lex_error(&p->lex, "the aggregating function '%s' is not supported: "
			  "there is only count", p->lex.text);
	lex_next(&p->lex);
	lex_expect(&p->lex, "(");
	lex_expect(&p->lex, ")");
	if (st->aggregation)
		check_keys(p, st->aggregation, st);
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
	lex_expect(&p->lex, "@");
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
		lex_expect(&p->lex, ",");
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
	need_type(p, st->value, D_INT, "trunc()");
}

static void parse_exit(struct parser *p, struct statement *st)
{
	st->action = ACT_EXIT;
	st->value = parse_expression(p);
	need_type(p, st->value, D_INT, "exit()");
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
		lex_expect(&p->lex, ")");
		p->clause->visible |= st->action != ACT_TRUNC;
		return;
	}
	lex_error(&p->lex, "the action '%s' is not supported: there are printf, printa, "
		  "trunc and exit", name);
}

static void parse_named(struct parser *p, struct statement *st)
{
	char name[D_STRING];

	snprintf(name, sizeof(name), "%s", p->lex.text);
	lex_next(&p->lex);
	if (lex_is(&p->lex, "("))
		parse_action(p, st, name);
	else
		lex_error(&p->lex, "'%s': variables are not supported", name);
}

static void parse_statement(struct parser *p, struct statement *st)
{
	if (lex_take(&p->lex, "@"))
		parse_aggregate(p, st);
	else if (p->lex.token == T_NAME)
		parse_named(p, st);
	else
		lex_unexpected(&p->lex, "a statement");
}

/* STATEMENT [; STATEMENT]... } */
static void parse_body(struct parser *p)
{
	struct statement **end = &p->clause->first;

	while (p->lex.token != T_END && !lex_is(&p->lex, "}")) {
		if (lex_take(&p->lex, ";"))
			continue;
		*end = calloc(1, sizeof(**end));
		if (!*end) {
			lex_error(&p->lex, "out of memory");
			return;
		}
		parse_statement(p, *end);
		end = &(*end)->next;
		if (!lex_is(&p->lex, "}"))
			lex_expect(&p->lex, ";");
	}
}

/* Each probe has one entry, in however many clauses it is */
static void add_probe(struct parser *p, const struct probe *probe)
{
	struct program *program = p->program;
	unsigned int i;

	for (i = 0; i < program->nr_probes; i++)
		if (strcmp(program->probe[i].name, probe->name) == 0)
			break;
	if (i == D_PROBES || p->clause->nr == D_PROBES) {
		lex_error(&p->lex, "there are more than %d probes", D_PROBES);
		return;
	}
	if (i == program->nr_probes)
		program->probe[program->nr_probes++] = *probe;
	p->clause->probe[p->clause->nr++] = i;
	p->clause->kinds |= 1U << probe->kind;
	program->kinds |= 1U << probe->kind;
}

static void parse_probe(struct parser *p)
{
	struct probe probe;
	const char *wrong;

	lex_description(&p->lex);
	if (p->lex.failed)
		return;
	wrong = probe_parse(&probe, &p->program->limits, p->lex.text);
	if (wrong)
		lex_error(&p->lex, "probe description %s: %s", p->lex.text, wrong);
	else
		add_probe(p, &probe);
}

/* PROBE [, PROBE]... [/ PREDICATE /] [{ BODY }] */
static void parse_clause(struct parser *p)
{
	struct program *program = p->program;

	if (program->nr_clauses == D_CLAUSES) {
		lex_error(&p->lex, "there are more than %d clauses", D_CLAUSES);
		return;
	}
	p->clause = &program->clause[program->nr_clauses++];
	do {
		parse_probe(p);
		lex_space(&p->lex);
	} while (!p->lex.failed && *p->lex.at == ',' && p->lex.at++);
	lex_next(&p->lex);
	if (lex_take(&p->lex, "/")) {
		p->clause->predicate = parse_expression(p);
		need_type(p, p->clause->predicate, D_INT, "a predicate");
		lex_expect(&p->lex, "/");
	}
	if (lex_is(&p->lex, "{")) {
		lex_next(&p->lex);
		parse_body(p);
		if (!lex_is(&p->lex, "}"))
			lex_unexpected(&p->lex, "'}'");
		/* What follows is a probe description, which has words of its own */
		p->lex.token = T_END;
	} else if (p->lex.token != T_END) {
		lex_unexpected(&p->lex, "'{'");
	}
	p->clause->visible |= !p->clause->first;
	program->state |= p->clause->state ? p->clause->kinds : 0;
	program->visible |= p->clause->visible ? p->clause->kinds : 0;
}

/* #pragma D option NAME[=VALUE], and the first line of a script */
static void parse_directive(struct parser *p)
{
	char line[256], *word[4] = { NULL }, *rest = line;
	size_t len = strcspn(p->lex.at, "\n"), nr = 0;

	snprintf(line, sizeof(line), "%.*s", (int)(len < sizeof(line) ? len : 255),
		 p->lex.at);
	if (strncmp(line, "#!", 2) != 0) {
		while (nr < 4 && (word[nr] = strsep(&rest, " \t")))
			nr += *word[nr] != '\0';
		if (nr != 4 || strcmp(word[0], "#pragma") || strcmp(word[1], "D") ||
		    strcmp(word[2], "option"))
			lex_error(&p->lex, "'%s': only #pragma D option is known", line);
		else if (program_option(p->program, word[3]) < 0)
			p->lex.failed = true;
	}
	p->lex.at += len;
}

int program_parse(struct program *program, const char *name, const char *text)
{
	struct parser p = {
		.program = program,
		.lex = { .source = name, .at = text, .line = 1 },
	};

	for (;;) {
		lex_space(&p.lex);
		if (p.lex.failed || !*p.lex.at)
			break;
		if (*p.lex.at == '#')
			parse_directive(&p);
		else
			parse_clause(&p);
	}
	if (!p.lex.failed && program->nr_clauses == 0)
		lex_error(&p.lex, "there is no clause");

	return p.lex.failed ? -1 : 0;
}

/* Options of -x and of pragmas, which take effect at once */
int program_option(struct program *program, const char *option)
{
	const char *value = strchr(option, '=');
	size_t len = value ? (size_t)(value - option) : strlen(option);
	char *end = "";

	if (len == 5 && strncmp(option, "quiet", len) == 0 && !value) {
		program->quiet = true;
		return 0;
	}
	if (len == 11 && strncmp(option, "minoverflow", len) == 0 && value) {
		program->limits.min_count = strtoull(value + 1, &end, 10);
		if (value[1] >= '0' && value[1] <= '9' && !*end &&
		    program->limits.min_count > 0)
			return 0;
		tool_error("minoverflow=N: N is a number from 1");
		return -1;
	}
	tool_error("the option '%s' is not supported: there are quiet and minoverflow=N",
		   option);

	return -1;
}

void program_free(struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr_clauses; i++) {
		struct statement *st = program->clause[i].first;

		while (st) {
			struct statement *next = st->next;

			free(st);
			st = next;
		}
	}
	for (i = 0; i < program->nr_nodes; i++)
		free((char *)program->node[i].text);
	for (i = 0; i < program->nr_aggrs; i++)
		aggregation_trunc(&program->aggr[i], 0);
}
