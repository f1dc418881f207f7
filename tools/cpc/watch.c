// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carry out a D program: give its probes counters, let perf(1) take the samples
 * (record.c), and carry out the program's clauses when these are read (eval.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "command.h"
#include "cpctrace.h"
#include "record.h"

/*
 * From the trial of the counters until perf has them, only one cpctrace starts. It may
 * have to wait for perf for as long as record.c does.
 */
#ifndef CPC_RUN
#define CPC_RUN		"/run/"
#endif
#define LOCK		CPC_RUN "cpctrace.lock"
#define LOCK_SECONDS	120

/* Seconds after which a clause that prints gets its samples, if nothing else happens */
#define SWITCH_RATE	1.0
#define LOOK		0.2

/* Words of -c */
#define WORDS_MAX	64

/**
 * struct trace - state of the command
 * @opt: the command line
 * @program: the D program
 * @run: the program while it runs
 * @record: perf
 * @claim: the claim on the counters, or -1
 * @command: the command of -c
 * @started: the command runs
 * @live: samples are read before the end
 * @start: when the probes were enabled
 * @next: when each tick is due, in seconds from @start
 * @next_read: when samples are read, if no tick does that
 * @cut: a sample has ended the program: no later one is looked at
 * @exit_time: when BEGIN or a tick has ended it
 * @failed: something has gone wrong, and was reported
 */
struct trace {
	const struct options *opt;
	struct program *program;
	struct run run;
	struct record record;
	int claim;
	struct tool_command command;
	bool started;
	bool live;
	struct timespec start;
	double next[D_PROBES];
	double next_read;
	bool cut;
	uint64_t exit_time;
	bool failed;
};

static double now(const struct trace *trace)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return (double)(ts.tv_sec - trace->start.tv_sec) +
	       (double)(ts.tv_nsec - trace->start.tv_nsec) * 1e-9;
}

/* BEGIN, END and ticks fire in cpctrace itself */
static void fire(struct trace *trace, const struct probe *probe)
{
	static struct firing firing;
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	firing.probe = probe;
	firing.pid = firing.tid = getpid();
	firing.time = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	snprintf(firing.comm, sizeof(firing.comm), "cpctrace");
	run_probe(&trace->run, &firing);
	if (trace->run.ended && firing.time < trace->exit_time)
		trace->exit_time = firing.time;
}

static void fire_kind(struct trace *trace, enum probe_kind kind)
{
	unsigned int i;

	for (i = 0; i < trace->program->nr_probes; i++)
		if (trace->program->probe[i].kind == kind)
			fire(trace, &trace->program->probe[i]);
}

static void on_sample(void *arg, unsigned int probe, struct firing *firing)
{
	struct trace *trace = arg;
	const struct program *program = trace->program;

	/* After exit() only END fires */
	if (trace->run.ended || firing->time > trace->exit_time || probe >= program->nr_probes ||
	    program->probe[probe].kind != PROBE_CPC)
		return;
	firing->probe = &program->probe[probe];
	run_probe(&trace->run, firing);
}

/* If BEGIN or a tick has ended the program, the samples before that still fire */
static void read_samples(struct trace *trace)
{
	bool ended = trace->run.ended;

	if (trace->cut)
		return;
	trace->run.ended = false;
	if (record_read(&trace->record, on_sample, trace) < 0)
		trace->failed = true;
	trace->cut = trace->run.ended;
	trace->run.ended |= ended;
}

static bool has_cpc(const struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr_probes; i++)
		if (program->probe[i].kind == PROBE_CPC)
			return true;

	return false;
}

static bool clause_has(const struct program *program, const struct clause *clause,
		       enum probe_kind kind)
{
	unsigned int i;

	for (i = 0; i < clause->nr; i++)
		if (program->probe[clause->probe[i]].kind == kind)
			return true;

	return false;
}

/*
 * Samples are read at the end, unless the program shows something of them before: by
 * a tick that uses variables or aggregations, or by a probe of cpc that prints or exits.
 */
