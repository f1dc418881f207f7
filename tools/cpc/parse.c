// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parse D programs, by recursive descent: this file has clauses, statement.c and expr.c
 * what is in them. cpctrace(1) has the grammar. What is not part of it is refused by its
 * name.
 */
#include <stdlib.h>
#include <string.h>
#include "parse.h"

struct variable *parse_known_variable(struct parser *p, const char *name)
{
	unsigned int i;

	for (i = 0; i < p->program->nr_vars; i++)
		if (strcmp(p->program->var[i].name, name) == 0)
			return &p->program->var[i];

	return NULL;
}

struct variable *parse_variable(struct parser *p, const char *name)
{
	struct program *program = p->program;
	struct variable *var = parse_known_variable(p, name);

	if (var)
		return var;
	if (strlen(name) >= D_NAME) {
		lex_error(&p->lex, "the name '%s' is longer than %d characters", name,
			  D_NAME - 1);
		return NULL;
	}
	if (program->nr_vars == D_VARS) {
		lex_error(&p->lex, "there are more than %d variables", D_VARS);
		return NULL;
	}
	var = &program->var[program->nr_vars++];
	snprintf(var->name, sizeof(var->name), "%.*s", D_NAME - 1, name);

	return var;
}

void parse_expect(struct parser *p, const char *operator)
{
	if (!lex_take(&p->lex, operator))
		lex_error(&p->lex, "'%s' is expected before '%s'", operator,
			  p->lex.token == T_END ? "the end" : p->lex.text);
}

void parse_need(struct parser *p, const struct node *node, enum d_type type,
		const char *where)
{
	if (node && node->type != type)
		lex_error(&p->lex, "%s needs a %s", where,
			  type == D_INT ? "number" : "string");
}

/* STATEMENT [; STATEMENT]... } */
static void parse_body(struct parser *p)
{
	struct statement **end = &p->clause->first;

	while (!p->lex.failed && !lex_is(&p->lex, "}")) {
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
			parse_expect(p, ";");
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
		p->in_predicate = true;
		p->clause->predicate = parse_expression(p);
		p->in_predicate = false;
		parse_need(p, p->clause->predicate, D_INT, "a predicate");
		parse_expect(p, "/");
	}
	if (lex_is(&p->lex, "{")) {
		lex_next(&p->lex);
		parse_body(p);
		if (!lex_is(&p->lex, "}"))
			lex_error(&p->lex, "'}' is expected");
		/* What follows is a probe description, which has words of its own */
		p->lex.token = T_END;
	} else if (p->lex.token != T_END || p->clause->predicate) {
		lex_error(&p->lex, "'{' is expected before '%s'", p->lex.text);
	}
	p->clause->visible |= !p->clause->first;
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
