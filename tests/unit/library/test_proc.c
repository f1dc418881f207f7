// SPDX-License-Identifier: GPL-2.0-only
/*
 * The /proc requests, through open() and ioctl() as an IRIX program calls them:
 * this file is linked with the flags of irixperf.pc.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "children.h"
#include "fake.h"
#include "unit.h"

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static pid_t target;
static int fd;

static void put(unsigned int place, unsigned int event, unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[place].hwperf_creg;

	reg->hwp_ev = event & 0x7ff;
	reg->hwp_ie = 1;
	reg->hwp_mode = mode & 0xf;
}

static int open_process(pid_t pid, int flags)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", pid);

	return open(name, flags);
}

/* Each test gets a target of its own: a child that sleeps */
static int setup(void **state)
{
	(void)state;
	fake_install(R10000_V34);
	memset(&arg, 0, sizeof(arg));
	put(9, 9, HWPERF_CNTEN_U);
	put(25, 9, HWPERF_CNTEN_U);

	target = start_sleeper();
	fd = open_process(target, O_RDWR);

	return target < 0 || fd < 0 ? -1 : 0;
}

static void end_target(void)
{
	if (target > 0)
		end_child(target);
	target = 0;
}

static int teardown(void **state)
{
	(void)state;
	ioctl(fd, PIOCRELEVCTRS);
	end_target();
	close(fd);

	return fake_nr_open() == 0 ? 0 : -1;
}

static void the_worked_example(void **state)
{
	int first, second;

	(void)state;
	first = ioctl(fd, PIOCENEVCTRS, (void *)&arg);
	assert_true(first > 0);
	assert_int_equal(fake_nr_enabled(), 2);
	assert_int_equal(fake.event[0].pid, target);
	second = ioctl(fd, PIOCGETEVCTRS, (void *)&counts);
	assert_int_equal(first, second);
	assert_true(ioctl(fd, PIOCRELEVCTRS) >= 0);
	assert_int_equal(counts.hwp_evctr[9], 109);
	assert_int_equal(counts.hwp_evctr[25], 125);
	assert_int_equal(counts.hwp_evctr[10], 0);
}

static void nothing_works_before_acquiring(void **state)
{
	(void)state;
	assert_fails(ioctl(fd, PIOCGETEVCTRS, &counts), EINVAL);
	assert_fails(ioctl(fd, PIOCGETEVCTRL, &ctrl), EINVAL);
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &arg), EINVAL);
	assert_fails(ioctl(fd, PIOCRELEVCTRS), EINVAL);
	assert_int_equal(fake.nr, 0);
}

static void check_across_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), at;
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int generation = ioctl(fd, PIOCENEVCTRS, &arg), i;

	assert_ptr_not_equal(memory, MAP_FAILED);
	for (i = 0; i < 2; i++)
		assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	for (at = page - sizeof(counts); at <= page; at++) {
		assert_int_equal(ioctl(fd, PIOCGETEVCTRS, memory + at),
				 generation);
		assert_memory_equal(memory + at, &counts, sizeof(counts));
	}
	assert_int_equal(munmap(memory + page, page), 0);
	for (at = page - sizeof(counts) + 1; at <= page; at++)
		assert_fails(ioctl(fd, PIOCGETEVCTRS, memory + at), EFAULT);
	assert_int_equal(mprotect(memory, page, PROT_READ), 0);
	assert_fails(ioctl(fd, PIOCGETEVCTRS, memory), EFAULT);
	munmap(memory, page);
}

/* The counts may be anywhere; the kernel checks the address */
static void counts_across_pages(void **state)
{
	(void)state;
	check_across_pages();
	/* Then one event alone, and more than one group */
	memset(&arg, 0, sizeof(arg));
	put(9, 0, HWPERF_CNTEN_U);
	check_across_pages();
	put(10, 0, HWPERF_CNTEN_U);
	put(26, 0, HWPERF_CNTEN_U);
	check_across_pages();
}

