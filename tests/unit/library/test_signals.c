// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals of overflows on this machine's own kernel, with page faults by an event
 * map. Nothing is a fake. This file is linked with the flags of irixperf.pc.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "faults.h"

#define N		5000
#define PATIENCE	60	/* seconds */

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static int fd;

/* What the handler has seen */
static volatile unsigned int nr_signals, nr_of[HWPERF_EVENTMAX];
static volatile int last_code, last_event;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int event = irixperf_overflow_event(info->si_fd);

	(void)sig;
	(void)context;
	nr_signals++;
	last_code = info->si_code;
	last_event = event;
	if (event >= 0 && event < HWPERF_EVENTMAX)
		nr_of[event]++;
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};

	assert_int_equal(sigaction(sig, &action, NULL), 0);
}

/* Block signals: one in between would be forgotten only in part */
static void forget_signals(void)
{
	sigset_t set, old;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	nr_signals = 0;
	memset((void *)nr_of, 0, sizeof(nr_of));
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	memset(&arg, 0, sizeof(arg));
	arg.hwp_ovflw_sig = SIGUSR1;
	handle(SIGUSR1, on_signal);
	fd = open_process(getpid());
	forget_signals();

	return fd < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(fd, PIOCRELEVCTRS);
	close(fd);
	signal(SIGUSR1, SIG_DFL);

	return 0;
}

static unsigned long long count_of(unsigned int event)
{
	assert_true(ioctl(fd, PIOCGETEVCTRS, (void *)&counts) > 0);

	return counts.hwp_evctr[event];
}

/* Read the count first, because reading it may cause a fault */
static void assert_signals(unsigned int event, unsigned int n)
{
	unsigned long long nr = count_of(event) / n;

	assert_int_equal(nr_signals, nr);
}

static void acquire(void)
{
	assert_true(ioctl(fd, PIOCENEVCTRS, (void *)&arg) > 0);
}

/* Page faults are exact: so is the number of signals */
static void a_signal_each_n_times(void **state)
{
	static const int n[] = { 7, 10, 100, 1000, N - 1, 3 * N };
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	for (i = 0; i < ARRAY_SIZE(n); i++) {
		want(&arg, FAULTS, n[i]);
		ioctl(fd, PIOCRELEVCTRS);	/* or a fault is the last one's */
		nr_signals = 0;
		acquire();
		faults(N);
		assert_true(count_of(FAULTS) >= N);
		assert_signals(FAULTS, (unsigned int)n[i]);
	}
}

static void only_where_it_is_asked_for(void **state)
{
	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 10);
	arg.hwp_ovflw_sig = 0;
	acquire();
	faults(N);
	assert_true(count_of(FAULTS) >= N);
	want(&arg, FAULTS, 0);
	arg.hwp_ovflw_sig = SIGUSR1;
	acquire();
	faults(N);
	assert_true(count_of(FAULTS) >= N);
	want(&arg, NOTHING, 1);
	arg.hwp_ovflw_freq[FAULTS_1] = 10;	/* of an event that does not count */
	acquire();
	faults(N);
	assert_int_equal(nr_signals, 0);
}

/* If both overflow at the same fault, two pending signals become one */
static void handlers_know_the_event(void **state)
{
	unsigned long long nr;

	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 10);
	want(&arg, FAULTS_1, 35);
	acquire();
	faults(N);
	nr = count_of(FAULTS);
	assert_in_range(nr_of[FAULTS], nr / 10 - nr / 70, nr / 10);
	assert_in_range(nr_of[FAULTS_1], nr / 35 - nr / 70 - 1, nr / 35);
	assert_in_range(nr_signals, nr / 10 + nr / 35 - nr / 70 - 1,
			nr / 10 + nr / 35);
	assert_int_equal(nr_signals, nr_of[FAULTS] + nr_of[FAULTS_1]);
	assert_int_equal(last_code, POLL_IN);
}

/* Without 32, which is the C library's own, and signals that cannot be handled */
static void signals_from_1_to_31(void **state)
{
	struct sigaction old;
	int sig;

	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS_1, 1000);
	for (sig = 1; sig < 32; sig++) {
		if (sig == SIGKILL || sig == SIGSTOP)
			continue;
		sigaction(sig, NULL, &old);
		handle(sig, on_signal);
		nr_signals = 0;
		last_code = 0;
		arg.hwp_ovflw_sig = sig;
		acquire();
		faults(N);
		assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
		sigaction(sig, &old, NULL);
		assert_int_equal(nr_signals, N / 1000);
		assert_int_equal(last_event, FAULTS_1);
		assert_true(last_code == POLL_IN || last_code == SI_SIGIO);
	}
	arg.hwp_ovflw_sig = 32;
	errno = 0;
	assert_int_equal(ioctl(fd, PIOCENEVCTRS, (void *)&arg), -1);
	assert_int_equal(errno, EINVAL);
}

