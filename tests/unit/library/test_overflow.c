// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thresholds and profiles on the fake kernel: the requests that it gets, and the state
 * after it has refused one. This file is linked with the flags of irixperf.pc.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>
#include "children.h"
#include "fake.h"
#include "overflow.h"
#include "buckets.h"
#include "profile.h"
#include "plan.h"
#include "process.h"
#include "system.h"
#include "unit.h"

#define CPUS	"/sys/devices/system/cpu/present"

static hwperf_profevctrarg_t arg;
static unsigned short buckets[16];
static struct prof prof = { buckets, sizeof(buckets), 0x1000, 65536 };
static pid_t target;
static int fd, self;

static void want(unsigned int event, int n)
{
	arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U;
	arg.hwp_ovflw_freq[event] = n;
}

/* The target is a child that sleeps; the profiles are this process' own */
static int setup(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	fake.uid = 1000;
	fake_file(CPUS, "0\n");
	memset(&arg, 0, sizeof(arg));
	memset(buckets, 0, sizeof(buckets));
	arg.hwp_ovflw_sig = SIGUSR1;
	target = start_sleeper();
	fd = open_process(target);
	self = open_process(getpid());

	return target < 0 || fd < 0 || self < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(fd, PIOCRELEVCTRS);
	ioctl(self, PIOCRELEVCTRS);
	end_child(target);
	close(fd);
	close(self);

	return fake_nr_open() == 0 && fake.nr_maps == 0 ? 0 : -1;
}

/* The fake's event with this number, and how many there are */
static const struct fake_event *event_of(unsigned int event, unsigned int *nr)
{
	const struct fake_event *found = NULL;
	unsigned int i;

	*nr = 0;
	for (i = 0; i < fake.nr; i++) {
		const struct fake_event *ev = &fake.event[i];

		if (!ev->open || ev->attr.type != PERF_TYPE_RAW ||
		    (ev->attr.config & 0x1f) != event)
			continue;
		found = ev;
		++*nr;
	}

	return found;
}

static void assert_event(unsigned int event, unsigned long long period, int sig)
{
	unsigned int nr;
	const struct fake_event *ev = event_of(event, &nr);

	assert_int_equal(nr, 1);
	assert_int_equal(ev->attr.sample_period, period);
	assert_int_equal(ev->attr.sample_type, 0);
	assert_int_equal(ev->attr.wakeup_events, 0);
	assert_int_equal(ev->attr.freq, 0);
	assert_int_equal(ev->sig, sig);
	assert_int_equal(ev->owner, sig ? target : 0);
	assert_int_equal(ev->pid, target);
}

static void the_period_is_the_threshold(void **state)
{
	(void)state;
	want(9, 10000);
	want(10, 0);
	want(25, INT_MAX);
	want(26, 1);
	arg.hwp_ovflw_freq[11] = 5;	/* of an event that does not count */
	assert_true(ioctl(fd, PIOCENEVCTRS, (void *)&arg) > 0);
	assert_event(9, 10000, SIGUSR1);
	assert_event(10, 0, 0);
	assert_event(25, INT_MAX, SIGUSR1);
	assert_event(26, 1, SIGUSR1);
	assert_int_equal(fake_nr_open(), 4);
}

static void control_changes_both(void **state)
{
	(void)state;
	want(9, 10000);
	assert_true(ioctl(fd, PIOCENEVCTRS, (void *)&arg) > 0);
	want(9, 20000);
	arg.hwp_ovflw_sig = SIGUSR2;
	assert_true(ioctl(fd, PIOCSETEVCTRL, (void *)&arg) > 0);
	assert_event(9, 20000, SIGUSR2);
	arg.hwp_ovflw_sig = 0;
	assert_true(ioctl(fd, PIOCSETEVCTRL, (void *)&arg) > 0);
	assert_event(9, 0, 0);
}

/* One copy has the threshold; the others keep their shares of the counter */
static void events_with_a_threshold_are_opened_once(void **state)
{
	static const unsigned int copies[] = { 1, 2, 2 };
	unsigned int i, nr;

	(void)state;
	want(0, 10000);
	want(1, 0);
	want(2, 0);
	for (i = 16; i < 23; i++)
		want(i, i == 16 ? 5000 : 0);
	assert_true(ioctl(fd, PIOCENEVCTRS, (void *)&arg) > 0);
	for (i = 0; i < ARRAY_SIZE(copies); i++) {
		event_of(i, &nr);
		assert_int_equal(nr, copies[i]);
	}
	assert_event(0, 10000, SIGUSR1);
	assert_event(16, 5000, SIGUSR1);
	assert_int_equal(fake_nr_open(), 5 + 7);
	assert_int_equal(fake_nr_enabled(), 5 + 7);
}