/* "/proc/1" can still be opened as a directory */
static void a_folder_can_be_read(void **state)
{
	int folder = open_process(target, O_RDONLY | O_DIRECTORY);
	unsigned int nr = 0;
	DIR *dir;

	(void)state;
	assert_true(ioctl(folder, PIOCENEVCTRS, &arg) > 0);
	assert_true(ioctl(folder, PIOCGETEVCTRS, &counts) > 0);
	assert_true(ioctl(folder, PIOCGETEVCTRS, &counts) > 0);
	dir = fdopendir(folder);
	assert_non_null(dir);
	while (readdir(dir))
		nr++;
	assert_true(nr > 10);
	closedir(dir);
}

static void each_change_raises_the_generation(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);
	int i, next;

	(void)state;
	assert_true(generation > 0);
	for (i = 0; i < 100; i++) {
		next = ioctl(fd, PIOCSETEVCTRL, &arg);
		assert_true(next > generation);
		generation = next;
		assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
		assert_int_equal(ioctl(fd, PIOCGETEVCTRL, &ctrl), generation);
	}
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(fake_nr_enabled(), 2);
}

static void control_comes_back_as_given(void **state)
{
	(void)state;
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_true(ioctl(fd, PIOCGETEVCTRL, &ctrl) > 0);
	assert_memory_equal(&ctrl, &arg.hwp_evctrargs, sizeof(ctrl));
}

static void counts_stay_readable_after_release(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	(void)state;
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	assert_int_equal(fake_nr_open(), 0);
	fake.base = 5000;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[9], 109);
	assert_int_equal(counts.hwp_evctr[25], 125);
	assert_fails(ioctl(fd, PIOCRELEVCTRS), EINVAL);
	assert_fails(ioctl(fd, PIOCGETEVCTRL, &ctrl), EINVAL);
}

static void setting_after_release_acquires_again(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	(void)state;
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	assert_true(ioctl(fd, PIOCSETEVCTRL, &arg) > generation);
	assert_int_equal(fake_nr_enabled(), 2);
}

/* Programs acquire with an empty block, and stop with one */
static void an_empty_block_counts_nothing(void **state)
{
	hwperf_profevctrarg_t none;
	int generation;

	(void)state;
	memset(&none, 0, sizeof(none));
	generation = ioctl(fd, PIOCENEVCTRS, &none);
	assert_true(generation > 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	assert_true(ioctl(fd, PIOCSETEVCTRL, &arg) > generation);
	assert_true(ioctl(fd, PIOCSETEVCTRL, &none) > generation + 1);
	assert_int_equal(fake_nr_open(), 0);
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[9], 0);
}

static void all_places_with_event_zero(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		put(i, 0, HWPERF_CNTEN_U);
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(fake_nr_open(), 32);
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		assert_int_equal(counts.hwp_evctr[i], 100 + i);
}

static void counts_are_raw(void **state)
{
	(void)state;
	fake.time_running = 10;
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[9], 109);
}

/* A failed request must change nothing */
static void check_unchanged(int generation)
{
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(fake_nr_enabled(), 2);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRL, &ctrl), generation);
	assert_int_equal(ctrl.hwp_evctrl[9].hwperf_creg.hwp_mode,
			 HWPERF_CNTEN_U);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[9], 109);
}

/* Each read tells what it finds to be missing, once */
static void time_without_a_counter_raises_the_generation(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	(void)state;
	fake.time_enabled += 1000;
	fake.time_running += 1000;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	fake.time_enabled += 1000;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 1);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 1);
	fake.time_enabled += 1;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 2);
	fake.time_enabled += 1000;
	assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 3);
	assert_int_equal(counts.hwp_evctr[9], 109);
}

/* Pairs that take turns, each with half of the time, miss nothing together */
static void turns_are_no_loss(void **state)
{
	int generation;

	(void)state;
	put(1, 1, HWPERF_CNTEN_U);
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	fake.time_enabled += 1000;
	fake.time_running += 500;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation);
	fake.time_enabled += 3000;
	fake.time_running += 500;
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 1);
}

/*
 * After some turns without a counter there is none for these events. The old ones of
 * another process have counted nothing meanwhile, which is told
 */
