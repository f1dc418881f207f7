// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpctrace: the cpc provider of Solaris' dtrace. A D program says what happens each time
 * that an event has occurred so many times on a CPU. perf(1) takes the samples
 * (record.c), and the program's clauses are carried out when they are read (eval.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "command.h"
#include "dprog.h"
#include "record.h"

#define MIN_COUNT	5000
#define CONFIG		"/etc/r10kperf/dcpc.conf"

/* From the trial of the counters until perf has them, only one cpctrace starts */
#define LOCK		"/run/cpctrace.lock"

/* Seconds after which a clause that prints gets its samples, if nothing else happens */
#define SWITCH_RATE	1.0
#define LOOK		0.2

/* Words of -c */
#define WORDS_MAX	64

static const char help_text[] =
"Usage: cpctrace [-lqv] [-c COMMAND | -p PID] [-o FILE] [-x OPTION[=VALUE]]\n"
"                -n PROGRAM | -s FILE [ARG]...\n"
"       cpctrace -l [-v] -P cpc\n"
"Carry out D programs when events have occurred a number of times on a CPU.\n"
"\n"
"  -n PROGRAM  the program, such as 'cpc:::PAPI_tot_ins-user-100000\n"
"              { @[execname] = count(); }'\n"
"  -s FILE     the file that has the program\n"
"  -c COMMAND  run a command and end with it; $target is its PID\n"
"  -p PID      end with this process, whose PID is $target\n"
"  -o FILE     append the output to FILE, which only root can read if it is new\n"
"  -q          print only what the program prints\n"
"  -l          list the probes of the program, and exit\n"
"  -P cpc      with -l: list the probes that there can be\n"
"  -v          with -l: print the stability of the provider's parts, too\n"
"  -x minoverflow=N  allow counts from N instead of 5000\n"
"  -x quiet    the same as -q\n"
"  -h, -V      print this help, or the version, and exit\n"
"\n"
"cpctrace(1) describes the part of D that is known. cpustat -h lists the events.\n"
"\n"
"Exit status: that of exit() in the program, else 0; 1 on failure; 2 if the command\n"
"line or the program is wrong.\n";

/**
 * struct options - the command line
 * @text: argument of -n, or what is in the file of -s
 * @source: its name for messages
 * @script: it is the file of -s
 * @list: -l
 * @provider: -P
 * @verbose: -v
 * @output: argument of -o, or NULL
 * @command: argument of -c, or NULL
 * @pid: argument of -p, or 0
 */
struct options {
	char *text;
	const char *source;
	bool script;
	bool list;
	bool provider;
	bool verbose;
	const char *output;
	const char *command;
	pid_t pid;
};

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
 * @lost: samples that were lost
 * @cut: a sample has ended the program: no later one is looked at
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
	uint64_t lost;
	bool cut;
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

	/* After its exit() only END fires */
	if (trace->run.ended || probe >= program->nr_probes ||
	    program->probe[probe].kind != PROBE_CPC)
		return;
	firing->probe = &program->probe[probe];
	run_probe(&trace->run, firing);
}

