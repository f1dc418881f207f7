// SPDX-License-Identifier: GPL-2.0-only
/*
 * User mode against system mode with real counters: what r10k_evcntrs(5) tells
 * on pages 10, 11, 13 and 16 to 18, one by one. Prints TAP.
 *
 * usage: sysmode [enable | read | control | release]
 *
 * With an argument it does this one thing as a program of its own, prints the
 * result, and ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "../process.h"

#define INSNS		15	/* graduated instructions, by counter 0 */
#define LOADS		18	/* graduated loads, by counter 1 on the R10000 */
#define STEPS		1000000L
#define STEP_INSNS	3
#define MODE_UK		(HWPERF_CNTEN_U | HWPERF_CNTEN_K)

static hwperf_profevctrarg_t user_arg, system_arg, kernel_arg, all_arg, none;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static hwperf_prusage_t usage;
static int self, nr, nr_failed;

__attribute__((format(printf, 3, 4)))
static void check(bool ok, const char *what, const char *format, ...)
{
	va_list args;

	printf("%sok %d - %s\n", ok ? "" : "not ", ++nr, what);
	if (ok)
		return;
	nr_failed++;
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

static void check_is(long got, long expected, const char *what)
{
	check(got == expected, what, "expected: %ld, got: %ld", expected, got);
}

static void check_above(long long got, long long limit, const char *what)
{
	check(got > limit, what, "expected: more than %lld, got: %lld", limit,
	      got);
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

static void want(hwperf_profevctrarg_t *arg, unsigned int event,
		 unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event % HWPERF_CNTEVENTMAX;
	reg->hwp_ie = 1;
	reg->hwp_mode = mode & HWPERF_MODEMASK;
}

static int request(int fd, unsigned long number, void *arg)
{
	int ret = ioctl(fd, number, arg);

	return ret < 0 ? -errno : ret;
}

static int eventctr(int command, void *arg)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, command,
				    (uintptr_t)arg, 0, 0);
}

static int read_cpu(int cpu)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS,
				    (uintptr_t)cpu, (uintptr_t)&counts, 0);
}

static long long system_count(unsigned int event)
{
	memset(&counts, 0, sizeof(counts));
	eventctr(HWPERF_GET_SYSCNTRS, &counts);

	return (long long)counts.hwp_evctr[event];
}

static long long own_count(unsigned int event)
{
	memset(&counts, 0, sizeof(counts));
	ioctl(self, PIOCGETEVCTRS, &counts);

	return (long long)counts.hwp_evctr[event];
}

/* --- another program, of an ordinary user ------------------------------------ */

enum ask { ACQUIRE, READ, CONTROL, SET, RELEASE, WORK, COUNT, SYSTEM, NO_RIGHT };

static int to_user[2], from_user[2];
static pid_t user;

static int no_right(int fd)
{
	int on = eventctr(HWPERF_GET_SYSEVCTRL, &ctrl) > 0;

	if (eventctr(HWPERF_ENSYSCNTRS, &system_arg) != -EPERM ||
	    eventctr(HWPERF_SET_SYSEVCTRL, &system_arg) != -EPERM ||
	    eventctr(HWPERF_RELSYSCNTRS, NULL) != -EPERM)
		return 0;

	return on || request(fd, PIOCENEVCTRS, &kernel_arg) == -EPERM;
}

static int user_does(int fd, enum ask ask)
{
	int ret;

	switch (ask) {
	case ACQUIRE:
		return request(fd, PIOCENEVCTRS, &user_arg);
	case READ:
		return request(fd, PIOCGETEVCTRS, &counts);
	case CONTROL:
		return request(fd, PIOCGETEVCTRL, &ctrl);
	case SET:
		return request(fd, PIOCSETEVCTRL, &user_arg);
	case RELEASE:
		return request(fd, PIOCRELEVCTRS, NULL);
	case WORK:
		run_steps(STEPS);
		return 0;
	case COUNT:
		ret = request(fd, PIOCGETEVCTRS, &counts);
		return ret < 0 ? ret : (int)counts.hwp_evctr[INSNS];
	case SYSTEM:
		return eventctr(HWPERF_GET_SYSCNTRS, &counts);
	default:
		return no_right(fd);
	}
}