static bool needs_parts(const struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr_clauses; i++) {
		const struct clause *clause = &program->clause[i];

		if (clause_has(program, clause, PROBE_TICK) && clause->state)
			return true;
		if (clause_has(program, clause, PROBE_CPC) && clause->visible)
			return true;
	}

	return false;
}

/* First come, first served: if there is no room for all probes, none is enabled */
static int enable(struct trace *trace)
{
	int lock, ret = 0;

	if (!has_cpc(trace->program))
		return 0;
	lock = tool_lock(LOCK, LOCK_SECONDS);
	if (lock == -EAGAIN || lock == -EINTR) {
		tool_error("cannot enable the probes: another cpctrace is still starting%s",
			   lock == -EAGAIN ? ": try again later" : "");
		return lock;
	}
	trace->claim = room_claim(trace->program);
	if (trace->claim >= 0)
		ret = record_start(&trace->record, trace->program, trace->live);
	if (lock >= 0)
		close(lock);

	return trace->claim < 0 ? trace->claim : ret;
}

static double earliest(const struct trace *trace)
{
	double next = now(trace) + LOOK;
	unsigned int i;

	for (i = 0; i < trace->program->nr_probes; i++)
		if (trace->program->probe[i].kind == PROBE_TICK &&
		    trace->next[i] < next)
			next = trace->next[i];

	return next;
}

static void read_part(struct trace *trace)
{
	trace->next_read = now(trace) + SWITCH_RATE;
	if (trace->record.pid <= 0)
		return;
	if (record_next(&trace->record) < 0)
		trace->failed = true;
	else
		read_samples(trace);
}

/* A tick sees the samples of all that was before it */
static void ticks(struct trace *trace)
{
	double time = now(trace);
	bool is_read = false;
	unsigned int i;

	for (i = 0; i < trace->program->nr_probes && !trace->run.ended; i++) {
		const struct probe *probe = &trace->program->probe[i];

		if (probe->kind != PROBE_TICK || trace->next[i] > time)
			continue;
		if (trace->live && !is_read)
			read_part(trace);
		is_read = true;
		if (trace->run.ended)
			break;
		trace->next[i] += probe->interval;
		fire(trace, probe);
		fflush(trace->run.out);
	}
	if (trace->live && trace->next_read <= time && !trace->run.ended) {
		read_part(trace);
		fflush(trace->run.out);
	}
}

static bool claim_is_lost(const struct trace *trace)
{
	struct pollfd wait = { .fd = trace->claim };

	return trace->claim >= 0 && poll(&wait, 1, 0) == 1;
}

static bool target_has_ended(struct trace *trace)
{
	int status;

	if (trace->opt->pid)
		return kill(trace->opt->pid, 0) < 0 && errno == ESRCH;
	if (!trace->started || waitpid(trace->command.pid, &status, WNOHANG) <= 0)
		return false;
	trace->started = false;

	return true;
}

static bool is_over(struct trace *trace)
{
	if (trace->run.ended || trace->failed || target_has_ended(trace))
		return true;
	if (record_has_failed(&trace->record))
		trace->failed = true;
	if (claim_is_lost(trace)) {
		cpc_claim_error("go on", -EPIPE);
		trace->failed = true;
	}

	return trace->failed;
}

static void watch(struct trace *trace)
{
	siginfo_t info;
	unsigned int i;

	clock_gettime(CLOCK_MONOTONIC, &trace->start);
	trace->next_read = SWITCH_RATE;
	for (i = 0; i < trace->program->nr_probes; i++)
		trace->next[i] = trace->program->probe[i].interval;
	while (!is_over(trace)) {
		double left = earliest(trace) - now(trace);
		int sig = tool_signals_wait(&info, left > 0 ? left : 0);

		if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP || sig == SIGQUIT)
			break;
		ticks(trace);
	}
}

