// SPDX-License-Identifier: GPL-2.0-only
/* Sets of events: the requests to the kernel, and all ways in which it can refuse. */
#include <linux/perf_event.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "fake.h"
#include "mode.h"
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

FIXTURE(setup, teardown);

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

CASE(a_pair_is_one_group)
{
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

CASE(asks_for_plain_counting)
{
	const struct perf_event_attr *pea = &fake.event[0].attr;

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

/* By the driver's rules, the attributes give the same mode bits U, S, K, E again */
CASE(modes_become_the_same_register)
{
	unsigned int mode;

	for (mode = 1; mode < 16; mode++) {
		struct perf_event_attr pea = { .size = sizeof(pea), .config = 21 };
		unsigned int exl, got;

		ixp_mode_apply(&pea, mode);
		assert_int_equal(pea.config & 0x1f, 21);
		assert_int_equal(pea.config & ~UINT64_C(0x31f), 0);
		exl = pea.config >> 8 & 3;
		assert_in_range(exl, 0, 2);
		got = (pea.exclude_user ? 0 : 8) | (pea.exclude_hv ? 0 : 4) |
		      (pea.exclude_kernel ? 0 : 2) |
		      (exl == 1 || (exl == 0 && !pea.exclude_kernel));
		assert_int_equal(got, mode);
	}
}

CASE(all_events_are_sixteen_pairs)
{
	unsigned int i;

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

CASE(flags_reach_the_kernel)
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

		setup(NULL);
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

CASE(enable_and_disable_move_all_pairs)
{
	want_all();
	attr.flags = IRIXPERF_DISABLED;
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake_nr_enabled(), 0);
	assert_int_equal(irixperf_set_enable(set), 0);
	assert_int_equal(fake_nr_enabled(), 32);
	assert_int_equal(irixperf_set_disable(set), 0);
	assert_int_equal(fake_nr_enabled(), 0);
}

CASE(reads_what_the_kernel_says)
{
	struct irixperf_count count;

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
CASE(events_open_twice_are_added_up)
{
	struct irixperf_count count;
	unsigned int i;

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

CASE(running_never_exceeds_enabled)
{
	struct irixperf_count count;

	want(0);
	fake.time_running = 1001;
	assert_int_equal(open_set(), 0);
	assert_int_equal(irixperf_set_read(set, 0, &count), 0);
	assert_int_equal(count.running, 1000);
}

CASE(failed_reads_change_nothing)
{
	struct irixperf_count count = { 1, 2, 3 };

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

CASE(any_failing_open_leaves_nothing_open)
{
	int at;

	for (at = 0; at < 32; at++) {
		setup(NULL);
		want_all();
		fake.open_fail_at = at;
		fake.open_err = -EMFILE;
		assert_int_equal(open_set(), -EMFILE);
		assert_null(set);
		assert_int_equal(fake_nr_open(), 0);
	}
}

CASE(a_failing_enable_leaves_nothing_open)
{
	want_all();
	fake.enable_err = -EBUSY;
	assert_int_equal(open_set(), -EBUSY);
	assert_null(set);
	assert_int_equal(fake_nr_open(), 0);
}

/* The caller gets the kernel's error, but EPERM for EACCES, as on IRIX */
CASE(errors_of_the_kernel)
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

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		want(0);
		fake.open_fail_at = 0;
		fake.open_err = cases[i].kernel;
		assert_int_equal(open_set(), cases[i].ours);
	}
}

CASE(improper_attributes)
{
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
CASE(half_of_a_pair_is_never_kept)
{
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
CASE(a_refused_pair_is_tried_again)
{
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
CASE(a_pair_refused_for_good_is_an_error)
{
	want(9);
	want(25);
	fake.group_err = -EINVAL;
	assert_int_equal(open_set(), -EINVAL);
	assert_int_equal(fake.nr, 1);
	assert_int_equal(fake_nr_open(), 0);
}

CASE(others_have_the_counters)
{
	want(0);
	fake.taken = 1;
	assert_int_equal(open_set(), 0);
	assert_int_equal(ixp_set_starts(set, true, 0), -EBUSY);
}

/* System mode has stopped the events, and their time stands still */
CASE(whoever_is_stopped_does_not_wait_for_ever)
{
	want(0);
	fake.time_running = 0;
	assert_int_equal(open_set(), 0);
	assert_int_equal(ixp_set_starts(set, true, 0), 0);
}

CASE(no_pmu)
{
	want(0);
	fake_remove_pmu();
	assert_int_equal(open_set(), -ENODEV);
	assert_int_equal(fake.nr, 0);
}

CASE(the_r12000_pairs_any_two)
{
	fake_install(R12000_V35);
	want(1);
	want(2);
	assert_int_equal(open_set(), 0);
	assert_int_equal(fake.nr, 2);
	assert_int_equal(fake.event[1].group, FAKE_FD);
}

UNIT_MAIN()
