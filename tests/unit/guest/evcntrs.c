// SPDX-License-Identifier: GPL-2.0-only
/*
 * The /proc requests on the machine that they were made for: what the unit
 * tests play on a fake kernel, with real counters. Prints TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "../process.h"

#define INSNS		15	/* graduated instructions, by counter 0 */
#define LOADS		18	/* graduated loads, by counter 1 on the R10000 */
#define FP		21	/* graduated floating point instructions */
#define STEPS		1000000L
#define STEP_INSNS	3
#define STEP_LOADS	1
#define ROUNDS		8	/* of a measurement of which the least is taken */

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
/* The call must have failed with this errno */
static void check_refused(int ret, int err, const char *what)
{
	check(ret == -1 && errno == err, what, "expected: -1 (%s), got: %d (%s)",
	      strerror(err), ret, strerror(errno));
}

static void run_steps(long steps)
{
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "1:	ld	$0, 0($29)\n"
			 "	bnez	%0, 1b\n"
			 "	 daddiu	%0, %0, -1\n"
			 ".set pop\n" : "+r"(steps));
}

static void want_none(void)
{
	memset(&arg, 0, sizeof(arg));
}

static void want(unsigned int event, unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
	reg->hwp_ie = 1;
	reg->hwp_mode = mode & HWPERF_MODEMASK;
}

/* What the event counts in a run of so many steps */
static unsigned long long count_steps(int fd, unsigned int event, long steps)
{
	unsigned long long before;

	ioctl(fd, PIOCGETEVCTRS, &counts);
	before = counts.hwp_evctr[event];
	run_steps(steps);
	ioctl(fd, PIOCGETEVCTRS, &counts);

	return counts.hwp_evctr[event] - before;
}

/*
 * The least of some rounds of either length, in turns: a branch of the library's
 * whose delay slot faults is executed, and counted, again, and now and then the
 * library looks whether something has changed. All else is the same.
 */
static void check_exact(int fd, unsigned int event, int per_step,
			const char *what)
{
	unsigned long long least[2] = { -1ULL, -1ULL }, got;
	int i;

	for (i = 0; i < 2 * ROUNDS; i++) {
		got = count_steps(fd, event, i % 2 ? 3 * STEPS : STEPS);
		if (got < least[i % 2])
			least[i % 2] = got;
	}
	check_count(least[1] - least[0], 2 * STEPS * per_step, what);
}

static void own_counts(int fd)
{
	int first;

	check_refused(ioctl(fd, PIOCGETEVCTRS, &counts), EINVAL,
		      "no counts before they are acquired");
	want_none();
	want(INSNS, HWPERF_CNTEN_U);
	want(LOADS, HWPERF_CNTEN_U);
	first = ioctl(fd, PIOCENEVCTRS, &arg);
	check(first > 0, "PIOCENEVCTRS gives a generation", "%d (%s)", first,
	      strerror(errno));
	check_exact(fd, INSNS, STEP_INSNS, "each instruction is counted");
	check_exact(fd, LOADS, STEP_LOADS, "each load is counted beside them");
	check_count(ioctl(fd, PIOCGETEVCTRS, &counts), first,
		    "the generation is the same at the end");
}

static void changed_counts(int fd)
{
	int before = ioctl(fd, PIOCGETEVCTRS, &counts);

	want_none();
	want(LOADS, HWPERF_CNTEN_U);
	check(ioctl(fd, PIOCSETEVCTRL, &arg) > before,
	      "PIOCSETEVCTRL raises the generation", "%d before", before);
	ioctl(fd, PIOCGETEVCTRS, &counts);
	check(counts.hwp_evctr[LOADS] < 100000,
	      "PIOCSETEVCTRL starts from zero", "got: %llu",
	      (unsigned long long)counts.hwp_evctr[LOADS]);
	check_count(counts.hwp_evctr[INSNS], 0, "the old event is gone");
}

