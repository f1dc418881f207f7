// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpustat: count events on each CPU at regular intervals. A work-alike of Solaris'
 * command of this name, on a claim of libirixperf (irixperf_claim()).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperfmacros.h>
#include <sys/hwperftypes.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmp.h>
#include <sys/syssgi.h>
#include <time.h>
#include <unistd.h>
#include "command.h"
#include "cpc.h"

#define INTERVAL	5
#define CPUS_MAX	4096

/* Less would be mostly the cost of reading */
#define INTERVAL_MIN	0.01

static const char help_text[] =
"Usage:\n"
"\tcpustat -c EVENTSPEC [-c EVENTSPEC]... [-p PERIOD] [-T u|d] [-nstD]\n"
"\t        [INTERVAL [COUNT]]\n"
"\tcpustat -h\n"
"\n"
"Count events on each CPU, for all programs, and print the counts every INTERVAL\n"
"seconds (5), COUNT times or until SIGINT.\n"
"\n"
"\t-c SPEC    the events to count; of several -c each is counted in turn\n"
"\t-p PERIOD  begin a turn of all -c every PERIOD seconds\n"
"\t-T u|d     print the time before each sample: seconds, or a date\n"
"\t-n         print no headings\n"
"\t-s         keep each CPU busy while only system mode is counted\n"
"\t-t         no effect: there is no cycle counter beside the two counters\n"
"\t-D         print each request\n"
"\t-h         print this help, with all events, and exit (or --help)\n"
"\t-V         print the version and exit (or --version)\n"
"\n"
"\tUse cputrack(1) to count in single processes.\n";

/**
 * struct options - the command line
 * @nr: how many sets of events
 * @set: these sets
 * @interval: seconds between two samples
 * @period: seconds between the starts of two turns of all sets, or 0
 * @count: how many samples, or with @period how many turns; 0: until a signal
 * @stamp: argument of -T, or 0
 * @plain: -n
 * @soak: -s
 * @debug: -D
 */
struct options {
	unsigned int nr;
	struct cpc_set set[CPC_SETS];
	double interval;
	double period;
	unsigned long count;
	char stamp;
	bool plain;
	bool soak;
	bool debug;
};

/**
 * struct stat - state of the command
 * @opt: the command line
 * @pics: columns of counters
 * @claim: the claim on the counters
 * @start: when counting started
 * @cpus: how many CPUs the last sample has
 * @before: the counts of each CPU at the last sample
 * @total: sums over all CPUs and samples, for each set
 * @soaker: a process for each CPU, with -s
 * @soakers: how many
 */
struct stat {
	struct options opt;
	unsigned int pics;
	int claim;
	struct timespec start;
	unsigned int cpus;
	uint64_t before[CPUS_MAX][CPC_PICS];
	uint64_t total[CPC_SETS][CPC_PICS];
	pid_t soaker[CPUS_MAX];
	unsigned int soakers;
};

static double now(const struct stat *stat)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return (double)(ts.tv_sec - stat->start.tv_sec) +
	       (double)(ts.tv_nsec - stat->start.tv_nsec) * 1e-9;
}

/* Wait until a moment. Return false if a signal tells this command to end */
static bool wait_until(const struct stat *stat, double moment)
{
	siginfo_t info;

	for (;;) {
		double left = moment - now(stat);
		int sig;

		if (left <= 0)
			return true;
		sig = tool_signals_wait(&info, left);
		if (sig && sig != SIGCHLD)
			return false;
	}
}

static void print_stamp(char form)
{
	time_t seconds = time(NULL);
	char text[64];

	if (form == 'u')
		printf("%lld\n", (long long)seconds);
	else if (form == 'd' && strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Z %Y",
					 localtime(&seconds)))
		puts(text);
}

static void row(const struct stat *stat, unsigned int nr, unsigned int cpu,
		const char *event, const uint64_t count[CPC_PICS])
{
	printf("%7.3f %3u %5s ", now(stat), cpu, event);
	cpc_print_counts(stdout, &stat->opt.set[nr], stat->pics, count,
			 stat->opt.nr > 1);
}

/* Print what a CPU has counted since the last sample */
static void sample_cpu(struct stat *stat, unsigned int nr, unsigned int cpu,
		       const hwperf_cntr_t *counts)
{
	const struct cpc_set *set = &stat->opt.set[nr];
	uint64_t count[CPC_PICS] = { 0 };
	unsigned int pic;

	for (pic = 0; pic < CPC_PICS; pic++) {
		uint64_t value;

		if (!set->used[pic])
			continue;
		value = counts->hwp_evctr[set->event[pic]];
		count[pic] = value - stat->before[cpu][pic];
		stat->before[cpu][pic] = value;
		stat->total[nr][pic] += count[pic];
	}
	row(stat, nr, cpu, "tick", count);
}