static void control_changes_threshold_and_signal(void **state)
{
	int generation;

	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 100);
	generation = ioctl(fd, PIOCENEVCTRS, (void *)&arg);
	faults(N);
	assert_signals(FAULTS, 100);
	want(&arg, FAULTS, 500);
	nr_signals = 0;
	assert_true(ioctl(fd, PIOCSETEVCTRL, (void *)&arg) > generation);
	faults(N);
	assert_signals(FAULTS, 500);
	signal(SIGUSR1, SIG_DFL);
	handle(SIGUSR2, on_signal);
	arg.hwp_ovflw_sig = SIGUSR2;
	nr_signals = 0;
	assert_true(ioctl(fd, PIOCSETEVCTRL, (void *)&arg) > 0);
	faults(N);
	assert_signals(FAULTS, 500);
	signal(SIGUSR2, SIG_DFL);
}

static void none_after_the_release(void **state)
{
	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 10);
	acquire();
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	nr_signals = 0;
	faults(N);
	assert_int_equal(nr_signals, 0);
}

/* Like PAPI, find out by the counts which event has passed its threshold */
static void on_signal_read(int sig, siginfo_t *info, void *context)
{
	static hwperf_cntr_t seen;

	on_signal(sig, info, context);
	if (ioctl(fd, PIOCGETEVCTRS, (void *)&seen) <= 0 ||
	    seen.hwp_evctr[FAULTS] / 10 < nr_signals)
		abort();
}

/* If a request held a lock when the signal came, the handler would wait for ever */
static void handlers_read_counters(void **state)
{
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	handle(SIGUSR1, on_signal_read);
	want(&arg, FAULTS, 10);
	acquire();
	for (i = 0; i < N / 100; i++) {
		faults(100);
		count_of(FAULTS);
	}
	assert_signals(FAULTS, 10);
}

static volatile unsigned int in_handler, nr_allocations;

static void on_signal_watched(int sig, siginfo_t *info, void *context)
{
	in_handler = 1;
	on_signal_read(sig, info, context);
	in_handler = 0;
}

static void on_malloc(const volatile void *at, size_t size)
{
	(void)at;
	(void)size;
	nr_allocations += in_handler;
}

static void on_free(const volatile void *at)
{
	(void)at;
	nr_allocations += in_handler;
}

/* A function of AddressSanitizer and other sanitizers */
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(
	void (*on_malloc)(const volatile void *, size_t),
	void (*on_free)(const volatile void *));

/*
 * A handler that interrupts malloc() must not call it. The first read after a change
 * has the most to do.
 */
static void handlers_allocate_nothing(void **state)
{
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	if (!__sanitizer_install_malloc_and_free_hooks)
		skip();
	assert_true(__sanitizer_install_malloc_and_free_hooks(on_malloc,
							      on_free) > 0);
	handle(SIGUSR1, on_signal_watched);
	want(&arg, FAULTS, 10);
	acquire();
	for (i = 0; i < 50; i++) {
		nr_signals = 0;
		assert_true(ioctl(fd, PIOCSETEVCTRL, (void *)&arg) > 0);
		faults(25);
		assert_true(nr_signals >= 2);
	}
	assert_int_equal(nr_allocations, 0);
}

/*
 * Two signals that come before one is handled are one: wait in between. Each thread has its
 * own count to the next signal, but the kernel may exchange those of two threads when it
 * changes from one to the other. So a signal is only certain after twice as many faults.
 */
static void *work(void *unused)
{
	unsigned int i;

	for (i = 1; i <= N / 200; i++) {
		faults(200);
		while (nr_signals < i)
			sched_yield();
	}

	return unused;
}

static void threads_started_later(void **state)
{
	pthread_t thread;

	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 100);
	acquire();
	assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_in_range(nr_signals, N / 200, count_of(FAULTS) / 100);
	assert_int_equal(last_event, FAULTS);
}

/* Other processes */

struct result {
	unsigned int nr;
	unsigned int nr_event;
	unsigned long long count;
};

static int wait_status(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);

	return status;
}

static void report(int to)
{
	struct result result = { nr_signals, nr_of[FAULTS], 0 };
	int self = open_process(getpid());

	if (ioctl(self, PIOCGETEVCTRS, (void *)&counts) > 0)
		result.count = counts.hwp_evctr[FAULTS];
	_exit(write(to, &result, sizeof(result)) != sizeof(result));
}

/* A process with its own handler, which works on request */
static void target_works(int from, int to)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(from, &byte, 1) != 1)
		_exit(1);
	faults(N);
	report(to);
}

