// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many threads use the library at once, and signal handlers interrupt them. The
 * kernel is this machine's own, with software events. make tsan runs this under
 * ThreadSanitizer, and valgrind runs it, too. A deadlock ends with SIGKILL.
 *
 * THREADS_ROUNDS=N	how often each thread does its work at least (10)
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/procfs.h>
#include <sys/syscall.h>
#include <sys/syssgi.h>
#include <time.h>
#include <invent.h>
#include <irixperf.h>
#include <sys/sysmp.h>
#include "children.h"
#include "process.h"
#include "set.h"
#include "unit.h"

#define PATIENCE	300	/* seconds; after so many, and one a round, it is a deadlock */
#define CHILDREN	8	/* at a time, for the handler of SIGCHLD */
#define THREADS		16
#define FAULTS		15

static hwperf_profevctrarg_t arg;
static unsigned int rounds = 10;
static atomic_uint nr_busy, nr_failed, nr_handled, nr_forked, nr_reaped;
static int mine, other;
static pid_t sleeper;

/* Threads must not assert: cmocka's assertions work in one thread only */
static void expect(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "# broken: %s: %s\n", what, strerror(errno));
	atomic_fetch_add(&nr_failed, 1);
}

static void choose(hwperf_profevctrarg_t *to, unsigned int event)
{
	struct hwperf_ctrlreg *reg =
		&to->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_mode = HWPERF_CNTEN_U;
	reg->hwp_ev = event & 0x7ff;
}

/* What threads do over and over again */

static void read_all(int fd)
{
	hwperf_prusage_t usage;
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t counts;

	expect(ioctl(fd, PIOCGETEVCTRS, &counts) > 0, "PIOCGETEVCTRS");
	expect(ioctl(fd, PIOCGETPREVCTRS, &usage) > 0, "PIOCGETPREVCTRS");
	expect(ioctl(fd, PIOCGETEVCTRL, &ctrl) > 0 || errno == EINVAL,
	       "PIOCGETEVCTRL");
}

static void read_mine(void)
{
	read_all(mine);
}

static void read_other(void)
{
	read_all(other);
}

static void change(int fd)
{
	hwperf_profevctrarg_t more = arg;

	choose(&more, 26);
	expect(ioctl(fd, PIOCENEVCTRS, &more) > 0, "PIOCENEVCTRS");
	expect(ioctl(fd, PIOCSETEVCTRL, &arg) > 0, "PIOCSETEVCTRL");
	/* Another thread may have released them */
	expect(ioctl(fd, PIOCRELEVCTRS) == 0 || errno == EINVAL,
	       "PIOCRELEVCTRS");
	expect(ioctl(fd, PIOCSETEVCTRL, &more) > 0, "PIOCSETEVCTRL anew");
}

static void change_mine(void)
{
	change(mine);
}

static void change_other(void)
{
	change(other);
}

/* A child with counters of its own, which allocates memory and ends */
static void be_child(void)
{
	hwperf_cntr_t counts;
	char *memory = malloc(1000);
	int fd = open_process(getpid());

	if (ioctl(fd, PIOCGETEVCTRS, &counts) <= 0)
		_exit(1);
	free(memory);
	_exit(0);
}

static void have_child(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		be_child();
	expect(pid > 0, "fork");
	if (pid & 1)
		expect(ioctl(mine, PIOCSAVECCNTRS, (long)pid) == 0,
		       "PIOCSAVECCNTRS");
	expect(waitpid(pid, &status, 0) == pid && status == 0,
	       "a child ends well");
}

static void run_shells(void)
{
	FILE *stream;

	expect(system("exit 3") == 3 << 8, "system");
	stream = popen("cat >/dev/null", "w");
	expect(stream && pclose(stream) == 0, "popen");
}

static void have_set(void)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };
	struct irixperf_count count;
	struct irixperf_set *set;

	attr.mode[FAULTS] = HWPERF_CNTEN_U;
	expect(irixperf_set_open(&set, &attr) == 0, "irixperf_set_open");
	expect(irixperf_set_read(set, FAULTS, &count) == 0,
	       "irixperf_set_read");
	irixperf_set_close(set);
}

static void ask(void)
{
	inv_state_t *state = NULL;
	struct irixperf_cpu cpu;
	char text[256];

	expect(irixperf_cpu_detect(&cpu) == 0, "irixperf_cpu_detect");
	expect(irixperf_event_counterpart(cpu.chip, FAULTS),
	       "irixperf_event_counterpart");
	expect(irixperf_map_file(), "irixperf_map_file");
	irixperf_set_explain(-EINVAL, NULL, text, sizeof(text));
	expect(setinvent_r(&state) == 0 && getinvent_r(state), "setinvent_r");
	endinvent_r(state);
	expect(sysmp(MP_NPROCS) > 0 && get_cpu() >= 0, "sysmp");
	expect(syssgi(SGI_CYCLECNTR_SIZE) == 64, "syssgi");
}

static void *read_for_ever(void *nr)
{
	hwperf_cntr_t counts;

	for (;;) {
		ioctl(mine, PIOCGETEVCTRS, &counts);
		ioctl(other, PIOCSETEVCTRL, &arg);
		__atomic_fetch_add((unsigned int *)nr, 1, __ATOMIC_SEQ_CST);
		pthread_testcancel();
	}

	return NULL;
}

