// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes with several threads. A real process starts and ends threads on request,
 * also while its events are being opened. The events are fakes, which record the
 * threads that they belong to.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <linux/perf_event.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include "fake.h"
#include "kernel.h"
#include "thread.h"
#include "unit.h"

#define MAX_THREADS	300
#define PATIENCE	60	/* seconds */

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static pid_t target, thread[MAX_THREADS];
static unsigned int nr_threads;
static int fd, sock[2];

/* The target: each thread but the first has a pipe, and ends when it closes */

static int pipes[MAX_THREADS][2];

static void *thread_run(void *pipe)
{
	pid_t tid = (pid_t)syscall(SYS_gettid);
	char byte;

	if (write(sock[1], &tid, sizeof(tid)) != sizeof(tid) ||
	    read(*(int *)pipe, &byte, 1) != 0)
		abort();

	return NULL;
}

static void target_run(void)
{
	pthread_t threads[MAX_THREADS];
	unsigned int nr = 0, oldest = 0;
	char command;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(sock[1], &command, 1) == 1) {
		/* Say so, and run until the next byte comes */
		if (command == '~' && write(sock[1], &command, 1) != 1)
			abort();
		while (command == '~' && recv(sock[1], &command, 1, MSG_DONTWAIT) < 0)
			;
		if (command == '+') {
			if (nr == MAX_THREADS || pipe(pipes[nr]) < 0 ||
			    pthread_create(&threads[nr], NULL, thread_run,
					   &pipes[nr][0]))
				abort();
			nr++;
			continue;
		}
		close(pipes[oldest][1]);
		pthread_join(threads[oldest], NULL);
		close(pipes[oldest++][0]);
		if (write(sock[1], &command, 1) != 1)
			abort();
	}
	_exit(0);
}

/* In the test: start a thread, or end the oldest one */

static void thread_added(void)
{
	pid_t tid;

	assert_int_equal(read(sock[0], &tid, sizeof(tid)), sizeof(tid));
	assert_in_range(nr_threads, 0, MAX_THREADS - 1);
	thread[nr_threads++] = tid;
}

static void thread_add(void)
{
	assert_int_equal(write(sock[0], "+", 1), 1);
	thread_added();
}

/* Wait for the list: the kernel removes a thread a moment after it can be joined */
static void thread_end(void)
{
	char name[64], byte;
	unsigned int i;

	assert_int_equal(write(sock[0], "-", 1), 1);
	assert_int_equal(read(sock[0], &byte, 1), 1);
	snprintf(name, sizeof(name), "/proc/%d/task/%d", target, thread[1]);
	while (access(name, F_OK) == 0)
		usleep(100);
	nr_threads--;
	for (i = 1; i < nr_threads; i++)
		thread[i] = thread[i + 1];
}

static int setup(void **state)
{
	char name[32];

	(void)state;
	alarm(PATIENCE);
	fake_install(R10000_V34);
	memset(&arg, 0, sizeof(arg));
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sock) < 0)
		return -1;
	target = fork();
	if (target == 0)
		target_run();
	thread[0] = target;
	nr_threads = 1;
	snprintf(name, sizeof(name), "/proc/%05d", target);
	fd = open(name, O_RDWR);

	return fd < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(fd, PIOCRELEVCTRS);
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
	close(fd);
	close(sock[0]);
	close(sock[1]);

	return fake_nr_open() == 0 ? 0 : -1;
}

FIXTURE(setup, teardown);

static unsigned int events_of(pid_t tid)
{
	unsigned int i, nr = 0;

	for (i = 0; i < fake.nr; i++)
		nr += fake.event[i].open && fake.event[i].pid == tid;

	return nr;
}

/* Each thread has one event, and there are no other events */
static void check_threads(void)
{
	unsigned int i;

	for (i = 0; i < nr_threads; i++)
		assert_int_equal(events_of(thread[i]), 1);
	assert_int_equal(fake_nr_open(), nr_threads);
	assert_int_equal(fake_nr_enabled(), nr_threads);
	for (i = 0; i < fake.nr; i++)
		assert_true(!fake.event[i].open || fake.event[i].attr.inherit);
}

CASE(all_threads_are_counted)
{
	unsigned int i;

	for (i = 1; i < 200; i++)
		thread_add();
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	check_threads();
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[9], 200 * 109);
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	assert_int_equal(fake_nr_open(), 0);
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[9], 200 * 109);
}

CASE(changes_are_for_all_threads)
{
	thread_add();
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	check_threads();
	thread_add();
	assert_true(ioctl(fd, PIOCSETEVCTRL, &arg) > 0);
	check_threads();
	thread_end();
	assert_true(ioctl(fd, PIOCSETEVCTRL, &arg) > 0);
	check_threads();
	thread_end();
	assert_true(ioctl(fd, PIOCSETEVCTRL, &arg) > 0);
	assert_int_equal(nr_threads, 1);
	check_threads();
}

/* What happens in the target before event number n is opened */
static int (*fake_open)(struct perf_event_attr *attr, pid_t pid, int cpu,
			int group);
