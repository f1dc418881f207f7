// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thresholds, signals and profiles with real counters. The work is additions of
 * doubles. Nothing else here adds doubles, not even the handler, so their count is
 * exact. Prints TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/profil.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "check.h"
#include "../unit/process.h"

#define INSNS		15	/* graduated instructions */
#define FP		21	/* graduated floating point instructions */
#define N		10000
#define WORK		5000000UL
#define SOME		500000UL	/* work where a few signals will do */
#define CODE		64	/* bytes of one of the loops below */
#define ONE_TO_ONE	65536

/* What a process reports about itself */
struct result {
	unsigned long long count;
	unsigned int nr;
	unsigned int nr_fp;
};

static hwperf_profevctrarg_t arg;
static volatile unsigned int nr_signals, nr_of[HWPERF_EVENTMAX], nr_by[_NSIG];
static int self;

/* Two equal loops at different addresses. Handlers write to memory meanwhile */
#define ADD_DOUBLES(name)						\
	__attribute__((noinline, noclone, aligned(CODE)))		\
	static void name(unsigned long n)				\
	{								\
		__asm__ volatile(".set push\n"				\
				 ".set noreorder\n"			\
				 "1:	add.d	$f2, $f2, $f2\n"	\
				 "	bgtz	%0, 1b\n"		\
				 "	 daddiu	%0, %0, -1\n"		\
				 ".set pop\n" : "+r"(n) : : "$f2", "memory"); \
	}

ADD_DOUBLES(add_here)
ADD_DOUBLES(add_there)

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int event = irixperf_overflow_event(info->si_fd);

	(void)context;
	nr_signals++;
	nr_by[sig]++;
	/* SI_SIGIO is for signals that have codes of their own */
	if ((info->si_code == POLL_IN || info->si_code == SI_SIGIO) && event >= 0)
		nr_of[event]++;
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {
		.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART,
	};

	sigaction(sig, &action, NULL);
}

static void forget_signals(void)
{
	nr_signals = 0;
	memset((void *)nr_of, 0, sizeof(nr_of));
	memset((void *)nr_by, 0, sizeof(nr_by));
}

static void want_none(void)
{
	memset(&arg, 0, sizeof(arg));
	arg.hwp_ovflw_sig = SIGUSR1;
	forget_signals();
}

static void want(unsigned int event, int n)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
	reg->hwp_ie = 1;
	reg->hwp_mode = HWPERF_CNTEN_U;
	arg.hwp_ovflw_freq[event] = n;
}

static unsigned long long count_of(unsigned int event)
{
	hwperf_cntr_t counts = { { 0 } };

	ioctl(self, PIOCGETEVCTRS, &counts);

	return counts.hwp_evctr[event];
}

static void acquire(int fd)
{
	int ret = ioctl(fd, PIOCENEVCTRS, &arg);

	if (ret > 0)
		return;
	printf("Bail out! PIOCENEVCTRS: %s\n", strerror(errno));
	exit(1);
}

/* floor(count / n) */
static void check_signals(unsigned int got, unsigned long long count, int n,
			  const char *what)
{
	long long expected = (long long)(count / (unsigned int)n);

	check(got == expected, what, "expected: %lld of %llu events, got: %u", expected,
	      count, got);
	printf("# %llu events / %d: %lld, signals: %u\n", count, n, expected, got);
}

static void own_signals(void)
{
	static const int thresholds[] = { N, 12345, 100000, 1000000 };
	char what[64];
	size_t i;

	for (i = 0; i < sizeof(thresholds) / sizeof(thresholds[0]); i++) {
		want_none();
		want(FP, thresholds[i]);
		acquire(self);
		add_here(WORK - 1);
		ioctl(self, PIOCRELEVCTRS);
		snprintf(what, sizeof(what), "floor(N / %d) signals",
			 thresholds[i]);
		check_count(count_of(FP), WORK, "each addition is counted");
		check_signals(nr_signals, WORK, thresholds[i], what);
		check_count(nr_of[FP], nr_signals, "... of that event");
	}
}

/* The two counters reach their thresholds at different times */
static void both_counters(void)
{
	want_none();
	want(FP, N);
	want(INSNS, 10 * N);
	acquire(self);
	add_here(WORK - 1);
	ioctl(self, PIOCRELEVCTRS);
	check_signals(nr_of[FP], count_of(FP), N, "two events: the one");
	check_signals(nr_of[INSNS], count_of(INSNS), 10 * N, "... and the other");
}

