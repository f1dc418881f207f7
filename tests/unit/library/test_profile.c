// SPDX-License-Identifier: GPL-2.0-only
/*
 * HWPERF_PROFENABLE on this machine's own kernel, with page faults by an event map.
 * Their program counter is exact. Nothing is a fake. This file is linked with the
 * flags of irixperf.pc.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/profil.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include "faults.h"

#define N		5000
#define CODE		256	/* bytes of the program around the fault */
#define ONE_TO_ONE	65536	/* two bytes of code for each bucket */

static hwperf_profevctrarg_t arg;
static unsigned short buckets[CODE / 2], rest[1];
static struct prof prof[3];
static int fd;

static int setup(void **state)
{
	(void)state;
	fd = open_process(getpid());
	memset(&arg, 0, sizeof(arg));
	memset(buckets, 0, sizeof(buckets));
	rest[0] = 0;
	prof[0] = (struct prof){
		buckets, sizeof(buckets), (uintptr_t)faults_touch, ONE_TO_ONE
	};
	prof[1] = (struct prof){ rest, sizeof(rest), 0, 2 };
	want(&arg, FAULTS, 10);

	return fd < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(fd, PIOCRELEVCTRS);
	close(fd);

	return 0;
}

static long profile(int nr)
{
	return syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, prof, nr);
}

static unsigned int sum(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		nr += buckets[i];

	return nr;
}

static unsigned int highest(void)
{
	unsigned int i, most = 0;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		most = buckets[i] > most ? buckets[i] : most;

	return most;
}

static unsigned long long count_of(unsigned int event)
{
	hwperf_cntr_t counts;

	assert_true(ioctl(fd, PIOCGETEVCTRS, (void *)&counts) > 0);

	return counts.hwp_evctr[event];
}

static struct irixperf_profile_stat stat_of(void)
{
	struct irixperf_profile_stat stat = { .size = sizeof(stat) };

	assert_int_equal(irixperf_profile_stat(&stat), 0);

	return stat;
}

/* No call between the work and reading the buckets */
static void buckets_are_right_at_once(void **state)
{
	unsigned int in_code, in_one, elsewhere, nr;
	long generation;

	(void)state;
	NEEDS_FAULTS();
	generation = profile(2);
	assert_true(generation > 0);
	faults(N);
	in_code = sum();
	in_one = highest();
	elsewhere = rest[0];
	nr = (unsigned int)(count_of(FAULTS) / 10);
	assert_int_equal(in_code + elsewhere, nr);
	assert_int_equal(in_one, in_code);
	assert_in_range(in_code, N / 10 - 2, N / 10);
	assert_int_equal(stat_of().samples, nr);
	assert_int_equal(stat_of().lost, 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRL, (void *)&arg), generation);
}

static void buckets_stay_after_the_release(void **state)
{
	unsigned int nr;

	(void)state;
	NEEDS_FAULTS();
	assert_true(profile(1) > 0);
	faults(N);
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	nr = sum();
	faults(N);
	assert_int_equal(sum(), nr);
	assert_in_range(nr, N / 10 - 2, N / 10);
	assert_int_equal(stat_of().samples, nr);
}

/* The kernel limits the ring; samples that do not fit are counted as lost */
static void what_is_lost_is_told(void **state)
{
	struct irixperf_profile_stat stat;
	sigset_t urgent;
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS, 1);
	assert_true(profile(2) > 0);
	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	sigprocmask(SIG_BLOCK, &urgent, NULL);
	for (i = 0; i < 4; i++)
		faults(N);
	assert_int_equal(sum() + rest[0], 0);
	sigprocmask(SIG_UNBLOCK, &urgent, NULL);
	assert_true(sum() > 0);
	faults(10);
	stat = stat_of();
	assert_true(stat.lost > 0);
	assert_int_equal(stat.samples + stat.lost, count_of(FAULTS));
	assert_int_equal(sum() + rest[0], stat.samples);
}

static void calls_bring_them_up_to_date(void **state)
{
	sigset_t urgent;

	(void)state;
	NEEDS_FAULTS();
	assert_true(profile(1) > 0);
	count_of(FAULTS);
	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	sigprocmask(SIG_BLOCK, &urgent, NULL);
	faults(N);
	assert_int_equal(sum(), 0);
	count_of(FAULTS);
	assert_in_range(sum(), N / 10 - 2, N / 10);
	sigprocmask(SIG_UNBLOCK, &urgent, NULL);
}

/* The scale is in 65536ths: two bytes of buckets for two bytes of code */
static void scales(void **state)
{
	static const struct {
		unsigned long scale;
		unsigned int code;	/* bytes for each bucket */
	} row[] = {
		{ 65536, 2 }, { 32768, 4 }, { 16384, 8 }, { 2048, 64 },
		{ 1024, 128 },
	};
	unsigned int i, bucket, before;

	(void)state;
	NEEDS_FAULTS();
	assert_true(profile(1) > 0);
	faults(N);
	for (before = 0; !buckets[before]; before++)
		;
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		memset(buckets, 0, sizeof(buckets));
		prof[0].pr_scale = row[i].scale;
		assert_true(profile(1) > 0);
		faults(N);
		bucket = 2 * before / row[i].code;
		assert_in_range(buckets[bucket], N / 10 - 2, N / 10);
		assert_int_equal(sum(), buckets[bucket]);
	}
}

