// SPDX-License-Identifier: GPL-2.0-only
/* Sets of events: the requests to the kernel, and all ways in which it can refuse. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "fake.h"
#include "set.h"
#include "unit.h"

static struct irixperf_attr attr;
static struct irixperf_set *set;

static int setup(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.pid = 4711;
	set = NULL;

	return 0;
}

static int teardown(void **state)
{
	(void)state;
	irixperf_set_close(set);
	set = NULL;

	return fake_nr_open() == 0 ? 0 : -1;
}

static void want(unsigned int event)
{
	attr.mode[event] = HWPERF_CNTEN_U;
}

static void want_all(void)
{
	memset(attr.mode, HWPERF_CNTEN_U, sizeof(attr.mode));
}

static int open_set(void)
{
	return irixperf_set_open(&set, &attr);
}

static void a_pair_is_one_group(void **state)
{
	(void)state;
	want(9);
	want(25);
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 2);
	assert_int_equal(fake.event[0].group, -1);
	assert_int_equal(fake.event[1].group, FAKE_FD);
	assert_int_equal(fake.event[0].pid, 4711);
	assert_int_equal(fake.event[1].pid, 4711);
	assert_int_equal(fake_nr_enabled(), 2);
}

static void asks_for_plain_counting(void **state)
{
	const struct perf_event_attr *pea = &fake.event[0].attr;

	(void)state;
	want(21);
	assert_int_equal(open_set(), 0);
	assert_int_equal(pea->type, PERF_TYPE_RAW);
	assert_int_equal(pea->size, sizeof(*pea));
	assert_int_equal(pea->config, 21);
	assert_int_equal(pea->sample_period, 0);
	assert_int_equal(pea->pinned, 0);
	assert_int_equal(pea->exclusive, 0);
	assert_int_equal(pea->inherit, 0);
	assert_int_equal(pea->exclude_user, 0);
	assert_int_equal(pea->exclude_kernel, 1);
	assert_int_equal(pea->exclude_hv, 1);
	assert_int_equal(pea->read_format, PERF_FORMAT_GROUP |
			 PERF_FORMAT_TOTAL_TIME_ENABLED |
			 PERF_FORMAT_TOTAL_TIME_RUNNING);
}

static void all_events_are_sixteen_pairs(void **state)
{
	unsigned int i;

	(void)state;
	want_all();
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 32);
	for (i = 0; i < 32; i += 2) {
		assert_int_equal(fake.event[i].group, -1);
		assert_int_equal(fake.event[i + 1].group, FAKE_FD + (int)i);
		assert_int_equal(fake.event[i].attr.config, i / 2);
		assert_int_equal(fake.event[i + 1].attr.config, 16 + i / 2);
	}
}

static void flags_reach_the_kernel(void **state)
{
	static const struct {
		unsigned int flags;
		unsigned int inherit, thread, on_exec, enabled;
	} cases[] = {
		{ 0, 0, 0, 0, 2 },
		{ IRIXPERF_INHERIT, 1, 0, 0, 2 },
		{ IRIXPERF_INHERIT_THREAD, 1, 1, 0, 2 },
		{ IRIXPERF_INHERIT | IRIXPERF_INHERIT_THREAD, 1, 0, 0, 2 },
		{ IRIXPERF_DISABLED, 0, 0, 0, 0 },
		{ IRIXPERF_ENABLE_ON_EXEC, 0, 0, 1, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct perf_event_attr *leader = &fake.event[0].attr;
		const struct perf_event_attr *other = &fake.event[1].attr;

		setup(state);
		want(0);
		want(16);
		attr.flags = cases[i].flags;
		assert_int_equal(open_set(), 0);
		assert_int_equal(leader->inherit, cases[i].inherit);
		assert_int_equal(other->inherit, cases[i].inherit);
		assert_int_equal(leader->inherit_thread, cases[i].thread);
		assert_int_equal(leader->enable_on_exec, cases[i].on_exec);
		assert_int_equal(other->disabled, 0);
		assert_int_equal(fake_nr_enabled(), cases[i].enabled);
		irixperf_set_close(set);
		set = NULL;
	}
}

static void enable_and_disable_move_all_pairs(void **state)
{
	(void)state;
	want_all();
	attr.flags = IRIXPERF_DISABLED;
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake_nr_enabled(), 0);
	assert_int_equal(irixperf_set_enable(set), 0);
	assert_int_equal(fake_nr_enabled(), 32);
	assert_int_equal(irixperf_set_disable(set), 0);
	assert_int_equal(fake_nr_enabled(), 0);
}

static void reads_what_the_kernel_says(void **state)
{
	struct irixperf_count count;

	(void)state;
	want(9);
	want(25);
	fake.time_running = 500;
	assert_int_equal(open_set(), 0);
	assert_int_equal(irixperf_set_read(set, 25, &count), 0);
	assert_int_equal(count.value, 125);
	assert_int_equal(count.enabled, 1000);
	assert_int_equal(count.running, 500);
}

/* Two events of counter 0 beside four of counter 1: each is open twice */
static void events_open_twice_are_added_up(void **state)
{
	struct irixperf_count count;
	unsigned int i;

	(void)state;
	want(1);
	want(2);
	for (i = 16; i < 20; i++)
		want(i);
	fake.time_running = 250;
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 8);
	assert_int_equal(irixperf_set_read(set, 1, &count), 0);
	assert_int_equal(count.value, 2 * 101);
	assert_int_equal(count.enabled, 1000);
	assert_int_equal(count.running, 500);
	assert_int_equal(irixperf_set_read(set, 16, &count), 0);
	assert_int_equal(count.value, 116);
	assert_int_equal(count.running, 250);
}