static bool is_lost(const struct stat *stat)
{
	struct pollfd wait = { .fd = stat->claim };

	return poll(&wait, 1, 0) == 1;
}

static int lost(int err)
{
	cpc_claim_error("count on", err);

	return CPC_FAILED;
}

/* CPUs may be numbered with gaps, for those that are offline */
static int sample(struct stat *stat, unsigned int nr)
{
	unsigned int online = (unsigned int)irixperf_sysmp(MP_NAPROCS), cpu;
	hwperf_cntr_t counts;

	if (is_lost(stat))
		return lost(-EPIPE);
	print_stamp(stat->opt.stamp);
	stat->cpus = 0;
	for (cpu = 0; cpu < CPUS_MAX && stat->cpus < online; cpu++) {
		long ret = irixperf_syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, cpu,
					   (uintptr_t)&counts, 0);

		if (ret < 0)
			return lost((int)ret);
		if (ret == 0)
			continue;
		sample_cpu(stat, nr, cpu, &counts);
		stat->cpus++;
	}

	return fflush(stdout) || ferror(stdout) ? tool_flush_stdout() : CPC_OK;
}

static bool is_system_only(const struct cpc_set *set)
{
	unsigned int pic;

	for (pic = 0; pic < CPC_PICS; pic++)
		if (set->used[pic] && (set->mode[pic] & HWPERF_CNTEN_U))
			return false;

	return true;
}

/*
 * A process that spins on a CPU which has nothing else to do. musl's
 * sched_setscheduler() only fails.
 */
static void soak(unsigned int cpu)
{
	const struct sched_param none = { 0 };
	cpu_set_t here;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	if (sched_setaffinity(0, sizeof(here), &here) < 0 ||
	    syscall(SYS_sched_setscheduler, 0, SCHED_IDLE, &none) < 0)
		_exit(0);
	for (;;)
		__asm__ volatile("" : : : "memory");
}

static void soakers_end(struct stat *stat)
{
	while (stat->soakers > 0) {
		pid_t pid = stat->soaker[--stat->soakers];

		kill(pid, SIGKILL);
		tool_wait(pid);
	}
}

static void soakers_begin(struct stat *stat, const struct cpc_set *set)
{
	unsigned int cpu, cpus = (unsigned int)irixperf_sysmp(MP_NPROCS);

	soakers_end(stat);
	if (!stat->opt.soak || !is_system_only(set))
		return;
	for (cpu = 0; cpu < cpus && cpu < CPU_SETSIZE; cpu++) {
		pid_t pid = fork();

		if (pid == 0)
			soak(cpu);
		if (pid > 0)
			stat->soaker[stat->soakers++] = pid;
	}
}

/* Count another set from zero */
static int select_set(struct stat *stat, unsigned int nr)
{
	const struct cpc_set *set = &stat->opt.set[nr];
	unsigned char mode[IRIXPERF_EVENTS];
	int ret;

	cpc_set_modes(set, mode);
	ret = stat->claim < 0 ? irixperf_claim(mode, 0) :
				irixperf_claim_change(stat->claim, mode);
	if (stat->opt.debug)
		tool_error("%s: %s: %d", stat->claim < 0 ? "claim" : "change",
			   set->text, ret);
	if (ret < 0) {
		cpc_claim_error("count", ret);
		return CPC_FAILED;
	}
	if (stat->claim < 0)
		stat->claim = ret;
	memset(stat->before, 0, sizeof(stat->before));
	soakers_begin(stat, set);

	return CPC_OK;
}

/* Count each set in turn. A negative result: a signal tells this command to end */
static int turn(struct stat *stat, double begin, unsigned long *left)
{
	const struct options *opt = &stat->opt;
	unsigned int nr;
	int ret;

	for (nr = 0; nr < opt->nr && *left > 0; nr++) {
		if (opt->nr > 1) {
			ret = select_set(stat, nr);
			if (ret)
				return ret;
		}
		begin += opt->interval;
		if (!wait_until(stat, begin))
			return -1;
		ret = sample(stat, nr);
		if (ret)
			return ret;
		if (opt->count && !opt->period)
			--*left;
	}

	return CPC_OK;
}

static int run_turns(struct stat *stat)
{
	const struct options *opt = &stat->opt;
	unsigned long left = opt->count ? opt->count : 1;
	double length = opt->interval * opt->nr, begin = 0;
	int ret = CPC_OK;

	if (opt->period > length)
		length = opt->period;
	while (ret == CPC_OK && left > 0) {
		ret = turn(stat, begin, &left);
		if (opt->count && opt->period)
			left--;
		begin += length;
		/* A machine that was asleep does not make up for it */
		if (begin + length < now(stat))
			begin = now(stat);
		if (ret == CPC_OK && left > 0 && !wait_until(stat, begin))
			ret = -1;
	}

	return ret < 0 ? CPC_OK : ret;
}