static void plans_keep_one_copy(void **state)
{
	struct ixp_plan plan = { .nr_pairs = 0 }, once;
	unsigned int i, half;

	(void)state;
	ixp_plan_make(&plan, 0xffff0003, false);
	once = plan;
	ixp_plan_once(&once, 0x00000002);
	assert_int_equal(once.nr_pairs, plan.nr_pairs);
	for (i = 0; i < plan.nr_pairs; i++)
		for (half = 0; half < 2; half++)
			assert_int_equal(once.pair[i][half],
					 plan.pair[i][half] == 1 && i > 1 ? -1 :
					 plan.pair[i][half]);
	once = plan;
	ixp_plan_once(&once, 0);
	assert_memory_equal(&once, &plan, sizeof(plan));
}

static void signals_that_the_c_library_keeps(void **state)
{
	(void)state;
	want(9, 10000);
	arg.hwp_ovflw_sig = 32;
	assert_true(SIGRTMIN > 32);
	assert_fails(ioctl(fd, PIOCENEVCTRS, (void *)&arg), EINVAL);
	arg.hwp_ovflw_freq[9] = 0;
	assert_true(ioctl(fd, PIOCENEVCTRS, (void *)&arg) > 0);
	arg.hwp_ovflw_freq[9] = 10000;
	arg.hwp_ovflw_sig = 31;
	assert_true(ioctl(fd, PIOCENEVCTRS, (void *)&arg) > 0);
	assert_event(9, 10000, 31);
}

/* The earlier events continue to count, with their thresholds */
static void refusals_change_nothing(void **state)
{
	int generation;

	(void)state;
	want(9, 10000);
	generation = ioctl(fd, PIOCENEVCTRS, (void *)&arg);
	assert_true(generation > 0);
	want(9, 20000);
	want(25, 20000);
	fake.signal_err = -EMFILE;
	assert_fails(ioctl(fd, PIOCSETEVCTRL, (void *)&arg), EMFILE);
	fake.signal_err = 0;
	fake.open_fail_at = (int)fake.nr + 1;
	fake.open_err = -EOPNOTSUPP;
	assert_fails(ioctl(fd, PIOCSETEVCTRL, (void *)&arg), EOPNOTSUPP);
	assert_int_equal(fake_nr_open(), 1);
	assert_int_equal(fake_nr_enabled(), 1);
	assert_event(9, 10000, SIGUSR1);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRL, (void *)&arg), generation);
}

/* An overflow in system mode could interrupt any program */
static void none_in_system_mode(void **state)
{
	(void)state;
	fake.uid = 0;
	want(9, 10000);
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_mode = HWPERF_CNTEN_K;
	assert_int_equal(ixp_system_check(&arg, false), -ENOTSUP);
	arg.hwp_ovflw_sig = 0;
	assert_int_equal(ixp_system_check(&arg, false), 0);
	arg.hwp_ovflw_sig = SIGUSR1;
	arg.hwp_ovflw_freq[9] = 0;
	assert_int_equal(ixp_system_check(&arg, false), 0);
}

/* Profiles */

static long profile(void)
{
	return syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &prof, 1);
}

static void put_sample(uint64_t pc)
{
	struct perf_event_mmap_page *page = fake.map;
	unsigned char *ring = (unsigned char *)fake.map + page->data_offset;
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE, .size = 16,
	};

	memcpy(ring + page->data_head, &header, sizeof(header));
	memcpy(ring + page->data_head + 8, &pc, sizeof(pc));
	page->data_head += 16;
}

static void put_last_sample(void)
{
	put_sample(0x1002);
}

