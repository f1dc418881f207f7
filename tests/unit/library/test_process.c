// SPDX-License-Identifier: GPL-2.0-only
/*
 * What interfaces that are not IRIX's use, above all libpmc: what is refused, and what many
 * children leave behind. Page faults are counted, by the kernel. conformance:pmc tests the
 * rest: events that change while counts go on, a process' own counts apart from its children's.
 */
#include <sys/procfs.h>
#include <irixperf.h>
#include "children.h"
#include "descriptors.h"
#include "fake.h"
#include "kernel.h"
#include "unit.h"

#define FAULTS		15
#define SLACK		200	/* faults that the library, the tests and fork(2) add */
#define CHILDREN	100
#define PATIENCE	300	/* seconds */

static int count_faults(void)
{
	unsigned char mode[IRIXPERF_EVENTS] = { [FAULTS] = HWPERF_CNTEN_U };

	return irixperf_process_count(mode);
}

static struct irixperf_process look(void)
{
	struct irixperf_process now = { .size = sizeof(now) };

	assert_true(irixperf_process_read(&now) > 0);

	return now;
}

CASE(nothing_is_counted_before)
{
	struct irixperf_process now = { .size = sizeof(now) - 1 };

	assert_int_equal(irixperf_process_read(NULL), -EINVAL);
	assert_int_equal(irixperf_process_read(&now), -EINVAL);
	now.size = sizeof(now);
	assert_int_equal(irixperf_process_read(&now), -EINVAL);
	assert_int_equal(irixperf_children_save(), 0);
	now = look();
	assert_int_equal(now.own[FAULTS], 0);
	assert_int_equal(now.children[FAULTS], 0);
}

/* An event that the map lacks changes nothing */
CASE(a_refused_change_is_none)
{
	unsigned char mode[IRIXPERF_EVENTS] = { [1] = HWPERF_CNTEN_U };
	struct irixperf_process before;

	assert_true(count_faults() > 0);
	before = look();
	assert_int_equal(irixperf_process_count(mode), -EINVAL);
	touch_pages();
	assert_in_range(look().own[FAULTS] - before.own[FAULTS], PAGES, PAGES + SLACK);
}

/* Nobody waits and nobody reads: the links of those that have exited go all the same */
CASE(many_children_leave_nothing)
{
	const int nr = nr_descriptors();
	struct irixperf_process before;
	pid_t pid = -1;
	int i, alive[2];
	char byte;

	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(irixperf_children_save(), 0);
	assert_true(count_faults() > 0);
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

CASE(addresses_are_checked)
{
	uint64_t value = 7, copy = 0;

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
	fake_install_counting("[any]\n15 = page-faults\n");

	return 0;
}

FIXTURE(setup, NULL);

UNIT_MAIN()