/* Aggregations that the program has not printed are printed at the end, as by dtrace */
static void print_rest(struct trace *trace)
{
	const struct sample_losses *losses = &trace->record.losses;
	struct program *program = trace->program;
	uint64_t drops = 0;
	unsigned int i;

	for (i = 0; i < program->nr_aggrs; i++) {
		if (!program->aggr[i].printed && program->aggr[i].nr > 0)
			aggregation_print(trace->run.out, &program->aggr[i], NULL);
		drops += program->aggr[i].drops;
	}
	if (drops)
		tool_error("%llu aggregation drops: there were too many keys",
			   (unsigned long long)drops);
	if (losses->lost)
		tool_error("%llu drops: perf could not keep up with the samples",
			   (unsigned long long)losses->lost);
	if (losses->throttled)
		tool_error("the kernel has stopped a counter %llu times until the next "
			   "tick, because samples came too fast: use a larger count",
			   (unsigned long long)losses->throttled);
	if (trace->run.errors)
		tool_error("%llu clauses ended early: division by zero",
			   (unsigned long long)trace->run.errors);
}

static int start_target(struct trace *trace)
{
	char *words = trace->opt->command ? strdup(trace->opt->command) : NULL;
	char *argv[WORDS_MAX + 1] = { NULL }, *rest = words;
	unsigned int nr = 0;
	int ret;

	trace->run.target = trace->opt->pid;
	if (!words)
		return 0;
	/* As dtrace does: a shell between would be $target */
	while (nr < WORDS_MAX && (argv[nr] = strsep(&rest, " \t")))
		nr += *argv[nr] != '\0';
	argv[nr] = NULL;
	ret = rest ? -E2BIG :
	      tool_command_prepare(&trace->command, argv, tool_signals_restore);
	free(words);
	if (ret == -E2BIG)
		tool_error("-c takes up to %d words: put a longer command into a script",
			   WORDS_MAX);
	else if (ret < 0)
		tool_error("cannot run the command: %s", strerror(-ret));
	trace->run.target = trace->command.pid;

	return ret;
}

static int start_command(struct trace *trace)
{
	if (!trace->opt->command)
		return 0;
	if (trace->run.ended) {
		tool_command_cancel(&trace->command);
		return 0;
	}
	trace->started = tool_command_start(&trace->command, trace->opt->command) == 0;

	return trace->started ? 0 : -ENOENT;
}

/* As dtrace does: when the probes are enabled */
static void say_matched(const struct trace *trace)
{
	const struct options *opt = trace->opt;
	unsigned int nr = trace->program->nr_probes;

	if (!trace->program->quiet)
		tool_error("%s '%s' matched %u probe%s", opt->script ? "script" :
			   "description", opt->source, nr, nr == 1 ? "" : "s");
}

static void run_all(struct trace *trace)
{
	if (enable(trace) < 0) {
		trace->failed = true;
		if (trace->opt->command)
			tool_command_cancel(&trace->command);
		return;
	}
	say_matched(trace);
	fire_kind(trace, PROBE_BEGIN);
	fflush(trace->run.out);
	if (start_command(trace) < 0)
		trace->failed = true;
	if (!trace->run.ended)
		watch(trace);
	if (record_stop(&trace->record) < 0)
		trace->failed = true;
	if (trace->record.folder[0])
		read_samples(trace);
	fire_kind(trace, PROBE_END);
	print_rest(trace);
}

int watch_program(const struct options *opt, struct program *program, FILE *out)
{
	static struct trace trace;

	trace.opt = opt;
	trace.program = program;
	trace.claim = -1;
	trace.exit_time = UINT64_MAX;
	trace.run.program = program;
	trace.run.out = out;
	trace.live = needs_parts(program);
	tool_signals_block();
	signal(SIGPIPE, SIG_IGN);
	if (start_target(&trace) < 0)
		return CPC_FAILED;
	run_all(&trace);
	record_end(&trace.record);
	if (trace.claim >= 0)
		irixperf_claim_end(trace.claim);

	return trace.failed ? CPC_FAILED : trace.run.status;
}
