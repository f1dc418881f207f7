/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the conformance programs share. Each check's name begins with the rows of
 * sentences.tsv that it shows, then a colon: the runner tells rows by them.
 *
 * The programs count work that they do themselves, in units: on the R10000 a loop
 * of known instructions, elsewhere page faults, by way of host.map. Both are
 * exact, if the same is done with two amounts and the difference is looked at:
 * what the library does besides is the same then. Page faults of a process that has
 * just begun are an exception: see check_more().
 */
#ifndef CONF_H
#define CONF_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../library/check.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define USER_ID		1000	/* an ordinary user */
#define ROUNDS		8	/* of a measurement of which the least is taken */
#define HANGS		120	/* seconds: what takes longer never ends */
#define TIMES		(ON_R10K ? 1 : 9)	/* counts of which the middle one is taken */

#define CYCLES		0	/* of counter 0: grows while the program runs */
#define FIRST		15	/* of counter 0: FIRST_COST a unit of work */
#define SECOND		21	/* of counter 1: one a unit */

#ifdef __mips__
#define ON_R10K		1
#define UNITS		100000L
#define FIRST_COST	3	/* graduated instructions */

/* n is 1 or more: an addition of doubles each, which nothing else here does */
static inline void work(long n)
{
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "	daddiu	%0, %0, -1\n"
			 "1:	add.d	$f2, $f2, $f2\n"
			 "	bgtz	%0, 1b\n"
			 "	 daddiu	%0, %0, -1\n"
			 ".set pop\n" : "+r"(n) : : "$f2");
}

#define CODE_LINES	2047	/* four times what the primary cache holds */

/* Fetches so many lines n times: each has a branch and its delay slot */
__attribute__((noinline, unused))
static void fetch_lines(long n)
{
	__asm__ volatile(".set push\n"
			 ".set noreorder\n"
			 "	.balign 64\n"
			 "2:\n"
			 ".rept	2046\n"
			 "	b	1f\n"
			 "	 nop\n"
			 "	.space	56\n"
			 "1:\n"
			 ".endr\n"
			 "	daddiu	%0, %0, -1\n"
			 "	bgtz	%0, 2b\n"
			 "	 nop\n"
			 "	.balign 64\n"
			 ".set pop\n" : "+r"(n));
}
#else
#define ON_R10K		0
#define UNITS		1000L
#define FIRST_COST	1	/* page faults */

/* Each page is touched once: by hand, as a page of many would be one fault */
static inline void work(long n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)n * page, i;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	madvise(memory, size, MADV_NOHUGEPAGE);
	for (i = 0; i < size; i += page)
		*(volatile char *)(memory + i) = 1;
	munmap(memory, size);
}
#endif

typedef unsigned long long count_t;

static inline void skip(const char *what, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++nr, what, reason);
}

