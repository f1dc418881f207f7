// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cputrack: count events in each thread of a program at regular intervals. A work-alike
 * of Solaris' command of this name. As in perfex -mp, the threads are traced and have
 * sets of their own (lwp.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cputrack.h"

static const char help_text[] =
"Usage: cputrack -c EVENTSPEC [-c EVENTSPEC]... [-T INTERVAL] [-N COUNT] [-efnv]\n"
"                [-o FILE] COMMAND [ARG]... | -p PID\n"
"       cputrack -h\n"
"Count events in each thread (LWP) of a program.\n"
"\n"
"  -c SPEC      count these events: see cpustat --help. With several -c, each thread\n"
"               changes to the next one after each sample\n"
"  -T INTERVAL  seconds between samples (1); 0: none before the end\n"
"  -N COUNT     end after so many samples; the program goes on\n"
"  -e           go on counting after execve(2)\n"
"  -f           count children of fork(2), too\n"
"  -p PID       count a process that runs already\n"
"  -o FILE      write to FILE\n"
"  -n           print no headings\n"
"  -v           print a row when a thread ends\n"
"  -h           list the events of each counter, and exit\n"
"  --help       show this help and exit\n"
"  --version    show the version and exit\n"
"\n"
"Exit status: that of COMMAND, or 128 + N if signal N ended it; 0 if cputrack ends\n"
"before it, and with -p; 125 if cputrack fails or loses the counters, 126 if COMMAND\n"
"cannot be run, 127 if it is not found.\n";

double track_now(const struct track *track)
{
	return tool_clock(CLOCK_MONOTONIC) - track->start;
}

/* Are events of a process still open? */
static bool counts_any(const struct irixperf_process *process)
{
	unsigned int i = 0;

	while (i < IRIXPERF_EVENTS && !process->mode[i])
		i++;

	return i < IRIXPERF_EVENTS;
}

/*
 * System mode takes the counters from the programs that have acquired them. cputrack has
 * acquired some for itself, so it learns of that even if it was only for a moment. What is
 * counted from then on is worth nothing. If others have had the counters for a while, the
 * times of each event tell.
 */
static bool is_taken(struct track *track)
{
	struct irixperf_process own = { .size = sizeof(own) };

	if (track->taken || (irixperf_process_read(&own) >= 0 && counts_any(&own)))
		return track->taken;
	tool_error("another program has taken the counters of all CPUs: nothing is "
		   "counted any more");
	track->taken = true;
	track->ended = !track->command;
	lwp_forget(track);

	return true;
}

/* Counters of its own, and a look whether the later sets can be counted, too */
static int acquire(struct track *track)
{
	const struct track_options *opt = track->opt;
	unsigned char mode[IRIXPERF_EVENTS];
	unsigned int nr;
	int ret = 0;

	for (nr = 1; nr < opt->nr && ret == 0; nr++) {
		struct irixperf_attr attr = { .size = sizeof(attr) };
		struct irixperf_set *set = NULL;

		cpc_set_modes(&opt->set[nr], attr.mode);
		ret = irixperf_set_open(&set, &attr);
		if (ret < 0)
			return track_fail(track, ret, nr);
		irixperf_set_close(set);
		if (tool_counters_taken(&attr))
			return tool_taken_error();
	}
	cpc_set_modes(&opt->set[0], mode);
	ret = irixperf_process_count(mode);

	return ret < 0 ? track_fail(track, ret, 0) : TOOL_OK;
}

static void ticks(struct track *track)
{
	const struct track_options *opt = track->opt;

	if (tool_clock(CLOCK_MONOTONIC) < track->next || is_taken(track))
		return;
	track->ended = opt->count && ++track->samples == opt->count;
	lwp_sample_all(track, track->ended);
	track->next = tool_next_moment(track->next, opt->interval);
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

/*
 * Take news of one thread. Return false if there is none. With -f, a child may be there
 * that has no news yet: only the kernel knows the last one.
 */
static bool child(struct track *track)
{
	int status;
	pid_t tid = waitpid(-1, &status, WNOHANG | __WALL);

	if (tid > 0)
		child_news(track, tid, status);
	else if (tid < 0 && errno == ECHILD)
		track->ended = true;
	if (!track->opt->forks &&
	    (track->command ? track->command_ended : lwp_all_released(track)))
		track->ended = true;

	return tid > 0;
}

/* A key's signal reaches the command without help */
static void on_signal(struct track *track, int sig, const siginfo_t *info)
{
	if (sig == 0 || sig == SIGCHLD)
		return;
	if (!track->command || track->command_ended)
		track->ended = true;
	else if (info->si_code != SI_KERNEL)
		kill(track->command, sig);
}

static double patience(const struct track *track)
{
	double left = track->next - tool_clock(CLOCK_MONOTONIC);

	if (track->next >= TRACK_NEVER || track->taken)
		return -1;

	return left > 0 ? left : 0;
}

static void watch(struct track *track)
{
	siginfo_t info = { 0 };
	bool more;
	int sig;

	while (!track->ended) {
		more = child(track);
		if (!more)
			fflush(track->out);
		if (track->ended)
			break;
		sig = tool_signals_wait(&info, more ? 0 : patience(track));
		on_signal(track, sig, &info);
		if (!track->ended)
			ticks(track);
	}
}

static void begin(struct track *track)
{
	const struct track_options *opt = track->opt;

	cpc_note(opt->set, opt->nr, track->chip);
	track->start = tool_clock(CLOCK_MONOTONIC);
	track->next = opt->interval > 0 ? track->start + opt->interval : TRACK_NEVER;
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

int track_fail(const struct track *track, int err, unsigned int nr)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };
	char text[4096];

	if (err == -EBUSY)
		return tool_taken_error();
	cpc_set_modes(&track->opt->set[nr], attr.mode);
	tool_error("cannot count: %s", irixperf_set_explain(err, &attr, text,
							    sizeof(text)));

	return TOOL_FAILED;
}

/* Of the threads that go on without cputrack; -N has had its last sample */
static void last_sample(struct track *track)
{
	if (!is_taken(track) && (!track->opt->count || track->samples < track->opt->count))
		lwp_sample_all(track, true);
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
	tool_raise_limit();
	ret = acquire(track);
	if (ret == 0)
		ret = lwp_begin(track, cmd.pid);
	if (ret) {
		tool_command_cancel(&cmd);
		return ret;
	}
	cmd.traced = true;
	begin(track);
	ret = tool_command_start(&cmd, argv[0]);
	if (ret)
		return ret;
	watch(track);
	last_sample(track);

	return track->status;
}

static int run_pid(struct track *track)
{
	int ret;

	tool_raise_limit();
	ret = acquire(track);
	if (ret == 0)
		ret = lwp_attach(track, (pid_t)track->opt->pid);
	if (ret)
		return ret;
	begin(track);
	watch(track);
	last_sample(track);

	return TOOL_OK;
}

static int run_with(struct track *track, char **argv)
{
	char names[512];
	int ret;

	tool_signals_block();
	ret = argv[0] ? run_command(track, argv) : run_pid(track);
	if (track->lost)
		tool_error("some threads could not be counted, or not to their end: %s",
			   strerror(-track->lost));
	if (track->shared)
		tool_error("other users of perf had the counters, at least at times: counts are "
			   "too low%s", tool_neighbours(names, sizeof(names), "\n"));

	return track->taken ? TOOL_FAILED : ret;
}

static int run(const struct track_options *opt, enum irixperf_chip chip, char **argv)
{
	struct track track = { .opt = opt, .chip = chip, .out = stdout };
	int ret, failed;

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
	failed = ferror(track.out);
	if (fclose(track.out) == 0 && !failed)
		return ret;
	tool_error("cannot write to %s: %s", opt->output, strerror(failed ? EIO : errno));

	return TOOL_FAILED;
}

static int take_number(unsigned int *to, const char *option, const char *text)
{
	if (tool_number(to, text, INT_MAX))
		return TOOL_OK;
	tool_error("%s needs a number from 1, not '%s'", option, text);

	return TOOL_FAILED;
}

static int take_interval(struct track_options *opt)
{
	bool none = strcmp(optarg, "0") == 0;

	opt->interval = none ? 0 : tool_interval(optarg);

	return none || opt->interval > 0 ? TOOL_OK : TOOL_FAILED;
}

enum { OPT_HELP = 256, OPT_VERSION };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

static int take_flag(struct track_options *opt, int c)
{
	switch (c) {
	case 'e':
		opt->execs = true;
		return TOOL_OK;
	case 'f':
		opt->forks = true;
		return TOOL_OK;
	case 'n':
		opt->plain = true;
		return TOOL_OK;
	case 'v':
		opt->verbose = true;
		return TOOL_OK;
	default:
		tool_error("see cputrack --help");
		return TOOL_FAILED;
	}
}

/* Threads are counted by a set of libirixperf, which has a mode for each event */
static int take_set(struct track_options *opt, enum irixperf_chip chip)
{
	const struct cpc_set *set = &opt->set[opt->nr];

	if (cpc_set_add(opt->set, &opt->nr, chip, optarg))
		return TOOL_FAILED;
	if (!set->used[0] || !set->used[1] || set->event[0] != set->event[1])
		return TOOL_OK;
	tool_error("'%s' names an event twice\nto count it in another mode, give option -c "
		   "for each", optarg);

	return TOOL_FAILED;
}

static int take_option(struct track_options *opt, enum irixperf_chip chip, int c)
{
	switch (c) {
	case 'c':
		return take_set(opt, chip);
	case 'T':
		return take_interval(opt);
	case 'N':
		return take_number(&opt->count, "-N", optarg);
	case 'p':
		return take_number(&opt->pid, "-p", optarg);
	case 'o':
		opt->output = optarg;
		return TOOL_OK;
	default:
		return take_flag(opt, c);
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
	else if (opt->count && opt->interval <= 0)
		text = "-N counts samples, and with -T 0 there are none";
	if (text)
		tool_error("%s; see cputrack --help", text);

	return text ? TOOL_FAILED : TOOL_OK;
}

/* Whether the command line only asks for a text, which is printed */
static bool is_told(int c, const struct irixperf_cpu *cpu)
{
	if (c == 'h')
		cpc_event_list(stdout, cpu);
	else if (c == OPT_HELP)
		fputs(help_text, stdout);
	else if (c == OPT_VERSION)
		puts("cputrack (r10kperf) " CPC_VERSION);

	return c == 'h' || c == OPT_HELP || c == OPT_VERSION;
}

int main(int argc, char **argv)
{
	static struct track_options opt = { .interval = 1 };
	struct irixperf_cpu cpu;
	int c, found, ret = TOOL_OK;

	tool_name = "cputrack";
	found = cpc_cpu(&cpu);
	while (ret == TOOL_OK &&
	       (c = getopt_long(argc, argv, "+c:efhN:no:p:T:v", long_options, NULL)) != -1) {
		if (is_told(c, &cpu))
			return tool_flush_stdout();
		ret = take_option(&opt, cpu.chip, c);
	}
	if (ret == TOOL_OK)
		ret = check(&opt, argv + optind);
	if (ret)
		return ret;
	if (found < 0) {
		cpc_explain("cannot count", found);
		return TOOL_FAILED;
	}

	return run(&opt, cpu.chip, argv + optind);
}
