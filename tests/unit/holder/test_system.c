// SPDX-License-Identifier: GPL-2.0-only
/*
 * User mode against system mode, with a real holder and real locks, on a
 * machine with the CPUs 0, 1 and 3 whose counters are fake.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/syssgi.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <irixperf.h>
#include "arbiter.h"
#include "children.h"
#include "descriptors.h"
#include "fake.h"
#include "hang.h"
#include "kernel.h"
#include "process.h"
#include "lock.h"
#include "remote.h"
#include "scout.h"
#include "start.h"
#include "sysfile.h"
#include "system.h"
#include "view.h"
#include "unit.h"

#define MODE_UK		(HWPERF_CNTEN_U | HWPERF_CNTEN_K)

/* After so many seconds a test that hangs is killed */
#define PATIENCE	300

static hwperf_profevctrarg_t user, root_arg;
static hwperf_cntr_t counts;
static hwperf_eventctrl_t ctrl;
static pid_t target;
static int fd, mine;

static void put(hwperf_profevctrarg_t *arg, unsigned int event,
		unsigned int mode)
{
	struct hwperf_ctrlreg *reg =
		&arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ev = event & 0x7ff;
	reg->hwp_mode = mode & 0xf;
}

static int eventctr(int command, const void *first)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, command,
				    (uintptr_t)first, 0, 0);
}

static int enable(void)
{
	return eventctr(HWPERF_ENSYSCNTRS, &root_arg);
}

static int release(void)
{
	return eventctr(HWPERF_RELSYSCNTRS, NULL);
}

static int get_cpu(long cpu)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS,
				    (uintptr_t)cpu, (uintptr_t)&counts, 0);
}

static pid_t holder(void)
{
	struct ixp_system_view view;

	assert_int_equal(ixp_system_look(&view, IXP_ALL_CPUS, IXP_LOOK), 0);

	return view.alive ? view.holder : 0;
}

/* Kill it and poll until it is gone, as it is not our child */
static void kill_holder(void)
{
	pid_t pid = holder();

	assert_true(pid > 0);
	kill(pid, SIGKILL);
	while (ixp_system_on())
		sched_yield();
}

static int ended_well(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);

	return status;
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	fake_install(R10000_V34);
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	memset(&user, 0, sizeof(user));
	memset(&root_arg, 0, sizeof(root_arg));
	put(&user, 9, HWPERF_CNTEN_U);
	put(&user, 25, HWPERF_CNTEN_U);
	put(&root_arg, 0, HWPERF_CNTEN_U);
	put(&root_arg, 16, MODE_UK);
	target = start_sleeper();
	fd = open_process(target);
	mine = open_process(getpid());

	return target < 0 || fd < 0 || mine < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	fake.uid = 0;
	release();
	ioctl(fd, PIOCRELEVCTRS);
	ioctl(mine, PIOCRELEVCTRS);
	end_child(target);
	close(fd);
	close(mine);

	return ixp_system_on() || fake_nr_open() ? -1 : 0;
}

/* Event 16 has 116 on CPU 0, 1116 on CPU 1 and 3116 on CPU 3 */
static void counts_are_those_of_all_cpus(void **state)
{
	int generation = enable();

	(void)state;
	assert_true(generation > 0);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[0], 3 * 100 + 4000);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
	assert_int_equal(counts.hwp_evctr[1], 0);
}

static void each_cpu_has_its_counts(void **state)
{
	static const struct {
		long cpu;
		unsigned int count;
	} cpus[] = { { 0, 116 }, { 1, 1116 }, { 3, 3116 } };
	int generation = enable();
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		assert_int_equal(get_cpu(cpus[i].cpu), generation);
		assert_int_equal(counts.hwp_evctr[16], cpus[i].count);
	}
}

static void times_come_with_the_counts(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int generation = enable();

	(void)state;
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_true(system.on);
	assert_int_equal(system.generation, generation);
	assert_int_equal(system.mode[0], HWPERF_CNTEN_U);
	assert_int_equal(system.mode[16], MODE_UK);
	assert_int_equal(system.mode[1], 0);
	assert_int_equal(system.count[16].value, 3 * 116 + 4000);
	assert_in_range(system.count[16].enabled, 3 * 1000, 3 * 1000 + 100);
	assert_int_equal(system.count[16].running, system.count[16].enabled);
	assert_int_equal(system.count[1].value, 0);
	assert_int_equal(system.count[1].enabled, 0);

	release();
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_false(system.on);
	assert_int_equal(system.count[16].value, 3 * 116 + 4000);
}

static void times_of_shared_counters(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	unsigned int i;

	(void)state;
	fake.time_enabled = 4000000;
	fake.time_running = 1000000;
	fake_share();
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		put(&root_arg, i, MODE_UK);
	assert_true(enable() > 0);
	assert_int_equal(irixperf_system_read(&system), 0);
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct irixperf_count *count = &system.count[i];

		assert_int_equal(count->value, 3 * (100 + i) + 4000);
		assert_int_equal(irixperf_count_scale(count), 4 * count->value);
	}
}

/* IRIX's generation number tells of time without a counter, once; the tools' does not */
static void others_take_counters_of_system_mode(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int generation, i;

	(void)state;
	fake.time_enabled = 1000000000;
	fake.time_running = 0;
	fake_share();
	assert_int_equal(enable(), -EBUSY);
	fake.time_running = fake.time_enabled - 1;
	fake_share();
	generation = enable();
	assert_true(generation > 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation + 1);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation + 1);
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_int_equal(system.generation, generation);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), generation + 2);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation + 3);
	release();
	assert_int_equal(enable(), generation + 4);
}

static void size_of_the_structure_is_checked(void **state)
{
	struct irixperf_system system = { .size = 1 };

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(irixperf_system_read(&system), -EINVAL);
	assert_int_equal(irixperf_system_read(NULL), -EINVAL);
}

static void no_such_cpu_is_zero(void **state)
{
	static const long cpus[] = { 2, 4, 1000000, -1, -2, INT32_MAX };
	size_t i;

	(void)state;
	assert_true(enable() > 0);
	errno = 0;
	for (i = 0; i < ARRAY_SIZE(cpus); i++)
		assert_int_equal(get_cpu(cpus[i]), 0);
	assert_int_equal(errno, 0);
}

static void kernel_mode_is_needed(void **state)
{
	static const unsigned int modes[] = {
		HWPERF_CNTEN_U, HWPERF_CNTEN_E, HWPERF_CNTEN_U | HWPERF_CNTEN_E,
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		put(&root_arg, 16, modes[i]);
		assert_int_equal(enable(), -EINVAL);
	}
	memset(&root_arg, 0, sizeof(root_arg));
	assert_int_equal(enable(), -EINVAL);
	assert_int_equal(ixp_system_on(), 0);
}

static void one_event_in_kernel_mode_is_enough(void **state)
{
	static const unsigned int modes[] = {
		HWPERF_CNTEN_K, MODE_UK, HWPERF_CNTEN_K | HWPERF_CNTEN_E,
		HWPERF_CNTEN_A,
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		put(&root_arg, 16, modes[i]);
		assert_true(enable() > 0);
		assert_int_equal(release(), 0);
	}
}

/* irixperf_system_set() */

static struct irixperf_system_attr wish;

static void wish_for(unsigned int event, unsigned int mode)
{
	memset(&wish, 0, sizeof(wish));
	wish.size = sizeof(wish);
	wish.mode[event] = (unsigned char)mode;
}

/* Set it, whatever there is */
static int set_wish(void)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int ret = irixperf_system_read(&system);

	wish.generation = ret == 0 && system.on ? system.generation : 0;

	return irixperf_system_set(&wish);
}

static void a_set_needs_no_kernel_mode(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };

	(void)state;
	wish_for(16, HWPERF_CNTEN_U);
	wish.label[3] = 0xdeadbeef;
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_true(system.on);
	assert_int_equal(system.mode[16], HWPERF_CNTEN_U);
	assert_int_equal(system.label[0], 0);
	assert_int_equal(system.label[3], 0xdeadbeef);
	assert_int_equal(system.count[16].value, 3 * 116 + 4000);
}

static void another_set_takes_its_place(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int first;

	(void)state;
	wish_for(16, HWPERF_CNTEN_U);
	first = set_wish();
	wish_for(3, HWPERF_CNTEN_U);
	wish.label[0] = 7;
	assert_int_equal(set_wish(), first + 1);
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_int_equal(system.mode[16], 0);
	assert_int_equal(system.label[0], 7);
	assert_int_equal(system.count[3].value, 3 * 103 + 4000);
	/* IRIX's own request has no labels */
	assert_true(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg) > 0);
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_int_equal(system.label[0], 0);
}