__attribute__((noreturn))
static inline void bail_out(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* The call has succeeded */
static inline void check_done(long ret, const char *what)
{
	check(ret >= 0, what, "got: %ld (%s)", ret, strerror(errno));
}

/* It has given a generation number */
static inline void check_generation(long ret, const char *what)
{
	check(ret > 0, what, "expected: more than 0, got: %ld (%s)", ret,
	      strerror(errno));
}

/* It has failed with this errno */
static inline void check_refused(long ret, int err, const char *what)
{
	check(ret == -1 && errno == err, what, "expected: -1 (%s), got: %ld (%s)",
	      strerror(err), ret, strerror(errno));
}

static inline void check_at_least(count_t got, count_t limit, const char *what)
{
	check(got >= limit, what, "expected: %llu or more, got: %llu", limit, got);
}

static inline void check_at_most(count_t got, count_t limit, const char *what)
{
	check(got <= limit, what, "expected: %llu or less, got: %llu", limit, got);
}

static inline void want(hwperf_profevctrarg_t *arg, unsigned int event,
			unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
	reg->hwp_ie = 1;
	reg->hwp_mode = mode & HWPERF_MODEMASK;
}

static inline void want_none(hwperf_profevctrarg_t *arg)
{
	memset(arg, 0, sizeof(*arg));
}

/* One event alone, in user mode */
static inline void want_only(hwperf_profevctrarg_t *arg, unsigned int event)
{
	want_none(arg);
	want(arg, event, HWPERF_CNTEN_U);
}

static inline int open_process(pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", pid);

	return open(name, O_RDWR);
}

static inline count_t count_of(int fd, unsigned int event)
{
	hwperf_cntr_t counts;

	if (ioctl(fd, PIOCGETEVCTRS, &counts) < 0)
		bail_out("PIOCGETEVCTRS");

	return counts.hwp_evctr[event];
}

/* What the event counts of so much work, and of looking */
static inline count_t count_work(int fd, unsigned int event, long n)
{
	count_t before = count_of(fd, event);

	work(n);

	return count_of(fd, event) - before;
}

/*
 * The least of some rounds of either amount, in turns: the first touches things
 * that stay, a branch of the library's whose delay slot faults is executed, and
 * counted, again, and now and then the library looks whether something has changed.
 */
static inline void check_exact(int fd, unsigned int event, count_t cost,
			       const char *what)
{
	count_t least[2] = { -1ULL, -1ULL }, got;
	int i;

	for (i = 0; i < 2 * ROUNDS; i++) {
		got = count_work(fd, event, i % 2 ? 3 * UNITS : UNITS);
		if (got < least[i % 2])
			least[i % 2] = got;
	}
	check_count(least[1] - least[0], 2 * UNITS * cost, what);
}

static inline int compare_counts(const void *a, const void *b)
{
	const count_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

/*
 * Of processes that have just begun, those that do @more count so many more than the
 * others: exactly on an R10000. Elsewhere this holds for the middle ones, as now and then
 * one has a page fault more or less: the first touch of a file's page maps the pages
 * around it, but not those that another process holds locked, and the kernel may write
 * to a page before the process does.
 */
static inline void check_more(count_t one[TIMES], count_t other[TIMES], count_t more,
			      const char *what)
{
	const count_t off = ON_R10K ? 0 : UNITS / 100;
	const unsigned int last = TIMES - 1;

	qsort(one, TIMES, sizeof(one[0]), compare_counts);
	qsort(other, TIMES, sizeof(other[0]), compare_counts);
	check(other[TIMES / 2] - one[TIMES / 2] == more &&
	      other[last] - one[0] <= more + off && other[0] + off >= one[last] + more,
	      what, "expected: %llu to %llu and %llu more, in the middle: %llu, got: "
	      "%llu to %llu", one[0], one[last], more, one[TIMES / 2] + more, other[0],
	      other[last]);
}

/* True if what has not happened by now never will; @since is 0 when the wait begins */
static inline bool hangs(time_t *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (*since == 0)
		*since = now.tv_sec;

	return now.tv_sec - *since > HANGS;
}

/* Over and over, for a second of processor time: so many times */
__attribute__((unused))
static long for_a_second(void (*run)(void))
{
	struct timespec now, start;
	long times = 0;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	do {
		run();
		times++;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec - start.tv_sec < 1 ||
		 (now.tv_sec - start.tv_sec == 1 && now.tv_nsec < start.tv_nsec));

	return times;
}

/* A child that is gone if its parent is */
static inline pid_t start(void (*run)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0) {
		run();
		_exit(0);
	}

	return pid;
}

static inline void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Until it has exited; then it can still be waited for */
static inline void await_exit(pid_t pid)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0)
		bail_out("waitid");
}

static inline void await_stop(pid_t pid)
{
	int status;

	waitpid(pid, &status, WUNTRACED);
}

/* Something that works on counters: without them there is nothing to test */
static inline void begin(int *fd)
{
	hwperf_profevctrarg_t arg;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	*fd = open_process(getpid());
	want_only(&arg, FIRST);
	if (*fd < 0)
		bail_out("the file of this process");
	if (ioctl(*fd, PIOCENEVCTRS, &arg) > 0)
		return;
	if (ON_R10K)
		bail_out("an R10000 without counters: PIOCENEVCTRS");
	printf("1..0 # SKIP no counters: %s\n", strerror(errno));
	exit(0);
}

static inline int finish(void)
{
	printf("1..%d\n", nr);

	return nr_failed != 0;
}

/* Does something as an ordinary user; the status is what it returns, or 255 */
static inline int as_user(int (*run)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(USER_ID) || setuid(USER_ID)))
			_exit(255);
		/* As a program of that user is: others of him may look at it */
		prctl(PR_SET_DUMPABLE, 1);
		_exit(run());
	}
	waitpid(pid, &status, 0);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

#endif