static void kept_counts(int fd)
{
	unsigned long long kept;

	ioctl(fd, PIOCGETEVCTRS, &counts);
	kept = counts.hwp_evctr[LOADS];
	check_count(ioctl(fd, PIOCRELEVCTRS), 0, "PIOCRELEVCTRS");
	ioctl(fd, PIOCGETEVCTRS, &counts);
	check(counts.hwp_evctr[LOADS] >= kept, "counts stay after the release",
	      "%llu before, %llu after", kept,
	      (unsigned long long)counts.hwp_evctr[LOADS]);
	kept = counts.hwp_evctr[LOADS];
	run_steps(STEPS);
	ioctl(fd, PIOCGETEVCTRS, &counts);
	check_count(counts.hwp_evctr[LOADS], kept, "nothing counts any more");
	check_refused(ioctl(fd, PIOCRELEVCTRS), EINVAL,
		      "a second release is refused");
}

/* Every virtual counter runs when there is time for all */
static void all_events(int fd)
{
	unsigned int i, ran = 0;

	want_none();
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		want(i, HWPERF_CNTEN_U);
	check(ioctl(fd, PIOCENEVCTRS, &arg) > 0, "all 32 events at once", "%s",
	      strerror(errno));
	for (i = 0; i < 100; i++)
		run_steps(STEPS);
	ioctl(fd, PIOCGETEVCTRS, &counts);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		ran += counts.hwp_evctr[i] > 0;
	check(counts.hwp_evctr[0] > 0 && counts.hwp_evctr[INSNS] > 0 &&
	      counts.hwp_evctr[LOADS] > 0,
	      "events of both counters take turns", "%u of 32 counted", ran);
	check(counts.hwp_evctr[INSNS] < 100 * STEPS * STEP_INSNS,
	      "a share of the time is returned as it is", "got: %llu",
	      (unsigned long long)counts.hwp_evctr[INSNS]);
	ioctl(fd, PIOCRELEVCTRS);
}

/*
 * Additions of doubles: nothing else here does any. How many instructions a
 * child takes besides varies, as a branch whose delay slot faults is executed
 * twice.
 */
static void add_doubles(long n)
{
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "1:	add.d	$f2, $f2, $f2\n"
			 "	bnez	%0, 1b\n"
			 "	 daddiu	%0, %0, -1\n"
			 ".set pop\n" : "+r"(n) : : "$f2");
}

/* A child that has stopped itself, and will add so many doubles when continued */
static pid_t start_child(long n)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		raise(SIGSTOP);
		add_doubles(n);
		_exit(0);
	}
	waitpid(pid, &status, WUNTRACED);

	return pid;
}

/* What a child counts from there to its end, read before it is waited for */
static unsigned long long count_child(long n, int *fd)
{
	pid_t pid = start_child(n);
	siginfo_t info;
	int ret;

	*fd = open_process(pid);
	want_none();
	want(FP, HWPERF_CNTEN_U);
	ret = ioctl(*fd, PIOCENEVCTRS, &arg);
	kill(pid, SIGCONT);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	if (ret > 0)
		ret = ioctl(*fd, PIOCGETEVCTRS, &counts);
	waitpid(pid, NULL, 0);

	return ret > 0 ? counts.hwp_evctr[FP] : 0;
}

static void child_counts(void)
{
	unsigned long long one, three;
	int fd;

	one = count_child(STEPS, &fd);
	check_refused(ioctl(fd, PIOCGETEVCTRS, &counts), ESRCH,
		      "a child that is gone: ESRCH");
	close(fd);
	three = count_child(3 * STEPS, &fd);
	close(fd);
	check_count(three - one, 2 * STEPS,
		    "a child's additions, exactly");
}

static void *thread_main(void *data)
{
	run_steps(*(long *)data);

	return NULL;
}

static unsigned long long count_thread(int fd, long steps)
{
	unsigned long long before;
	pthread_t thread;

	ioctl(fd, PIOCGETEVCTRS, &counts);
	before = counts.hwp_evctr[INSNS];
	if (pthread_create(&thread, NULL, thread_main, &steps) == 0)
		pthread_join(thread, NULL);
	ioctl(fd, PIOCGETEVCTRS, &counts);

	return counts.hwp_evctr[INSNS] - before;
}

