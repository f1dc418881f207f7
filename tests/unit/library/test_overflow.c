// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thresholds and profiles on the fake kernel: the requests that it gets, and the state
 * after it has refused one. This file is linked with the flags of irixperf.pc.
 */
#include <limits.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
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
static struct prof prof;
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
	prof = (struct prof){ buckets, sizeof(buckets), 0x1000, 65536 };
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

FIXTURE(setup, teardown);

static long profile_of(int nr)
{
	return syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &prof, nr);
}

static long profile(void)
{
	return profile_of(1);
}

/* This comes first: a process keeps what its last profile has to tell */
CASE(nothing_to_tell_without_one)
{
	struct irixperf_profile_stat stat = { .size = 8 };

	assert_int_equal(irixperf_profile_stat(&stat), -EINVAL);
	stat.size = sizeof(stat);
	assert_int_equal(irixperf_profile_stat(&stat), -EINVAL);
	want(9, 10000);
	prof.pr_base = (void *)16;
	assert_fails(profile(), EFAULT);
	assert_fails(ioctl(self, PIOCGETEVCTRL, (void *)&arg), EINVAL);
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

CASE(the_period_is_the_threshold)
{
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

CASE(control_changes_both)
{
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
CASE(events_with_a_threshold_are_opened_once)
{
	static const unsigned int copies[] = { 1, 2, 2 };
	unsigned int i, nr;

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

CASE_WITH(plans_keep_one_copy, NULL, NULL)
{
	struct ixp_plan plan = { .nr_pairs = 0 }, once;
	unsigned int i, half;

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

CASE(signals_that_the_c_library_keeps)
{
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
CASE(refusals_change_nothing)
{
	int generation;

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

CASE_WITH(descriptors_say_the_event, NULL, NULL)
{
	int i;

	for (i = 0; i < 4 * IRIXPERF_EVENTS; i++)
		assert_int_equal(irixperf_overflow_event(i), i % IRIXPERF_EVENTS);
	assert_int_equal(irixperf_overflow_event(-1), -EINVAL);
}

/* An overflow in system mode could interrupt any program */
CASE(none_in_system_mode)
{
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

static struct irixperf_profile_stat stat_of(void)
{
	struct irixperf_profile_stat stat = { .size = sizeof(stat) };

	assert_int_equal(irixperf_profile_stat(&stat), 0);

	return stat;
}

static void put_record(uint32_t type, const uint64_t *words, size_t nr)
{
	struct perf_event_mmap_page *page = fake.map;
	unsigned char *ring = (unsigned char *)fake.map + page->data_offset;
	struct perf_event_header header = {
		.type = type, .size = (uint16_t)(sizeof(header) + nr * sizeof(*words)),
	};

	memcpy(ring + page->data_head, &header, sizeof(header));
	memcpy(ring + page->data_head + sizeof(header), words, nr * sizeof(*words));
	page->data_head += header.size;
}

static void put_sample(uint64_t pc)
{
	put_record(PERF_RECORD_SAMPLE, &pc, 1);
}

static void put_last_sample(void)
{
	put_sample(0x1002);
}

CASE(samples_go_into_buckets)
{
	const struct fake_event *ev;
	unsigned int nr;

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

CASE(calls_bring_them_up_to_date)
{
	hwperf_cntr_t counts;

	want(9, 10000);
	assert_true(profile() > 0);
	put_sample(0x1000);
	assert_true(ioctl(self, PIOCGETEVCTRS, (void *)&counts) > 0);
	assert_int_equal(buckets[0], 1);
	put_sample(0x1000);
	assert_int_equal(stat_of().samples, 2);
	assert_int_equal(buckets[0], 2);
}

/* The scale is in 65536ths: two bytes of buckets for two bytes of code */
CASE(scales)
{
	static const struct {
		unsigned long scale;
		unsigned int code;	/* bytes for each bucket */
	} row[] = {
		{ 65536, 2 }, { 32768, 4 }, { 16384, 8 }, { 2048, 64 }, { 1024, 128 },
	};
	size_t i;

	want(9, 10000);
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		memset(buckets, 0, sizeof(buckets));
		prof.pr_scale = row[i].scale;
		assert_true(profile() > 0);
		put_sample(0x1000 + 5 * row[i].code);
		put_sample(0x1000 + 6 * row[i].code - 1);
		put_sample(0x1000 + 6 * row[i].code);
		raise(SIGURG);
		assert_int_equal(buckets[5], 2);
		assert_int_equal(buckets[6], 1);
		assert_int_equal(stat_of().samples, 3);
	}
}

CASE(regions_that_count_nothing)
{
	static const struct prof none[] = {
		{ buckets, sizeof(buckets), 0x1000, 0 },
		{ buckets, sizeof(buckets), 0x1000, 1 },
		{ buckets, 1, 0x1000, 65536 },
	};
	size_t i;

	want(9, 10000);
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		prof = none[i];
		assert_true(profile() > 0);
		put_sample(0x1000);
		raise(SIGURG);
		assert_int_equal(buckets[0], 0);
		assert_int_equal(stat_of().samples, 0);
		assert_int_equal(stat_of().outside, 1);
	}
}

CASE(full_buckets_stay_full)
{
	want(9, 10000);
	buckets[0] = 0xffff;
	assert_true(profile() > 0);
	put_sample(0x1000);
	put_sample(0x1002);
	raise(SIGURG);
	assert_int_equal(buckets[0], 0xffff);
	assert_int_equal(buckets[1], 1);
	assert_int_equal(stat_of().samples, 1);
	assert_int_equal(stat_of().full, 1);
}

/* The kernel says how many samples had no room in the ring */
CASE(what_is_lost_is_told)
{
	static const uint64_t lost[] = { 0, 7 }, throttled[] = { 0, 0, 0 };

	want(9, 10000);
	assert_true(profile() > 0);
	put_record(PERF_RECORD_LOST, lost, ARRAY_SIZE(lost));
	put_record(PERF_RECORD_THROTTLE, throttled, ARRAY_SIZE(throttled));
	put_sample(0x1000);
	raise(SIGURG);
	assert_int_equal(buckets[0], 1);
	assert_int_equal(stat_of().samples, 1);
	assert_int_equal(stat_of().lost, 7);
	assert_int_equal(stat_of().throttled, 1);
}

/* The events count on, with signals instead of samples */
CASE(control_ends_it)
{
	const struct fake_event *ev;
	unsigned int nr;
	long generation;

	want(9, 10000);
	generation = profile();
	assert_true(generation > 0);
	put_sample(0x1000);
	assert_true(ioctl(self, PIOCSETEVCTRL, (void *)&arg) > generation);
	assert_int_equal(buckets[0], 1);
	assert_int_equal(fake.nr_maps, 0);
	ev = event_of(9, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(ev->attr.sample_type, 0);
	assert_int_equal(ev->sig, SIGUSR1);
	assert_int_equal(fake_nr_enabled(), 1);
}

/* On several CPUs, where threads could write at the same time, they have no part */
CASE(threads_need_a_single_cpu)
{
	unsigned int nr;

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

CASE(small_rings_will_do)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

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

CASE(failures_leave_nothing)
{
	unsigned int i;

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
CASE(profiles_follow_each_other)
{
	unsigned short second[16] = { 0 };

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

CASE(wrong_input)
{
	hwperf_profevctrarg_t good;
	long generation;

	want(9, 10000);
	good = arg;
	generation = profile();
	assert_true(generation > 0);
	assert_fails(profile_of(0), EINVAL);
	assert_fails(profile_of(-1), EINVAL);
	assert_fails(profile_of(1 << 20), EINVAL);
	arg.hwp_ovflw_freq[9] = 0;
	assert_fails(profile(), EINVAL);
	arg.hwp_ovflw_freq[27] = 5;	/* not wanted */
	assert_fails(profile(), EINVAL);
	arg = good;
	arg.hwp_ovflw_freq[0] = -1;
	assert_fails(profile(), EINVAL);
	arg = good;
	arg.hwp_ovflw_sig = 33;
	assert_fails(profile(), EINVAL);
	arg = good;
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_mode = 0;
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_ie = 1;
	assert_fails(profile(), EINVAL);
	arg = good;
	prof.pr_base = (char *)buckets + 1;
	assert_fails(profile(), EINVAL);
	prof.pr_base = (void *)16;
	assert_fails(profile(), EFAULT);
	prof.pr_base = (void *)-4096;
	assert_fails(profile(), EFAULT);
	prof.pr_base = buckets;
	prof.pr_size = -1;
	assert_fails(profile(), EFAULT);
	assert_fails(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, NULL, &prof, 1), EFAULT);
	assert_fails(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, 16, 1), EFAULT);

	/* The refused requests have changed nothing */
	put_sample(0x1000);
	raise(SIGURG);
	assert_int_equal(buckets[0], 1);
	assert_int_equal(ioctl(self, PIOCGETEVCTRL, (void *)&arg), generation);
}

/* A page of the buckets that cannot be written is found, whichever it is */
CASE(every_page_of_the_buckets_counts)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	char *area = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	want(9, 10000);
	assert_ptr_not_equal(area, MAP_FAILED);
	for (i = 0; i < 4; i++) {
		mprotect(area + i * page, page, PROT_READ);
		prof.pr_base = area + 10;
		prof.pr_size = 4 * page - 10;
		assert_fails(profile(), EFAULT);
		prof.pr_base = area;
		prof.pr_size = i * page + 2;
		assert_fails(profile(), EFAULT);
		mprotect(area + i * page, page, PROT_READ | PROT_WRITE);
	}
	munmap(area, 4 * page);
}

/* Not even root gets it: a profile is of one process */
CASE(kernel_mode_is_no_system_mode)
{
	unsigned int nr;

	want(9, 10000);
	arg.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_mode =
		HWPERF_CNTEN_U | HWPERF_CNTEN_K;
	fake.uid = 0;
	assert_true(profile() > 0);
	assert_int_equal(event_of(9, &nr)->cpu, -1);
	assert_int_equal(event_of(9, &nr)->pid, getpid());
}

UNIT_MAIN()
