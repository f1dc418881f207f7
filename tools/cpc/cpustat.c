// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpustat: count events on each CPU at regular intervals. A work-alike of Solaris'
 * command of this name, on a claim of libirixperf (irixperf_claim()).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <unistd.h>
#include "cpc.h"

#define INTERVAL	5	/* seconds */

/* How long cpustat may try to write its last rows, in seconds */
#define LAST_WAIT	5

/* CPUs have smaller numbers */
#define CPUS_MAX	8192

static const char help_text[] =
"Usage: cpustat -c EVENTSPEC [-c EVENTSPEC]... [-n] [INTERVAL [COUNT]]\n"
"       cpustat -h\n"
"Count events on each CPU, for all programs, and print the counts every INTERVAL\n"
"seconds (5), COUNT times or until SIGINT, SIGTERM or SIGHUP, and then the last ones.\n"
"Only root can do that.\n"
"\n"
"  -c SPEC    count these events; those of several -c take turns\n"
"  -n         print no headings\n"
"  -h         list the events of each counter, and exit\n"
"  --help     show this help and exit\n"
"  --version  show the version and exit\n"
"\n"
"SPEC is [picN=]EVENT[,[picN=]EVENT][,ATTR]...: events by name or number, on counter 0\n"
"or 1. They are counted in user mode; with the attribute sys in the kernel as well, and\n"
"with nouser,sys in the kernel alone.\n"
"\n"
"Exit status: 0; 1 on failure; 2 if the command line is wrong.\n";

/**
 * struct options - the command line
 * @nr: number of -c
 * @set: their arguments
 * @interval: seconds between two samples
 * @count: how many samples; 0: until a signal
 * @plain: -n
 */
struct options {
	unsigned int nr;
	struct cpc_set set[CPC_SETS];
	double interval;
	unsigned int count;
	bool plain;
};

/**
 * struct cpustat - state of the command
 * @opt: the command line
 * @pics: columns of counters
 * @claim: the claim on the counters
 * @slot: the index of each counter's event in the claim
 * @start: when counting started, in seconds of CLOCK_MONOTONIC
 * @taken: how many samples there were
 * @cpus: how many CPUs the last one has
 * @counts: a CPU has had the events since they were chosen, or since its last sample
 * @before: what it had counted by then
 * @total: sums over all CPUs and samples, for each set
 */
struct cpustat {
	struct options opt;
	unsigned int pics;
	struct irixperf_claim *claim;
	unsigned int slot[CPC_PICS];
	double start;
	unsigned int taken;
	unsigned int cpus;
	bool counts[CPUS_MAX];
	uint64_t before[CPUS_MAX][CPC_PICS];
	uint64_t total[CPC_SETS][CPC_PICS];
};

static volatile sig_atomic_t told_to_end;

static void tell(int sig)
{
	(void)sig;
	told_to_end = 1;
	alarm(LAST_WAIT);
}

/*
 * A signal that was ignored stays so: a shell without job control lets its background
 * jobs ignore SIGINT. The handler interrupts output that cannot be written; if it came too
 * early for that, the alarm ends the command, and the counters are free.
 */
static void take_signals(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = tell }, old;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
}