static void a_set_without_events_reserves_the_counters(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };

	(void)state;
	wish_for(0, 0);
	wish.label[1] = 5;
	assert_true(set_wish() > 0);
	assert_fails(ioctl(mine, PIOCENEVCTRS, (void *)&user), EBUSY);
	assert_int_equal(irixperf_system_read_cpu(&system, 1), 0);
	assert_int_equal(system.label[1], 5);
	assert_int_equal(system.count[0].value, 0);
	wish_for(0, HWPERF_CNTEN_U);
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read_cpu(&system, 1), 0);
	assert_int_equal(system.count[0].value, 1100);
}

static void a_cpu_has_its_times(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };

	(void)state;
	wish_for(16, HWPERF_CNTEN_U);
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read_cpu(&system, 3), 0);
	assert_int_equal(system.count[16].value, 3116);
	assert_in_range(system.count[16].enabled, 1000, 1000 + 100);
	assert_int_equal(irixperf_system_read_cpu(&system, 2), -ENOENT);
	assert_int_equal(irixperf_system_read_cpu(&system, -1), -ENOENT);
	assert_int_equal(irixperf_system_read_cpu(&system, INT_MAX), -ENOENT);
}

static void bad_sets_change_nothing(void **state)
{
	(void)state;
	assert_int_equal(irixperf_system_set(NULL), -EINVAL);
	wish_for(16, 16);
	assert_int_equal(set_wish(), -EINVAL);
	wish_for(16, HWPERF_CNTEN_U);
	wish.code[2] = (struct irixperf_code){ IRIXPERF_CODE_RAW, 0x53003c };
	assert_int_equal(set_wish(), -EINVAL);
	/* An R10000's event has one counter */
	wish.code[2] = (struct irixperf_code){ IRIXPERF_CODE_EVENT, 16 };
	assert_int_equal(set_wish(), -EINVAL);
	wish.code[2] = (struct irixperf_code){ 3, 0 };
	assert_int_equal(set_wish(), -EINVAL);
	wish_for(16, HWPERF_CNTEN_U);
	wish.size--;
	assert_int_equal(set_wish(), -EINVAL);
	wish_for(16, HWPERF_CNTEN_U);
	fake.uid = 1000;
	assert_int_equal(set_wish(), -EPERM);
	fake.uid = 0;
	assert_int_equal(ixp_system_on(), 0);
}

/* The fake counts the lowest five bits of a code */
static void codes_of_another_cpu(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };

	(void)state;
	fake_install_other();
	fake_share();
	wish_for(2, HWPERF_CNTEN_U);
	assert_int_equal(set_wish(), -ENODEV);
	wish.code[2] = (struct irixperf_code){ IRIXPERF_CODE_RAW, 0x2c };
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read_cpu(&system, 0), 0);
	assert_int_equal(system.count[2].value, 112);
	wish.code[2].code = 0x0d;
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read_cpu(&system, 0), 0);
	assert_int_equal(system.count[2].value, 113);
	wish.code[2].kind = IRIXPERF_CODE_NONE;	/* there is no event map */
	assert_int_equal(set_wish(), -ENODEV);
	assert_int_equal(irixperf_system_read_cpu(&system, 0), 0);
	assert_int_equal(system.count[2].value, 113);
}

/* Whether any event is counted or not */
static void codes_are_checked(void **state)
{
	(void)state;
	wish_for(0, 0);
	wish.code[3] = (struct irixperf_code){ 99, 0 };
	assert_int_equal(set_wish(), -EINVAL);
	assert_int_equal(ixp_system_on(), 0);
}

/* A program that has started system mode by /proc does not see a code's count as cycles */
static void codes_have_no_number_in_proc(void **state)
{
	int generation;

	(void)state;
	fake_install(R12000_V35);
	fake_share();
	generation = ioctl(mine, PIOCENEVCTRS, &root_arg);
	assert_true(generation > 0);
	wish_for(0, HWPERF_CNTEN_U);
	wish.code[0] = (struct irixperf_code){ IRIXPERF_CODE_EVENT, 21 };
	wish.generation = generation;
	assert_true(irixperf_system_set(&wish) > 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation + 1);
	assert_int_equal(counts.hwp_evctr[0], 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[0], 0);
}

/* On an R12000 one event counts in two ways: 21 for itself, and as the first code */
static void codes_are_events_in_another_mode(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };

	(void)state;
	fake_install(R12000_V35);
	fake_share();
	wish_for(21, HWPERF_CNTEN_U);
	wish.mode[0] = HWPERF_CNTEN_K;
	wish.code[0] = (struct irixperf_code){ IRIXPERF_CODE_EVENT, 21 };
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read_cpu(&system, 0), 0);
	assert_int_equal(system.mode[21], HWPERF_CNTEN_U);
	assert_int_equal(system.count[21].value, 121);
	assert_int_equal(system.count[0].value, 121);
	/* IRIX's requests have no words for the second one */
	assert_int_equal(system.mode[0], 0);
	assert_true(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl) > 0);
	assert_int_equal(ctrl.hwp_evctrl[0].hwperf_creg.hwp_mode, 0);
	assert_int_equal(ctrl.hwp_evctrl[21].hwperf_creg.hwp_mode, HWPERF_CNTEN_U);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[0], 0);
	assert_int_equal(counts.hwp_evctr[21], 3 * 121 + 4000);
	wish.code[0].code = IRIXPERF_EVENTS;
	assert_int_equal(set_wish(), -EINVAL);
	/* Of two codes neither is another one's event */
	wish.code[0].code = 1;
	wish.mode[1] = HWPERF_CNTEN_U;
	wish.code[1] = (struct irixperf_code){ IRIXPERF_CODE_EVENT, 0 };
	assert_true(set_wish() > 0);
	assert_int_equal(irixperf_system_read_cpu(&system, 0), 0);
	assert_int_equal(system.count[0].value, 101);
	assert_int_equal(system.count[1].value, 100);
}

/* A program sets what it has made of an old state */
static void what_has_changed_meanwhile_is_not_undone(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int first;

	(void)state;
	wish_for(16, HWPERF_CNTEN_U);
	first = set_wish();
	assert_true(first > 0);
	wish_for(3, HWPERF_CNTEN_U);
	assert_int_equal(irixperf_system_set(&wish), -ESTALE);
	wish.generation = first;
	assert_int_equal(irixperf_system_set(&wish), first + 1);
	assert_int_equal(irixperf_system_set(&wish), -ESTALE);
	assert_int_equal(irixperf_system_release(first), -ESTALE);
	assert_int_equal(irixperf_system_release(0), -ESTALE);
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_int_equal(system.generation, first + 1);
	assert_int_equal(system.mode[3], HWPERF_CNTEN_U);
	fake.uid = 1000;
	assert_int_equal(irixperf_system_release(first + 1), -EPERM);
	fake.uid = 0;
	assert_int_equal(irixperf_system_release(first + 1), 0);
	assert_int_equal(ixp_system_on(), 0);
	wish.generation = first + 1;
	assert_int_equal(irixperf_system_set(&wish), -ESTALE);
	assert_int_equal(irixperf_system_release(first + 1), -ESTALE);
}

static void only_root_may_change_it(void **state)
{
	(void)state;
	fake.uid = 1000;
	assert_int_equal(enable(), -EPERM);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EPERM);
	assert_int_equal(release(), -EPERM);
	fake.uid = 0;
	assert_true(enable() > 0);
	fake.uid = 1000;
	assert_int_equal(enable(), -EPERM);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, NULL), -EPERM);
	assert_int_equal(release(), -EPERM);
	assert_int_equal(ixp_system_on(), 1);
}

static void all_may_read(void **state)
{
	int generation = enable();

	(void)state;
	fake.uid = 1000;
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation);
	assert_int_equal(get_cpu(0), generation);
}

