// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cputrack: count events in each thread of a program at regular intervals. A work-alike
 * of Solaris' command of this name. As in perfex -mp, the threads are traced and have
 * sets of their own (lwp.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cputrack.h"

static const char help_text[] =
"Usage:\n"
"\tcputrack -c EVENTSPEC [-c EVENTSPEC]... [-efntvD] [-N COUNT] [-o FILE]\n"
"\t         [-T INTERVAL] COMMAND [ARG]...\n"
"\tcputrack -c EVENTSPEC [-c EVENTSPEC]... -p PID [-efntvD] [-N COUNT]\n"
"\t         [-o FILE] [-T INTERVAL]\n"
"\tcputrack -h\n"
"\n"
"Count events in each thread (LWP) of a program.\n"
"\n"
"\t-c SPEC      the events to count; with several -c, another one after each\n"
"\t             sample\n"
"\t-T INTERVAL  seconds between samples (1); 0: none before the end\n"
"\t-N COUNT     end after so many samples\n"
"\t-e           go on counting after execve(2)\n"
"\t-f           count children of fork(2), too\n"
"\t-p PID       count a process that runs already\n"
"\t-o FILE      write to FILE\n"
"\t-n           print no headings\n"
"\t-t           no effect: there is no cycle counter beside the two counters\n"
"\t-v           report starts and ends of threads and programs, too\n"
"\t-D           print each request\n"
"\t-h           print this help, with all events, and exit (or --help)\n"
"\t-V           print the version and exit (or --version)\n"
"\n"
"\tUse cpustat(1) to count on CPUs.\n"
"\n"
"Exit status: that of COMMAND, or 128 + N if signal N ended it; 125 if cputrack fails\n"
"or loses the counters, 126 if COMMAND cannot be run, 127 if it is not found; 0 with -p,\n"
"or if -N ends cputrack before COMMAND ends.\n";

double track_now(const struct track *track)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return (double)(ts.tv_sec - track->start.tv_sec) +
	       (double)(ts.tv_nsec - track->start.tv_nsec) * 1e-9;
}

/*
 * cpustat, cpctrace and ecadmin take the counters by system mode, whose generation number
 * grows each time. What was counted since then is worth nothing.
 */
static bool is_taken(struct track *track)
{
	if (track->taken || tool_system_generation() == track->generation)
		return track->taken;
	tool_error("the counters were taken by cpustat, cpctrace, pctr or ecadmin "
		   "(%s): nothing is counted any more", strerror(EAGAIN));
	track->taken = true;
	lwp_forget(track);

	return true;
}

static void ticks(struct track *track)
{
	const struct track_options *opt = track->opt;

	if (track_now(track) < track->next || is_taken(track))
		return;
	lwp_sample_all(track);
	fflush(track->out);
	while (track->next <= track_now(track))
		track->next += opt->interval;
	if (opt->count && ++track->samples == opt->count)
		track->ended = true;
}

static void child_news(struct track *track, pid_t tid, int status)
{
	if (!WIFSTOPPED(status) && tid == track->command) {
		track->status = tool_exit_status(status);
		track->command_ended = true;
	}
	is_taken(track);
	lwp_event(track, tid, status);
}

/* Counting ends with the last thread that is counted, and with the command */
static void children(struct track *track)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		child_news(track, tid, status);
	if (tid < 0 && errno == ECHILD)
		track->ended = true;
	if (!track->opt->forks && track->command_ended)
		track->ended = true;
}

/* A key's signal reaches the command without help */
static void on_signal(struct track *track, int sig, const siginfo_t *info)
{
	if (sig == 0 || sig == SIGCHLD || sig == SIGUSR1 || sig == SIGUSR2)
		return;
	if (!track->command)
		track->ended = true;
	else if (info->si_code != SI_KERNEL)
		kill(track->command, sig);
}

static double patience(const struct track *track)
{
	double left = track->next - track_now(track);

	if (track->next >= TRACK_NEVER || track->taken)
		return -1;

	return left > 0 ? left : 0;
}

static void watch(struct track *track)
{
	siginfo_t info = { 0 };
	int sig;

	children(track);
	while (!track->ended) {
		sig = tool_signals_wait(&info, patience(track));
		on_signal(track, sig, &info);
		children(track);
		if (!track->ended)
			ticks(track);
	}
	fflush(track->out);
}

static void begin(struct track *track)
{
	const struct track_options *opt = track->opt;

	clock_gettime(CLOCK_MONOTONIC, &track->start);
	track->next = opt->interval > 0 ? opt->interval : TRACK_NEVER;
	track->pics = cpc_pics(opt->set, opt->nr);
	if (opt->plain)
		return;
	fprintf(track->out, "%7s ", "time");
	if (opt->forks)
		fprintf(track->out, "%6s ", "pid");
	fprintf(track->out, "%3s %10s ", "lwp", "event");
	cpc_print_title(track->out, track->pics);
	fflush(track->out);
}

static int fail(int err, const struct track *track)
{
	const struct cpc_set *set = &track->opt->set[0];
	struct irixperf_attr attr = { .size = sizeof(attr) };
	char text[4096];

	cpc_set_modes(set, attr.mode);
	tool_error("cannot count: %s", irixperf_set_explain(err, &attr, text,
							    sizeof(text)));

	return TOOL_FAILED;
}

static int run_command(struct track *track, char **argv)
{
	struct tool_command cmd;
	int ret = tool_command_prepare(&cmd, argv, tool_signals_restore);

	if (ret < 0) {
		tool_error("cannot start %s: %s", argv[0], strerror(-ret));
		return TOOL_FAILED;
	}
	track->command = cmd.pid;
	ret = lwp_begin(track, cmd.pid);
	if (ret < 0) {
		tool_command_cancel(&cmd);
		return fail(ret, track);
	}
	/* The command has stopped in execve(2), so its output comes after the heading */
	ret = tool_command_start(&cmd, argv[0]);
	if (ret)
		return ret;
	begin(track);
	watch(track);

	return track->status;
}