static void no_signals(void)
{
	want_none();
	want(FP, N);
	arg.hwp_ovflw_sig = 0;
	acquire(self);
	add_here(WORK / 10);
	want_none();
	want(FP, 0);
	acquire(self);
	add_here(WORK / 10);
	check_count(nr_signals, 0, "none without signal, and without threshold");
}

/* All that can be handled, but for 32, which the C library keeps for itself */
static void each_signal(void)
{
	unsigned int wrong = 0;
	struct sigaction old;
	int sig;

	for (sig = 1; sig < 32; sig++) {
		if (sig == SIGKILL || sig == SIGSTOP)
			continue;
		sigaction(sig, NULL, &old);
		handle(sig, on_signal);
		want_none();
		want(FP, N);
		arg.hwp_ovflw_sig = sig;
		acquire(self);
		add_here(SOME / 5 - 1);
		ioctl(self, PIOCRELEVCTRS);
		sigaction(sig, &old, NULL);
		if (nr_by[sig] != SOME / 5 / N || nr_of[FP] != SOME / 5 / N)
			wrong |= 1U << sig;
	}
	check(!wrong, "each signal from 1 to 31 is sent", "not these, by bits: %#x", wrong);
}

static void change(void)
{
	if (ioctl(self, PIOCSETEVCTRL, &arg) > 0) {
		forget_signals();
		return;
	}
	printf("Bail out! PIOCSETEVCTRL: %s\n", strerror(errno));
	exit(1);
}

static void changed(void)
{
	want_none();
	want(FP, N);
	acquire(self);
	add_here(SOME - 1);
	want(FP, 5 * N);
	change();
	add_here(SOME - 1);
	check_signals(nr_of[FP], SOME, 5 * N, "PIOCSETEVCTRL changes the threshold");
	handle(SIGUSR2, on_signal);
	arg.hwp_ovflw_sig = SIGUSR2;
	change();
	add_here(SOME - 1);
	check_signals(nr_by[SIGUSR2], SOME, 5 * N, "PIOCSETEVCTRL changes the signal");
	check_count(nr_by[SIGUSR1], 0, "... and the earlier one is sent no more");
	ioctl(self, PIOCRELEVCTRS);
	forget_signals();
	add_here(SOME - 1);
	check_count(nr_signals, 0, "none after the release");
}

/*
 * With 32 events each counts a part of the time, and so do its signals. The others never
 * reach their thresholds, but have descriptors for them: not the low numbers, which programs
 * expect from open(2)
 */
static void multiplexed(void)
{
	unsigned int i;
	int low;

	want_none();
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		want(i, i == FP ? N : INT_MAX);
	acquire(self);
	low = dup(self);
	check(low >= 0 && low < HWPERF_EVENTMAX, "32 thresholds leave the low descriptors free",
	      "got: %d", low);
	close(low);
	add_here(20 * WORK);
	ioctl(self, PIOCRELEVCTRS);
	check(count_of(FP) > 0, "32 events: it has had its turns", "count: 0");
	check_signals(nr_of[FP], count_of(FP), N, "32 events: floor(N / 10000)");
}

/* Sixteen events on one counter, and one with a threshold on the other */
static void lopsided(void)
{
	unsigned int i;

	want_none();
	want(INSNS, 0);
	for (i = HWPERF_CNT1BASE; i < HWPERF_EVENTMAX; i++)
		want(i, 0);
	want(FP, N);
	want(INSNS, 10 * N);
	acquire(self);
	add_here(20 * WORK);
	ioctl(self, PIOCRELEVCTRS);
	check_signals(nr_of[INSNS], count_of(INSNS), 10 * N,
		      "1 and 16 events: of the one");
	check_signals(nr_of[FP], count_of(FP), N, "... and of one of the 16");
}

static hwperf_cntr_t seen;
static unsigned int nr_behind;

/* Like PAPI, find out by the counts which event it was */
static void on_signal_read(int sig, siginfo_t *info, void *context)
{
	on_signal(sig, info, context);
	if (ioctl(self, PIOCGETEVCTRS, &seen) <= 0 ||
	    seen.hwp_evctr[FP] / N < nr_signals)
		nr_behind++;
}

static void handler_reads(void)
{
	unsigned int i;

	want_none();
	handle(SIGUSR1, on_signal_read);
	want(FP, N);
	acquire(self);
	for (i = 0; i < 500; i++) {
		add_here(WORK / 500 - 1);
		count_of(FP);
	}
	ioctl(self, PIOCRELEVCTRS);
	handle(SIGUSR1, on_signal);
	check_signals(nr_signals, count_of(FP), N, "the handler reads the counters");
	check_count(nr_behind, 0, "... and finds the threshold passed");
}

