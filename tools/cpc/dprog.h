/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs in the subset of D that cpctrace(1) lists. parse.c makes a struct program of
 * a text, eval.c carries out its clauses, aggr.c has its aggregations. Everything has a
 * limit, so that no text can make a program without one.
 */
#ifndef DPROG_H
#define DPROG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <irixperf.h>
#include "cpc.h"

#define D_TEXT		65536	/* bytes of a program */
#define D_NODES		4096	/* operators and operands */
#define D_DEPTH		48	/* brackets inside each other */
#define D_HEIGHT	200	/* operators whose operands are operators */
#define D_CLAUSES	64
#define D_PROBES	32
#define D_AGGRS		32
#define D_KEYS		8	/* of an aggregation */
#define D_ARGS		16	/* of printf() */
#define D_NAME		40
#define D_STRING	256	/* bytes of a string, as dtrace's strsize */
#define D_STACK		4096	/* bytes of a printed stack */
#define D_FRAMES	64

/**
 * enum probe_kind - what makes a probe fire
 */
enum probe_kind {
	PROBE_BEGIN,
	PROBE_END,
	PROBE_TICK,
	PROBE_CPC,
};

/**
 * struct probe - a probe
 * @kind: what makes it fire
 * @name: its name without provider, module and function
 * @interval: seconds between two ticks
 * @event: the event
 * @mode: HWPERF_CNTEN_* bits
 * @count: occurrences from one firing to the next
 */
struct probe {
	enum probe_kind kind;
	char name[96];
	double interval;
	const struct irixperf_event *event;
	unsigned char mode;
	uint64_t count;
};

/**
 * struct probe_limits - what probe names may ask for
 * @chip: the CPU
 * @min_count: the smallest count
 */
struct probe_limits {
	enum irixperf_chip chip;
	uint64_t min_count;
};

/* probe.c: return NULL, or what is wrong with the name */
const char *probe_parse(struct probe *probe, const struct probe_limits *limits,
			const char *text);
void probe_list(FILE *out, enum irixperf_chip chip, bool verbose);
void probe_list_one(FILE *out, unsigned int id, const struct probe *probe);
void probe_list_head(FILE *out);
const char *probe_provider(const struct probe *probe);

enum d_type { D_INT, D_STR };

enum d_op {
	/* operands */
	D_NUMBER, D_LITERAL,
	D_EXECNAME, D_PID, D_TID, D_CPU, D_TIMESTAMP, D_TARGET, D_ARG,
	D_PROBEPROV, D_PROBEMOD, D_PROBEFUNC, D_PROBENAME,
	D_FUNC, D_UFUNC, D_SYM, D_USYM, D_KSTACK, D_USTACK,
	/* operators */
	D_NOT, D_OR, D_AND, D_EQ, D_NE, D_LT, D_LE, D_GT, D_GE,
};

/**
 * struct node - an expression
 * @op: operator or operand
 * @type: of its value
 * @a: first part
 * @b: second part
 * @height: how many nodes are below each other
 * @number: value of D_NUMBER, index of D_ARG, frames of a stack
 * @text: value of D_LITERAL
 */
struct node {
	enum d_op op;
	enum d_type type;
	const struct node *a, *b;
	unsigned int height;
	int64_t number;
	const char *text;
};

/**
 * struct value - the value of an expression
 * @type: its type
 * @number: a number
 * @text: a string, which may be in @made
 * @made: room for a string that has to be made
 */
struct value {
	enum d_type type;
	int64_t number;
	const char *text;
	char made[D_STACK];
};

/**
 * struct aggregation - counts by keys
 * @name: its name, empty for @
 * @used: it has been assigned to, which decides the next members
 * @keys: number of keys
 * @type: their types
 * @printed: the program has printed it by itself
 * @root: the entries, for tsearch(3)
 * @nr: number of entries
 * @drops: what was not added, because there are too many entries
 */
struct aggregation {
	char name[D_NAME];
	bool used;
	unsigned int keys;
	enum d_type type[D_KEYS];
	bool printed;
	void *root;
	unsigned int nr;
	uint64_t drops;
};

enum action { ACT_COUNT, ACT_PRINTF, ACT_PRINTA, ACT_TRUNC, ACT_EXIT };