static void regions_that_count_nothing(void **state)
{
	static const unsigned long scales[] = { 0, 1 };
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	for (i = 0; i < ARRAY_SIZE(scales); i++) {
		prof[0].pr_scale = scales[i];
		assert_true(profile(1) > 0);
		faults(N);
		assert_int_equal(sum(), 0);
		assert_int_equal(stat_of().outside, count_of(FAULTS) / 10);
	}
	prof[0].pr_scale = ONE_TO_ONE;
	prof[0].pr_size = 1;
	assert_true(profile(1) > 0);
	faults(N);
	assert_int_equal(sum(), 0);
}

/* If two regions have the address, the one with the higher start gets the sample */
static void regions_that_overlap(void **state)
{
	static unsigned short wide[CODE];

	(void)state;
	NEEDS_FAULTS();
	prof[1] = prof[0];
	prof[0] = (struct prof){
		wide, sizeof(wide), (uintptr_t)faults_touch - CODE, ONE_TO_ONE
	};
	assert_true(profile(2) > 0);
	faults(N);
	assert_in_range(sum(), N / 10 - 2, N / 10);
	prof[1].pr_off += CODE;
	memset(buckets, 0, sizeof(buckets));
	assert_true(profile(2) > 0);
	faults(N);
	assert_int_equal(sum(), 0);
}

static void full_buckets_stay_full(void **state)
{
	(void)state;
	NEEDS_FAULTS();
	memset(buckets, 0xff, sizeof(buckets));
	buckets[0] = 0;
	assert_true(profile(1) > 0);
	faults(N);
	assert_int_equal(buckets[0], 0);
	assert_int_equal(sum(), (ARRAY_SIZE(buckets) - 1) * 0xffff);
	assert_in_range(stat_of().full, N / 10 - 2, N / 10);
}

/* Several events are one clock: all overflows go to the same buckets */
static void several_events(void **state)
{
	(void)state;
	NEEDS_FAULTS();
	want(&arg, FAULTS_1, 4);
	want(&arg, NOTHING, 1);
	want(&arg, 15, 0);
	assert_true(profile(2) > 0);
	faults(N);
	assert_int_equal(sum() + rest[0], stat_of().samples);
	assert_int_equal(stat_of().samples, count_of(FAULTS) / 10 +
			 count_of(FAULTS_1) / 4);
	assert_true(count_of(15) >= N);
}

static void no_signal_while_it_profiles(void **state)
{
	(void)state;
	NEEDS_FAULTS();
	/* This signal would end the program */
	arg.hwp_ovflw_sig = SIGUSR1;
	assert_true(profile(1) > 0);
	faults(N);
	assert_in_range(sum(), N / 10 - 2, N / 10);
}

static volatile unsigned int nr_urgent;

static void on_urgent(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	nr_urgent += info->si_code == SI_USER || info->si_code == SI_TKILL;
}