#define STEPS	25
#define TRIES	1000000

/*
 * Two signals that come before one is handled are one: wait in between. Each thread has its
 * own count to the next signal, but the kernel may exchange those of two threads when it
 * changes from one to the other. So a signal is only certain after twice as many additions.
 */
static void *add_in_steps(void *unused)
{
	unsigned int i, tries;

	for (i = 1; i <= STEPS; i++) {
		add_here(2 * N - 1);
		for (tries = 0; nr_of[FP] < i && tries < TRIES; tries++)
			sched_yield();
	}

	return unused;
}

static void later_thread(void)
{
	pthread_t thread;

	want_none();
	want(FP, N);
	acquire(self);
	if (pthread_create(&thread, NULL, add_in_steps, NULL))
		exit(1);
	pthread_join(thread, NULL);
	ioctl(self, PIOCRELEVCTRS);
	check_count(count_of(FP), 2 * N * STEPS, "a thread that was started later counts");
	check(nr_of[FP] >= STEPS && nr_of[FP] <= 2 * STEPS, "... and has signals",
	      "expected: %d to %d, got: %u", STEPS, 2 * STEPS, nr_of[FP]);
}

/* Other processes */

static void tell(int to)
{
	struct result result;

	self = open_process(getpid());
	result = (struct result){ count_of(FP), nr_signals, nr_of[FP] };
	_exit(write(to, &result, sizeof(result)) != sizeof(result));
}

static struct result hear(int from, pid_t pid)
{
	struct result result = { 0 };
	int status;

	if (read(from, &result, sizeof(result)) != sizeof(result))
		printf("# the child has said nothing\n");
	waitpid(pid, &status, 0);

	return result;
}

static void inherited(void)
{
	struct result result;
	unsigned int before;
	int back[2];
	pid_t pid;

	if (pipe(back) < 0)
		exit(1);
	want_none();
	want(FP, N);
	acquire(self);
	add_here(WORK / 2);
	before = nr_signals;
	pid = fork();
	if (pid == 0) {
		nr_signals = nr_of[FP] = 0;
		add_here(WORK - 1);
		tell(back[1]);
	}
	result = hear(back[0], pid);
	check_count(result.count, WORK, "a child counts from zero");
	check_signals(result.nr, result.count, N, "... and gets its own signals");
	check_count(result.nr_fp, result.nr, "... of that event");
	check_count(nr_signals, before, "... of which its parent gets none");
	ioctl(self, PIOCRELEVCTRS);
}

static void of_another_process(void)
{
	struct result result;
	int go[2], back[2], fd;
	char byte;
	pid_t pid;

	if (pipe(go) < 0 || pipe(back) < 0)
		exit(1);
	want_none();
	pid = fork();
	if (pid == 0) {
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		add_here(WORK - 1);
		tell(back[1]);
	}
	fd = open_process(pid);
	want(FP, N);
	acquire(fd);
	if (write(go[1], "", 1) != 1)
		exit(1);
	result = hear(back[0], pid);
	check_signals(result.nr, WORK, N, "another process: it gets the signals");
	check_count(result.nr_fp, result.nr, "... of that event");
	check_count(nr_signals, 0, "... and who has asked gets none");
	close(fd);
}

/* It has no handler any more: a signal would end the next program */
static void run_another_program(void)
{
	int own = open_process(getpid());

	want_none();
	want(FP, N);
	acquire(own);
	execl("/nowhere", "nowhere", NULL);
	add_here(SOME - 1);
	if (nr_of[FP] != SOME / N)
		_exit(2);
	want_none();
	want(INSNS, N);
	acquire(own);
	execl("/bin/sh", "sh", "-c", "exit 7", NULL);
	_exit(3);
}

static void another_program(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		run_another_program();
	waitpid(pid, &status, 0);
	check(status == 7 << 8, "thresholds outlast an execve(2) that fails, and no other",
	      "status: %#x", (unsigned int)status);
}

/* Profiles */

static unsigned short here[CODE / 2], there[CODE / 2], rest;
static struct prof prof[3];

#define SUM(bucket)	sum(bucket, sizeof(bucket) / sizeof((bucket)[0]))

static unsigned int sum(const unsigned short *bucket, size_t nr_buckets)
{
	unsigned int total = 0;
	size_t i;

	for (i = 0; i < nr_buckets; i++)
		total += bucket[i];

	return total;
}

