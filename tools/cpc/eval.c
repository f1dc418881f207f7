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

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* "module`function+0x10"; without a name the address */
static int frame_text(char *text, size_t size, const struct frame *frame, bool offset)
{
	if (!frame->function)
		return snprintf(text, size, "%s%s0x%" PRIx64, or_empty(frame->module),
				frame->module ? "`" : "", frame->address);
	if (!offset)
		return snprintf(text, size, "%s`%s", or_empty(frame->module),
				frame->function);

	return snprintf(text, size, "%s`%s+0x%" PRIx64, or_empty(frame->module),
			frame->function, frame->offset);
}

/* The symbol of an address is known if the address is in the firing's stack */
static void symbol(struct value *value, const struct firing *f, int64_t address,
		   bool offset)
{
	struct frame unknown = { .address = (uint64_t)address };
	const struct frame *frame = &unknown;
	unsigned int i;

	for (i = 0; i < f->nr && frame == &unknown; i++)
		if (f->frame[i].address == (uint64_t)address)
			frame = &f->frame[i];
	frame_text(value->text, D_STRING, frame, offset);
}

/* The frames of the kernel or those of the program, one a line */
static void stack(struct value *value, const struct firing *f, bool kernel, int64_t max)
{
	size_t at = 0;
	unsigned int i;

	value->text[0] = '\0';
	for (i = 0; i < f->nr && max > 0; i++) {
		char text[D_STRING];

		if (frame_is_kernel(&f->frame[i]) != kernel)
			continue;
		frame_text(text, sizeof(text), &f->frame[i], true);
		if (at + strlen(text) + 16 >= sizeof(value->text))
			break;
		at += (size_t)sprintf(value->text + at, "%14s%s\n", "", text);
		max--;
	}
	if (at == 0)
		snprintf(value->text, sizeof(value->text), "\n");
}

static bool eval(struct run *run, const struct firing *f, const struct node *node,
		 struct value *value);

/* The value of a part whose type is a number */
static bool eval_number(struct run *run, const struct firing *f,
			const struct node *node, int64_t *number)
{
	struct value value;

	if (node->op == D_NUMBER) {
		*number = node->number;
		return true;
	}
	if (!eval(run, f, node, &value))
		return false;
	*number = value.number;

	return true;
}

static bool eval_compare(struct run *run, const struct firing *f,
			 const struct node *node, struct value *value)
{
	struct value other;
	int diff;

	if (!eval(run, f, node->a, value) || !eval(run, f, node->b, &other))
		return false;
	diff = value->type == D_STR ? strcmp(value->text, other.text) :
	       (value->number > other.number) - (value->number < other.number);
	value->number = node->op == D_EQ ? diff == 0 : node->op == D_NE ? diff != 0 :
			node->op == D_LT ? diff < 0 : node->op == D_LE ? diff <= 0 :
			node->op == D_GT ? diff > 0 : diff >= 0;
	value->type = D_INT;

	return true;
}

/* Numbers have 64 bits and wrap around. False: division by zero */
static bool calculate(enum d_op op, int64_t a, int64_t b, int64_t *result)
{
	const uint64_t x = (uint64_t)a, y = (uint64_t)b;
	bool divides = op == D_DIV || op == D_MOD;

	if (divides && b == 0)
		return false;
	/* INT64_MIN / -1 does not fit */
	if (divides && b == -1)
		return *result = op == D_DIV ? (int64_t)(0 - x) : 0, true;

	*result = (int64_t)(
		op == D_ADD ? x + y : op == D_SUB ? x - y : op == D_MUL ? x * y :
		op == D_DIV ? (uint64_t)(a / b) : op == D_MOD ? (uint64_t)(a % b) :
		op == D_BAND ? x & y : op == D_BOR ? x | y : op == D_BXOR ? x ^ y :
		op == D_SHL ? x << (y & 63) : op == D_SHR ? (uint64_t)(a >> (y & 63)) :
		op == D_XOR ? (uint64_t)(!a != !b) : 0);

	return true;
}

static bool eval_binary(struct run *run, const struct firing *f,
			const struct node *node, struct value *value)
{
	int64_t a, b;

	if (node->op >= D_EQ && node->op <= D_GE)
		return eval_compare(run, f, node, value);
	if (!eval_number(run, f, node->a, &a))
		return false;
	/* What does not matter is not evaluated */
	if ((node->op == D_AND && !a) || (node->op == D_OR && a))
		return value->number = node->op == D_OR, true;
	if (!eval_number(run, f, node->b, &b))
		return false;
	if (node->op == D_AND || node->op == D_OR)
		return value->number = b != 0, true;

	return calculate(node->op, a, b, &value->number);
}

static bool eval_operator(struct run *run, const struct firing *f,
			  const struct node *node, struct value *value)
{
	int64_t a;

	if (node->op > D_COND)
		return eval_binary(run, f, node, value);
	if (!eval_number(run, f, node->a, &a))
		return false;
	switch (node->op) {
	case D_NOT:
		value->number = !a;
		return true;
	case D_NEG:
		value->number = (int64_t)(0 - (uint64_t)a);
		return true;
	case D_INVERT:
		value->number = ~a;
		return true;
	default:
		return eval(run, f, a ? node->b : node->c, value);
	}
}