static int run_pid(struct track *track)
{
	int ret = lwp_attach(track, track->opt->pid);

	if (ret == -ESRCH || ret == -EPERM) {
		tool_error("process %d: %s", track->opt->pid,
			   ret == -ESRCH ? "there is no such process" :
			   "it cannot be traced: it belongs to another user, or is "
			   "traced already");
		return TOOL_FAILED;
	}
	if (ret < 0)
		return fail(ret, track);
	begin(track);
	watch(track);
	if (!track->taken)
		lwp_end(track);

	return TOOL_OK;
}

static int run_with(struct track *track, char **argv)
{
	int ret;

	tool_signals_block();
	track->generation = tool_system_generation();
	if (tool_system_is_on())
		return tool_taken_error();
	ret = argv[0] ? run_command(track, argv) : run_pid(track);
	if (track->lost)
		tool_error("%u threads could not be counted: %s", track->lost,
			   strerror(-track->lost_error));
	if (track->shared)
		tool_error("other users of perf had the counters for a part of the "
			   "time: counts are too low");

	return track->taken ? TOOL_FAILED : ret;
}

static int run(const struct track_options *opt, char **argv)
{
	struct track track = { .opt = opt, .out = stdout };
	int ret;

	if (opt->output)
		track.out = fopen(opt->output, "we");
	if (!track.out) {
		tool_error("cannot write to %s: %s", opt->output, strerror(errno));
		return TOOL_FAILED;
	}
	ret = run_with(&track, argv);
	lwp_free(&track);
	if (track.out == stdout)
		return tool_flush_stdout() ? TOOL_FAILED : ret;
	if (ferror(track.out) | fclose(track.out)) {
		tool_error("cannot write to %s: %s", opt->output, strerror(errno));
		return TOOL_FAILED;
	}

	return ret;
}

static int take_number(unsigned long *to, const char *option, const char *text)
{
	char *end;

	errno = 0;
	*to = strtoul(text, &end, 10);
	if (text[0] >= '1' && text[0] <= '9' && !*end && !errno && *to <= 0x7fffffff)
		return TOOL_OK;
	tool_error("%s needs a number from 1, not '%s'", option, text);

	return TOOL_FAILED;
}

static int add_set(struct track_options *opt, enum irixperf_chip chip)
{
	if (opt->nr == CPC_SETS) {
		tool_error("-c may be given up to %d times", CPC_SETS);
		return TOOL_FAILED;
	}

	return cpc_set_parse(&opt->set[opt->nr++], chip, optarg) ? TOOL_FAILED : TOOL_OK;
}

static int take_interval(struct track_options *opt)
{
	opt->interval = cpc_seconds(optarg);
	if (opt->interval == 0 || opt->interval >= 0.01)
		return TOOL_OK;
	tool_error("-T needs a number of seconds, 0.01 or more, or 0; not '%s'", optarg);

	return TOOL_FAILED;
}

static int take_option(struct track_options *opt, enum irixperf_chip chip, int c)
{
	unsigned long number = 0;
	int ret = TOOL_OK;

	switch (c) {
	case 'c':
		return add_set(opt, chip);
	case 'T':
		return take_interval(opt);
	case 'N':
		return take_number(&opt->count, "-N", optarg);
	case 'p':
		ret = take_number(&number, "-p", optarg);
		opt->pid = (pid_t)number;
		return ret;
	case 'o':
		opt->output = optarg;
		return ret;
	case 'e':
		opt->execs = true;
		return ret;
	case 'f':
		opt->forks = true;
		return ret;
	case 'n':
		opt->plain = true;
		return ret;
	case 'v':
		opt->verbose = true;
		return ret;
	case 'D':
		opt->debug = true;
		return ret;
	case 't':
		tool_error("-t has no effect: this CPU has no cycle counter beside its "
			   "two counters; count the event cycles");
		return ret;
	default:
		return TOOL_FAILED;
	}
}

static int check(const struct track_options *opt, char **argv)
{
	const char *text = NULL;

	if (opt->nr == 0)
		text = "no events to count: -c EVENTSPEC";
	else if (opt->pid && argv[0])
		text = "-p and a command exclude each other";
	else if (!opt->pid && !argv[0])
		text = "no command and no -p PID";
	if (text)
		tool_error("%s; see cputrack -h", text);

	return text ? TOOL_FAILED : TOOL_OK;
}

static int help(const struct irixperf_cpu *cpu)
{
	fputs(help_text, stdout);
	cpc_event_list(stdout, cpu);

	return tool_flush_stdout();
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = CPC_LONG_OPTIONS;
	static struct track_options opt = { .interval = 1 };
	struct irixperf_cpu cpu;
	int c, found, ret = TOOL_OK;

	tool_name = "cputrack";
	found = cpc_cpu(&cpu, false);
	while (ret == TOOL_OK && (c = tool_getopt(argc, argv, "+c:T:N:p:o:efntvDhV",
						       long_options)) != -1) {
		if (c == 'h')
			return help(&cpu);
		if (c == 'V') {
			puts("cputrack (r10kperf) " CPC_VERSION);
			return tool_flush_stdout();
		}
		ret = take_option(&opt, cpu.chip, c);
	}
	if (ret == TOOL_OK)
		ret = check(&opt, argv + optind);
	if (ret == TOOL_OK && found != CPC_OK)
		ret = cpc_cpu(&cpu, true) ? TOOL_FAILED : TOOL_OK;

	return ret ? ret : run(&opt, argv + optind);
}