static void want_profile(unsigned int event, int n)
{
	memset(here, 0, sizeof(here));
	memset(there, 0, sizeof(there));
	rest = 0;
	prof[0] = (struct prof){ here, sizeof(here), (uintptr_t)add_here,
				 ONE_TO_ONE };
	prof[1] = (struct prof){ there, sizeof(there), (uintptr_t)add_there,
				 ONE_TO_ONE };
	prof[2] = (struct prof){ &rest, sizeof(rest), 0, 2 };
	want_none();
	arg.hwp_ovflw_sig = 0;
	want(event, n);
}

static long profile_of(int nr_regions)
{
	return syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, prof, nr_regions);
}

static long profile(void)
{
	return profile_of(3);
}

/* No call between the work and reading the buckets */
static void buckets(void)
{
	struct irixperf_profile_stat stat = { .size = sizeof(stat) };
	unsigned int in_here, in_there, elsewhere;
	long generation;

	handle(SIGURG, on_signal);
	want_profile(FP, N);
	generation = profile();
	check(generation > 0, "HWPERF_PROFENABLE gives a generation", "%s",
	      strerror(errno));
	add_here(3 * WORK - 1);
	add_there(WORK - 1);
	in_here = SUM(here);
	in_there = SUM(there);
	elsewhere = rest;
	printf("# here: %u, there: %u, elsewhere: %u\n", in_here, in_there,
	       elsewhere);
	check_signals(in_here + in_there + elsewhere, 4 * WORK, N,
		      "each overflow is in a bucket");
	check_signals(in_here, 3 * WORK, N, "... that of the one loop");
	check_signals(in_there, WORK, N, "... or that of the other");
	check_count(nr_by[SIGURG], 0, "the program's handler has none of its signals");
	raise(SIGURG);
	check_count(nr_by[SIGURG], 1, "... but all others");
	check_count(ioctl(self, PIOCGETEVCTRL, &arg.hwp_evctrargs), generation,
		    "it is the generation of the counters");
	check_count(ioctl(self, PIOCRELEVCTRS), 0, "the release ends it");
	irixperf_profile_stat(&stat);
	check_count(stat.samples, in_here + in_there + elsewhere,
		    "no sample is forgotten");
	check_count(stat.lost + stat.throttled, 0, "none is lost");
	check_count(count_of(FP), 4 * WORK, "the counts are there as well");
	add_here(SOME - 1);
	check_count(SUM(here), in_here, "and no bucket grows after the release");
}

static void two_clocks(void)
{
	struct irixperf_profile_stat stat = { .size = sizeof(stat) };
	unsigned int samples;

	want_profile(FP, N);
	want(INSNS, 10 * N);
	profile();
	add_here(SOME - 1);
	ioctl(self, PIOCRELEVCTRS);
	samples = SUM(here) + SUM(there) + rest;
	irixperf_profile_stat(&stat);
	check_count(samples, count_of(FP) / N + count_of(INSNS) / (10 * N),
		    "the overflows of two events are in the same buckets");
	check_count(stat.samples, samples, "... all of them");
}

/* With one region less, the first one is alone */
static void overlapping(void)
{
	static unsigned short wide[CODE];

	want_profile(FP, N);
	prof[1] = prof[0];
	prof[0] = (struct prof){ wide, sizeof(wide), (uintptr_t)add_here - CODE,
				 ONE_TO_ONE };
	profile_of(2);
	add_here(SOME - 1);
	check_signals(SUM(here), SOME, N,
		      "of two regions that overlap the one with the higher start has the samples");
	check_count(SUM(wide), 0, "... and the other one has none");
	profile_of(1);
	memset(here, 0, sizeof(here));
	add_here(SOME - 1);
	check_signals(SUM(wide), SOME, N, "of two regions the first has them if profcnt is 1");
	check_count(SUM(here), 0, "... and the second one has none");
	ioctl(self, PIOCRELEVCTRS);
}

static void profile_of_a_child(void)
{
	int status;
	pid_t pid;

	want_profile(FP, N);
	profile();
	add_here(SOME - 1);
	pid = fork();
	if (pid == 0) {
		memset(here, 0, sizeof(here));
		add_here(SOME - 1);
		_exit(SUM(here) != SOME / N);
	}
	waitpid(pid, &status, 0);
	check(status == 0, "a child's samples are in its own buckets", "status: %#x",
	      (unsigned int)status);
	check_signals(SUM(here), SOME, N, "... and not in its parent's");
	add_here(SOME - 1);
	check_signals(SUM(here), 2 * SOME, N, "... which go on");
	ioctl(self, PIOCRELEVCTRS);
}