/* Only the modes of the files keep other users from more than reading */
static void the_files_have_their_modes(void **state)
{
	struct stat st;

	(void)state;
	umask(077);
	assert_true(enable() > 0);
	umask(022);
	assert_int_equal(ixp_file_stat(IXP_RUN, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(ixp_file_stat(IXP_RUN_SYSTEM, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(ixp_file_stat(IXP_RUN_CONTROL, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void a_folder_that_others_can_write_is_refused(void **state)
{
	(void)state;
	ixp_file_mkdir(IXP_RUN, 0755);
	assert_int_equal(ixp_file_chmod(IXP_RUN, 0775), 0);
	assert_int_equal(enable(), -EPERM);
	assert_int_equal(ixp_file_chmod(IXP_RUN, 0755), 0);
	assert_true(enable() > 0);
}

static void bad_addresses(void **state)
{
	void *bad = (void *)8;

	(void)state;
	assert_int_equal(eventctr(HWPERF_ENSYSCNTRS, bad), -EFAULT);
	assert_int_equal(eventctr(HWPERF_ENSYSCNTRS, NULL), -EFAULT);
	assert_true(enable() > 0);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, bad), -EFAULT);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, bad), -EFAULT);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, bad), -EFAULT);
	assert_int_equal(irixperf_syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 0, 8, 0), -EFAULT);
	assert_int_equal(ixp_system_on(), 1);
}

static void unknown_commands(void **state)
{
	(void)state;
	assert_int_equal(irixperf_syssgi(SGI_EVENTCTR, 0, 0, 0, 0), -EINVAL);
	assert_int_equal(irixperf_syssgi(SGI_EVENTCTR, 8, 0, 0, 0), -EINVAL);
	assert_int_equal(irixperf_syssgi(SGI_EVENTCTR, -1, 0, 0, 0), -EINVAL);
}

static void nothing_works_before_the_first(void **state)
{
	(void)state;
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), -EINVAL);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL);
	assert_int_equal(get_cpu(0), -EINVAL);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EINVAL);
	assert_int_equal(release(), -EINVAL);
	assert_false(ixp_file_exists(IXP_RUN));
}

static void twice_is_busy(void **state)
{
	int generation = enable();

	(void)state;
	assert_int_equal(enable(), -EBUSY);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(release(), 0);
	assert_int_equal(release(), -EINVAL);
	assert_true(enable() > generation);
}

static void control_comes_back_as_given(void **state)
{
	int generation = enable();

	(void)state;
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation);
	assert_memory_equal(&ctrl, &root_arg.hwp_evctrargs, sizeof(ctrl));
	assert_int_equal(release(), 0);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL);
}

static void each_change_raises_the_generation(void **state)
{
	int generation = enable();
	int i;

	(void)state;
	for (i = 0; i < 50; i++) {
		put(&root_arg, 16, i & 1 ? 0 : HWPERF_CNTEN_K);
		put(&root_arg, 17, i & 1 ? HWPERF_CNTEN_K : 0);
		root_arg.hwp_evctrargs.hwp_evctrl[i & 1 ? 16 : 17].hwperf_spec = 0;
		assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg),
				 ++generation);
		assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts),
				 generation);
		assert_int_equal(counts.hwp_evctr[16] > 0, !(i & 1));
		assert_int_equal(counts.hwp_evctr[17] > 0, i & 1);
	}
}

static void modes_can_be_changed(void **state)
{
	static const unsigned int modes[] = {
		HWPERF_CNTEN_K, MODE_UK, HWPERF_CNTEN_A, HWPERF_CNTEN_K,
	};
	size_t i;

	(void)state;
	assert_true(enable() > 0);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		put(&root_arg, 16, modes[i]);
		assert_true(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg) > 0);
		assert_true(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl) > 0);
		assert_int_equal(ctrl.hwp_evctrl[16].hwperf_creg.hwp_mode,
				 modes[i]);
	}
}

/* At an overflow any program may run, and it has not asked for a signal */
static void thresholds_with_signals_are_refused(void **state)
{
	int generation;

	(void)state;
	root_arg.hwp_ovflw_sig = SIGUSR1;
	generation = enable();
	assert_true(generation > 0);
	root_arg.hwp_ovflw_freq[16] = 10000;
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -ENOTSUP);
	root_arg.hwp_ovflw_freq[16] = -1;
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EINVAL);
	root_arg.hwp_ovflw_freq[16] = 0;
	root_arg.hwp_ovflw_sig = 33;
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EINVAL);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation);
	assert_int_equal(release(), 0);
	root_arg.hwp_ovflw_sig = SIGUSR1;
	root_arg.hwp_ovflw_freq[16] = 10000;
	assert_int_equal(enable(), -ENOTSUP);
	assert_int_equal(ixp_system_on(), 0);
}

static void failed_changes_change_nothing(void **state)
{
	int generation = enable();
	hwperf_profevctrarg_t bad = root_arg;

	(void)state;
	put(&bad, 16, HWPERF_CNTEN_U);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &bad), -EINVAL);
	put(&bad, 16, HWPERF_CNTEN_K);
	bad.hwp_ovflw_freq[3] = -1;
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &bad), -EINVAL);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation);
	assert_memory_equal(&ctrl, &root_arg.hwp_evctrargs, sizeof(ctrl));
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
}

static void counts_stay_after_the_release(void **state)
{
	int generation = enable();

	(void)state;
	assert_int_equal(release(), 0);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
	assert_int_equal(get_cpu(3), generation);
	assert_int_equal(counts.hwp_evctr[16], 3116);
}

static void all_events_take_turns(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		put(&root_arg, i, HWPERF_CNTEN_A);
	assert_true(enable() > 0);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		assert_int_equal(counts.hwp_evctr[i], 3 * (100 + i) + 4000);
}

static void online(const char *cpus)
{
	fake_file("/sys/devices/system/cpu/online", cpus);
}

static unsigned long long system_count(unsigned int event)
{
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);

	return counts.hwp_evctr[event];
}

/* Event 16 of a new CPU n counts 1000 x n + 116 at once */
static void cpus_that_come_are_counted(void **state)
{
	int generation = enable();

	(void)state;
	assert_int_equal(get_cpu(2), 0);
	online("0-3,5\n");
	assert_int_equal(system_count(16), 5 * 116 + 11000);
	assert_int_equal(get_cpu(2), generation);
	assert_int_equal(counts.hwp_evctr[16], 2116);
	assert_int_equal(get_cpu(5), generation);
	assert_int_equal(get_cpu(4), 0);
}

static void what_cpus_that_go_have_counted_stays(void **state)
{
	(void)state;
	assert_true(enable() > 0);
	online("0,3\n");
	assert_int_equal(system_count(16), 3 * 116 + 4000);
	assert_int_equal(get_cpu(1), 0);
	online("0-1,3\n");
	assert_int_equal(system_count(16), 4 * 116 + 5000);
	assert_true(get_cpu(1) > 0);
	assert_int_equal(counts.hwp_evctr[16], 2 * 1116);
}

/* No request came while the CPU was offline: only its events show that */
static void cpus_that_were_gone_for_a_while_are_noticed(void **state)
{
	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(system_count(16), 3 * 116 + 4000);
	fake_file("/life-of-cpu-1", "1\n");
	assert_int_equal(system_count(16), 4 * 116 + 5000);
	assert_int_equal(system_count(16), 4 * 116 + 5000);
}

/* The page has room for more CPUs than were online at the start */
static void changes_are_for_the_cpus_of_now(void **state)
{
	(void)state;
	online("0\n");
	assert_true(enable() > 0);
	online("0-7\n");
	assert_true(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg) > 0);
	assert_int_equal(system_count(16), 8 * 116 + 28000);
	assert_true(get_cpu(7) > 0);
	online("6\n");
	assert_true(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg) > 0);
	assert_int_equal(system_count(16), 6116);
	assert_int_equal(get_cpu(7), 0);
	assert_int_equal(release(), 0);
	assert_int_equal(system_count(16), 6116);
}

/* Another program's pinned events have left no counter for ours */
static void dead_pinned_events_are_replaced(void **state)
{
	(void)state;
	fake.pinned_short = true;
	fake_share();
	assert_true(enable() > 0);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
}

static void a_refusal_of_the_kernel_begins_nothing(void **state)
{
	static const int errors[] = { -EMFILE, -ENODEV, -EACCES, -ENOMEM };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		fake.open_fail_at = (int)i;
		fake.open_err = errors[i];
		fake_share();
		assert_int_equal(enable(), errors[i] == -EACCES ? -EPERM :
				 errors[i]);
		assert_int_equal(ixp_system_on(), 0);
	}
	fake.open_fail_at = -1;
	fake.enable_err = -EIO;
	fake_share();
	assert_int_equal(enable(), -EIO);
	assert_int_equal(ixp_system_on(), 0);
}

