// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpctrace: the cpc provider of Solaris' dtrace. A D program says what happens each time
 * that an event has occurred so many times on a CPU. perf(1) takes the samples
 * (record.c), and the program's clauses are carried out when they are read (eval.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/hwperfmacros.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cpc.h"
#include "dprog.h"
#include "record.h"

#define MIN_COUNT	5000
#define CONFIG		"/etc/r10kperf/dcpc.conf"

/* From the trial of the counters until perf has them, only one cpctrace starts */
#define LOCK		"/run/cpctrace.lock"

/*
 * How often samples are read if no tick does that, in seconds. Each reading makes perf begin
 * another file, which lacks the names of processes that end meanwhile.
 */
#define READ_RATE	1.0

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
"  -v          with -l -P: print the stability of the provider's parts, too\n"
"  -x minoverflow=N  allow counts from N instead of 5000\n"
"  -x quiet    the same as -q\n"
"  --help      show this help and exit\n"
"  --version   show the version and exit\n"
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
 * @pidfd: a descriptor of this process, or -1
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
	int pidfd;
};

/**
 * struct trace - state of the command
 * @opt: the command line
 * @program: the D program
 * @run: the program while it runs
 * @record: perf
 * @claim: the claim on the counters, or NULL
 * @command: the command of -c
 * @started: the command runs
 * @next: when each tick is due, in seconds of CLOCK_MONOTONIC
 * @next_read: when samples are read, if no tick does that
 * @end: when a tick has ended the program, in nanoseconds, or 0
 * @cut: BEGIN or a sample has ended the program: no later sample is looked at
 * @failed: something has gone wrong, and was reported
 */
struct trace {
	const struct options *opt;
	struct program *program;
	struct run run;
	struct record record;
	struct irixperf_claim *claim;
	struct tool_command command;
	bool started;
	double next[D_PROBES];
	double next_read;
	uint64_t end;
	bool cut;
	bool failed;
};

/* A signal has told cpctrace to end. A second one of the same kind ends it at once */
static volatile sig_atomic_t told;

static void on_end(int sig)
{
	(void)sig;
	told = 1;
}

static void on_child(int sig)
{
	(void)sig;
}

/* @set gets the signals that wake cpctrace. What its caller ignores stays ignored */
static void take_signals(sigset_t *set)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const struct sigaction child = { .sa_handler = on_child, .sa_flags = SA_RESTART };
	const struct sigaction end = {
		.sa_handler = on_end, .sa_flags = SA_RESETHAND | SA_RESTART,
	};
	struct sigaction old;
	size_t i;

	sigemptyset(set);
	sigaddset(set, SIGALRM);
	sigaddset(set, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, set, NULL);
	sigaction(SIGCHLD, &child, NULL);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		sigaction(ends[i], NULL, &old);
		if (old.sa_handler == SIG_IGN)
			continue;
		sigaction(ends[i], &end, NULL);
		sigaddset(set, ends[i]);
	}
}

