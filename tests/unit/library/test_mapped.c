// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event map on this machine's own kernel, with software events. Nothing is a
 * fake. The expected counts are known, because each page that a program touches for
 * the first time is one fault.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/procfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "pages.h"
#include "set.h"

#define PAGES	1000

/* Faults of the code around: the first touch of a stack page, say */
#define SLACK	8

#define FAULTS		15	/* page-faults */
#define MINOR		18	/* minor-faults */
#define CLOCK		0	/* task-clock */
#define NOTHING		27	/* dummy */
#define SWITCHES	6	/* context-switches */

static void start(struct irixperf_attr *attr, unsigned int event,
		  unsigned int mode)
{
	attr->size = sizeof(*attr);
	attr->mode[event] = (unsigned char)mode;
}

static uint64_t count_of(const struct irixperf_set *set, unsigned int event)
{
	struct irixperf_count count;

	assert_int_equal(irixperf_set_read(set, event, &count), 0);
	assert_true(count.running > 0);
	assert_true(count.running == count.enabled);

	return count.value;
}

static void counts_page_faults(void **state)
{
	struct irixperf_attr attr = { 0 };
	struct irixperf_set *set;
	struct irixperf_cpu cpu;
	uint64_t before, after;

	(void)state;
	NEEDS_FAULTS();
	assert_int_equal(irixperf_cpu_detect(&cpu), 0);
	assert_int_equal(cpu.chip, IRIXPERF_MAPPED);
	assert_string_equal(irixperf_map_file(), MAPS "/software.map");
	start(&attr, FAULTS, HWPERF_CNTEN_U);
	start(&attr, MINOR, HWPERF_CNTEN_U);
	start(&attr, CLOCK, HWPERF_CNTEN_U);
	start(&attr, NOTHING, HWPERF_CNTEN_U);
	assert_int_equal(irixperf_set_open(&set, &attr), 0);
	before = count_of(set, FAULTS);
	faults(PAGES);
	after = count_of(set, FAULTS);
	assert_in_range(after - before, PAGES, PAGES + SLACK);
	assert_in_range(count_of(set, MINOR), PAGES, PAGES + 10 * SLACK);
	assert_true(count_of(set, CLOCK) > 0);
	assert_int_equal(count_of(set, NOTHING), 0);

	assert_int_equal(irixperf_set_disable(set), 0);
	before = count_of(set, FAULTS);
	faults(PAGES);
	assert_int_equal(count_of(set, FAULTS), before);
	irixperf_set_close(set);
}

/* The faults are the program's: none of them happens in the kernel */
static void modes_are_kept_apart(void **state)
{
	struct irixperf_attr attr = { 0 };
	struct irixperf_set *set;
	int ret;

	(void)state;
	NEEDS_FAULTS();
	start(&attr, FAULTS, HWPERF_CNTEN_K);
	ret = irixperf_set_open(&set, &attr);
	if (ret == -EPERM) {
		print_message("# kernel mode is forbidden here\n");
		skip();
	}
	assert_int_equal(ret, 0);
	faults(PAGES);
	assert_in_range(count_of(set, FAULTS), 0, SLACK);
	irixperf_set_close(set);
}

static void child_works(void)
{
	faults(PAGES);
	_exit(0);
}

static void inherits(void **state)
{
	struct irixperf_attr attr = { .flags = IRIXPERF_INHERIT };
	struct irixperf_set *set;
	uint64_t before;
	pid_t pid;

	(void)state;
	NEEDS_FAULTS();
	start(&attr, FAULTS, HWPERF_CNTEN_U);
	assert_int_equal(irixperf_set_open(&set, &attr), 0);
	before = count_of(set, FAULTS);
	pid = fork();
	if (pid == 0)
		child_works();
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(count_of(set, FAULTS) - before >= PAGES);
	irixperf_set_close(set);
}

/* Like IRIX programs: all 32 slots, by the requests of r10k_evcntrs(5) */
static void irix_programs_count(void **state)
{
	hwperf_profevctrarg_t arg = { 0 };
	hwperf_cntr_t before, after;
	char path[32];
	unsigned int i;
	int fd, generation;

	(void)state;
	NEEDS_FAULTS();
	for (i = 0; i < HWPERF_EVENTMAX; i++) {
		arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode =
			HWPERF_CNTEN_U;
		arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_ie = 1;
	}
	snprintf(path, sizeof(path), "/proc/%05d", getpid());
	fd = irixperf_proc_open(path, 0);
	assert_true(fd >= 0);
	generation = irixperf_proc_ioctl(fd, PIOCENEVCTRS, &arg);
	assert_true(generation > 0);
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCGETEVCTRS, &before),
			 generation);
	faults(PAGES);
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCGETEVCTRS, &after),
			 generation);
	assert_in_range(after.hwp_evctr[FAULTS] - before.hwp_evctr[FAULTS],
			PAGES, PAGES + SLACK);
	assert_true(after.hwp_evctr[CLOCK] > before.hwp_evctr[CLOCK]);
	assert_int_equal(after.hwp_evctr[NOTHING], 0);
	assert_int_equal(after.hwp_evctr[SWITCHES], 0);
	assert_int_equal(irixperf_proc_ioctl(fd, PIOCRELEVCTRS, NULL), 0);
	close(fd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(counts_page_faults),
	cmocka_unit_test(modes_are_kept_apart),
	cmocka_unit_test(inherits),
	cmocka_unit_test(irix_programs_count),
};

int main(void)
{
	setenv("IRIXPERF_EVENTMAP", MAPS "/software.map", 1);

	return cmocka_run_group_tests(tests, faults_make, NULL) != 0;
}