static void without_a_holder(void **state)
{
	(void)state;
	setenv("IRIXPERF_HOLDER", "/no/such/program", 1);
	assert_int_equal(enable(), -ENOSYS);
	setenv("IRIXPERF_HOLDER", "/proc/version", 1);
	assert_int_equal(enable(), -ENOSYS);
	setenv("IRIXPERF_HOLDER", "/bin/true", 1);
	assert_int_equal(enable(), -EIO);
	assert_int_equal(ixp_system_on(), 0);
}

static void a_killed_holder_holds_nothing(void **state)
{
	int generation = enable();
	hwperf_cntr_t last;

	(void)state;
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &last), generation);
	kill_holder();
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EINVAL);
	assert_int_equal(release(), -EINVAL);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_memory_equal(&counts, &last, sizeof(last));
	assert_true(ioctl(mine, PIOCENEVCTRS, &user) > 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_true(enable() > generation);
}

/* The holder was killed while it wrote: the counts are unknown, but the mode is off */
static void a_holder_killed_while_it_writes(void **state)
{
	uint32_t odd = 1;
	int file;

	(void)state;
	assert_true(ioctl(mine, PIOCENEVCTRS, &root_arg) > 0);
	kill_holder();
	file = ixp_file_open(IXP_RUN_SYSTEM, O_RDWR);
	assert_int_equal(pwrite(file, &odd, sizeof(odd),
				offsetof(struct ixp_system_page, seq)),
			 sizeof(odd));
	close(file);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), -EIO);
	assert_int_equal(get_cpu(0), -EIO);
	assert_fails(ioctl(mine, PIOCGETEVCTRS, &counts), EIO);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EINVAL);
	assert_int_equal(release(), -EINVAL);
	assert_fails(ioctl(mine, PIOCGETEVCTRL, &ctrl), EINVAL);
	assert_fails(ioctl(mine, PIOCRELEVCTRS), EINVAL);
	assert_true(ioctl(mine, PIOCENEVCTRS, &user) > 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_true(enable() > 0);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
}

static void who_asked_may_end(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0)
		_exit(enable() > 0 ? 0 : 1);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	assert_int_equal(release(), 0);
}

/* Neither children nor descriptors, nor pending signals */
static void the_caller_keeps_nothing(void **state)
{
	int before = nr_descriptors();
	int status;

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(waitpid(-1, &status, WNOHANG), 0);
	assert_int_equal(nr_descriptors(), before);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	assert_true(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg) > 0);
	assert_int_equal(release(), 0);
	assert_int_equal(nr_descriptors(), before);
}

static void the_holder_has_left_the_caller(void **state)
{
	char path[64], text[256];
	pid_t pid;

	(void)state;
	assert_true(enable() > 0);
	pid = holder();
	assert_int_equal(getsid(pid), pid);
	snprintf(path, sizeof(path), "/proc/%d/cwd", pid);
	memset(text, 0, sizeof(text));
	assert_true(readlink(path, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "/");
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	memset(text, 0, sizeof(text));
	if (readlink(path, text, sizeof(text) - 1) > 0)
		assert_null(strstr(text, "/proc/"));
}

/* The holder gets no variables that the library hides from programs, either */
static void nothing_is_preloaded_into_the_holder(void **state)
{
	char path[64], text[16384], *p;
	ssize_t n;
	int file;

	(void)state;
	setenv("LD_TEST", "1", 1);
	setenv("HIDDEN", "1", 1);
	assert_true(enable() > 0);
	unsetenv("LD_TEST");
	unsetenv("HIDDEN");
	snprintf(path, sizeof(path), "/proc/%d/environ", holder());
	file = open(path, O_RDONLY);
	n = read(file, text, sizeof(text) - 1);
	close(file);
	assert_true(n > 0);
	text[n] = '\0';
	for (p = text; p < text + n; p += strlen(p) + 1) {
		assert_int_not_equal(strncmp(p, "LD_", 3), 0);
		assert_int_not_equal(strncmp(p, "HIDDEN", 6), 0);
	}
}

/* Like a set-user-ID program: its user must not be able to kill the holder */
static void enable_with_other_real_user(void)
{
	_exit(setresgid(1000, 0, 0) || setresuid(1000, 0, 0) || enable() <= 0);
}

static void holder_line(const char *key, char *line, size_t size)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", holder());
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, (int)size, f) && strncmp(line, key, strlen(key)) != 0)
		;
	fclose(f);
}

static void the_holder_is_root_altogether(void **state)
{
	char line[128];
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	pid = start_child(enable_with_other_real_user);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	holder_line("Uid:", line, sizeof(line));
	assert_string_equal(line, "Uid:\t0\t0\t0\t0\n");
	holder_line("Gid:", line, sizeof(line));
	assert_string_equal(line, "Gid:\t0\t0\t0\t0\n");
}

static void limit_self(int which, rlim_t soft)
{
	struct rlimit limit;

	getrlimit(which, &limit);
	limit.rlim_cur = soft;
	setrlimit(which, &limit);
}

static void enable_with_limits(void)
{
	limit_self(RLIMIT_CPU, 5);
	limit_self(RLIMIT_FSIZE, 65536);
	limit_self(RLIMIT_NOFILE, 100);
	_exit(enable() <= 0);
}

/* System mode outlives the program that starts it, so its limits do not apply */
static void limits_of_the_caller_are_not_the_holders(void **state)
{
	static const int which[] = { RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE };
	struct rlimit limit, own;
	int status;
	size_t i;
	pid_t pid = start_child(enable_with_limits);

	(void)state;
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	for (i = 0; i < ARRAY_SIZE(which); i++) {
		assert_int_equal(prlimit(holder(), which[i], NULL, &limit), 0);
		getrlimit(which[i], &own);
		assert_true(limit.rlim_cur >= own.rlim_max);
	}
}

/* Another thread waits for any child, also for the one that starts the holder */
static volatile int waiting;

static void *wait_for_all(void *data)
{
	while (waiting)
		syscall(SYS_wait4, -1, NULL, __WALL, NULL);

	return data;
}

static void other_threads_may_wait_for_children(void **state)
{
	pthread_t thread;
	int i;

	(void)state;
	waiting = 1;
	assert_int_equal(pthread_create(&thread, NULL, wait_for_all, NULL), 0);
	for (i = 0; i < 30; i++) {
		assert_in_range(enable(), 1, INT32_MAX);
		assert_int_equal(release(), 0);
	}
	waiting = 0;
	end_child(start_child(sleep_for_ever));
	/* The thread may be waiting for the target, which still runs */
	end_child(target);
	pthread_join(thread, NULL);
}

/* Our own user mode, and that of a sleeping process */
static void system_mode_keeps_users_out(void **state)
{
	hwperf_profevctrarg_t none;

	(void)state;
	memset(&none, 0, sizeof(none));
	assert_true(enable() > 0);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &user), EBUSY);
	assert_fails(ioctl(fd, PIOCENEVCTRS, &user), EBUSY);
	assert_fails(ioctl(fd, PIOCENEVCTRS, &none), EBUSY);
	assert_fails(ioctl(fd, PIOCENEVCTRS, &root_arg), EBUSY);
	assert_int_equal(fake_nr_open(), 0);
	put(&user, 1, 0);
	user.hwp_evctrargs.hwp_evctrl[1].hwperf_creg.hwp_ie = 1;
	assert_fails(ioctl(fd, PIOCENEVCTRS, &user), EINVAL);
	put(&user, 1, HWPERF_CNTEN_U);
	assert_int_equal(release(), 0);
	assert_true(ioctl(fd, PIOCENEVCTRS, &user) > 0);
}

static void users_lose_their_counters(void **state)
{
	int a = ioctl(mine, PIOCENEVCTRS, &user);
	int b = ioctl(fd, PIOCENEVCTRS, &user);

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), a + 1);
	assert_int_equal(counts.hwp_evctr[9], 109);
	fake.base = 5000;
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), a + 1);
	assert_int_equal(counts.hwp_evctr[9], 109);
	assert_int_equal(fake_nr_open(), 2);
	assert_fails(ioctl(fd, PIOCGETEVCTRL, &ctrl), EINVAL);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), b + 1);
	assert_int_equal(fake_nr_open(), 0);
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &user), EBUSY);
	assert_fails(ioctl(fd, PIOCENEVCTRS, &user), EBUSY);
	assert_fails(ioctl(fd, PIOCRELEVCTRS), EINVAL);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), b + 1);
}