/**
 * struct statement - an action of a clause
 * @next: the next one
 * @action: what it does
 * @aggregation: for those that have one
 * @format: for printf() and printa(), NULL if there is none
 * @value: what trunc() keeps, or the exit status; or NULL
 * @nr: number of keys or arguments
 * @arg: these
 */
struct statement {
	struct statement *next;
	enum action action;
	struct aggregation *aggregation;
	const char *format;
	const struct node *value;
	unsigned int nr;
	const struct node *arg[D_ARGS];
};

/**
 * struct clause - probes and what happens when they fire
 * @nr: number of probes
 * @probe: their indexes
 * @kinds: for each enum probe_kind a bit: it has one
 * @predicate: condition, or NULL
 * @first: first statement, or NULL: print the probe
 * @state: it uses aggregations
 * @visible: it prints or ends the program
 */
struct clause {
	unsigned int nr;
	unsigned int probe[D_PROBES];
	unsigned int kinds;
	const struct node *predicate;
	struct statement *first;
	bool state;
	bool visible;
};

/**
 * struct program - a D program
 * @limits: what its probes may ask for
 * @macros: arguments of the command line, $1 and so on
 * @nr_macros: how many
 * @used_macros: the last one that the program uses
 * @quiet: -q or its pragma
 * @stacks: it uses stack() or ustack()
 * @nr_nodes: number of nodes
 * @node: the nodes
 * @nr_clauses: number of clauses
 * @clause: the clauses
 * @nr_probes: number of probes
 * @probe: the probes, each once
 * @kinds: for each enum probe_kind a bit: it has one
 * @state: the same: a clause of one uses aggregations
 * @visible: the same: a clause of one prints or ends the program
 * @nr_aggrs: number of aggregations
 * @aggr: the aggregations
 */
struct program {
	struct probe_limits limits;
	char **macros;
	unsigned int nr_macros;
	unsigned int used_macros;
	bool quiet;
	bool stacks;
	unsigned int nr_nodes;
	struct node node[D_NODES];
	unsigned int nr_clauses;
	struct clause clause[D_CLAUSES];
	unsigned int nr_probes;
	struct probe probe[D_PROBES];
	unsigned int kinds;
	unsigned int state;
	unsigned int visible;
	unsigned int nr_aggrs;
	struct aggregation aggr[D_AGGRS];
};

/* parse.c: add the clauses of a text. 0, or -1 after a message */
int program_parse(struct program *program, const char *name, const char *text);
int program_option(struct program *program, const char *option);
void program_free(struct program *program);

/**
 * struct frame - an address in a stack
 * @address: the address
 * @function: name of the function, or NULL
 * @offset: offset in the function
 * @module: name of the file's last part, "vmlinux" or a kernel module; or NULL
 */
struct frame {
	uint64_t address;
	const char *function;
	uint64_t offset;
	const char *module;
};

/**
 * struct firing - the state of the machine when a probe fires
 * @probe: the probe
 * @comm: the program's name
 * @pid: the process
 * @tid: the thread
 * @cpu: the CPU
 * @time: nanoseconds
 * @nr: number of frames: the first one is where the probe has fired
 * @frame: the frames
 */
struct firing {
	const struct probe *probe;
	char comm[64];
	pid_t pid;
	pid_t tid;
	unsigned int cpu;
	uint64_t time;
	unsigned int nr;
	struct frame frame[D_FRAMES];
};

static inline bool frame_is_kernel(const struct frame *frame)
{
	return frame->address >> 63;
}

/**
 * struct run - a program while it runs
 * @program: the program
 * @out: where it prints
 * @target: PID for $target, or 0
 * @ended: exit() was called
 * @status: its argument
 * @headed: the headings are printed
 */
struct run {
	struct program *program;
	FILE *out;
	pid_t target;
	bool ended;
	int status;
	bool headed;
};

/* eval.c */
void run_probe(struct run *run, const struct firing *firing);
void print_values(FILE *out, const char *format, const struct value *value,
		  unsigned int nr, const int64_t *count);

/* aggr.c */
void aggregate(struct aggregation *aggr, const struct value *key);
void aggregation_print(FILE *out, struct aggregation *aggr, const char *format);
void aggregation_trunc(struct aggregation *aggr, int64_t keep);

#endif