/* BEGIN, END and ticks fire in cpctrace itself */
static void fire(struct trace *trace, const struct probe *probe)
{
	static struct firing firing;

	firing.probe = probe;
	firing.pid = firing.tid = getpid();
	firing.time = (uint64_t)(tool_clock(CLOCK_MONOTONIC) * 1e9);
	snprintf(firing.comm, sizeof(firing.comm), "cpctrace");
	run_probe(&trace->run, &firing);
	if (trace->run.ended && !trace->end)
		trace->end = firing.time;
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
	if (trace->run.ended || (trace->end && firing->time > trace->end) || probe >= program->nr_probes ||
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
	if (record_read(&trace->record, on_sample, trace) < 0)
		trace->failed = true;
	trace->cut = trace->run.ended;
	trace->run.ended |= ended;
}

/*
 * Give the probes from this one on counters of their own, which are not used yet. An event
 * may have another number on another counter.
 */
static bool choose_counters(struct program *program, unsigned int i, bool used[CPC_PICS])
{
	unsigned int pic;

	while (i < program->nr_probes && program->probe[i].kind != PROBE_CPC)
		i++;
	if (i == program->nr_probes)
		return true;
	for (pic = 0; pic < CPC_PICS; pic++) {
		const struct irixperf_event *event =
			cpc_event_on(program->limits.chip, program->probe[i].event, pic);

		if (!event || used[pic])
			continue;
		used[pic] = true;
		if (choose_counters(program, i + 1, used)) {
			program->probe[i].event = event;
			return true;
		}
		used[pic] = false;
	}

	return false;
}

static int cannot_enable(const char *why)
{
	tool_error("cannot enable the probes: %s", why);

	return -1;
}

/*
 * Do all probes get counters? The counters of an event map's CPU are not known before.
 * Return 0, or -1 after a message.
 */
static int try_counters(const struct trace *trace)
{
	char text[1024], names[512];
	static const unsigned char none[IRIXPERF_EVENTS];
	bool used[CPC_PICS] = { false };
	unsigned char mode[IRIXPERF_EVENTS] = { 0 };
	struct irixperf_code code[IRIXPERF_CODES] = { { 0 } };
	struct program *program = trace->program;
	unsigned int i;
	int ret = 0;

	if (program->limits.chip != IRIXPERF_MAPPED && !choose_counters(program, 0, used))
		return cannot_enable("this CPU cannot count all these events at once");
	for (i = 0; i < program->nr_probes && ret >= 0; i++) {
		const struct probe *probe = &program->probe[i];

		if (probe->kind == PROBE_CPC)
			ret = cpc_slot(mode, code, probe->event->num, probe->mode);
	}
	if (ret >= 0)
		ret = irixperf_claim_count(trace->claim, mode, code);
	if (ret >= 0)
		ret = irixperf_claim_count(trace->claim, none, NULL);
	if (ret >= 0)
		return 0;
	if (ret == -ENOSPC)
		snprintf(text, sizeof(text), "no counters are left that can count these "
			 "events%s", tool_neighbours(names, sizeof(names), "\n"));
	else
		irixperf_strerror(ret, HWPERF_CNTEN_A, text, sizeof(text));

	return cannot_enable(text);
}

/* The lock that keeps two cpctrace from taking the same counter. A descriptor or -1 */
static int lock_start(void)
{
	int fd = open(LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX) == 0)
		return fd;
	tool_error("cannot lock " LOCK ": %s", strerror(errno));
	if (fd >= 0)
		close(fd);

	return -1;
}

/*
 * First come, first served: if there is no room for all probes, none is enabled. Return 0,
 * or -1 after a message.
 */
static int enable(struct trace *trace)
{
	char text[1024];
	int lock, ret;

	if (!(trace->program->kinds & 1U << PROBE_CPC))
		return 0;
	ret = irixperf_claim(&trace->claim, IRIXPERF_CLAIM_SHARED);
	if (ret < 0)
		return cannot_enable(tool_system_explain(ret, text, sizeof(text)));
	lock = lock_start();
	if (lock < 0)
		return -1;
	ret = try_counters(trace);
	if (ret == 0)
		ret = record_start(&trace->record, trace->program);
	if (ret < 0)
		record_end(&trace->record);
	close(lock);

	return ret;
}

/* Seconds until something is to be done; -1: only a signal brings that */
static double patience(const struct trace *trace)
{
	double now = tool_clock(CLOCK_MONOTONIC);
	double next = trace->record.pid > 0 ? trace->next_read : 0;
	unsigned int i;

	for (i = 0; i < trace->program->nr_probes; i++)
		if (trace->program->probe[i].kind == PROBE_TICK &&
		    (next == 0 || trace->next[i] < next))
			next = trace->next[i];
	if (next == 0)
		return -1;

	return next > now ? next - now : 0;
}

static void read_part(struct trace *trace)
{
	if (record_next(&trace->record) < 0)
		trace->failed = true;
	else
		read_samples(trace);
	trace->next_read = tool_clock(CLOCK_MONOTONIC) + READ_RATE;
}

/* Samples that the program shows nothing of are read at the end, or when they are many */
static void read_by_time(struct trace *trace, double now)
{
	if (trace->record.pid <= 0 || trace->next_read > now)
		return;
	if (trace->program->visible & 1U << PROBE_CPC || record_is_large(&trace->record))
		read_part(trace);
	else
		trace->next_read = now + READ_RATE;
}