#define SOMEBODY	1000	/* a user */

/* Open more files that only look like pages than one process may have */
static bool open_many(const char *name)
{
	int i, fd = 0;

	for (i = 0; i < 500 && fd >= 0; i++)
		fd = memfd_create(name, 0);

	return fd >= 0;
}

/* Start a user's process with some files. It writes a byte when they are open */
static pid_t start_somebody(bool (*open_files)(const char *name))
{
	char name[200], byte;
	int up[2];
	pid_t pid;

	if (pipe(up))
		return -1;
	pid = fork();
	if (pid == 0) {
		snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
		if (!open_files(name) || setgid(SOMEBODY) || setuid(SOMEBODY) ||
		    prctl(PR_SET_PDEATHSIG, SIGTERM) ||
		    write(up[1], "", 1) != 1)
			_exit(1);
		sleep_for_ever();
	}
	close(up[1]);
	if (read(up[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(up[0]);

	return pid;
}

/* @busy: the process with these files is taken for one that counts */
static void begin_beside(bool (*open_files)(const char *name), bool busy)
{
	pid_t pid;
	int a;

	if (geteuid() != 0)
		skip();
	pid = start_somebody(open_files);
	assert_true(pid > 0);
	a = ioctl(mine, PIOCENEVCTRS, &user);
	assert_true(enable() > 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), a + 1);
	assert_int_equal(fake_nr_open(), 0);
	release();
	a = ioctl(mine, PIOCENEVCTRS, &root_arg);
	assert_int_equal(a < 0 ? errno : 0, busy ? EBUSY : 0);
	ioctl(mine, PIOCRELEVCTRS);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

/* A process that takes over such a file cannot close it */
static void files_that_do_not_close_are_nobodys_affair(void **state)
{
	(void)state;
	begin_beside(hang_open, false);
}

/* If a user with too many files has counters, it keeps them until the next look */
static void users_with_too_many_files_are_left_out(void **state)
{
	(void)state;
	begin_beside(open_many, true);
}

/* The generation number that a reader has seen may be anybody's PID */
static void files_with_numbers_have_no_targets(void **state)
{
	struct ixp_user_page *page;
	char name[200];
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip();
	page = calloc(1, sizeof(*page));
	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	fd = memfd_create(name, 0);
	page->magic = IXP_USER_MAGIC;
	page->seen = getpid();
	assert_int_equal(write(fd, page, sizeof(*page)), sizeof(*page));
	free(page);
	assert_true(ioctl(mine, PIOCENEVCTRS, &root_arg) > 0);
	ioctl(mine, PIOCRELEVCTRS);
	close(fd);
}

/* Open pages that would keep a walk busy for half a minute or more: no target runs */
static bool open_large(const char *name)
{
	struct ixp_user_page *page = calloc(1, sizeof(*page));
	int i, fd = memfd_create(name, 0);

	page->magic = IXP_USER_MAGIC;
	for (i = 0; i < IXP_USER_TARGETS; i++)
		page->target[i] = target;
	/* No descriptor that is open has such a number */
	memset(page->event + 256, 0xff, sizeof(page->event) - 256);
	if (write(fd, page, sizeof(*page)) != sizeof(*page))
		fd = -1;
	for (i = 1; i < 100 && fd >= 0; i++)
		fd = dup(fd);
	free(page);

	return fd >= 0;
}

/* Milliseconds of CPU time of children that have ended, and of their children */
static long used_by_children(void)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);

	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* The same of the holder, which has become our child, when it has ended */
static long used_by_holder(long before)
{
	/* The target and somebody, who are our children, too, do not end */
	assert_true(syscall(SYS_wait4, -1, NULL, 0, NULL) > 0);

	return used_by_children() - before;
}

/*
 * Beside a process with large pages, system mode without force and with it: for these the
 * holder takes so many milliseconds. All else takes what it takes without that process,
 * which depends on how many others there are, and less than a second more, or than half a
 * second with force: that tells a user's limit from the one for all.
 */
static void check_limits(pid_t pid, long look, long stop)
{
	long before = used_by_children(), looking, stopping, rest;

	assert_true(pid > 0);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &root_arg), EBUSY);
	looking = used_by_holder(before);
	assert_true(enable() > 0);
	assert_int_equal(release(), 0);
	stopping = used_by_holder(before) - looking;
	end_child(pid);
	before = used_by_children();
	assert_true(enable() > 0);
	assert_int_equal(release(), 0);
	rest = used_by_holder(before);
	assert_in_range(looking, look, look + rest + 1000);
	assert_in_range(stopping, stop, stop + rest + 450);
}

/* Whatever pages contain, root waits for a limited time: half a second for a user's */
static void large_pages_of_strangers_take_half_a_second(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	check_limits(start_somebody(open_large), 500, 500);
}

static void sleep_with_large_pages(void)
{
	char name[200];

	snprintf(name, sizeof(name), IXP_USER_NAME "%s", ixp_kernel.root);
	if (open_large(name))
		sleep_for_ever();
}

static void large_pages_take_some_seconds(void **state)
{
	pid_t pid = start_child(sleep_with_large_pages);

	(void)state;
	wait_asleep(pid);
	/* If a user other than root runs this, the pages are that user's */
	check_limits(pid, geteuid() == 0 ? 3000 : 500, geteuid() == 0 ? 1000 : 500);
}

static int sleep_often(struct ixp_scout *scout)
{
	const struct timespec moment = { .tv_nsec = 50000000 };

	while (nanosleep(&moment, NULL) == 0)
		scout->at++;

	return 0;
}

/* Its time ends tomorrow, so otherwise this test would hang */
static void a_scout_that_sleeps_often_is_given_up(void **state)
{
	struct ixp_scout *scout = ixp_scout_new(sizeof(*scout));

	(void)state;
	assert_non_null(scout);
	assert_int_equal(ixp_scout_send(scout, sleep_often, ixp_now_ms() + 86400000),
			 -ETIMEDOUT);
	ixp_scout_free(scout, sizeof(*scout));
}

static bool asks_in_vain(void)
{
	return ixp_remote_system(PIOCSETEVCTRL, 0, &root_arg, NULL) == -EPERM &&
	       ixp_remote_system(PIOCRELEVCTRS, 0, NULL, NULL) == -EPERM &&
	       ixp_remote_system(PIOCENEVCTRS, 0, &root_arg, NULL) == -EPERM &&
	       ixp_remote_system(PIOCGETEVCTRS, 0, NULL, NULL) == 0;
}

static bool become_somebody(void)
{
	return setgid(SOMEBODY) == 0 && setuid(SOMEBODY) == 0;
}

static void ask_as_somebody(void)
{
	_exit(!become_somebody() || !asks_in_vain());
}

/* It has all rights in its own user namespace, but not on the machine */
static void ask_as_root_of_a_container(void)
{
	_exit(unshare(CLONE_NEWUSER) < 0 || !asks_in_vain());
}

static void system_mode_is_no_strangers(void **state)
{
	int generation;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(ixp_kernel.root, 0711), 0);
	generation = enable();
	assert_true(generation > 0);
	assert_int_equal(ended_well(start_child(ask_as_somebody)), 0);
	assert_int_equal(ended_well(start_child(ask_as_root_of_a_container)), 0);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation);
	assert_int_equal(release(), 0);
}

/* Open twice as many connections as the holder serves at a time, and send nothing */
static bool connect_and_be_silent(const char *name)
{
	struct sockaddr_un address;
	int place = ixp_place_system(), nr, fd;
	socklen_t len = ixp_place_address(&address, place, 0);
	bool good = become_somebody();

	(void)name;
	for (nr = 0; nr < 128 && good; nr++) {
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		good = fd >= 0 && connect(fd, (struct sockaddr *)&address, len) == 0;
	}

	return good;
}

static void connections_of_strangers_keep_nobody(void **state)
{
	int generation, i;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(ixp_kernel.root, 0711), 0);
	generation = enable();
	assert_true(generation > 0);
	pid = start_somebody(connect_and_be_silent);
	assert_true(pid > 0);
	for (i = 0; i < 100; i++)
		assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(release(), 0);
	end_child(pid);
}

static void do_nothing(int sig)
{
	(void)sig;
}