static void copy_text(struct value *value, const char *text)
{
	snprintf(value->text, D_STRING, "%s", text);
}

static const char *provider(const struct probe *probe)
{
	return probe->kind == PROBE_CPC ? "cpc" :
	       probe->kind == PROBE_TICK ? "profile" : "dtrace";
}

static void eval_variable(const struct run *run, const struct node *node,
			  struct value *value)
{
	const struct variable *var = &run->program->var[node->number];

	value->number = var->number;
	if (node->type == D_STR)
		copy_text(value, var->text);
}

static void eval_operand(const struct run *run, const struct firing *f,
			 const struct node *node, struct value *value)
{
	switch (node->op) {
	case D_LITERAL:
		copy_text(value, node->text);
		break;
	case D_VARIABLE:
		eval_variable(run, node, value);
		break;
	case D_INCREMENT:
	case D_DECREMENT:
		eval_variable(run, node, value);
		run->program->var[node->number].number = (int64_t)
			((uint64_t)value->number + (node->op == D_INCREMENT ? 1 : -1));
		break;
	case D_EXECNAME:
		copy_text(value, f->comm);
		break;
	case D_PID:
		value->number = f->pid;
		break;
	case D_TID:
		value->number = f->tid;
		break;
	case D_CPU:
		value->number = f->cpu;
		break;
	case D_TIMESTAMP:
		value->number = (int64_t)f->time;
		break;
	case D_TARGET:
		value->number = run->target;
		break;
	case D_ARG:
		value->number = (int64_t)argument(f, node->number);
		break;
	case D_PROBEPROV:
		copy_text(value, provider(f->probe));
		break;
	case D_PROBENAME:
		copy_text(value, f->probe->name);
		break;
	case D_KSTACK:
	case D_USTACK:
		stack(value, f, node->op == D_KSTACK, node->number);
		break;
	case D_NUMBER:
		value->number = node->number;
		break;
	default:	/* probemod, probefunc: no probe of cpctrace has a place */
		copy_text(value, "");
	}
}

/* False if the clause has to end here, because of a division by zero */
static bool eval(struct run *run, const struct firing *f, const struct node *node,
		 struct value *value)
{
	int64_t address;

	value->type = node->type;
	if (node->op >= D_NOT)
		return eval_operator(run, f, node, value);
	if (node->op >= D_FUNC && node->op <= D_USYM) {
		if (!eval_number(run, f, node->a, &address))
			return false;
		symbol(value, f, address, node->op == D_SYM || node->op == D_USYM);
		return true;
	}
	eval_operand(run, f, node, value);

	return true;
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

static void set(const struct statement *st, const struct value *value)
{
	struct variable *var = st->variable;

	var->number = value->number;
	if (value->type == D_STR)
		snprintf(var->text, sizeof(var->text), "%.*s", D_STRING - 1, value->text);
}

static void carry_out(struct run *run, const struct statement *st,
		      const struct value *value, const struct value *arg)
{
	switch (st->action) {
	case ACT_SET:
		set(st, value);
		break;
	case ACT_AGGREGATE:
		aggregate(st->aggregation, arg, st->value ? value->number : 1);
		break;
	case ACT_PRINTF:
		print_values(run->out, st->format, arg, st->nr, NULL);
		break;
	case ACT_PRINTA:
		aggregation_print(run->out, st->aggregation, st->format);
		st->aggregation->printed = true;
		break;
	case ACT_TRUNC:
		aggregation_trunc(st->aggregation, st->value ? value->number : 0);
		break;
	case ACT_EXIT:
		run->ended = true;
		run->status = (int)(value->number & 0xff);
		break;
	}
}

/* False if the clause has to end here */
static bool run_statement(struct run *run, const struct firing *f,
			  const struct statement *st)
{
	static struct value value, arg[D_ARGS];
	unsigned int i;

	if (st->value && !eval(run, f, st->value, &value))
		return false;
	for (i = 0; i < st->nr; i++)
		if (!eval(run, f, st->arg[i], &arg[i]))
			return false;
	carry_out(run, st, &value, arg);

	return true;
}

static void run_clause(struct run *run, const struct firing *f,
		       const struct clause *clause)
{
	const struct statement *st = clause->first;
	struct value value = { .number = 1 };
	bool prints = clause->visible && !run->program->quiet;

	if (clause->predicate && !eval(run, f, clause->predicate, &value)) {
		run->errors++;
		return;
	}
	if (!value.number)
		return;
	if (prints)
		print_head(run, f);
	for (; st; st = st->next)
		if (!run_statement(run, f, st)) {
			run->errors++;
			break;
		}
	if (prints)
		putc('\n', run->out);
}

/* Carry out all clauses of a probe, in the order of the program */
void run_probe(struct run *run, const struct firing *f)
{
	const struct program *program = run->program;
	unsigned int id = (unsigned int)(f->probe - program->probe), i, j;

	for (i = 0; i < program->nr_clauses; i++)
		for (j = 0; j < program->clause[i].nr; j++)
			if (program->clause[i].probe[j] == id)
				run_clause(run, f, &program->clause[i]);
}