static void *add(void *unused)
{
	add_here(SOME - 1);

	return unused;
}

/*
 * Handlers in two threads run at the same time as calls of the library. Threads have a part
 * in the profile on a single CPU only; what is left of a period at the end is one's own.
 */
static void profile_of_threads(void)
{
	struct irixperf_profile_stat stat = { .size = sizeof(stat) };
	unsigned int samples, i;
	unsigned long long most;
	pthread_t thread;

	want_profile(FP, N);
	profile();
	if (pthread_create(&thread, NULL, add, NULL))
		exit(1);
	for (i = 0; i < SOME / N; i++) {
		add_here(N - 1);
		count_of(FP);
	}
	pthread_join(thread, NULL);
	ioctl(self, PIOCRELEVCTRS);
	samples = SUM(here) + SUM(there) + rest;
	most = count_of(FP) / N;
	irixperf_profile_stat(&stat);
	check(most >= SOME / N && samples <= most && samples + 1 >= most,
	      "threads do not disturb a profile", "expected: %llu, got: %u", most, samples);
	check_count(stat.samples, samples, "... whose buckets have all samples");
	check_count(stat.lost + stat.throttled, 0, "... and none is lost");
}

/* The handler's cost, in instructions for each overflow */
static void price(void)
{
	unsigned long long without, with;
	unsigned int samples;

	want_profile(INSNS, 0);
	acquire(self);
	add_here(WORK);
	without = count_of(INSNS);
	want(INSNS, N);
	profile();
	add_here(WORK);
	ioctl(self, PIOCRELEVCTRS);
	with = count_of(INSNS);
	samples = SUM(here) + rest;
	check_signals(samples, with, N, "a profile of instructions");
	check((with - without) < 1000ULL * samples,
	      "the handler takes less than 1000 of them", "%llu for %u",
	      with - without, samples);
	printf("# %u samples, %llu instructions each\n", samples,
	       (with - without) / samples);
}

static void refused(void)
{
	hwperf_profevctrarg_t kernel = { .hwp_ovflw_sig = 0 };
	int ret;

	want_profile(FP, 0);
	ret = (int)profile();
	check(ret < 0 && errno == EINVAL, "no threshold: EINVAL", "%d", ret);
	want(FP, N);
	kernel.hwp_evctrargs.hwp_evctrl[FP].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_K;
	if (syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &kernel) <= 0) {
		check(false, "system mode begins", "%s", strerror(errno));
		return;
	}
	ret = (int)profile();
	check(ret < 0 && errno == EBUSY, "in system mode: EBUSY", "%d (%s)", ret,
	      strerror(errno));
	syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS);
	check(profile() > 0, "afterwards it begins", "%s", strerror(errno));
	ioctl(self, PIOCRELEVCTRS);
}

static int acquire_for(pid_t pid)
{
	int fd = open_process(pid);
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(ioctl(fd, PIOCENEVCTRS, &arg) <= 0);
	waitpid(child, &status, 0);
	close(fd);

	return status;
}

/* A program that has not acquired anything itself; returns its exit status */
static int program_that_is_counted(void)
{
	int ret;

	want_profile(FP, N);
	if (acquire_for(getpid()) != 0)
		return 2;
	ret = (int)profile();
	if (ret >= 0 || errno != EBUSY)
		return 3;
	if (ioctl(self, PIOCRELEVCTRS) != 0 || profile() <= 0)
		return 4;
	add_here(WORK - 1);

	return SUM(here) + rest == WORK / N ? 0 : 5;
}

static void while_others_count(const char *program)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execl(program, program, "counted", NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	check(status == 0, "while somebody else counts it: EBUSY",
	      "status: %#x", (unsigned int)status);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	self = open_process(getpid());
	if (argc > 1)
		return program_that_is_counted();
	printf("TAP version 13\n");
	handle(SIGUSR1, on_signal);
	own_signals();
	both_counters();
	no_signals();
	each_signal();
	changed();
	multiplexed();
	lopsided();
	handler_reads();
	later_thread();
	inherited();
	of_another_process();
	another_program();
	buckets();
	two_clocks();
	overlapping();
	profile_of_a_child();
	profile_of_threads();
	price();
	refused();
	while_others_count(argv[0]);
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