static void user_main(void)
{
	char what;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(to_user[1]);
	if (setgid(1000) || setuid(1000))
		_exit(1);
	fd = open_process(getpid());
	while (read(to_user[0], &what, 1) == 1) {
		int ret = user_does(fd, what);

		if (write(from_user[1], &ret, sizeof(ret)) != sizeof(ret))
			break;
	}
	_exit(0);
}

static void start_user(void)
{
	if (pipe(to_user) || pipe(from_user)) {
		perror("pipe");
		exit(1);
	}
	user = fork();
	if (user == 0)
		user_main();
	close(to_user[0]);
	close(from_user[1]);
}

static void end_user(void)
{
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
	close(to_user[1]);
	close(from_user[0]);
}

static int ask(enum ask what)
{
	char byte = what;
	int ret = -EPIPE;

	if (write(to_user[1], &byte, 1) != 1 ||
	    read(from_user[0], &ret, sizeof(ret)) != sizeof(ret))
		return -EPIPE;

	return ret;
}

/* --- the tests --------------------------------------------------------------- */

/* As on a machine that has just been started */
static void forget_all(void)
{
	eventctr(HWPERF_RELSYSCNTRS, NULL);
	unlink("/run/irixperf/system");
	unlink("/run/irixperf/control");
	rmdir("/run/irixperf");
}

static void before_the_first(void)
{
	forget_all();
	check_above(ask(ACQUIRE), 0, "a user counts before any system mode");
	ask(RELEASE);
	check_is(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL,
		 "GET_SYSEVCTRL before any system mode: EINVAL");
	check_is(eventctr(HWPERF_GET_SYSCNTRS, &counts), -EINVAL,
		 "GET_SYSCNTRS before any system mode: EINVAL");
	check_is(eventctr(HWPERF_RELSYSCNTRS, NULL), -EINVAL,
		 "there is nothing to release");
	check_is(ask(NO_RIGHT), 1, "a user may not begin system mode: EPERM");
	check_is(access("/run/irixperf", F_OK), -1,
		 "and no file");
}

static void counts_of_the_system(void)
{
	long long before, own, one, three;
	int generation = eventctr(HWPERF_ENSYSCNTRS, &system_arg);

	check_above(generation, 0, "ENSYSCNTRS gives a positive generation");
	check_is(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation,
		 "GET_SYSCNTRS gives the same");
	before = system_count(INSNS);
	run_steps(STEPS);
	own = system_count(INSNS) - before;
	check(own >= STEPS * STEP_INSNS && own < STEPS * STEP_INSNS * 1.1,
	      "our own instructions are counted", "got: %lld", own);

	before = system_count(INSNS);
	ask(WORK);
	one = system_count(INSNS) - before;
	before = system_count(INSNS);
	ask(WORK);
	ask(WORK);
	ask(WORK);
	three = system_count(INSNS) - before;
	check(three - one > 2 * STEPS * STEP_INSNS * 0.98 &&
	      three - one < 2 * STEPS * STEP_INSNS * 1.1,
	      "those of another program are counted", "one: %lld, three: %lld",
	      one, three);
}

static void counts_of_a_cpu(void)
{
	long long sum = system_count(INSNS);
	int generation = eventctr(HWPERF_GET_SYSCNTRS, &counts);

	check_is(read_cpu(0), generation, "GET_CPUCNTRS of CPU 0");
	check((long long)counts.hwp_evctr[INSNS] > sum &&
	      (long long)counts.hwp_evctr[INSNS] < sum + STEPS,
	      "the only CPU has all counts", "sum %lld, CPU 0 %lld", sum,
	      (long long)counts.hwp_evctr[INSNS]);
	errno = 0;
	check_is(read_cpu(1), 0, "GET_CPUCNTRS of CPU 1, which is not there: 0");
	check_is(read_cpu(-1), 0, "GET_CPUCNTRS of CPU -1: 0");
	check_is(errno, 0, "which is no error");
	check_is(ask(SYSTEM), generation, "a user may read the counts");
}

