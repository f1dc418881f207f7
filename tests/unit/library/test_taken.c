// SPDX-License-Identifier: GPL-2.0-only
/*
 * System mode takes the counters from programs in user mode. Their events are
 * software events of this machine's own kernel, by an event map. The holder is a
 * real one, but its own counters are fake.
 */
#include <sys/prctl.h>
#include <linux/perf_event.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/syssgi.h>
#include <irixperf.h>
#include "arbiter.h"
#include "children.h"
#include "fake.h"
#include "kernel.h"
#include "pages.h"
#include "process.h"
#include "set.h"
#include "sysfile.h"
#include "system.h"
#include "view.h"
#include "unit.h"

#define MANY		1000	/* faults */
#define FAULTS		15
#define SLACK		8	/* faults of the code around */
#define PATIENCE	300	/* seconds */

static hwperf_profevctrarg_t user, root_arg;
static hwperf_cntr_t counts;
static int mine;

static void put(hwperf_profevctrarg_t *arg, unsigned int mode)
{
	arg->hwp_evctrargs.hwp_evctrl[FAULTS].hwperf_creg.hwp_mode = mode & 0xf;
}

static int eventctr(int command, const void *first)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, command,
				    (uintptr_t)first, 0, 0);
}

/* The machine is a fake, but the counters that this test opens are real */
static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	fake_install_counting("[any]\n15 = page-faults\n");
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	put(&user, HWPERF_CNTEN_U);
	put(&root_arg, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	mine = open_process(getpid());

	return mine < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	eventctr(HWPERF_RELSYSCNTRS, NULL);
	ioctl(mine, PIOCRELEVCTRS);
	close(mine);

	return ixp_system_on() ? -1 : 0;
}

FIXTURE(setup, teardown);

/* Bits of closed descriptors are cleared, and those of others stay */
CASE(events_that_are_no_more_are_left_alone)
{
	struct irixperf_attr attr = { .size = sizeof(attr) };
	struct irixperf_set *set;
	struct irixperf_count count;

	NEEDS_FAULTS();
	assert_true(ioctl(mine, PIOCENEVCTRS, &user) > 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	attr.mode[FAULTS] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_set_open(&set, &attr), 0);
	assert_true(eventctr(HWPERF_ENSYSCNTRS, &root_arg) > 0);
	faults(MANY);
	assert_int_equal(irixperf_set_read(set, FAULTS, &count), 0);
	assert_in_range(count.value, MANY, 2 * MANY);
	irixperf_set_close(set);
}

/* A page may name descriptors as events that are none */
CASE(descriptors_that_are_no_events_are_left_alone)
{
	struct irixperf_set set = { .nr = 3, .fd = { 0, 1, 4000 } };
	int generation;

	NEEDS_FAULTS();
	generation = ioctl(mine, PIOCENEVCTRS, &user);
	ixp_arbiter_open(&set);
	assert_true(eventctr(HWPERF_ENSYSCNTRS, &root_arg) > 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation + 1);
}

/* A process that waits for its child, which spins or sleeps, by its order */
static int orders[2], answers[2];

static void family(bool spins)
{
	char order;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(orders[0], &order, 1) != 1)
		_exit(1);
	/* Not by the library, which would give the child events of its own */
	pid = (pid_t)syscall(SYS_fork);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pid = getpid();
		if (write(answers[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		while (spins)
			__asm__ volatile("" : : : "memory");
	}
	sleep_for_ever();
}

/* Return the error of a request for system mode beside such a family, or 0 */
static int beside_family(bool spins)
{
	pid_t pid, child;
	int fd, err;

	assert_int_equal(pipe(orders) | pipe(answers), 0);
	pid = fork();
	if (pid == 0)
		family(spins);
	fd = open_process(pid);
	assert_true(ioctl(fd, PIOCENEVCTRS, &user) > 0);
	/* The child is counted by the events that it inherits */
	assert_int_equal(write(orders[1], "", 1), 1);
	assert_int_equal(read(answers[0], &child, sizeof(child)), sizeof(child));
	wait_asleep(pid);
	if (!spins)
		wait_asleep(child);
	err = ioctl(mine, PIOCENEVCTRS, &root_arg) < 0 ? errno : 0;
	ioctl(mine, PIOCRELEVCTRS);
	ioctl(fd, PIOCRELEVCTRS);
	end_child(pid);
	close(fd);
	close(orders[0]);
	close(orders[1]);
	close(answers[0]);
	close(answers[1]);

	return err;
}

CASE(children_that_run_are_in_the_way)
{
	int err;

	NEEDS_FAULTS();
	/* At that moment another process may have its CPU: wait until it runs */
	do
		err = beside_family(true);
	while (err == 0);
	assert_int_equal(err, EBUSY);
}

CASE(children_that_sleep_are_not)
{
	NEEDS_FAULTS();
	assert_int_equal(beside_family(false), 0);
}

/* The limit for file sizes also holds for the page, which names the targets */
static int acquire_with_small_files(void)
{
	struct rlimit limit = { 4096, 4096 };
	int fd = open_process(getpid());

	setrlimit(RLIMIT_FSIZE, &limit);
	if (ioctl(fd, PIOCENEVCTRS, &user) != -1)
		return 1;

	return errno == EFBIG ? 0 : 2;
}

CASE(small_files_are_an_error)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(acquire_with_small_files());
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

/* System mode starts and stops just before the events are enabled */
static int taken_while_enabled(int fd, unsigned long request)
{
	if (request == PERF_EVENT_IOC_ENABLE) {
		ixp_kernel.perf_ioctl = real_kernel.perf_ioctl;
		assert_true(ixp_system_acquire(&root_arg, NULL, true, 0) > 0);
		assert_int_equal(eventctr(HWPERF_RELSYSCNTRS, NULL), 0);
	}

	return real_kernel.perf_ioctl(fd, request);
}

CASE(taken_in_the_midst_of_acquiring)
{
	int generation;

	NEEDS_FAULTS();
	ixp_kernel.perf_ioctl = taken_while_enabled;
	generation = ioctl(mine, PIOCENEVCTRS, &user);
	assert_true(generation > 0);
	faults(MANY);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation + 1);
	assert_in_range(counts.hwp_evctr[FAULTS], 0, SLACK);
}

/* The same in a fork, before the child has a page: it has lost its counters, too */
static int take_before_page;

int __real_memfd_create(const char *name, unsigned int flags);
int __wrap_memfd_create(const char *name, unsigned int flags);

int __wrap_memfd_create(const char *name, unsigned int flags)
{
	struct ixp_system_view last;

	if (take_before_page) {
		take_before_page = 0;
		if (ixp_system_acquire(&root_arg, NULL, true, 0) <= 0 ||
		    ixp_system_release(0, 0, &last) < 0)
			_exit(10);
	}

	return __real_memfd_create(name, flags);
}

CASE(taken_in_the_midst_of_a_fork)
{
	int generation, status;
	pid_t pid;

	NEEDS_FAULTS();
	generation = ioctl(mine, PIOCENEVCTRS, &user);
	assert_true(generation > 0);
	take_before_page = 1;
	pid = fork();
	take_before_page = 0;
	if (pid == 0) {
		int fd = open_process(getpid());
		int ret = ioctl(fd, PIOCGETEVCTRS, &counts);

		_exit(ret == generation + 1 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

int main(void)
{
	return run_cases(faults_make, NULL);
}