/* Each change of the events has the next number: none is made twice */
static void signals_repeat_no_request(void **state)
{
	const struct itimerval often = { { 0, 300 }, { 0, 300 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	int generation = enable(), last = generation, right = 0, released, i;
	struct sigaction action = { .sa_handler = do_nothing };

	(void)state;
	assert_true(generation > 0);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 50; i++) {
		last = eventctr(HWPERF_SET_SYSEVCTRL, &root_arg);
		right += last == generation + 1 + i;
	}
	released = release();
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
	alarm(PATIENCE);
	assert_int_equal(right, 50);
	assert_int_equal(released, 0);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), last);
}

/* A program that made no request while system mode was on learns of the loss later */
static void losers_are_not_started_again(void **state)
{
	int a = ioctl(mine, PIOCENEVCTRS, &user);

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(release(), 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), a + 1);
	assert_int_equal(fake_nr_open(), 0);
	assert_true(ioctl(mine, PIOCSETEVCTRL, &user) > a + 1);
	assert_int_equal(fake_nr_open(), 2);
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > a + 1);
}

static void who_uses_nothing_loses_nothing(void **state)
{
	hwperf_profevctrarg_t none;
	int a = ioctl(mine, PIOCENEVCTRS, &user);
	int b;

	(void)state;
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	memset(&none, 0, sizeof(none));
	b = ioctl(fd, PIOCENEVCTRS, &none);
	assert_true(ioctl(mine, PIOCENEVCTRS, &root_arg) > 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_true(a > 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), b);
}

static void system_mode_through_proc(void **state)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &root_arg);

	(void)state;
	assert_true(generation > 0);
	assert_int_equal(fake_nr_open(), 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRL, &ctrl), generation);
	assert_memory_equal(&ctrl, &root_arg.hwp_evctrargs, sizeof(ctrl));
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &root_arg), EBUSY);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &user), EBUSY);
	assert_int_equal(ioctl(mine, PIOCSETEVCTRL, &root_arg), generation + 1);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), generation + 1);
	assert_fails(ioctl(mine, PIOCSETEVCTRL, &user), EINVAL);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_int_equal(ixp_system_on(), 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation + 1);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
	assert_fails(ioctl(mine, PIOCRELEVCTRS), EINVAL);
	assert_fails(ioctl(mine, PIOCGETEVCTRL, &ctrl), EINVAL);
}

static void system_mode_of_others_is_not_ours_to_release(void **state)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &root_arg);

	(void)state;
	assert_int_equal(release(), 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation);
	assert_int_equal(enable(), generation + 1);
	assert_fails(ioctl(mine, PIOCRELEVCTRS), EINVAL);
	assert_fails(ioctl(mine, PIOCGETEVCTRL, &ctrl), EINVAL);
	assert_fails(ioctl(mine, PIOCSETEVCTRL, &root_arg), EBUSY);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation + 1);
	assert_int_equal(ixp_system_on(), 1);
	assert_int_equal(release(), 0);
	assert_true(ioctl(mine, PIOCSETEVCTRL, &root_arg) > generation + 1);
	assert_int_equal(ixp_system_on(), 1);
}

/* The fake machine has no processes: give it this one */
static void lend_process(void)
{
	char from[64], to[256];

	snprintf(from, sizeof(from), "/proc/%d", getpid());
	snprintf(to, sizeof(to), "%s%s", ixp_kernel.root, from);
	assert_int_equal(symlink(from, to), 0);
	fake_file("/proc/stat", "btime 1000000000\n");
}

static void show_version(uint32_t magic)
{
	int page = ixp_file_open(IXP_RUN_SYSTEM, O_RDWR);

	assert_int_equal(pwrite(page, &magic, sizeof(magic),
				offsetof(struct ixp_system_page, magic)),
			 sizeof(magic));
	close(page);
}

static void holders_of_other_versions_are_refused(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int generation = enable();

	(void)state;
	show_version(IXP_SYSTEM_MAGIC + 1);
	assert_int_equal(enable(), -EPROTO);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &root_arg), EPROTO);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &user), EBUSY);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &root_arg), -EPROTO);
	assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EPROTO);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), -EPROTO);
	assert_int_equal(irixperf_system_read(&system), -EPROTO);
	assert_int_equal(release(), -EPROTO);
	assert_int_equal(ixp_system_on(), 1);
	show_version(IXP_SYSTEM_MAGIC);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(release(), 0);
	/* What a holder has left counts for nothing once it is gone */
	show_version(IXP_SYSTEM_MAGIC + 1);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), -EINVAL);
	assert_true(enable() > 0);
}

static int listener;

/* Play a holder of another version, which does not know this version's HELLO */
static void answer_as_another_version(void)
{
	struct ixp_remote_reply reply = { .ret = -ENOTTY };
	struct ixp_remote_request ask;
	int client = accept(listener, NULL, NULL);

	_exit(recv(client, &ask, sizeof(ask), 0) != sizeof(ask) ||
	      ask.request != IXP_REMOTE_HELLO ||
	      send(client, &reply, sizeof(reply), 0) != sizeof(reply));
}

static void process_holders_of_other_versions_are_refused(void **state)
{
	int self = open("/proc/self", O_PATH | O_DIRECTORY), place;
	struct sockaddr_un address;
	socklen_t len;
	pid_t pid;

	(void)state;
	/* Users other than root may have their sockets there */
	ixp_file_mkdir("/tmp", 0700);
	place = ixp_place_make();
	assert_true(place >= 0);
	len = ixp_place_address(&address, place, getpid());
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(listener, 1), 0);
	pid = start_child(answer_as_another_version);
	ixp_kernel.remote = true;
	assert_int_equal(ixp_remote_find(self), -EPROTO);
	ixp_kernel.remote = false;
	assert_int_equal(ended_well(pid), 0);
	close(listener);
	close(place);
	close(self);
}

static void usage_in_system_mode(void **state)
{
	static hwperf_prusage_t usage;
	int generation = ioctl(mine, PIOCENEVCTRS, &root_arg);

	(void)state;
	lend_process();
	assert_int_equal(ioctl(mine, PIOCGETPREVCTRS, &usage), generation);
	assert_int_equal(usage.pu_cpu_mon.cm_cntrs.hwp_evctr[16],
			 3 * 116 + 4000);
	assert_int_equal(ioctl(mine, PIOCSETEVCTRL, &root_arg), generation + 1);
	assert_int_equal(ioctl(mine, PIOCGETPREVCTRS, &usage), generation + 1);
	assert_fails(ioctl(mine, PIOCGETPREVCTRS, 8), EFAULT);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_int_equal(ioctl(mine, PIOCGETPREVCTRS, &usage), generation + 1);
	assert_int_equal(usage.pu_cpu_mon.cm_cntrs.hwp_evctr[16],
			 3 * 116 + 4000);
}

/* A child in system mode reads the system's counts, not its own */
static void be_in_system_mode(void)
{
	int self = open_process(getpid());
	pid_t pid;

	if (ioctl(self, PIOCENEVCTRS, &root_arg) <= 0 ||
	    ioctl(self, PIOCRELEVCTRS) < 0)
		_exit(1);
	/* Its own child's counts are passed on to its parent */
	pid = fork();
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	_exit(ioctl(self, PIOCGETEVCTRS, &counts) <= 0 ||
	      counts.hwp_evctr[16] != 3 * 116 + 4000);
}

static void counts_of_the_system_are_nobodys_childs(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	/* Start from zero, whatever an earlier test has counted */
	assert_true(ioctl(mine, PIOCENEVCTRS, &user) > 0);
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	pid = start_child(be_in_system_mode);
	assert_true(ioctl(mine, PIOCSAVECCNTRS, pid) >= 0);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > 0);
	assert_int_equal(counts.hwp_evctr[16], 0);
}

static void user_mode_after_system_mode(void **state)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &root_arg);

	(void)state;
	assert_int_equal(ioctl(mine, PIOCRELEVCTRS), 0);
	assert_true(ioctl(mine, PIOCENEVCTRS, &user) > generation);
	assert_int_equal(fake_nr_open(), 2);
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > generation);
	assert_int_equal(counts.hwp_evctr[9], 109);
}

static void numbers_of_a_target_never_return(void **state)
{
	int i, next, last = ioctl(fd, PIOCENEVCTRS, &user);

	(void)state;
	for (i = 0; i < 5; i++) {
		assert_int_equal(ioctl(fd, PIOCSETEVCTRL, &user), ++last);
		assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
		next = ioctl(fd, PIOCENEVCTRS, &root_arg);
		assert_true(next > last);
		assert_int_equal(ioctl(fd, PIOCRELEVCTRS), 0);
		last = ioctl(fd, PIOCENEVCTRS, &user);
		assert_true(last > next);
	}
}