static void control_of_the_system(void)
{
	int generation = eventctr(HWPERF_GET_SYSEVCTRL, &ctrl);

	check_above(generation, 0, "GET_SYSEVCTRL");
	check(memcmp(&ctrl, &system_arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "it gives the events and modes as they were asked for", "other");
	check_is(eventctr(HWPERF_SET_SYSEVCTRL, &kernel_arg), generation + 1,
		 "SET_SYSEVCTRL adds one to the generation");
	check_is(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation + 1,
		 "which all see");
	check(memcmp(&ctrl, &kernel_arg.hwp_evctrargs, sizeof(ctrl)) == 0,
	      "the events and modes are the new ones", "other");
	check(system_count(LOADS) > 0 && counts.hwp_evctr[INSNS] == 0,
	      "and they count, from zero", "loads %llu, instructions %llu",
	      (unsigned long long)counts.hwp_evctr[LOADS],
	      (unsigned long long)counts.hwp_evctr[INSNS]);
	check_is(eventctr(HWPERF_SET_SYSEVCTRL, &user_arg), -EINVAL,
		 "SET_SYSEVCTRL without kernel mode: EINVAL");
	check_is(eventctr(HWPERF_SET_SYSEVCTRL, (void *)8), -EFAULT,
		 "SET_SYSEVCTRL of a bad address: EFAULT");
	check_is(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation + 1,
		 "neither has changed anything");
}

static void nobody_else_counts(void)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };
	struct irixperf_count count = { 0 };
	struct irixperf_set *set = NULL;

	eventctr(HWPERF_SET_SYSEVCTRL, &system_arg);
	attr.mode[INSNS] = HWPERF_CNTEN_U;
	attr.mode[LOADS] = HWPERF_CNTEN_U;
	check_is(irixperf_set_open(&set, &attr), 0,
		 "who goes past this interface can open events");
	run_steps(STEPS);
	irixperf_set_read(set, INSNS, &count);
	check(count.enabled > 0 && count.running == 0,
	      "but both counters are the system's", "running %llu of %llu ns",
	      (unsigned long long)count.running,
	      (unsigned long long)count.enabled);
	irixperf_set_close(set);
}

static void busy_while_it_is_on(void)
{
	check_is(eventctr(HWPERF_ENSYSCNTRS, &system_arg), -EBUSY,
		 "ENSYSCNTRS in system mode: EBUSY");
	check_is(request(self, PIOCENEVCTRS, &user_arg), -EBUSY,
		 "PIOCENEVCTRS of root in user mode: EBUSY");
	check_is(request(self, PIOCENEVCTRS, &system_arg), -EBUSY,
		 "PIOCENEVCTRS of root in system mode: EBUSY");
	check_is(request(self, PIOCENEVCTRS, &none), -EBUSY,
		 "PIOCENEVCTRS of nothing: EBUSY");
	check_is(ask(ACQUIRE), -EBUSY, "PIOCENEVCTRS of a user: EBUSY");
	check_is(ask(NO_RIGHT), 1, "a user gets EPERM for what is root's");
}