/* A tick sees the samples of all that was before it */
static void ticks(struct trace *trace)
{
	double now = tool_clock(CLOCK_MONOTONIC);
	bool is_read = !(trace->program->state & 1U << PROBE_TICK) || trace->record.pid <= 0;
	unsigned int i;

	for (i = 0; i < trace->program->nr_probes && !trace->run.ended; i++) {
		const struct probe *probe = &trace->program->probe[i];

		if (probe->kind != PROBE_TICK || trace->next[i] > now)
			continue;
		if (!is_read)
			read_part(trace);
		if (trace->run.ended)
			break;
		is_read = true;
		trace->next[i] = tool_next_moment(trace->next[i], probe->interval);
		fire(trace, probe);
	}
	if (!trace->run.ended)
		read_by_time(trace, now);
	fflush(trace->run.out);
}

static bool target_has_ended(struct trace *trace)
{
	int status;

	if (trace->opt->pid)
		return poll(&(struct pollfd){ .fd = trace->opt->pidfd, .events = POLLIN }, 1, 0) > 0;
	if (!trace->started || waitpid(trace->command.pid, &status, WNOHANG) <= 0)
		return false;
	trace->started = false;

	return true;
}

static bool is_over(struct trace *trace)
{
	if (told || trace->run.ended || trace->failed || target_has_ended(trace))
		return true;
	trace->failed = record_has_failed(&trace->record) || ferror(trace->run.out);

	return trace->failed;
}

/* Signals are blocked from the look at what they bring to the wait */
static bool wait_for_something(struct trace *trace, const sigset_t *set)
{
	struct pollfd process = { .fd = trace->opt->pidfd, .events = POLLIN };
	double seconds;
	struct timespec limit;
	sigset_t old;
	bool over;

	sigprocmask(SIG_BLOCK, set, &old);
	over = is_over(trace);
	seconds = patience(trace);
	limit.tv_sec = (time_t)seconds;
	limit.tv_nsec = (long)((seconds - (double)limit.tv_sec) * 1e9);
	if (!over)
		ppoll(&process, 1, seconds < 0 ? NULL : &limit, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);

	return !over;
}

static void watch(struct trace *trace, const sigset_t *set)
{
	double now = tool_clock(CLOCK_MONOTONIC);
	unsigned int i;

	trace->next_read = now + READ_RATE;
	for (i = 0; i < trace->program->nr_probes; i++)
		trace->next[i] = now + trace->program->probe[i].interval;
	while (wait_for_something(trace, set))
		ticks(trace);
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
	if (trace->record.lost)
		tool_error("%llu drops: perf could not keep up with the samples",
			   (unsigned long long)trace->record.lost);
	if (trace->record.unknown)
		tool_error("%llu lines of perf script are no samples: a program may hide by "
			   "its name", (unsigned long long)trace->record.unknown);
	if (trace->record.throttled)
		tool_error("the kernel has stopped a counter %llu times until the next clock "
			   "tick, because samples came too fast: use a larger count",
			   (unsigned long long)trace->record.throttled);
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
	if (nr == 0 || rest) {
		tool_error("-c: a command has one to %d words", WORDS_MAX);
		free(words);
		return -EINVAL;
	}
	ret = tool_command_prepare(&trace->command, argv, NULL);
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
	if (trace->run.ended || told) {
		tool_command_cancel(&trace->command);
		return 0;
	}
	trace->started = tool_command_start(&trace->command, trace->opt->command) == 0;

	return trace->started ? 0 : -ENOENT;
}

/* As dtrace does: when the probes are enabled, with the description of the first ones */
static void say_matched(const struct trace *trace)
{
	const struct options *opt = trace->opt;
	unsigned int nr = trace->program->nr_probes;
	size_t len = strcspn(opt->source, opt->script ? "" : "{/;");

	if (!trace->program->quiet)
		tool_error("%s '%.*s' matched %u probe%s", opt->script ? "script" :
			   "description", (int)len, opt->source, nr, nr == 1 ? "" : "s");
}

