// SPDX-License-Identifier: GPL-2.0-only
/*
 * What interfaces that are not IRIX's use: events that change while counts go on, and a
 * process' own counts apart from its children's. Page faults are counted, by the kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "children.h"
#include "descriptors.h"
#include "fake.h"
#include "kernel.h"
#include "unit.h"

#define FAULTS		15
#define OTHER		9	/* page faults as well */
#define SLACK		200	/* faults that the library, the tests and fork(2) add */
#define CHILDREN	100
#define PATIENCE	300	/* seconds */

static int count(bool faults, bool other)
{
	unsigned char mode[IRIXPERF_EVENTS] = { 0 };

	mode[FAULTS] = faults ? HWPERF_CNTEN_U : 0;
	mode[OTHER] = other ? HWPERF_CNTEN_U : 0;

	return irixperf_process_count(mode);
}

static struct irixperf_process look(void)
{
	struct irixperf_process now = { .size = sizeof(now) };

	assert_true(irixperf_process_read(&now) > 0);

	return now;
}

static void nothing_is_counted_before(void **state)
{
	struct irixperf_process now = { .size = sizeof(now) - 1 };

	(void)state;
	assert_int_equal(irixperf_process_read(NULL), -EINVAL);
	assert_int_equal(irixperf_process_read(&now), -EINVAL);
	now.size = sizeof(now);
	assert_int_equal(irixperf_process_read(&now), -EINVAL);
	assert_int_equal(irixperf_children_save(), 0);
	now = look();
	assert_int_equal(now.own[FAULTS], 0);
	assert_int_equal(now.children[FAULTS], 0);
}

/* What this process has counted since then */
static uint64_t own(const struct irixperf_process *before, unsigned int event)
{
	return look().own[event] - before->own[event];
}

/* Each event keeps its count while it is off, and while others come and go */
static void counts_go_on(void **state)
{
	struct irixperf_process before;
	int generation = count(true, false);

	(void)state;
	assert_true(generation > 0);
	before = look();
	touch_pages();
	assert_int_equal(count(true, true), generation + 1);
	touch_pages();
	assert_int_equal(count(false, true), generation + 2);
	touch_pages();
	assert_in_range(own(&before, FAULTS), 2 * PAGES, 2 * PAGES + SLACK);
	assert_in_range(own(&before, OTHER), 2 * PAGES, 2 * PAGES + SLACK);
	assert_int_equal(count(false, false), generation + 3);
	touch_pages();
	assert_int_equal(count(true, false), generation + 4);
	assert_in_range(own(&before, FAULTS), 2 * PAGES, 2 * PAGES + SLACK);
	touch_pages();
	assert_in_range(own(&before, FAULTS), 3 * PAGES, 3 * PAGES + SLACK);
	assert_in_range(own(&before, OTHER), 2 * PAGES, 2 * PAGES + SLACK);
	assert_int_equal(look().children[FAULTS], 0);
}

/* An event that the map lacks changes nothing */
static void a_refused_change_is_none(void **state)
{
	unsigned char mode[IRIXPERF_EVENTS] = { [1] = HWPERF_CNTEN_U };
	struct irixperf_process before;

	(void)state;
	assert_true(count(true, false) > 0);
	before = look();
	assert_int_equal(irixperf_process_count(mode), -EINVAL);
	touch_pages();
	assert_in_range(own(&before, FAULTS), PAGES, PAGES + SLACK);
}

/* A child that changes its own events, and has a child */
static void child(void)
{
	pid_t pid;

	touch_pages();
	count(false, false);
	count(true, false);
	pid = start_child(touch_pages);
	waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	/* as exit(3) does it */
	irixperf_children_sync();
}

static void children_are_counted_apart(void **state)
{
	struct irixperf_process before, after;
	siginfo_t info;
	pid_t pid;

	(void)state;
	assert_int_equal(irixperf_children_save(), 0);
	assert_true(count(true, false) > 0);
	before = look();
	pid = start_child(child);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	after = look();
	assert_in_range(after.children[FAULTS] - before.children[FAULTS], 2 * PAGES,
			2 * PAGES + 2 * SLACK);
	assert_in_range(after.own[FAULTS] - before.own[FAULTS], 0, SLACK);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(look().children[FAULTS], after.children[FAULTS]);
}

/* Nobody waits and nobody reads: the links of those that have exited go all the same */
static void many_children_leave_nothing(void **state)
{
	const int nr = nr_descriptors();
	struct irixperf_process before;
	pid_t pid = -1;
	int i, alive[2];
	char byte;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(irixperf_children_save(), 0);
	assert_true(count(true, false) > 0);
	before = look();
	for (i = 0; i < CHILDREN; i++) {
		assert_int_equal(pipe(alive), 0);
		pid = start_child(touch_pages);
		if (pid < 0)
			fail();
		close(alive[1]);
		/* The end of the pipe is that of the child */
		assert_int_equal(read(alive[0], &byte, 1), 0);
		close(alive[0]);
	}
	assert_in_range(nr_descriptors(), 0, nr + CHILDREN / 2);
	/* The last one's counts are added after that. A wait returns when it is gone */
	assert_int_equal(waitpid(pid, NULL, 0), -1);
	assert_in_range(look().children[FAULTS] - before.children[FAULTS],
			CHILDREN * PAGES, CHILDREN * (PAGES + SLACK));
	signal(SIGCHLD, SIG_DFL);
}

static void addresses_are_checked(void **state)
{
	uint64_t value = 7, copy = 0;

	(void)state;
	assert_int_equal(irixperf_copy_from(&copy, &value, sizeof(copy)), 0);
	assert_int_equal(copy, 7);
	assert_int_equal(irixperf_copy_from(&copy, NULL, sizeof(copy)), -EFAULT);
	assert_int_equal(irixperf_copy_to((void *)-8L, &value, sizeof(value)), -EFAULT);
	value = 8;
	assert_int_equal(irixperf_copy_to(&copy, &value, sizeof(value)), 0);
	assert_int_equal(copy, 8);
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	fake_install_counting("[any]\n9 = page-faults\n15 = page-faults\n");

	return 0;
}

#define CASE(test) cmocka_unit_test_setup(test, setup)

static const struct CMUnitTest tests[] = {
	CASE(nothing_is_counted_before),
	CASE(counts_go_on),
	CASE(a_refused_change_is_none),
	CASE(children_are_counted_apart),
	CASE(many_children_leave_nothing),
	CASE(addresses_are_checked),
};

UNIT_MAIN(tests)