static void wait_until(double moment)
{
	double left = moment - tool_clock(CLOCK_MONOTONIC);
	struct timespec ts = { .tv_sec = (time_t)left };
	sigset_t all, old;

	ts.tv_nsec = (long)((left - (double)ts.tv_sec) * 1e9);
	/* Else a signal could come between the question and the wait */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	if (!told_to_end && left > 0)
		ppoll(NULL, 0, &ts, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/* Print why the events cannot be counted any more, or could never be */
static int fail_to_count(int err)
{
	char text[1024], names[512];

	if (err == -ENOSPC)
		snprintf(text, sizeof(text), "other programs have pinned counters that "
			 "these events need%s", tool_neighbours(names, sizeof(names), "\n"));
	else
		irixperf_strerror(err, HWPERF_CNTEN_A, text, sizeof(text));
	tool_error("cannot count: %s", text);

	return CPC_FAILED;
}

static void row(const struct cpustat *stat, const struct cpc_set *set, unsigned int cpu,
		const char *event, const uint64_t count[CPC_PICS])
{
	printf("%7.3f %3u %5s ", tool_clock(CLOCK_MONOTONIC) - stat->start, cpu, event);
	cpc_print_counts(stdout, set, stat->pics, count, stat->opt.nr > 1);
}

/* Print what a CPU has counted since its last sample */
static void sample_cpu(struct cpustat *stat, unsigned int nr, unsigned int cpu,
		       const struct irixperf_count counts[IRIXPERF_EVENTS])
{
	const struct cpc_set *set = &stat->opt.set[nr];
	uint64_t count[CPC_PICS] = { 0 };
	bool since = stat->counts[cpu];
	unsigned int pic;

	stat->counts[cpu] = true;
	for (pic = 0; pic < CPC_PICS; pic++) {
		uint64_t value = set->used[pic] ? counts[stat->slot[pic]].value : 0;

		count[pic] = value - stat->before[cpu][pic];
		stat->before[cpu][pic] = value;
		if (since)
			stat->total[nr][pic] += count[pic];
	}
	/* A CPU that has come online has its events from now on */
	if (since)
		row(stat, set, cpu, "tick", count);
}

/* CPUs may be numbered with gaps, for those that are offline */
static int sample(struct cpustat *stat, unsigned int nr)
{
	struct irixperf_count counts[IRIXPERF_EVENTS];
	unsigned int cpu;

	stat->cpus = 0;
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		int ret = irixperf_claim_read(stat->claim, (int)cpu, counts);

		if (ret < 0)
			stat->counts[cpu] = false;
		if (ret == -ENOENT)
			continue;
		if (ret < 0)
			return fail_to_count(ret);
		sample_cpu(stat, nr, cpu, counts);
		stat->cpus++;
	}
	stat->taken++;

	return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
}

/* Count this set from zero, on all CPUs that are online */
static int select_set(struct cpustat *stat, unsigned int nr)
{
	const struct cpc_set *set = &stat->opt.set[nr];
	unsigned char mode[IRIXPERF_EVENTS] = { 0 };
	struct irixperf_code code[IRIXPERF_CODES] = { { 0 } };
	struct irixperf_count counts[IRIXPERF_EVENTS];
	unsigned int cpu, pic;
	int ret;

	for (pic = 0; pic < CPC_PICS; pic++) {
		if (!set->used[pic])
			continue;
		ret = cpc_slot(mode, code, set->event[pic], set->mode[pic]);
		if (ret < 0)
			return fail_to_count(ret);
		stat->slot[pic] = (unsigned int)ret;
	}
	ret = irixperf_claim_count(stat->claim, mode, code);
	if (ret < 0)
		return fail_to_count(ret);
	memset(stat->before, 0, sizeof(stat->before));
	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		stat->counts[cpu] = irixperf_claim_read(stat->claim, (int)cpu, counts) == 0;

	return CPC_OK;
}

/*
 * The sets take turns, each for an interval. A signal ends the last one; if it comes
 * while a single set is printed, the counts since then get a row, too.
 */
static int samples(struct cpustat *stat)
{
	const struct options *opt = &stat->opt;
	double moment = stat->start;
	bool last = false;
	int ret = CPC_OK;

	while (ret == CPC_OK && !last) {
		unsigned int nr = stat->taken % opt->nr;

		moment = tool_next_moment(moment, opt->interval);
		wait_until(moment);
		last = told_to_end || stat->taken + 1 == opt->count;
		ret = sample(stat, nr);
		if (ret == CPC_OK && opt->nr > 1) {
			last |= told_to_end;
			if (!last)
				ret = select_set(stat, (nr + 1) % opt->nr);
			moment = tool_clock(CLOCK_MONOTONIC);
		}
	}

	return ret;
}

static int begin(struct cpustat *stat, enum irixperf_chip chip)
{
	char text[1024];
	int ret;

	/* First, because whoever sees that there is a claim may end it by a signal */
	take_signals();
	tool_raise_limit();
	ret = irixperf_claim(&stat->claim, 0);
	if (ret < 0) {
		tool_error("cannot count: %s",
			   tool_system_explain(ret, text, sizeof(text)));
		return CPC_FAILED;
	}
	ret = select_set(stat, 0);
	if (ret)
		return ret;
	stat->start = tool_clock(CLOCK_MONOTONIC);
	cpc_note(stat->opt.set, stat->opt.nr, chip);
	stat->pics = cpc_pics(stat->opt.set, stat->opt.nr);
	if (!stat->opt.plain) {
		printf("%7s %3s %5s ", "time", "cpu", "event");
		cpc_print_title(stdout, stat->pics);
	}

	return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
}

static int run(struct cpustat *stat, enum irixperf_chip chip)
{
	const struct options *opt = &stat->opt;
	unsigned int nr;
	int ret = begin(stat, chip);

	if (ret == CPC_OK)
		ret = samples(stat);
	if (ret)
		return ret;
	for (nr = 0; nr < opt->nr && nr < stat->taken; nr++)
		row(stat, &opt->set[nr], stat->cpus, "total", stat->total[nr]);

	return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
}

static int take_words(struct options *opt, char **word)
{
	opt->interval = INTERVAL;
	if (!word[0])
		return CPC_OK;
	opt->interval = tool_interval(word[0]);
	if (opt->interval <= 0)
		return CPC_USAGE;
	if (!word[1])
		return CPC_OK;
	if (!tool_number(&opt->count, word[1], UINT_MAX)) {
		tool_error("'%s': the count must be a number from 1", word[1]);
		return CPC_USAGE;
	}
	if (word[2]) {
		tool_error("'%s': only an interval and a count may follow the options; "
			   "see cpustat --help", word[2]);
		return CPC_USAGE;
	}

	return CPC_OK;
}

enum { OPT_HELP = 256, OPT_VERSION };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

/* CPC_TOLD: the command has printed what it was asked for */
static int take_option(struct options *opt, const struct irixperf_cpu *cpu, int c)
{
	switch (c) {
	case 'c':
		return cpc_set_add(opt->set, &opt->nr, cpu->chip, optarg);
	case 'n':
		opt->plain = true;
		return CPC_OK;
	case 'h':
		cpc_event_list(stdout, cpu);
		return CPC_TOLD;
	case OPT_HELP:
		fputs(help_text, stdout);
		return CPC_TOLD;
	case OPT_VERSION:
		puts("cpustat (r10kperf) " CPC_VERSION);
		return CPC_TOLD;
	default:
		tool_error("see cpustat --help");
		return CPC_USAGE;
	}
}

int main(int argc, char **argv)
{
	static struct cpustat stat;
	struct irixperf_cpu cpu;
	int c, found, ret = CPC_OK;

	tool_name = "cpustat";
	found = cpc_cpu(&cpu);
	while (ret == CPC_OK &&
	       (c = getopt_long(argc, argv, "c:hn", long_options, NULL)) != -1)
		ret = take_option(&stat.opt, &cpu, c);
	if (ret == CPC_TOLD)
		return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
	if (ret == CPC_OK)
		ret = take_words(&stat.opt, argv + optind);
	if (ret == CPC_OK && stat.opt.nr == 0) {
		tool_error("no events to count: -c EVENTSPEC; see cpustat --help");
		ret = CPC_USAGE;
	}
	if (ret)
		return ret;
	if (found < 0) {
		cpc_explain("cannot count", found);
		return CPC_FAILED;
	}

	return run(&stat, cpu.chip);
}