static void running_never_exceeds_enabled(void **state)
{
	struct irixperf_count count;

	(void)state;
	want(0);
	fake.time_running = 1001;
	assert_int_equal(open_set(), 0);
	assert_int_equal(irixperf_set_read(set, 0, &count), 0);
	assert_int_equal(count.running, 1000);
}

static void failed_reads_change_nothing(void **state)
{
	struct irixperf_count count = { 1, 2, 3 };

	(void)state;
	want(0);
	assert_int_equal(open_set(), 0);
	assert_int_equal(irixperf_set_read(set, 1, &count), -ENOENT);
	fake.read_err = -EBADF;
	assert_int_equal(irixperf_set_read(set, 0, &count), -EBADF);
	fake.read_err = 0;
	fake.read_short = true;
	assert_int_equal(irixperf_set_read(set, 0, &count), -EIO);
	assert_int_equal(count.value, 1);
	assert_int_equal(count.enabled, 2);
	assert_int_equal(count.running, 3);
}

static void any_failing_open_leaves_nothing_open(void **state)
{
	int at;

	for (at = 0; at < 32; at++) {
		setup(state);
		want_all();
		fake.open_fail_at = at;
		fake.open_err = -EMFILE;
		assert_int_equal(open_set(), -EMFILE);
		assert_null(set);
		assert_int_equal(fake_nr_open(), 0);
	}
}

static void a_failing_enable_leaves_nothing_open(void **state)
{
	(void)state;
	want_all();
	fake.enable_err = -EBUSY;
	assert_int_equal(open_set(), -EBUSY);
	assert_null(set);
	assert_int_equal(fake_nr_open(), 0);
}

/* The caller gets the kernel's error, but EPERM for EACCES, as on IRIX */
static void errors_of_the_kernel(void **state)
{
	static const struct {
		int kernel;
		int ours;
	} cases[] = {
		{ -EACCES, -EPERM }, { -EPERM, -EPERM }, { -ESRCH, -ESRCH },
		{ -EBUSY, -EBUSY }, { -EMFILE, -EMFILE }, { -EINVAL, -EINVAL },
		{ -ENOMEM, -ENOMEM }, { -ENOSYS, -ENOSYS },
		{ -ENOENT, -ENODEV }, { -ENODEV, -ENODEV },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		want(0);
		fake.open_fail_at = 0;
		fake.open_err = cases[i].kernel;
		assert_int_equal(open_set(), cases[i].ours);
	}
}