static void the_release(void)
{
	int generation = eventctr(HWPERF_GET_SYSCNTRS, &counts);
	long long last;

	check_is(eventctr(HWPERF_RELSYSCNTRS, NULL), 0, "RELSYSCNTRS gives 0");
	last = system_count(INSNS);
	check_above(last, 0, "the last counts can still be read");
	run_steps(STEPS);
	check_is(system_count(INSNS), last, "and they are the last");
	check_is(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation,
		 "with their generation");
	check_is(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL,
		 "GET_SYSEVCTRL: EINVAL");
	check_is(eventctr(HWPERF_SET_SYSEVCTRL, &system_arg), -EINVAL,
		 "SET_SYSEVCTRL: EINVAL");
	check_is(eventctr(HWPERF_RELSYSCNTRS, NULL), -EINVAL,
		 "a second RELSYSCNTRS: EINVAL");
	check_above(eventctr(HWPERF_ENSYSCNTRS, &system_arg), generation,
		    "the next system mode has higher numbers");
	eventctr(HWPERF_RELSYSCNTRS, NULL);
}

/* The counters are free: a user's counts are exact again */
static void the_counters_are_free(void)
{
	int one, three;

	check_above(ask(ACQUIRE), 0, "a user gets the counters again");
	/* The first look takes longer than those after it */
	ask(COUNT);
	one = ask(COUNT);
	ask(WORK);
	one = ask(COUNT) - one;
	three = ask(COUNT);
	ask(WORK);
	ask(WORK);
	ask(WORK);
	three = ask(COUNT) - three;
	/* With the requests, some of which take thousands of instructions */
	check(one >= STEPS * STEP_INSNS && one < STEPS * STEP_INSNS + 20000 &&
	      three >= 3 * STEPS * STEP_INSNS &&
	      three < 3 * STEPS * STEP_INSNS + 20000,
	      "and counts all of his instructions", "one %d, three %d", one,
	      three);
	ask(RELEASE);
}

static void taken_by_force(void)
{
	int generation = ask(ACQUIRE), count;

	request(self, PIOCENEVCTRS, &user_arg);
	check_above(eventctr(HWPERF_ENSYSCNTRS, &system_arg), 0,
		    "ENSYSCNTRS takes the counters from all who use them");
	check_is(ask(READ), generation + 1, "a user sees it by his generation");
	count = ask(COUNT);
	ask(WORK);
	check_is(ask(COUNT), count, "and counts no more");
	check_is(ask(READ), generation + 1, "that happens once");
	check_is(ask(CONTROL), -EINVAL, "he has no events");
	check_is(ask(SET), -EBUSY, "nor can he get them back: EBUSY");
	check_is(ask(ACQUIRE), -EBUSY, "by neither request");
	check_is(ask(RELEASE), -EINVAL, "there is nothing to release");
	eventctr(HWPERF_RELSYSCNTRS, NULL);
	ask(WORK);
	check_is(ask(COUNT), count, "nothing starts his counters again");
	check_is(ask(READ), generation + 1, "nor changes the generation");
	check_above(ask(SET), generation + 1, "unless he does it himself");
	ask(WORK);
	check_above(ask(COUNT), STEPS * STEP_INSNS - 1, "and then they count");
	ask(RELEASE);
	check_is(request(self, PIOCRELEVCTRS, NULL), -EINVAL,
		 "who asked has lost his own, too");
}

/* He does not look while system mode is on */
static void taken_unseen(void)
{
	int generation = ask(ACQUIRE), count;

	eventctr(HWPERF_ENSYSCNTRS, &system_arg);
	eventctr(HWPERF_RELSYSCNTRS, NULL);
	ask(WORK);
	check_is(ask(READ), generation + 1,
		 "a loss shows when system mode is over as well");
	count = ask(COUNT);
	check(count < STEPS * STEP_INSNS,
	      "and what he did since then is not in his counts", "got %d",
	      count);
	ask(RELEASE);
}