/* A tick may have ended the program; all samples before that are still read */
static void read_samples(struct trace *trace)
{
	bool ended = trace->run.ended;

	if (trace->cut)
		return;
	trace->run.ended = false;
	if (record_read(&trace->record, on_sample, trace, &trace->lost) < 0)
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

/* Give the probes counters; the same event cannot have two in one claim */
static int choose_counters(struct program *program, unsigned char mode[IRIXPERF_EVENTS])
{
	bool used[CPC_PICS] = { false };
	const enum irixperf_chip chip = program->limits.chip;
	unsigned int i, pic;

	memset(mode, 0, IRIXPERF_EVENTS);
	for (i = 0; i < program->nr_probes; i++) {
		struct probe *probe = &program->probe[i];
		const struct irixperf_event *event = NULL;

		if (probe->kind != PROBE_CPC)
			continue;
		for (pic = 0; pic < CPC_PICS && !event; pic++)
			if (!used[pic])
				event = cpc_event_on(chip, probe->event, pic);
		if (event && !mode[event->num]) {
			used[pic - 1] = chip != IRIXPERF_MAPPED;
			mode[event->num] = probe->mode;
			probe->event = event;
			continue;
		}
		tool_error("cannot enable %s: %s", probe->name, event ?
			   "another probe has the same event" :
			   "no counter is left for it");
		return -ENOSPC;
	}

	return 0;
}

/* The lock that keeps two cpctrace from taking the same counter */
static int lock_start(void)
{
	int fd = open(LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0)
		flock(fd, LOCK_EX);

	return fd;
}

/* First come, first served: if there is no room for all probes, none is enabled */
static int enable(struct trace *trace)
{
	unsigned char mode[IRIXPERF_EVENTS];
	int lock, ret;

	if (!has_cpc(trace->program))
		return 0;
	ret = choose_counters(trace->program, mode);
	if (ret < 0)
		return ret;
	lock = lock_start();
	trace->claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	if (trace->claim < 0)
		cpc_claim_error("enable the probes", trace->claim);
	else
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
	if (trace->lost)
		tool_error("%llu drops: perf could not keep up with the samples",
			   (unsigned long long)trace->lost);
	if (trace->record.throttled)
		tool_error("the kernel has stopped a counter %llu times until the next "
			   "tick, because samples came too fast: use a larger count",
			   (unsigned long long)trace->record.throttled);
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
	ret = nr == 0 || rest ? -EINVAL :
	      tool_command_prepare(&trace->command, argv, tool_signals_restore);
	free(words);
	if (ret < 0)
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
	fire_kind(trace, PROBE_BEGIN);
	fflush(trace->run.out);
	if (!trace->run.ended && enable(trace) < 0) {
		trace->failed = true;
		if (trace->opt->command)
			tool_command_cancel(&trace->command);
		return;
	}
	say_matched(trace);
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

static int run(const struct options *opt, struct program *program, FILE *out)
{
	static struct trace trace;

	trace.opt = opt;
	trace.program = program;
	trace.claim = -1;
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
		close(trace.claim);

	return trace.failed ? CPC_FAILED : trace.run.status;
}

static int run_to(const struct options *opt, struct program *program)
{
	FILE *out = stdout;
	int fd, ret;

	if (opt->output) {
		/* It may get addresses of the kernel */
		fd = open(opt->output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		out = fd < 0 ? NULL : fdopen(fd, "a");
	}
	if (!out) {
		tool_error("cannot write to %s: %s", opt->output, strerror(errno));
		return CPC_FAILED;
	}
	ret = run(opt, program, out);
	if (ferror(out) | (out == stdout ? fflush(out) : fclose(out))) {
		tool_error("cannot write the output");
		ret = CPC_FAILED;
	}

	return ret;
}

static int list(const struct options *opt, const struct program *program)
{
	unsigned int i;

	if (opt->provider) {
		probe_list(stdout, program->limits.chip, opt->verbose);
	} else {
		probe_list_head(stdout);
		for (i = 0; i < program->nr_probes; i++)
			probe_list_one(stdout, i + 1, &program->probe[i]);
	}

	return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
}

/* Read a file of limited size */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = calloc(1, D_TEXT + 1);
	size_t n = 0;

	if (file && text)
		n = fread(text, 1, D_TEXT + 1, file);
	if (!file || !text || ferror(file)) {
		tool_error("cannot read %s: %s", path, strerror(errno));
	} else if (n > D_TEXT || strlen(text) != n) {
		tool_error("%s is no D program: it is longer than %d bytes, or has a "
			   "zero byte", path, D_TEXT);
	} else {
		fclose(file);
		return text;
	}
	if (file)
		fclose(file);
	free(text);

	return NULL;
}

/* dcpc-min-overflow=N; as in Solaris' dcpc.conf */
static uint64_t configured_minimum(void)
{
	FILE *file = fopen(CONFIG, "re");
	unsigned long long number = MIN_COUNT, found;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " dcpc-min-overflow = %llu", &found) == 1 && found > 0)
			number = found;
	if (file)
		fclose(file);

	return number;
}