/* The program's own handler gets signals that are not about overflows */
static void other_signals_are_handed_on(void **state)
{
	struct sigaction action = {
		.sa_sigaction = on_urgent, .sa_flags = SA_SIGINFO,
	};
	pid_t pid;
	int status;

	(void)state;
	NEEDS_FAULTS();
	/* In a process that has not profiled yet */
	pid = fork();
	if (pid == 0) {
		sigaction(SIGURG, &action, NULL);
		status = profile(1) > 0;
		faults(N);
		raise(SIGURG);
		kill(getpid(), SIGURG);
		_exit(!(status && nr_urgent == 2 && sum() >= N / 10 - 2));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void control_ends_it(void **state)
{
	long generation;

	(void)state;
	NEEDS_FAULTS();
	generation = profile(1);
	assert_true(generation > 0);
	assert_true(ioctl(fd, PIOCSETEVCTRL, (void *)&arg) > generation);
	faults(N);
	assert_int_equal(sum(), 0);
	assert_true(count_of(FAULTS) >= N);
}

/* Profiling continues in the child, as after sprofil(), in the child's memory */
static void children_go_on(void **state)
{
	unsigned int parents;
	int status;
	pid_t pid;

	(void)state;
	NEEDS_FAULTS();
	assert_true(profile(1) > 0);
	faults(N);
	parents = sum();
	pid = fork();
	if (pid == 0) {
		memset(buckets, 0, sizeof(buckets));
		faults(N);
		_exit(!(sum() >= N / 10 - 2 && sum() <= N / 10 + 1));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_in_range(sum(), parents, parents + 1);
	faults(N);
	assert_in_range(sum(), parents + N / 10 - 4, parents + N / 10 + 1);
}

static void it_ends_with_the_program(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	NEEDS_FAULTS();
	pid = fork();
	if (pid == 0) {
		want(&arg, FAULTS, 1);
		if (profile(1) <= 0)
			_exit(1);
		execl("/bin/sh", "sh", "-c", "exit 7", NULL);
		_exit(2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 7 << 8);
}

static void *work(void *unused)
{
	faults(N);

	return unused;
}

/* Handlers in two threads run at the same time as calls of the library */
static void threads_do_not_disturb(void **state)
{
	pthread_t thread;
	unsigned int i;

	(void)state;
	NEEDS_FAULTS();
	assert_true(profile(2) > 0);
	assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
	for (i = 0; i < 1000; i++)
		count_of(FAULTS);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(sum() + rest[0], count_of(FAULTS) / 10);
	assert_int_equal(stat_of().lost, 0);
}

#define assert_refused(nr, err)						\
	do {								\
		errno = 0;						\
		assert_int_equal(profile(nr), -1);			\
		assert_int_equal(errno, err);				\
	} while (0)

static void wrong_input(void **state)
{
	hwperf_profevctrarg_t good;
	long generation;

	(void)state;
	NEEDS_FAULTS();
	generation = profile(1);
	good = arg;
	assert_true(generation > 0);
	assert_refused(0, EINVAL);
	assert_refused(-1, EINVAL);
	assert_refused(1 << 20, EINVAL);
	arg.hwp_ovflw_freq[FAULTS] = 0;
	assert_refused(1, EINVAL);
	arg.hwp_ovflw_freq[NOTHING] = 5;	/* not wanted */
	assert_refused(1, EINVAL);
	arg = good;
	arg.hwp_ovflw_freq[0] = -1;
	assert_refused(1, EINVAL);
	arg = good;
	arg.hwp_ovflw_sig = 33;
	assert_refused(1, EINVAL);
	arg = good;
	arg.hwp_evctrargs.hwp_evctrl[FAULTS].hwperf_creg.hwp_mode = 0;
	assert_refused(1, EINVAL);
	arg = good;
	prof[0].pr_base = (char *)buckets + 1;
	assert_refused(1, EINVAL);
	prof[0].pr_base = (void *)16;
	assert_refused(1, EFAULT);
	prof[0].pr_base = (void *)-4096;
	assert_refused(1, EFAULT);
	prof[0].pr_base = buckets;
	prof[0].pr_size = -1;
	assert_refused(1, EFAULT);
	errno = 0;
	assert_int_equal(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, NULL, prof, 1),
			 -1);
	assert_int_equal(errno, EFAULT);
	assert_int_equal(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, 16, 1), -1);
	assert_int_equal(errno, EFAULT);

	/* The refused requests have changed nothing */
	memset(buckets, 0, sizeof(buckets));
	faults(N);
	assert_in_range(sum(), N / 10 - 2, N / 10 + 1);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRL, (void *)&arg), generation);
}

/* A page of the buckets that cannot be written is found, whichever it is */
static void every_page_of_the_buckets_counts(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	char *area = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(area, MAP_FAILED);
	for (i = 0; i < 4; i++) {
		mprotect(area + i * page, page, PROT_READ);
		prof[0].pr_base = area + 10;
		prof[0].pr_size = 4 * page - 10;
		assert_refused(1, EFAULT);
		prof[0].pr_base = area;
		prof[0].pr_size = i * page + 2;
		assert_refused(1, EFAULT);
		mprotect(area + i * page, page, PROT_READ | PROT_WRITE);
	}
	munmap(area, 4 * page);
}

/* A forked child has acquired nothing yet, and has no profile */
static void nothing_to_tell_without_one(void **state)
{
	struct irixperf_profile_stat stat = { .size = 8 };

	(void)state;
	assert_int_equal(irixperf_profile_stat(&stat), -EINVAL);
	stat.size = sizeof(stat);
	assert_int_equal(irixperf_profile_stat(&stat), -EINVAL);
	errno = 0;
	prof[0].pr_base = (void *)16;
	assert_refused(1, EFAULT);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRL, (void *)&arg), -1);
	assert_int_equal(errno, EINVAL);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(nothing_to_tell_without_one),
	TEST(buckets_are_right_at_once),
	TEST(buckets_stay_after_the_release),
	TEST(what_is_lost_is_told),
	TEST(calls_bring_them_up_to_date),
	TEST(scales),
	TEST(regions_that_count_nothing),
	TEST(regions_that_overlap),
	TEST(full_buckets_stay_full),
	TEST(several_events),
	TEST(no_signal_while_it_profiles),
	TEST(other_signals_are_handed_on),
	TEST(control_ends_it),
	TEST(children_go_on),
	TEST(it_ends_with_the_program),
	TEST(threads_do_not_disturb),
	TEST(wrong_input),
	TEST(every_page_of_the_buckets_counts),
};

int main(void)
{
	setenv("IRIXPERF_EVENTMAP", MAPS "/software.map", 1);

	return cmocka_run_group_tests(tests, faults_make, NULL) != 0;
}