static void the_target_gets_them(void **state)
{
	int go[2], back[2], status, target;
	struct result result;
	pid_t pid;

	(void)state;
	NEEDS_FAULTS();
	assert_int_equal(pipe(go) | pipe(back), 0);
	pid = fork();
	if (pid == 0)
		target_works(go[0], back[1]);
	target = open_process(pid);
	want(&arg, FAULTS, 10);
	assert_true(ioctl(target, PIOCENEVCTRS, (void *)&arg) > 0);
	faults(N);
	assert_int_equal(write(go[1], "", 1), 1);
	assert_int_equal(read(back[0], &result, sizeof(result)), sizeof(result));
	status = wait_status(pid);
	assert_int_equal(status, 0);
	assert_int_equal(nr_signals, 0);
	assert_in_range(result.nr, N / 10, N / 10 + 10);
	assert_int_equal(result.nr_event, result.nr);
	close(target);
}

static void children_inherit_them(void **state)
{
	struct result result;
	int back[2];
	pid_t pid;

	(void)state;
	NEEDS_FAULTS();
	assert_int_equal(pipe(back), 0);
	want(&arg, FAULTS, 10);
	acquire();
	faults(N);
	pid = fork();
	if (pid == 0) {
		forget_signals();
		faults(2 * N > FAULTS_MAX ? FAULTS_MAX : 2 * N);
		report(back[1]);
	}
	assert_int_equal(read(back[0], &result, sizeof(result)), sizeof(result));
	assert_int_equal(wait_status(pid), 0);
	/* The child has some signals before it sets nr_signals to 0 */
	assert_in_range(result.nr, result.count / 10 - 10, result.count / 10);
	assert_true(result.count >= FAULTS_MAX);
	assert_int_equal(result.nr_event, result.nr);
	/* The parent has none of them */
	assert_in_range(nr_signals, N / 10, N / 10 + 100);
}

/* The next program has no handler, so a signal would end it */
static void they_end_with_the_program(void **state)
{
	pid_t pid;

	(void)state;
	NEEDS_FAULTS();
	pid = fork();
	if (pid == 0) {
		want(&arg, FAULTS, 1);
		if (ioctl(open_process(getpid()), PIOCENEVCTRS, (void *)&arg) <= 0)
			_exit(1);
		execl("/bin/sh", "sh", "-c", "exit 7", NULL);
		_exit(2);
	}
	assert_int_equal(wait_status(pid), 7 << 8);
}

static void they_come_back_if_exec_fails(void **state)
{
	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 10);
	acquire();
	execl("/nonexistent", "nothing", NULL);
	nr_signals = 0;
	faults(N);
	assert_in_range(nr_signals, N / 10 - 1, N / 10 + 10);
}

static void descriptors_say_the_event(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 4 * IRIXPERF_EVENTS; i++)
		assert_int_equal(irixperf_overflow_event((int)i),
				 i % IRIXPERF_EVENTS);
	assert_int_equal(irixperf_overflow_event(-1), -EINVAL);
}

/* The low descriptor numbers, which programs expect from open(), stay free */
static void all_events_at_once(void **state)
{
	unsigned long long nr;
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		want(&arg, i, 1000000);
	arg.hwp_ovflw_freq[FAULTS] = 100;
	acquire();
	faults(N);
	nr = count_of(FAULTS) / 100;
	assert_int_equal(nr_of[FAULTS], nr);
	i = (unsigned int)dup(fd);
	assert_in_range(i, 3, IRIXPERF_EVENTS);
	close((int)i);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(a_signal_each_n_times, setup, teardown),
	cmocka_unit_test_setup_teardown(only_where_it_is_asked_for, setup, teardown),
	cmocka_unit_test_setup_teardown(handlers_know_the_event, setup, teardown),
	cmocka_unit_test_setup_teardown(signals_from_1_to_31, setup, teardown),
	cmocka_unit_test_setup_teardown(control_changes_threshold_and_signal, setup, teardown),
	cmocka_unit_test_setup_teardown(none_after_the_release, setup, teardown),
	cmocka_unit_test_setup_teardown(handlers_read_counters, setup, teardown),
	cmocka_unit_test_setup_teardown(handlers_allocate_nothing, setup, teardown),
	cmocka_unit_test_setup_teardown(threads_started_later, setup, teardown),
	cmocka_unit_test_setup_teardown(the_target_gets_them, setup, teardown),
	cmocka_unit_test_setup_teardown(children_inherit_them, setup, teardown),
	cmocka_unit_test_setup_teardown(they_end_with_the_program, setup, teardown),
	cmocka_unit_test_setup_teardown(they_come_back_if_exec_fails, setup, teardown),
	cmocka_unit_test(descriptors_say_the_event),
	cmocka_unit_test_setup_teardown(all_events_at_once, setup, teardown),
};

int main(void)
{
	setenv("IRIXPERF_EVENTMAP", MAPS "/software.map", 1);

	return cmocka_run_group_tests(tests, faults_make, NULL) != 0;
}