static int run(struct stat *stat)
{
	const struct options *opt = &stat->opt;
	unsigned int nr;
	int ret;

	tool_signals_block();
	stat->pics = cpc_pics(opt->set, opt->nr);
	stat->claim = -1;
	ret = select_set(stat, 0);
	if (ret)
		return ret;
	clock_gettime(CLOCK_MONOTONIC, &stat->start);
	if (!opt->plain) {
		printf("%7s %3s %5s ", "time", "cpu", "event");
		cpc_print_title(stdout, stat->pics);
		fflush(stdout);
	}
	ret = run_turns(stat);
	soakers_end(stat);
	for (nr = 0; nr < opt->nr && ret == CPC_OK && stat->cpus > 0; nr++)
		row(stat, nr, stat->cpus, "total", stat->total[nr]);
	irixperf_claim_end(stat->claim);

	return ret;
}

static int add_set(struct options *opt, enum irixperf_chip chip, const char *text)
{
	if (opt->nr == CPC_SETS) {
		tool_error("-c may be given up to %d times", CPC_SETS);
		return CPC_USAGE;
	}

	return cpc_set_parse(&opt->set[opt->nr++], chip, text);
}

static int take_seconds(double *to, const char *text, const char *what, double min)
{
	*to = cpc_seconds(text);
	if (*to >= min)
		return CPC_OK;
	tool_error("'%s': %s must be a number of seconds, %g or more", text, what, min);

	return CPC_USAGE;
}

static int take_stamp(struct options *opt, const char *text)
{
	opt->stamp = text[0];
	if ((text[0] == 'u' || text[0] == 'd') && !text[1])
		return CPC_OK;
	tool_error("'%s': -T takes u or d", text);

	return CPC_USAGE;
}

static int take_option(struct options *opt, enum irixperf_chip chip, int c)
{
	switch (c) {
	case 'c':
		return add_set(opt, chip, optarg);
	case 'p':
		return take_seconds(&opt->period, optarg, "the period", 0);
	case 'T':
		return take_stamp(opt, optarg);
	case 'n':
		opt->plain = true;
		return CPC_OK;
	case 's':
		opt->soak = true;
		return CPC_OK;
	case 't':
		tool_error("-t has no effect: this CPU has no cycle counter beside its "
			   "two counters; count the event cycles");
		return CPC_OK;
	case 'D':
		opt->debug = true;
		return CPC_OK;
	default:
		return CPC_USAGE;
	}
}

static int take_words(struct options *opt, char **word)
{
	char *end;
	int ret = CPC_OK;

	opt->interval = INTERVAL;
	if (word[0])
		ret = take_seconds(&opt->interval, word[0], "the interval", INTERVAL_MIN);
	if (ret || !word[0] || !word[1])
		return ret;
	errno = 0;
	opt->count = strtoul(word[1], &end, 10);
	if (word[2] || word[1][0] < '0' || word[1][0] > '9' || *end || errno ||
	    opt->count == 0) {
		tool_error("'%s': the count must be a number from 1; see cpustat -h",
			   word[2] ? word[2] : word[1]);
		return CPC_USAGE;
	}

	return CPC_OK;
}

static void help(void)
{
	struct irixperf_cpu cpu;

	fputs(help_text, stdout);
	cpc_cpu(&cpu, false);
	cpc_event_list(stdout, &cpu);
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = CPC_LONG_OPTIONS;
	static struct stat stat;
	struct irixperf_cpu cpu;
	int c, found, ret = CPC_OK;

	tool_name = "cpustat";
	found = cpc_cpu(&cpu, false);
	while (ret == CPC_OK && (c = tool_getopt(argc, argv, "+c:p:T:nstDhV",
						      long_options)) != -1) {
		if (c == 'h' || c == 'V') {
			if (c == 'h')
				help();
			else
				puts("cpustat (r10kperf) " CPC_VERSION);
			return tool_flush_stdout() ? CPC_FAILED : CPC_OK;
		}
		ret = take_option(&stat.opt, cpu.chip, c);
	}
	if (ret == CPC_OK)
		ret = take_words(&stat.opt, argv + optind);
	if (ret == CPC_OK && stat.opt.nr == 0) {
		tool_error("no events to count: -c EVENTSPEC; see cpustat -h");
		ret = CPC_USAGE;
	}
	if (ret)
		return ret;
	if (found != CPC_OK)
		return cpc_cpu(&cpu, true);
	ret = run(&stat);

	return tool_flush_stdout() ? CPC_FAILED : ret;
}