static void exception_level_is_no_system_mode(void **state)
{
	(void)state;
	put(&user, 9, HWPERF_CNTEN_U | HWPERF_CNTEN_E);
	assert_true(ioctl(fd, PIOCENEVCTRS, &user) > 0);
	assert_int_equal(ixp_system_on(), 0);
	assert_int_equal(fake_nr_open(), 2);
}

/* The caller itself runs */
static void our_own_user_mode_is_in_the_way(void **state)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &user);

	(void)state;
	assert_fails(ioctl(mine, PIOCENEVCTRS, &root_arg), EBUSY);
	assert_fails(ioctl(fd, PIOCENEVCTRS, &root_arg), EBUSY);
	assert_int_equal(ixp_system_on(), 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation);
	assert_true(enable() > 0);
}

static void sleepers_are_not_in_the_way(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &user);

	(void)state;
	fake.time_step = 1;
	fake_share();
	assert_true(ioctl(mine, PIOCENEVCTRS, &root_arg) > 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 1);
	assert_fails(ioctl(fd, PIOCSETEVCTRL, &user), EBUSY);
}

/* The time of its event says whether the spinner is on a CPU */
static void spin_test(unsigned long long step, bool busy)
{
	pid_t spinner = start_spinner();
	int file = open_process(spinner);
	int generation = ioctl(file, PIOCENEVCTRS, &user);
	int ret, err, then;

	fake.time_step = step;
	fake_share();
	ret = ioctl(mine, PIOCENEVCTRS, &root_arg);
	err = errno;
	then = ioctl(file, PIOCGETEVCTRS, &counts);
	ioctl(file, PIOCRELEVCTRS);
	end_child(spinner);
	close(file);
	assert_int_equal(ret > 0, !busy);
	assert_int_equal(then, generation + !busy);
	if (busy)
		assert_int_equal(err, EBUSY);
}

static void runners_are_in_the_way(void **state)
{
	(void)state;
	spin_test(1, true);
}

static void runners_that_wait_for_a_cpu_are_not(void **state)
{
	(void)state;
	spin_test(0, false);
}

static void force_takes_them_from_runners(void **state)
{
	pid_t spinner = start_spinner();
	int file = open_process(spinner);
	int generation = ioctl(file, PIOCENEVCTRS, &user);

	(void)state;
	fake.time_step = 1;
	fake_share();
	assert_true(enable() > 0);
	assert_int_equal(ioctl(file, PIOCGETEVCTRS, &counts), generation + 1);
	ioctl(file, PIOCRELEVCTRS);
	end_child(spinner);
	close(file);
}

/* Another process in user mode: it acquires, and reports the generation */
static int to_user[2], from_user[2];

static void run_user(void)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &user);
	char byte;

	close(to_user[1]);
	do {
		if (write(from_user[1], &generation, sizeof(generation)) < 0)
			_exit(1);
		if (read(to_user[0], &byte, 1) != 1)
			_exit(0);
		generation = ioctl(mine, PIOCGETEVCTRS, &counts);
	} while (1);
}

static int user_says(void)
{
	int generation = 0;

	assert_int_equal(read(from_user[0], &generation, sizeof(generation)),
			 sizeof(generation));

	return generation;
}

static int ask_user(void)
{
	assert_int_equal(write(to_user[1], "", 1), 1);

	return user_says();
}

static pid_t start_user(void)
{
	pid_t pid;

	assert_int_equal(pipe(to_user), 0);
	assert_int_equal(pipe(from_user), 0);
	pid = start_child(run_user);
	close(to_user[0]);
	close(from_user[1]);

	return pid;
}

static void end_user(pid_t pid)
{
	end_child(pid);
	close(to_user[1]);
	close(from_user[0]);
}

static void users_in_other_processes_lose_theirs(void **state)
{
	pid_t pid = start_user();
	int generation = user_says();

	(void)state;
	assert_true(generation > 0);
	assert_int_equal(ask_user(), generation);
	assert_true(enable() > 0);
	assert_int_equal(ask_user(), generation + 1);
	assert_int_equal(ask_user(), generation + 1);
	end_user(pid);
}

/* It acquires before system mode has any file, and reads after system mode */
static void users_from_before_the_first_system_mode(void **state)
{
	pid_t pid = start_user();
	int generation = user_says();

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(release(), 0);
	assert_int_equal(ask_user(), generation + 1);
	end_user(pid);
}

static void a_killed_user_is_in_nobodys_way(void **state)
{
	pid_t pid = start_user();

	(void)state;
	assert_true(user_says() > 0);
	fake.time_step = 1;
	fake_share();
	end_user(pid);
	assert_true(ioctl(mine, PIOCENEVCTRS, &root_arg) > 0);
}

/* A child of fork(2) has its parent's page until it acquires counters itself */
static int forked_user(void)
{
	unsigned int epoch;

	if (ioctl(mine, PIOCGETEVCTRS, &counts) != -1)
		return 1;
	ixp_arbiter_user_end(target);
	if (ixp_arbiter_user_begin(target, &epoch) < 0)
		return 2;
	if (enable() <= 0)
		return 3;
	if (ixp_arbiter_epoch() == epoch)
		return 4;
	ixp_arbiter_user_end(target);

	return release() != 0 ? 5 : 0;
}

static void forked_users_have_pages_of_their_own(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &user);
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(forked_user());
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_int_equal(ioctl(fd, PIOCGETEVCTRS, &counts), generation + 1);
}

/* The child has lost the counters, like its parent, although neither has looked */
static int child_of_loser(int generation)
{
	int self = open_process(getpid());

	if (fake_nr_open() != 0)
		return 1;
	if (ioctl(self, PIOCGETEVCTRS, &counts) != generation + 1)
		return 2;
	if (ioctl(self, PIOCGETEVCTRL, &ctrl) != -1 || errno != EINVAL)
		return 3;
	return ioctl(self, PIOCSETEVCTRL, &user) == generation + 2 ? 0 : 4;
}

static void children_of_losers_have_lost(void **state)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &user);
	int status;
	pid_t pid;

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(release(), 0);
	pid = fork();
	if (pid == 0)
		_exit(child_of_loser(generation));
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	/* More than one: what the child counted could not be sent, being a fake */
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > generation);
	assert_int_equal(fake_nr_open(), 0);
}

/* A counted child has counters of its own, and itself keeps system mode out */
static int counted_child(int generation)
{
	int self = open_process(getpid());

	if (ioctl(self, PIOCENEVCTRS, &root_arg) != -1 || errno != EBUSY)
		return 1;
	if (enable() <= 0)
		return 2;
	return ioctl(self, PIOCGETEVCTRS, &counts) == generation + 1 ? 0 : 3;
}

static void children_are_users_of_their_own(void **state)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &user);
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(counted_child(generation));
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	/* More than one: what the child counted could not be sent, being a fake */
	assert_true(ioctl(mine, PIOCGETEVCTRS, &counts) > generation);
	assert_int_equal(fake_nr_open(), 0);
}

/* The descriptor of our page, or -1 */
static int page_number(void)
{
	char path[64], text[256];
	int number;
	ssize_t n;

	for (number = 0; number < 64; number++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", number);
		n = readlink(path, text, sizeof(text) - 1);
		text[n > 0 ? n : 0] = '\0';
		if (strstr(text, IXP_USER_NAME))
			return number;
	}

	return -1;
}

/* A page of its own would name processes that it does not count */
static void children_without_counters_have_no_page(void **state)
{
	int generation = ioctl(fd, PIOCENEVCTRS, &user);
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(page_number() >= 0);
	assert_true(generation > 0);
	assert_int_equal(ended_well(pid), 0);
}

/* System mode starts and stops; the exit status is the step that failed */
static void be_kept_out(int self)
{
	if (enable() <= 0)
		_exit(2);
	if (ioctl(self, PIOCENEVCTRS, &user) != -1 || errno != EBUSY)
		_exit(3);
	if (release() < 0 || ioctl(self, PIOCENEVCTRS, &user) <= 0)
		_exit(4);
	_exit(0);
}

/* Without its page the holder cannot reach it */
static void close_the_page(void)
{
	int self = open_process(getpid());

	if (ioctl(self, PIOCENEVCTRS, &user) <= 0 || close(page_number()) < 0)
		_exit(1);
	be_kept_out(self);
}

static pthread_t first_thread;