static void thread_counts(int fd)
{
	unsigned long long got;

	want_none();
	want(INSNS, HWPERF_CNTEN_U);
	ioctl(fd, PIOCENEVCTRS, &arg);
	count_thread(fd, 1);
	got = count_thread(fd, STEPS);
	check(got >= STEPS * STEP_INSNS && got < STEPS * STEP_INSNS + 100000,
	      "a thread that starts later is counted", "got: %llu", got);
	ioctl(fd, PIOCRELEVCTRS);
}

static void modes_of_root(int fd)
{
	static const unsigned int modes[] = {
		HWPERF_CNTEN_K, HWPERF_CNTEN_E, HWPERF_CNTEN_S, HWPERF_CNTEN_A,
		HWPERF_CNTEN_U | HWPERF_CNTEN_E, HWPERF_CNTEN_K | HWPERF_CNTEN_E,
		HWPERF_MODEMASK,
	};
	char what[64];
	size_t i;
	int ret;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		want_none();
		want(INSNS, modes[i]);
		ret = ioctl(fd, PIOCENEVCTRS, &arg);
		snprintf(what, sizeof(what), "root may count in mode %#x",
			 modes[i]);
		check(ret > 0, what, "%s", strerror(errno));
		run_steps(STEPS);
		ioctl(fd, PIOCGETEVCTRS, &counts);
		/* Kernel mode is system mode, which is had once only */
		check(ioctl(fd, PIOCRELEVCTRS) == 0, "released", "%s",
		      strerror(errno));
		snprintf(what, sizeof(what), "mode %#x counts user code: %s",
			 modes[i], modes[i] & HWPERF_CNTEN_U ? "yes" : "no");
		check((counts.hwp_evctr[INSNS] >= STEPS * STEP_INSNS) ==
		      !!(modes[i] & HWPERF_CNTEN_U), what, "got: %llu",
		      (unsigned long long)counts.hwp_evctr[INSNS]);
	}
}

static void refused(int fd)
{
	want_none();
	want(INSNS, HWPERF_CNTEN_U);
	ioctl(fd, PIOCENEVCTRS, &arg);
	arg.hwp_evctrargs.hwp_evctrl[3].hwperf_creg.hwp_ev = 2047;
	arg.hwp_evctrargs.hwp_evctrl[3].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	check_refused(ioctl(fd, PIOCSETEVCTRL, &arg), EINVAL,
		      "an event out of range: EINVAL");
	check_refused(ioctl(fd, PIOCSETEVCTRL, (void *)8), EFAULT,
		      "a bad address: EFAULT");
	check_exact(fd, INSNS, STEP_INSNS,
		    "the refused requests have changed nothing");
	ioctl(fd, PIOCRELEVCTRS);
}

/* Becomes an ordinary user for good */
static void ordinary_user(int fd)
{
	static const unsigned int modes[] = { HWPERF_CNTEN_S, HWPERF_CNTEN_K };
	size_t i;

	if (setgid(1000) || setuid(1000)) {
		perror("setuid");
		exit(1);
	}
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		want_none();
		want(INSNS, HWPERF_CNTEN_U | modes[i]);
		check_refused(ioctl(fd, PIOCENEVCTRS, &arg), EPERM,
			      modes[i] == HWPERF_CNTEN_S ?
			      "supervisor mode without privilege: EPERM" :
			      "kernel mode without privilege: EPERM");
	}
	want(INSNS, HWPERF_CNTEN_U);
	check(ioctl(fd, PIOCENEVCTRS, &arg) > 0, "user mode needs no privilege",
	      "%s", strerror(errno));
	close(fd);
	fd = open_process(1);
	check_refused(ioctl(fd, PIOCENEVCTRS, &arg), EPERM,
		      "another user's process: EPERM");
}

int main(void)
{
	int fd;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	fd = open_process(getpid());
	own_counts(fd);
	changed_counts(fd);
	kept_counts(fd);
	all_events(fd);
	child_counts();
	thread_counts(fd);
	modes_of_root(fd);
	refused(fd);
	ordinary_user(fd);
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