static int take_pid(struct options *opt)
{
	char *end;
	unsigned long pid = strtoul(optarg, &end, 10);

	opt->pid = (pid_t)pid;
	if (optarg[0] >= '1' && optarg[0] <= '9' && !*end && pid <= INT32_MAX &&
	    (kill(opt->pid, 0) == 0 || errno == EPERM))
		return CPC_OK;
	tool_error("there is no process '%s'", optarg);

	return CPC_USAGE;
}

static int take_program(struct options *opt, int c)
{
	if (opt->text) {
		tool_error("-n and -s are given once, and exclude each other");
		return CPC_USAGE;
	}
	opt->script = c == 's';
	opt->source = optarg;
	opt->text = c == 's' ? read_text(optarg) : strdup(optarg);

	return opt->text ? CPC_OK : CPC_USAGE;
}

static int take_option(struct options *opt, struct program *program, int c)
{
	switch (c) {
	case 'n':
	case 's':
		return take_program(opt, c);
	case 'c':
		opt->command = optarg;
		return CPC_OK;
	case 'p':
		return take_pid(opt);
	case 'o':
		opt->output = optarg;
		return CPC_OK;
	case 'q':
		program->quiet = true;
		return CPC_OK;
	case 'l':
		opt->list = true;
		return CPC_OK;
	case 'v':
		opt->verbose = true;
		return CPC_OK;
	case 'x':
		return program_option(program, optarg) < 0 ? CPC_USAGE : CPC_OK;
	case 'P':
		opt->provider = true;
		if (strcmp(optarg, "cpc") == 0)
			return CPC_OK;
		tool_error("there is no provider '%s': cpctrace has cpc", optarg);
		return CPC_USAGE;
	default:
		tool_error("see cpctrace -h");
		return CPC_USAGE;
	}
}

static int check(const struct options *opt)
{
	const char *text = NULL;

	if (opt->provider && !opt->list)
		text = "-P is for -l: name the probes to enable with -n or -s";
	else if (!opt->text && !opt->list)
		text = "no program: -n PROGRAM or -s FILE";
	else if (opt->command && opt->pid)
		text = "-c and -p exclude each other";
	if (text)
		tool_error("%s; see cpctrace -h", text);

	return text ? CPC_USAGE : CPC_OK;
}

static int carry_on(struct options *opt, struct program *program, bool found)
{
	struct irixperf_cpu cpu;

	if (opt->text && program_parse(program, opt->script ? opt->source : "program",
				       opt->text) < 0)
		return CPC_USAGE;
	if (opt->list)
		return list(opt, program);
	if (!found)
		return cpc_cpu(&cpu, true);
	if (geteuid() != 0) {
		cpc_claim_error("enable probes", -EPERM);
		return CPC_FAILED;
	}

	return run_to(opt, program);
}

int main(int argc, char **argv)
{
	static struct program program;
	struct options opt = { 0 };
	struct irixperf_cpu cpu;
	bool found;
	int c, ret = CPC_OK;

	tool_name = "cpctrace";
	found = cpc_cpu(&cpu, false) == CPC_OK;
	program.limits.chip = cpu.chip;
	program.limits.min_count = configured_minimum();
	while (ret == CPC_OK && (c = getopt(argc, argv, "+n:s:c:p:o:qlvx:P:hV")) != -1) {
		if (c == 'h' || c == 'V') {
			fputs(c == 'h' ? help_text : "cpctrace (r10kperf) " CPC_VERSION
			      "\n", stdout);
			return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
		}
		ret = take_option(&opt, &program, c);
	}
	program.macros = argv + optind;
	program.nr_macros = (unsigned int)(argc - optind);
	if (ret == CPC_OK)
		ret = check(&opt);
	if (ret == CPC_OK)
		ret = carry_on(&opt, &program, found);
	program_free(&program);
	free(opt.text);

	return ret;
}