static void *go_on_alone(void *self)
{
	pthread_join(first_thread, NULL);
	be_kept_out(*(const int *)self);

	return NULL;
}

/* Nor can it here: /proc shows the descriptors of the first thread only */
static void end_the_first_thread(void)
{
	static int self;
	pthread_t thread;

	first_thread = pthread_self();
	self = open_process(getpid());
	if (ioctl(self, PIOCENEVCTRS, &user) <= 0 ||
	    pthread_create(&thread, NULL, go_on_alone, &self) != 0)
		_exit(1);
	pthread_exit(NULL);
}

static void who_cannot_be_found_is_kept_out(void **state)
{
	(void)state;
	assert_int_equal(ended_well(start_child(close_the_page)), 0);
	assert_int_equal(ended_well(start_child(end_the_first_thread)), 0);
}

/* Any user who can open a file can put a read lock on it: that must not matter */
static void locks_of_others_hinder_nobody(void **state)
{
	struct flock all = { .l_type = F_RDLCK }, byte = { .l_type = F_RDLCK, .l_len = 1 };
	int old, new;

	(void)state;
	assert_true(enable() > 0);
	assert_int_equal(release(), 0);
	old = ixp_file_open(IXP_RUN_SYSTEM, O_RDONLY);
	assert_int_equal(fcntl(old, F_OFD_SETLK, &all), 0);
	assert_true(enable() > 0);
	new = ixp_file_open(IXP_RUN_SYSTEM, O_RDONLY);
	assert_fails(fcntl(new, F_OFD_SETLK, &all), EAGAIN);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	assert_int_equal(fcntl(new, F_OFD_SETLK, &byte), 0);
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) > 0);
	assert_int_equal(release(), 0);
	close(new);
	close(old);
}

/* Reads and changes at the same time: each read gives the counts of one set */
static void read_all_the_time(void)
{
	int i, ret;

	for (i = 0; i < 300; i++) {
		ret = eventctr(HWPERF_GET_SYSCNTRS, &counts);
		if (ret <= 0)
			_exit(1);
		if ((counts.hwp_evctr[16] > 0) == (counts.hwp_evctr[17] > 0))
			_exit(2);
	}
}

static void readers_and_changes(void **state)
{
	hwperf_profevctrarg_t other;
	pid_t pids[3];
	int i, status;

	(void)state;
	memset(&other, 0, sizeof(other));
	put(&other, 17, HWPERF_CNTEN_K);
	assert_true(enable() > 0);
	for (i = 0; i < 3; i++)
		pids[i] = start_child(read_all_the_time);
	for (i = 0; i < 100; i++)
		assert_true(eventctr(HWPERF_SET_SYSEVCTRL,
				     i & 1 ? &root_arg : &other) > 0);
	for (i = 0; i < 3; i++) {
		waitpid(pids[i], &status, 0);
		assert_int_equal(status, 0);
	}
}

/* It writes a byte after so many reads, and goes on */
static int reading[2], nr_reads;

static void read_for_ever(void)
{
	int i;

	for (i = 1;; i++) {
		eventctr(HWPERF_GET_SYSCNTRS, &counts);
		if (i == nr_reads && write(reading[1], "", 1) != 1)
			_exit(1);
	}
}

/* A reader must not wait for a dead holder, which may have been killed while it wrote */
static void readers_of_a_killed_holder_go_on(void **state)
{
	uint32_t seq;
	int ret, file;
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(reading), 0);
	for (nr_reads = 1; nr_reads <= 20; nr_reads++) {
		assert_true(enable() > 0);
		pid = start_child(read_for_ever);
		assert_int_equal(read(reading[0], &byte, 1), 1);
		kill_holder();
		ret = eventctr(HWPERF_GET_SYSCNTRS, &counts);
		file = ixp_file_open(IXP_RUN_SYSTEM, O_RDONLY);
		assert_int_equal(pread(file, &seq, sizeof(seq),
				       offsetof(struct ixp_system_page, seq)),
				 sizeof(seq));
		close(file);
		assert_true(seq & 1 ? ret == -EIO : ret > 0);
		end_child(pid);
	}
	close(reading[0]);
	close(reading[1]);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(users_from_before_the_first_system_mode),
	TEST(counts_are_those_of_all_cpus),
	TEST(each_cpu_has_its_counts),
	TEST(times_come_with_the_counts),
	TEST(times_of_shared_counters),
	TEST(others_take_counters_of_system_mode),
	TEST(size_of_the_structure_is_checked),
	TEST(no_such_cpu_is_zero),
	TEST(kernel_mode_is_needed),
	TEST(one_event_in_kernel_mode_is_enough),
	TEST(a_set_needs_no_kernel_mode),
	TEST(another_set_takes_its_place),
	TEST(a_set_without_events_reserves_the_counters),
	TEST(a_cpu_has_its_times),
	TEST(bad_sets_change_nothing),
	TEST(codes_of_another_cpu),
	TEST(codes_are_events_in_another_mode),
	TEST(codes_are_checked),
	TEST(codes_have_no_number_in_proc),
	TEST(what_has_changed_meanwhile_is_not_undone),
	TEST(only_root_may_change_it),
	TEST(all_may_read),
	TEST(the_files_have_their_modes),
	TEST(a_folder_that_others_can_write_is_refused),
	TEST(bad_addresses),
	TEST(unknown_commands),
	TEST(nothing_works_before_the_first),
	TEST(twice_is_busy),
	TEST(control_comes_back_as_given),
	TEST(each_change_raises_the_generation),
	TEST(modes_can_be_changed),
	TEST(thresholds_with_signals_are_refused),
	TEST(failed_changes_change_nothing),
	TEST(counts_stay_after_the_release),
	TEST(all_events_take_turns),
	TEST(cpus_that_come_are_counted),
	TEST(what_cpus_that_go_have_counted_stays),
	TEST(cpus_that_were_gone_for_a_while_are_noticed),
	TEST(changes_are_for_the_cpus_of_now),
	TEST(dead_pinned_events_are_replaced),
	TEST(a_refusal_of_the_kernel_begins_nothing),
	TEST(without_a_holder),
	TEST(a_killed_holder_holds_nothing),
	TEST(a_holder_killed_while_it_writes),
	TEST(who_asked_may_end),
	TEST(the_caller_keeps_nothing),
	TEST(the_holder_has_left_the_caller),
	TEST(nothing_is_preloaded_into_the_holder),
	TEST(the_holder_is_root_altogether),
	TEST(limits_of_the_caller_are_not_the_holders),
	TEST(other_threads_may_wait_for_children),
	TEST(usage_in_system_mode),
	TEST(counts_of_the_system_are_nobodys_childs),
	TEST(system_mode_keeps_users_out),
	TEST(who_cannot_be_found_is_kept_out),
	TEST(users_lose_their_counters),
	TEST(files_that_do_not_close_are_nobodys_affair),
	TEST(files_with_numbers_have_no_targets),
	TEST(users_with_too_many_files_are_left_out),
	TEST(large_pages_of_strangers_take_half_a_second),
	TEST(large_pages_take_some_seconds),
	TEST(a_scout_that_sleeps_often_is_given_up),
	TEST(system_mode_is_no_strangers),
	TEST(connections_of_strangers_keep_nobody),
	TEST(signals_repeat_no_request),
	TEST(losers_are_not_started_again),
	TEST(who_uses_nothing_loses_nothing),
	TEST(system_mode_through_proc),
	TEST(system_mode_of_others_is_not_ours_to_release),
	TEST(holders_of_other_versions_are_refused),
	TEST(process_holders_of_other_versions_are_refused),
	TEST(user_mode_after_system_mode),
	TEST(numbers_of_a_target_never_return),
	TEST(exception_level_is_no_system_mode),
	TEST(our_own_user_mode_is_in_the_way),
	TEST(sleepers_are_not_in_the_way),
	TEST(runners_are_in_the_way),
	TEST(runners_that_wait_for_a_cpu_are_not),
	TEST(force_takes_them_from_runners),
	TEST(users_in_other_processes_lose_theirs),
	TEST(a_killed_user_is_in_nobodys_way),
	TEST(forked_users_have_pages_of_their_own),
	TEST(children_of_losers_have_lost),
	TEST(children_are_users_of_their_own),
	TEST(children_without_counters_have_no_page),
	TEST(locks_of_others_hinder_nobody),
	TEST(readers_and_changes),
	TEST(readers_of_a_killed_holder_go_on),
};

UNIT_MAIN(tests)