static void through_proc(void)
{
	int generation = request(self, PIOCENEVCTRS, &system_arg);
	long long before;

	check_above(generation, 0, "PIOCENEVCTRS in kernel mode by root");
	check_is(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation,
		 "is system mode");
	check_is(request(self, PIOCGETEVCTRS, &counts), generation,
		 "PIOCGETEVCTRS gives its generation");
	before = own_count(INSNS);
	ask(WORK);
	check_above(own_count(INSNS) - before, STEPS * STEP_INSNS - 1,
		    "and counts the programs of all");
	check_is(request(self, PIOCGETPREVCTRS, &usage), generation,
		 "PIOCGETPREVCTRS gives it as well");
	check_above((long long)usage.pu_cpu_mon.cm_cntrs.hwp_evctr[INSNS],
		    own_count(INSNS) / 2, "with the system's counts");
	check_is(request(self, PIOCGETEVCTRL, &ctrl), generation,
		 "PIOCGETEVCTRL");
	check_is(ask(ACQUIRE), -EBUSY, "a user gets EBUSY");
	check_is(request(self, PIOCSETEVCTRL, &kernel_arg), generation + 1,
		 "PIOCSETEVCTRL adds one to the generation");
	check_is(eventctr(HWPERF_SET_SYSEVCTRL, &system_arg), generation + 2,
		 "and so does SET_SYSEVCTRL");
	check_is(request(self, PIOCGETEVCTRS, &counts), generation + 2,
		 "which PIOCGETEVCTRS sees");
	check_is(request(self, PIOCRELEVCTRS, NULL), 0, "PIOCRELEVCTRS");
	check_is(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL, "ends it");
	before = own_count(INSNS);
	run_steps(STEPS);
	check_is(own_count(INSNS), before, "the counts stay readable");
	check_above(request(self, PIOCSETEVCTRL, &system_arg), generation + 2,
		    "PIOCSETEVCTRL begins it again");
	check_is(eventctr(HWPERF_RELSYSCNTRS, NULL), 0,
		 "RELSYSCNTRS ends it as well");
	check_is(request(self, PIOCRELEVCTRS, NULL), -EINVAL,
		 "then PIOCRELEVCTRS has nothing to release");
}

/* On one CPU whoever asks is the only one who runs */
static void in_use_at_this_moment(void)
{
	int generation = request(self, PIOCENEVCTRS, &user_arg);

	check_is(request(self, PIOCENEVCTRS, &system_arg), -EBUSY,
		 "PIOCENEVCTRS for system mode while the asker counts: EBUSY");
	check_is(request(self, PIOCSETEVCTRL, &system_arg), -EBUSY,
		 "PIOCSETEVCTRL for system mode: EBUSY");
	check_is(request(self, PIOCGETEVCTRS, &counts), generation,
		 "the counters are still his");
	request(self, PIOCRELEVCTRS, NULL);
	generation = ask(ACQUIRE);
	check_above(request(self, PIOCENEVCTRS, &system_arg), 0,
		    "while a user who counts sleeps, root gets system mode");
	check_is(ask(READ), generation + 1, "and the user loses his counters");
	check_is(ask(SET), -EBUSY, "he does not get them when he runs again");
	request(self, PIOCRELEVCTRS, NULL);
}

/* He could run at any time, but not at that one */
static void a_user_who_waits_for_the_cpu(void)
{
	pid_t pid = fork();
	int fd, i, got = 0;

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			run_steps(STEPS);
	}
	fd = open_process(pid);
	for (i = 0; i < 20; i++) {
		request(fd, PIOCENEVCTRS, &user_arg);
		got += request(self, PIOCENEVCTRS, &system_arg) > 0;
		request(self, PIOCRELEVCTRS, NULL);
	}
	check_is(got, 20, "a user who waits for the CPU is in nobody's way");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