/* A thread that is cancelled in a request must not block the others */
static void cancel(void)
{
	unsigned int nr = 0;
	pthread_t thread;

	expect(pthread_create(&thread, NULL, read_for_ever, &nr) == 0,
	       "pthread_create");
	while (__atomic_load_n(&nr, __ATOMIC_SEQ_CST) == 0)
		sched_yield();
	pthread_cancel(thread);
	pthread_join(thread, NULL);
}

/* Fork a child for the handler of SIGCHLD, which may run in any thread */
static void have_orphan(void)
{
	pid_t pid;

	while (nr_forked >= nr_reaped + CHILDREN)
		sched_yield();
	pid = fork();
	if (pid == 0)
		be_child();
	expect(pid > 0, "fork");
	if (pid > 0)
		atomic_fetch_add(&nr_forked, 1);
}

/* Handlers */

static void reader(int sig)
{
	hwperf_cntr_t counts;
	int saved = errno;

	(void)sig;
	expect(ioctl(mine, PIOCGETEVCTRS, &counts) > 0, "a handler reads");
	atomic_fetch_add(&nr_handled, 1);
	errno = saved;
}

static void reaper(int sig)
{
	int saved = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		atomic_fetch_add(&nr_reaped, 1);
	errno = saved;
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction action = {
		.sa_handler = handler, .sa_flags = SA_RESTART,
	};

	sigaction(sig, &action, NULL);
}

/* Send this process a signal every half millisecond; any thread may get it */
static timer_t start_timer(void)
{
	const struct itimerspec often = { { 0, 500000 }, { 0, 500000 } };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1,
	};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0 ||
	    timer_settime(timer, 0, &often, NULL) < 0)
		abort();

	return timer;
}

/* Many threads, each until all have done their rounds */

static void *repeat(void *what)
{
	void (**run)(void) = what;
	unsigned int i = 0;

	do {
		(*run)();
		if (++i == rounds)
			atomic_fetch_sub(&nr_busy, 1);
	} while (nr_busy > 0);

	return NULL;
}

static void run_together(void (**what)(void), unsigned int nr)
{
	pthread_t thread[THREADS];
	unsigned int i;

	nr_busy = nr;
	for (i = 0; i < nr; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, repeat,
						&what[i]), 0);
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(nr_failed, 0);
}

/* No thread can block this signal, and none needs to run for it */
static void watch(void)
{
	const struct itimerspec once = { .it_value = { PATIENCE + rounds, 0 } };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL,
	};
	static timer_t timer;
	static bool made;

	if (!made && timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		abort();
	made = true;
	timer_settime(timer, 0, &once, NULL);
}

/* Each test starts with counters of its own process and of another one */
static int setup(void **state)
{
	(void)state;
	watch();
	nr_failed = nr_handled = nr_forked = nr_reaped = 0;
	memset(&arg, 0, sizeof(arg));
	choose(&arg, FAULTS);
	sleeper = start_sleeper();
	mine = open_process(getpid());
	other = open_process(sleeper);
	if (ioctl(mine, PIOCENEVCTRS, &arg) > 0 &&
	    ioctl(other, PIOCENEVCTRS, &arg) > 0)
		return 0;
	print_message("# PIOCENEVCTRS: %s\n", strerror(errno));

	return errno == EPERM || errno == EACCES ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	signal(SIGCHLD, SIG_DFL);
	signal(SIGUSR1, SIG_IGN);
	ioctl(other, PIOCRELEVCTRS);
	ioctl(mine, PIOCRELEVCTRS);
	end_child(sleeper);
	close(mine);
	close(other);

	return 0;
}

FIXTURE(setup, teardown);

/* Containers and perf_event_paranoid 3 forbid all counters */
static void need_counters(void)
{
	hwperf_eventctrl_t ctrl;

	if (ioctl(mine, PIOCGETEVCTRL, &ctrl) < 0)
		skip();
}

CASE(everything_at_once)
{
	static void (*what[])(void) = {
		read_mine, read_other, change_mine, change_other, have_child,
		have_child, have_set, ask,
	};
	timer_t timer;

	need_counters();
	handle(SIGUSR1, reader);
	timer = start_timer();
	run_together(what, ARRAY_SIZE(what));
	while (nr_handled == 0)
		sched_yield();
	timer_delete(timer);
}

CASE(shells_run_beside)
{
	static void (*what[])(void) = {
		read_mine, change_mine, run_shells, run_shells, have_child,
	};

	need_counters();
	run_together(what, ARRAY_SIZE(what));
}

CASE(threads_are_cancelled)
{
	static void (*what[])(void) = {
		read_mine, change_other, cancel, cancel, have_child,
	};

	need_counters();
	run_together(what, ARRAY_SIZE(what));
}

/* No child is forgotten, whatever the handler has interrupted, and in which thread */
CASE(a_handler_waits_for_children)
{
	static void (*what[])(void) = {
		have_orphan, have_orphan, read_mine, change_mine, have_set,
	};

	need_counters();
	handle(SIGCHLD, reaper);
	run_together(what, ARRAY_SIZE(what));
	signal(SIGCHLD, SIG_DFL);
	kill(sleeper, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		nr_reaped++;
	assert_true(nr_forked > 0);
	assert_int_equal(nr_reaped, nr_forked + 1);
}

int main(void)
{
	const char *text = getenv("THREADS_ROUNDS");

	if (text)
		rounds = strtoul(text, NULL, 10);
	setenv("IRIXPERF_EVENTMAP", MAPS "/software.map", 1);

	return run_cases(NULL, NULL);
}
