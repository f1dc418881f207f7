// SPDX-License-Identifier: GPL-2.0-or-later
/* Carry out the clauses of a D program. */
#include <inttypes.h>
#include <string.h>
#include "dprog.h"

/* arg0: the address in the kernel, arg1: that in the program; 0 if it is not there */
static uint64_t argument(const struct firing *f, int64_t number)
{
	bool kernel = f->nr > 0 && frame_is_kernel(&f->frame[0]);

	if (f->nr == 0 || number > 1)
		return 0;

	return kernel == (number == 0) ? f->frame[0].address : 0;
}

/* "module`function+0x10"; without a name the address */
static void frame_text(char *text, size_t size, const struct frame *frame, bool offset)
{
	const char *module = frame->module ? frame->module : "";
	const char *tick = frame->module || frame->function ? "`" : "";

	if (!frame->function)
		snprintf(text, size, "%s%s0x%" PRIx64, module, tick, frame->address);
	else if (offset)
		snprintf(text, size, "%s%s%s+0x%" PRIx64, module, tick, frame->function,
			 frame->offset);
	else
		snprintf(text, size, "%s%s%s", module, tick, frame->function);
}

/* The symbol of an address is known if the address is in the firing's stack */
static void symbol(char text[D_STACK], const struct firing *f, int64_t address, bool offset)
{
	struct frame unknown = { .address = (uint64_t)address };
	const struct frame *frame = &unknown;
	unsigned int i;

	for (i = 0; i < f->nr && frame == &unknown; i++)
		if (f->frame[i].address == (uint64_t)address)
			frame = &f->frame[i];
	frame_text(text, D_STRING, frame, offset);
}

/* The frames of the kernel or those of the program, one a line */
static void stack(char text[D_STACK], const struct firing *f, bool kernel, int64_t max)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < f->nr && max > 0; i++) {
		char line[D_STRING];

		if (frame_is_kernel(&f->frame[i]) != kernel)
			continue;
		frame_text(line, sizeof(line), &f->frame[i], true);
		if (at + strlen(line) + 16 >= D_STACK)
			break;
		at += (size_t)sprintf(text + at, "%14s%s\n", "", line);
		max--;
	}
	if (at == 0)
		snprintf(text, D_STACK, "\n");
}

static int64_t number_of(const struct run *run, const struct firing *f,
			 const struct node *node);

/* The value of a string; @made is room for one that has to be made */
static const char *text_of(const struct run *run, const struct firing *f,
			   const struct node *node, char made[D_STACK])
{
	switch (node->op) {
	case D_LITERAL:
		return node->text;
	case D_EXECNAME:
		return f->comm;
	case D_PROBEPROV:
		return probe_provider(f->probe);
	case D_PROBENAME:
		return f->probe->name;
	case D_FUNC:
	case D_UFUNC:
	case D_SYM:
	case D_USYM:
		symbol(made, f, number_of(run, f, node->a),
		       node->op == D_SYM || node->op == D_USYM);
		return made;
	case D_KSTACK:
	case D_USTACK:
		stack(made, f, node->op == D_KSTACK, node->number);
		return made;
	default:	/* probemod, probefunc: no probe of cpctrace has a place */
		return "";
	}
}

static int compare(const struct run *run, const struct firing *f, const struct node *node)
{
	char a[D_STACK], b[D_STACK];
	int64_t x, y;

	if (node->a->type == D_STR)
		return strcmp(text_of(run, f, node->a, a), text_of(run, f, node->b, b));
	x = number_of(run, f, node->a);
	y = number_of(run, f, node->b);

	return (x > y) - (x < y);
}

/* The value of a number */
static int64_t number_of(const struct run *run, const struct firing *f,
			 const struct node *node)
{
	switch (node->op) {
	case D_PID:
		return f->pid;
	case D_TID:
		return f->tid;
	case D_CPU:
		return f->cpu;
	case D_TIMESTAMP:
		return (int64_t)f->time;
	case D_TARGET:
		return run->target;
	case D_ARG:
		return (int64_t)argument(f, node->number);
	case D_NOT:
		return !number_of(run, f, node->a);
	case D_OR:
		return number_of(run, f, node->a) || number_of(run, f, node->b);
	case D_AND:
		return number_of(run, f, node->a) && number_of(run, f, node->b);
	case D_EQ:
		return compare(run, f, node) == 0;
	case D_NE:
		return compare(run, f, node) != 0;
	case D_LT:
		return compare(run, f, node) < 0;
	case D_LE:
		return compare(run, f, node) <= 0;
	case D_GT:
		return compare(run, f, node) > 0;
	case D_GE:
		return compare(run, f, node) >= 0;
	default:
		return node->number;
	}
}

static void eval(const struct run *run, const struct firing *f, const struct node *node,
		 struct value *value)
{
	value->type = node->type;
	if (node->type == D_STR)
		value->text = text_of(run, f, node, value->made);
	else
		value->number = number_of(run, f, node);
}

/* "CPU ID FUNCTION:NAME", as dtrace has it, before what a clause prints */
static void print_head(struct run *run, const struct firing *f)
{
	unsigned int id = (unsigned int)(f->probe - run->program->probe) + 1;
	char name[128];

	if (run->program->quiet)
		return;
	if (!run->headed)
		fprintf(run->out, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
	run->headed = true;
	snprintf(name, sizeof(name), ":%s", f->probe->name);
	fprintf(run->out, "%3u %6u %32s ", f->cpu, id, name);
}

static void run_statement(struct run *run, const struct firing *f,
			  const struct statement *st)
{
	static struct value arg[D_ARGS];
	int64_t number = st->value ? number_of(run, f, st->value) : 0;
	unsigned int i;

	for (i = 0; i < st->nr; i++)
		eval(run, f, st->arg[i], &arg[i]);
	switch (st->action) {
	case ACT_COUNT:
		aggregate(st->aggregation, arg);
		break;
	case ACT_PRINTF:
		print_values(run->out, st->format, arg, st->nr, NULL);
		break;
	case ACT_PRINTA:
		aggregation_print(run->out, st->aggregation, st->format);
		st->aggregation->printed = true;
		break;
	case ACT_TRUNC:
		aggregation_trunc(st->aggregation, number);
		break;
	case ACT_EXIT:
		run->ended = true;
		run->status = (int)(number & 0xff);
		break;
	}
}

static void run_clause(struct run *run, const struct firing *f,
		       const struct clause *clause)
{
	const struct statement *st = clause->first;
	bool prints = clause->visible && !run->program->quiet;

	if (clause->predicate && !number_of(run, f, clause->predicate))
		return;
	if (prints)
		print_head(run, f);
	for (; st; st = st->next)
		run_statement(run, f, st);
	if (prints)
		putc('\n', run->out);
}

/* Carry out all clauses of a probe, in the order of the program, or up to an exit() */
void run_probe(struct run *run, const struct firing *f)
{
	const struct program *program = run->program;
	unsigned int id = (unsigned int)(f->probe - program->probe), i, j;

	for (i = 0; i < program->nr_clauses; i++)
		for (j = 0; j < program->clause[i].nr; j++)
			if (program->clause[i].probe[j] == id &&
			    (!run->ended || f->probe->kind == PROBE_END))
				run_clause(run, f, &program->clause[i]);
}