static void bad_arguments(void)
{
	hwperf_profevctrarg_t bad = system_arg;

	check_is(eventctr(HWPERF_ENSYSCNTRS, &user_arg), -EINVAL,
		 "ENSYSCNTRS without kernel mode: EINVAL");
	check_is(eventctr(HWPERF_ENSYSCNTRS, &none), -EINVAL,
		 "ENSYSCNTRS of nothing: EINVAL");
	check_is(eventctr(HWPERF_ENSYSCNTRS, NULL), -EFAULT,
		 "ENSYSCNTRS of a bad address: EFAULT");
	bad.hwp_evctrargs.hwp_evctrl[3].hwperf_creg.hwp_ev = 2047;
	bad.hwp_evctrargs.hwp_evctrl[3].hwperf_creg.hwp_mode = HWPERF_CNTEN_K;
	check_is(eventctr(HWPERF_ENSYSCNTRS, &bad), -EINVAL,
		 "ENSYSCNTRS of an event out of range: EINVAL");
	check_is(request(self, PIOCENEVCTRS, &bad), -EINVAL,
		 "PIOCENEVCTRS of an event out of range: EINVAL");
	bad = system_arg;
	bad.hwp_ovflw_freq[LOADS] = -1;
	check_is(eventctr(HWPERF_ENSYSCNTRS, &bad), -EINVAL,
		 "ENSYSCNTRS with a negative threshold: EINVAL");
	check_is(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL,
		 "none of them has begun system mode");
}

static void all_32_events(void)
{
	unsigned int ran = 0, i;

	check_above(eventctr(HWPERF_ENSYSCNTRS, &all_arg), 0,
		    "all 32 events of the system at once");
	for (i = 0; i < 100; i++)
		run_steps(STEPS);
	system_count(INSNS);
	ran += counts.hwp_evctr[0] > 0;
	ran += counts.hwp_evctr[INSNS] > 0;
	ran += counts.hwp_evctr[LOADS] > 0;
	check_is(ran, 3, "events of both counters take turns");
	check(counts.hwp_evctr[INSNS] < 100 * STEPS * STEP_INSNS,
	      "a share of the time is returned as it is", "got %llu",
	      (unsigned long long)counts.hwp_evctr[INSNS]);
	eventctr(HWPERF_RELSYSCNTRS, NULL);
}

static void outlives_who_asked(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		self = open_process(getpid());
		_exit(request(self, PIOCENEVCTRS, &system_arg) <= 0);
	}
	waitpid(pid, NULL, 0);
	check_above(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), 0,
		    "system mode outlives who has begun it");
	check_is(ask(ACQUIRE), -EBUSY, "and keeps users out");
	check_is(eventctr(HWPERF_RELSYSCNTRS, NULL), 0, "until it is ended");
}

static void setup_args(void)
{
	unsigned int i;

	want(&user_arg, INSNS, HWPERF_CNTEN_U);
	want(&user_arg, LOADS, HWPERF_CNTEN_U);
	want(&system_arg, INSNS, HWPERF_CNTEN_U);
	want(&system_arg, LOADS, MODE_UK | HWPERF_CNTEN_E);
	want(&kernel_arg, LOADS, HWPERF_CNTEN_K);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		want(&all_arg, i, HWPERF_CNTEN_A);
}

static int do_one_thing(const char *what)
{
	int ret = -EINVAL;

	if (strcmp(what, "enable") == 0)
		ret = eventctr(HWPERF_ENSYSCNTRS, &system_arg);
	if (strcmp(what, "read") == 0)
		ret = eventctr(HWPERF_GET_SYSCNTRS, &counts);
	if (strcmp(what, "control") == 0)
		ret = eventctr(HWPERF_GET_SYSEVCTRL, &ctrl);
	if (strcmp(what, "release") == 0)
		ret = eventctr(HWPERF_RELSYSCNTRS, NULL);
	printf("%s %d\n", what, ret);

	return ret < 0;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	setup_args();
	if (argc > 1)
		return do_one_thing(argv[1]);

	printf("TAP version 13\n");
	self = open_process(getpid());
	start_user();
	before_the_first();
	bad_arguments();
	counts_of_the_system();
	counts_of_a_cpu();
	control_of_the_system();
	nobody_else_counts();
	busy_while_it_is_on();
	the_release();
	the_counters_are_free();
	taken_by_force();
	taken_unseen();
	through_proc();
	in_use_at_this_moment();
	a_user_who_waits_for_the_cpu();
	all_32_events();
	outlives_who_asked();
	end_user();
	printf("1..%d\n", nr);

	return nr_failed != 0;
}