static void run_all(struct trace *trace)
{
	sigset_t set;

	if (enable(trace) < 0) {
		trace->failed = true;
		if (trace->opt->command)
			tool_command_cancel(&trace->command);
		return;
	}
	take_signals(&set);
	say_matched(trace);
	/* What perf has seen by now is read later, so BEGIN is first */
	fire_kind(trace, PROBE_BEGIN);
	fflush(trace->run.out);
	trace->cut = trace->run.ended;
	if (start_command(trace) < 0)
		trace->failed = true;
	if (!trace->run.ended)
		watch(trace, &set);
	if (record_stop(&trace->record) < 0)
		trace->failed = true;
	if (trace->record.folder)
		read_samples(trace);
	fire_kind(trace, PROBE_END);
	print_rest(trace);
}

static int run(const struct options *opt, struct program *program, FILE *out)
{
	static struct trace trace;

	trace.opt = opt;
	trace.program = program;
	trace.run.program = program;
	trace.run.out = out;
	if (start_target(&trace) < 0)
		return CPC_FAILED;
	/*
	 * Not for the command: perf may end, and whoever reads the output; and if SIGCHLD were
	 * ignored, nobody could learn how they have ended
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	tool_raise_limit();
	run_all(&trace);
	record_end(&trace.record);
	irixperf_claim_close(trace.claim);
	/* As dtrace does, but without SIGKILL */
	if (trace.started)
		kill(trace.command.pid, SIGTERM);

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
	unsigned int pid;

	if (tool_number(&pid, optarg, INT32_MAX)) {
		opt->pid = (pid_t)pid;
		opt->pidfd = (int)syscall(SYS_pidfd_open, opt->pid, 0);
		if (opt->pidfd >= 0)
			return CPC_OK;
	}
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

enum { OPT_HELP = 256, OPT_VERSION };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

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
	case OPT_HELP:
		fputs(help_text, stdout);
		return CPC_TOLD;
	case OPT_VERSION:
		puts("cpctrace (r10kperf) " CPC_VERSION);
		return CPC_TOLD;
	default:
		tool_error("see cpctrace --help");
		return CPC_USAGE;
	}
}

static int check(const struct options *opt)
{
	const char *text = NULL;

	if (opt->provider && !opt->list)
		text = "-P is for -l: name the probes to enable with -n or -s";
	else if (opt->verbose && !opt->provider)
		text = "-v is for -l -P";
	else if (!opt->text && !opt->list)
		text = "no program: -n PROGRAM or -s FILE";
	else if (opt->command && opt->pid)
		text = "-c and -p exclude each other";
	if (text)
		tool_error("%s; see cpctrace --help", text);

	return text ? CPC_USAGE : CPC_OK;
}

static int carry_on(const struct options *opt, struct program *program, int found)
{
	if (opt->text && program_parse(program, opt->script ? opt->source : "program",
				       opt->text) < 0)
		return CPC_USAGE;
	if (program->nr_macros > program->used_macros) {
		tool_error("'%s' is no option, and the program has no $%u",
			   program->macros[program->used_macros], program->used_macros + 1);
		return CPC_USAGE;
	}
	if (opt->list)
		return list(opt, program);
	if (found < 0) {
		cpc_explain("cannot enable probes", found);
		return CPC_FAILED;
	}

	return run_to(opt, program);
}

int main(int argc, char **argv)
{
	static struct program program;
	struct options opt = { .pidfd = -1 };
	struct irixperf_cpu cpu;
	int c, found, ret = CPC_OK;

	tool_name = "cpctrace";
	found = cpc_cpu(&cpu);
	program.limits.chip = cpu.chip;
	program.limits.min_count = configured_minimum();
	while (ret == CPC_OK &&
	       (c = getopt_long(argc, argv, "+n:s:c:p:o:qlvx:P:", long_options, NULL)) != -1)
		ret = take_option(&opt, &program, c);
	program.macros = argv + optind;
	program.nr_macros = (unsigned int)(argc - optind);
	if (ret == CPC_OK)
		ret = check(&opt);
	if (ret == CPC_OK)
		ret = carry_on(&opt, &program, found);
	else if (ret == CPC_TOLD)
		ret = tool_flush_stdout() ? CPC_FAILED : CPC_OK;
	program_free(&program);
	free(opt.text);

	return ret;
}