static void improper_attributes(void **state)
{
	(void)state;
	assert_int_equal(open_set(), -EINVAL);
	want(0);
	attr.size--;
	assert_int_equal(open_set(), -EINVAL);
	attr.size++;
	attr.flags = 0x80;
	assert_int_equal(open_set(), -EINVAL);
	attr.flags = 0;
	attr.pid = -1;
	assert_int_equal(open_set(), -EINVAL);
	attr.pid = 0;
	attr.mode[31] = 0x10;
	assert_int_equal(open_set(), -EINVAL);
	attr.mode[31] = HWPERF_CNTEN_S;
	fake.uid = 1;
	assert_int_equal(open_set(), -EPERM);
	assert_int_equal(fake.nr, 0);
}

/* Each time a thread is started between two opens */
static void half_of_a_pair_is_never_kept(void **state)
{
	(void)state;
	want(9);
	want(25);
	attr.flags = IRIXPERF_INHERIT_THREAD;
	fake.read_err = -ECHILD;
	assert_int_equal(open_set(), -EAGAIN);
	assert_null(set);
	assert_true(fake.nr > 2);
	assert_int_equal(fake_nr_open(), 0);
}

/* Each time a thread and its child exchange contexts between two opens */
static void a_refused_pair_is_tried_again(void **state)
{
	(void)state;
	want(9);
	want(25);
	attr.flags = IRIXPERF_INHERIT_THREAD;
	fake.group_err = -EINVAL;
	assert_int_equal(open_set(), -EAGAIN);
	assert_null(set);
	assert_true(fake.nr > 2);
	assert_int_equal(fake_nr_open(), 0);
}

/* No thread can be started, so trying again would not help */
static void a_pair_refused_for_good_is_an_error(void **state)
{
	(void)state;
	want(9);
	want(25);
	fake.group_err = -EINVAL;
	assert_int_equal(open_set(), -EINVAL);
	assert_int_equal(fake.nr, 1);
	assert_int_equal(fake_nr_open(), 0);
}

static void others_have_the_counters(void **state)
{
	(void)state;
	want(0);
	fake.taken = 1;
	assert_int_equal(open_set(), 0);
	assert_int_equal(ixp_set_starts(set, true, 0), -EBUSY);
}

/* System mode has stopped the events, and their time stands still */
static void whoever_is_stopped_does_not_wait_for_ever(void **state)
{
	(void)state;
	want(0);
	fake.time_running = 0;
	assert_int_equal(open_set(), 0);
	assert_int_equal(ixp_set_starts(set, true, 0), 0);
}

static void no_pmu(void **state)
{
	(void)state;
	want(0);
	fake_remove_pmu();
	assert_int_equal(open_set(), -ENODEV);
	assert_int_equal(fake.nr, 0);
}

static void the_r12000_pairs_any_two(void **state)
{
	(void)state;
	fake_install(R12000_V35);
	want(1);
	want(2);
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 2);
	assert_int_equal(fake.event[1].group, FAKE_FD);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_pair_is_one_group),
	TEST(asks_for_plain_counting),
	TEST(all_events_are_sixteen_pairs),
	TEST(flags_reach_the_kernel),
	TEST(enable_and_disable_move_all_pairs),
	TEST(reads_what_the_kernel_says),
	TEST(events_open_twice_are_added_up),
	TEST(running_never_exceeds_enabled),
	TEST(failed_reads_change_nothing),
	TEST(any_failing_open_leaves_nothing_open),
	TEST(a_failing_enable_leaves_nothing_open),
	TEST(errors_of_the_kernel),
	TEST(improper_attributes),
	TEST(half_of_a_pair_is_never_kept),
	TEST(a_refused_pair_is_tried_again),
	TEST(a_pair_refused_for_good_is_an_error),
	TEST(others_have_the_counters),
	TEST(whoever_is_stopped_does_not_wait_for_ever),
	TEST(no_pmu),
	TEST(the_r12000_pairs_any_two),
};

UNIT_MAIN(tests)