static void (*happens)(unsigned int n);
static unsigned int nr_opens;

static int open_meanwhile(struct perf_event_attr *attr, pid_t pid, int cpu,
			  int group)
{
	char name[64];

	happens(nr_opens++);
	snprintf(name, sizeof(name), "/proc/%d/task/%d", target, pid);
	if (access(name, F_OK) < 0)
		return -ESRCH;

	return fake_open(attr, pid, cpu, group);
}

static void meanwhile(void (*what)(unsigned int n))
{
	happens = what;
	nr_opens = 0;
	fake_open = ixp_kernel.perf_open;
	ixp_kernel.perf_open = open_meanwhile;
}

static void add_at_first(unsigned int n)
{
	if (n == 0)
		thread_add();
}

CASE(a_second_thread_meanwhile)
{
	meanwhile(add_at_first);
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(nr_threads, 2);
	check_threads();
}

/* The library waits for a second at most, which never ends here */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){ .tv_sec = 1000 };

	return 0;
}

/* The target runs, and calls clone(2) when the library waits: then it reads a clock */
static bool cloned;

static void clone_now(void)
{
	if (!cloned)
		assert_int_equal(write(sock[0], "+", 1), 1);
	cloned = true;
}

static ssize_t (*fake_read)(int event, void *buf, size_t size);

static ssize_t read_late(int event, void *buf, size_t size)
{
	clone_now();

	return fake_read(event, buf, size);
}

static void run_at_first(unsigned int n)
{
	char byte;

	if (n > 0)
		return;
	assert_int_equal(write(sock[0], "~", 1), 1);
	assert_int_equal(read(sock[0], &byte, 1), 1);
}

CASE(a_clone_that_takes_long)
{
	meanwhile(run_at_first);
	fake_read = ixp_kernel.perf_read;
	ixp_kernel.perf_read = read_late;
	cloned = false;
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	clone_now();
	thread_added();
	check_threads();
}

CASE(a_clone_that_takes_long_of_one_of_many)
{
	thread_add();
	a_clone_that_takes_long();
}

static void add_often(unsigned int n)
{
	if (n % 3 == 0 && n < 20)
		thread_add();
}

CASE(more_threads_meanwhile)
{
	thread_add();
	thread_add();
	meanwhile(add_often);
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_in_range(nr_threads, 6, 20);
	check_threads();
}

/* A thread ends before its event can be opened: the others are counted */
static void end_at_second(unsigned int n)
{
	if (n == 1)
		thread_end();
}

CASE(a_thread_ends_meanwhile)
{
	thread_add();
	thread_add();
	meanwhile(end_at_second);
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(nr_threads, 2);
	check_threads();
}

static void another_each_time(unsigned int n)
{
	(void)n;
	thread_end();
	thread_add();
}

/* Each look at the threads finds a new one */
CASE(never_an_end)
{
	int generation;

	thread_add();
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	meanwhile(another_each_time);
	assert_int_equal(ioctl(fd, PIOCSETEVCTRL, &arg), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(fake_nr_enabled(), 2);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[9], 2 * 109);
}

static void end_all(unsigned int n)
{
	if (n > 0)
		return;
	kill(target, SIGKILL);
	waitid(P_PID, (id_t)target, NULL, WEXITED | WNOWAIT);
}

static int open_of_the_dead(struct perf_event_attr *attr, pid_t pid, int cpu,
			    int group)
{
	(void)attr;
	(void)pid;
	(void)cpu;
	(void)group;
	end_all(nr_opens++);

	return -ESRCH;
}

CASE(all_threads_end_meanwhile)
{
	thread_add();
	nr_opens = 0;
	ixp_kernel.perf_open = open_of_the_dead;
	assert_int_equal(ioctl(fd, PIOCENEVCTRS, &arg), -1);
	assert_int_equal(errno, ESRCH);
}

CASE(too_few_descriptors)
{
	int generation, i;

	thread_add();
	thread_add();
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	fake.open_err = -EMFILE;
	for (i = 0; i < 3; i++) {
		fake.open_fail_at = (int)fake.nr + i;
		assert_int_equal(ioctl(fd, PIOCENEVCTRS, &arg), -1);
		assert_int_equal(errno, EMFILE);
		check_threads();
		assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	}
}

/* The kernel has no counter for the second thread: the old events go on */
static unsigned int nr_enables;

static int (*fake_ioctl)(int event, unsigned long request);

static int enable_once(int event, unsigned long request)
{
	if (request == PERF_EVENT_IOC_ENABLE && nr_enables++ == 1)
		return -ENOSPC;

	return fake_ioctl(event, request);
}

CASE(a_failed_enable)
{
	int generation;

	thread_add();
	thread_add();
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	fake_ioctl = ixp_kernel.perf_ioctl;
	ixp_kernel.perf_ioctl = enable_once;
	nr_enables = 0;
	assert_int_equal(ioctl(fd, PIOCSETEVCTRL, &arg), -1);
	assert_int_equal(errno, ENOSPC);
	check_threads();
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
}

UNIT_MAIN()