static void counters_of_others_are_busy(void **state)
{
	static const unsigned long requests[] = { PIOCENEVCTRS, PIOCSETEVCTRL };
	int generation;
	size_t i;

	(void)state;
	fake.time_enabled = 1000000000;
	fake.time_running = 0;
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), EBUSY);
	assert_int_equal(fake_nr_open(), 0);
	assert_fails(ioctl(fd, PIOCGETEVCTRS, &counts), EINVAL);

	fake.time_running = fake.time_enabled;
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		put(1, 1, HWPERF_CNTEN_U);
		fake.time_running = 0;
		assert_fails(ioctl(fd, requests[i], &arg), EBUSY);
		fake.time_running = fake.time_enabled;
		check_unchanged(++generation);
	}
}

static void failed_changes_change_nothing(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);
	static const unsigned long requests[] = { PIOCENEVCTRS, PIOCSETEVCTRL };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		put(1, 2, HWPERF_CNTEN_U);
		assert_fails(ioctl(fd, requests[i], &arg), EINVAL);
		check_unchanged(generation);
		put(1, 1, HWPERF_CNTEN_U);
		fake.open_fail_at = (int)fake.nr + 2;
		fake.open_err = -EACCES;
		assert_fails(ioctl(fd, requests[i], &arg), EPERM);
		check_unchanged(generation);
		fake.open_fail_at = -1;
		assert_fails(ioctl(fd, requests[i], (void *)8), EFAULT);
		check_unchanged(generation);
	}
}

static void a_failed_acquisition_acquires_nothing(void **state)
{
	(void)state;
	fake.open_fail_at = 1;
	fake.open_err = -EBUSY;
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), EBUSY);
	assert_int_equal(fake_nr_open(), 0);
	fake.open_fail_at = -1;
	assert_fails(ioctl(fd, PIOCGETEVCTRS, &counts), EINVAL);
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &arg), EINVAL);
}

static void a_failed_enable_keeps_the_old_events(void **state)
{
	(void)state;
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	fake.enable_err = -EIO;
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &arg), EIO);
	assert_int_equal(fake_nr_open(), 2);
	assert_true(fake.event[0].open && fake.event[1].open);
}

static void a_failed_release_releases_nothing(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	(void)state;
	fake.read_err = -EIO;
	assert_fails(ioctl(fd, PIOCRELEVCTRS), EIO);
	fake.read_err = 0;
	check_unchanged(generation);
}

static void bad_addresses(void **state)
{
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	(void)state;
	assert_ptr_not_equal(page, MAP_FAILED);
	assert_fails(ioctl(fd, PIOCENEVCTRS, NULL), EFAULT);
	assert_fails(ioctl(fd, PIOCENEVCTRS, page), EFAULT);
	assert_fails(ioctl(fd, PIOCGETEVCTRS, NULL), EFAULT);
	assert_fails(ioctl(fd, PIOCGETEVCTRS, page), EFAULT);
	assert_fails(ioctl(fd, PIOCGETEVCTRL, page), EFAULT);
	assert_int_equal(mprotect(page, 4096, PROT_READ), 0);
	assert_fails(ioctl(fd, PIOCGETEVCTRS, page), EFAULT);
	check_unchanged(generation);
	munmap(page, 4096);
}

static void a_dead_process(void **state)
{
	(void)state;
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	kill(target, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)target, NULL, WEXITED | WNOWAIT),
			 0);
	/* a zombie's counts can be read until its parent waits for it */
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	waitpid(target, NULL, 0);
	assert_fails(open_process(target, O_RDWR), ENOENT);
	target = 0;
	assert_fails(ioctl(fd, PIOCGETEVCTRS, &counts), ESRCH);
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), ESRCH);
	assert_int_equal(fake_nr_open(), 0);
}

/* The next acquisition closes a dead target's events */
static void dead_targets_are_forgotten(void **state)
{
	int mine = open_process(getpid(), O_RDWR);

	(void)state;
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	end_target();
	assert_true(ioctl(mine, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	close(mine);
}

static void two_targets_are_apart(void **state)
{
	int mine = open_process(getpid(), O_RDONLY);
	int a, b;

	(void)state;
	a = ioctl(fd, PIOCENEVCTRS, &arg);
	b = ioctl(mine, PIOCENEVCTRS, &arg);
	assert_true(a > 0 && b > 0);
	assert_true(ioctl(mine, PIOCSETEVCTRL, &arg) > b);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), a);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRL, &ctrl), a);
	close(mine);
}

