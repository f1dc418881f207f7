// SPDX-License-Identifier: GPL-2.0-only
/*
 * The /proc requests, through open() and ioctl() as an IRIX program calls them:
 * this file is linked with the flags of irixperf.pc.
 */
#include <dirent.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <irixperf.h>
#include "children.h"
#include "fake.h"
#include "spec.h"
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

FIXTURE(setup, teardown);

/* Run this before any test in which this process acquires counters */
CASE(a_failed_save_acquires_nothing)
{
	static const long pids[] = { 0, 1, -1, -5000, INT_MIN };
	int mine = open_process(getpid(), O_RDONLY);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		assert_fails(ioctl(mine, PIOCSAVECCNTRS, pids[i]), ESRCH);
		assert_fails(ioctl(mine, PIOCGETEVCTRS, &counts), EINVAL);
	}
	assert_fails(ioctl(mine, PIOCSAVECCNTRS, getpid()), ESRCH);
	close(mine);
}

#define MODES	(HWPERF_CNTEN_U | HWPERF_CNTEN_E)

/* Its own, the one within the counter, and 0 */
CASE(every_place_takes_three_numbers)
{
	struct irixperf_attr attr;
	unsigned int place, event, i;

	for (place = 0; place < 32; place++)
		for (event = 0; event < 2048; event++) {
			bool ok = event == 0 || event == place || event == place % 16;

			memset(&arg, 0, sizeof(arg));
			put(place, event, MODES);
			assert_int_equal(ixp_spec_bits(&arg) & HWPERF_MODEMASK, MODES);
			assert_int_equal(ixp_spec_decode(&attr, &arg), ok ? MODES : -EINVAL);
			for (i = 0; i < 32 && ok; i++)
				assert_int_equal(attr.mode[i], i == place ? MODES : 0);
		}
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
CASE(counts_across_pages)
{
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
CASE(a_folder_can_be_read)
{
	int folder = open_process(target, O_RDONLY | O_DIRECTORY);
	unsigned int nr = 0;
	DIR *dir;

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

CASE(all_places_with_event_zero)
{
	unsigned int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		put(i, 0, HWPERF_CNTEN_U);
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(fake_nr_open(), 32);
	assert_true(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		assert_int_equal(counts.hwp_evctr[i], 100 + i);
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
CASE(time_without_a_counter_raises_the_generation)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

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
CASE(turns_are_no_loss)
{
	int generation;

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
CASE(counters_of_others_are_busy)
{
	static const unsigned long requests[] = { PIOCENEVCTRS, PIOCSETEVCTRL };
	int generation;
	size_t i;

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

CASE(failed_changes_change_nothing)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);
	static const unsigned long requests[] = { PIOCENEVCTRS, PIOCSETEVCTRL };
	size_t i;

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

CASE(a_failed_acquisition_acquires_nothing)
{
	fake.open_fail_at = 1;
	fake.open_err = -EBUSY;
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), EBUSY);
	assert_int_equal(fake_nr_open(), 0);
	fake.open_fail_at = -1;
	assert_fails(ioctl(fd, PIOCGETEVCTRS, &counts), EINVAL);
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &arg), EINVAL);
}

CASE(a_failed_enable_keeps_the_old_events)
{
	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	fake.enable_err = -EIO;
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &arg), EIO);
	assert_int_equal(fake_nr_open(), 2);
	assert_true(fake.event[0].open && fake.event[1].open);
}

CASE(a_failed_release_releases_nothing)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);

	fake.read_err = -EIO;
	assert_fails(ioctl(fd, PIOCRELEVCTRS), EIO);
	fake.read_err = 0;
	check_unchanged(generation);
}

CASE(a_dead_process)
{
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
CASE(dead_targets_are_forgotten)
{
	int mine = open_process(getpid(), O_RDWR);

	assert_true(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	end_target();
	assert_true(ioctl(mine, PIOCENEVCTRS, &arg) > 0);
	assert_int_equal(fake_nr_open(), 2);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	close(mine);
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

CASE(forked_children_have_no_other_targets)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &arg);
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(forked_child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check_unchanged(generation);
}

CASE(without_a_pmu)
{
	fake_remove_pmu();
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), ENODEV);
	memset(&arg, 0, sizeof(arg));
	assert_fails(ioctl(fd, PIOCENEVCTRS, &arg), ENODEV);
}

UNIT_MAIN()