static void samples_go_into_buckets(void **state)
{
	const struct fake_event *ev;
	unsigned int nr;

	(void)state;
	want(9, 10000);
	want(25, 0);
	assert_true(profile() > 0);
	ev = event_of(9, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(ev->attr.sample_period, 10000);
	assert_int_equal(ev->attr.sample_type, PERF_SAMPLE_IP);
	assert_int_equal(ev->attr.inherit_thread, 1);
	assert_int_equal(ev->sig, SIGURG);
	assert_int_equal(ev->owner, getpid());
	assert_true(ev->ring >= FAKE_FD);
	assert_int_equal(event_of(25, &nr)->ring, 0);
	assert_int_equal(fake_nr_open(), 3);

	put_sample(0x1000);
	put_sample(0x101f);
	put_sample(0x101e);
	put_sample(0x1020);
	raise(SIGURG);
	assert_int_equal(buckets[0], 1);
	assert_int_equal(buckets[15], 2);
	fake.on_disable = put_last_sample;
	assert_int_equal(ioctl(self, PIOCRELEVCTRS), 0);
	assert_int_equal(buckets[1], 1);
	assert_int_equal(fake_nr_open(), 0);
	assert_int_equal(fake.nr_maps, 0);
	raise(SIGURG);
}

/* On several CPUs, where threads could write at the same time, they have no part */
static void threads_need_a_single_cpu(void **state)
{
	unsigned int nr;

	(void)state;
	fake_file(CPUS, "0-1\n");
	want(9, 10000);
	want(25, 0);
	assert_true(profile() > 0);
	assert_int_equal(event_of(9, &nr)->attr.inherit_thread, 0);
	assert_int_equal(event_of(9, &nr)->attr.inherit, 0);
	assert_int_equal(event_of(25, &nr)->attr.inherit, 0);
	arg.hwp_ovflw_sig = SIGUSR1;
	assert_true(ioctl(self, PIOCENEVCTRS, (void *)&arg) > 0);
	assert_int_equal(event_of(9, &nr)->attr.inherit_thread, 1);
}

static void small_rings_will_do(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	(void)state;
	want(9, 10000);
	fake.map_max = 2 * page;
	assert_true(profile() > 0);
	assert_int_equal(fake.map_size, 2 * page);
	fake.map_max = page;
	assert_fails(profile(), ENOMEM);
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(fake.nr_maps, 1);
	put_sample(0x1000);
	raise(SIGURG);
	assert_int_equal(buckets[0], 1);
}

static void failures_leave_nothing(void **state)
{
	unsigned int i;

	(void)state;
	want(9, 10000);
	want(25, 10000);
	fake.signal_err = -EMFILE;
	assert_fails(profile(), EMFILE);
	fake.signal_err = 0;
	for (i = 0; i < 3; i++) {
		fake.open_fail_at = (int)(fake.nr + i);
		fake.open_err = -ENOMEM;
		assert_fails(profile(), ENOMEM);
		fake.open_fail_at = -1;
	}
	fake.enable_err = -EIO;
	assert_fails(profile(), EIO);
	fake.enable_err = 0;
	assert_int_equal(fake_nr_open(), 0);
	assert_int_equal(fake.nr_maps, 0);
}

/* A new profile replaces the old one, without losing the old one's samples */
static void profiles_follow_each_other(void **state)
{
	unsigned short second[16] = { 0 };

	(void)state;
	want(9, 10000);
	assert_true(profile() > 0);
	put_sample(0x1000);
	prof.pr_base = second;
	assert_true(profile() > 0);
	prof.pr_base = buckets;
	assert_int_equal(buckets[0], 1);
	put_sample(0x1000);
	put_sample(0x1004);
	raise(SIGURG);
	assert_int_equal(buckets[0] + buckets[2], 1);
	assert_int_equal(second[0], 1);
	assert_int_equal(second[2], 1);
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(fake.nr_maps, 1);
}

/* Not even root gets it: a profile is of one process */
static void kernel_mode_is_no_system_mode(void **state)
{
	unsigned int nr;

	(void)state;
	want(9, 10000);
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U | HWPERF_CNTEN_K;
	fake.uid = 0;
	assert_true(profile() > 0);
	assert_int_equal(event_of(9, &nr)->cpu, -1);
	assert_int_equal(event_of(9, &nr)->pid, getpid());
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(the_period_is_the_threshold),
	TEST(control_changes_both),
	TEST(events_with_a_threshold_are_opened_once),
	cmocka_unit_test(plans_keep_one_copy),
	TEST(signals_that_the_c_library_keeps),
	TEST(refusals_change_nothing),
	TEST(none_in_system_mode),
	TEST(samples_go_into_buckets),
	TEST(threads_need_a_single_cpu),
	TEST(small_rings_will_do),
	TEST(failures_leave_nothing),
	TEST(profiles_follow_each_other),
	TEST(kernel_mode_is_no_system_mode),
};

UNIT_MAIN(tests)