static void copies_of_the_descriptor_work(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);
	int copy = dup(fd);

	(void)state;
	assert_int_equal(ioctl(copy, PIOCGETEVCTRS, &counts), generation);
	close(fd);
	assert_int_equal(ioctl(copy, PIOCGETEVCTRS, &counts), generation);
	fd = open("/dev/null", O_RDWR);
	assert_fails(ioctl(fd, PIOCGETEVCTRS, &counts), ENOTTY);
	close(fd);
	fd = copy;
}

/* A forked child does not inherit the other processes' counters of its parent */
static int forked_child(void)
{
	if (fake_nr_open() != 0)
		return 1;
	if (ioctl(fd, PIOCGETEVCTRS, &counts) != -1 || errno != EINVAL)
		return 2;
	if (ioctl(fd, PIOCRELEVCTRS) != -1 || errno != EINVAL)
		return 3;
	if (ioctl(fd, PIOCENEVCTRS, &arg) <= 0 || fake_nr_open() != 2)
		return 4;
	return 0;
}

static void forked_children_have_no_other_targets(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);
	int status = -1;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(forked_child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check_unchanged(generation);
}

/* Run this before any test in which this process acquires counters */
static void a_failed_save_acquires_nothing(void **state)
{
	static const long pids[] = { 0, 1, -1, -5000, INT_MIN };
	int mine = open_process(getpid(), O_RDONLY);
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		assert_fails(ioctl(mine, PIOCSAVECCNTRS, pids[i]), ESRCH);
		assert_fails(ioctl(mine, PIOCGETEVCTRS, &counts), EINVAL);
	}
	close(mine);
}

/* By the child's descriptor, or by the parent's own descriptor and the child's PID */
static void children_can_be_saved(void **state)
{
	int mine = open_process(getpid(), O_RDONLY);

	(void)state;
	assert_int_equal(ioctl(fd, PIOCSAVECCNTRS), 0);
	assert_int_equal(ioctl(mine, PIOCSAVECCNTRS, target), 0);
	assert_fails(ioctl(mine, PIOCSAVECCNTRS, 0), ESRCH);
	assert_fails(ioctl(mine, PIOCSAVECCNTRS, getpid()), ESRCH);
	assert_fails(ioctl(mine, PIOCSAVECCNTRS, 1), ESRCH);
	/* from then on counts can be read, although no counters are acquired */
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > 0);
	assert_fails(ioctl(mine, PIOCGETEVCTRL, &ctrl), EINVAL);
	close(mine);
}

static void without_a_pmu(void **state)
{
	(void)state;
	fake_remove_pmu();
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), ENODEV);
	memset(&arg, 0, sizeof(arg));
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), ENODEV);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_failed_save_acquires_nothing),
	TEST(the_worked_example),
	TEST(nothing_works_before_acquiring),
	TEST(counts_across_pages),
	TEST(a_folder_can_be_read),
	TEST(each_change_raises_the_generation),
	TEST(control_comes_back_as_given),
	TEST(counts_stay_readable_after_release),
	TEST(setting_after_release_acquires_again),
	TEST(an_empty_block_counts_nothing),
	TEST(all_places_with_event_zero),
	TEST(counts_are_raw),
	TEST(time_without_a_counter_raises_the_generation),
	TEST(turns_are_no_loss),
	TEST(counters_of_others_are_busy),
	TEST(failed_changes_change_nothing),
	TEST(a_failed_acquisition_acquires_nothing),
	TEST(a_failed_enable_keeps_the_old_events),
	TEST(a_failed_release_releases_nothing),
	TEST(bad_addresses),
	TEST(a_dead_process),
	TEST(dead_targets_are_forgotten),
	TEST(two_targets_are_apart),
	TEST(copies_of_the_descriptor_work),
	TEST(forked_children_have_no_other_targets),
	TEST(children_can_be_saved),
	TEST(without_a_pmu),
};

UNIT_MAIN(tests)
