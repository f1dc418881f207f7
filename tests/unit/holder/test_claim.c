// SPDX-License-Identifier: GPL-2.0-only
/*
 * Claims on the counters of all CPUs, with a real holder and real locks, on a machine
 * with the CPUs 0, 1 and 3 whose counters are fake.
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <sys/syssgi.h>
#include <linux/perf_event.h>
#include <irixperf.h>
#include "children.h"
#include "fake.h"
#include "kernel.h"
#include "process.h"
#include "sysfile.h"
#include "unit.h"
#include "view.h"

/* After so many seconds a test that hangs is killed */
#define PATIENCE	300

static unsigned char mode[IRIXPERF_EVENTS];
static struct irixperf_count count[IRIXPERF_EVENTS];
static struct irixperf_claim *claim, *other;
static hwperf_profevctrarg_t user, system_arg;
static hwperf_eventctrl_t ctrl;
static hwperf_cntr_t counts;
static int mine;

static int eventctr(int command, const void *first)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, command, (uintptr_t)first, 0, 0);
}

static int claim_alone(void)
{
	return irixperf_claim(&claim, 0);
}

static void claim_end(struct irixperf_claim **which)
{
	irixperf_claim_close(*which);
	*which = NULL;
}

static int setup(void **state)
{
	(void)state;
	alarm(PATIENCE);
	fake_install(R10000_V34);
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	memset(mode, 0, sizeof(mode));
	memset(&user, 0, sizeof(user));
	memset(&system_arg, 0, sizeof(system_arg));
	user.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_ev = 9;
	user.hwp_evctrargs.hwp_evctrl[9].hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	system_arg.hwp_evctrargs.hwp_evctrl[16].hwperf_creg.hwp_mode = HWPERF_CNTEN_K;
	mine = open_process(getpid());

	return mine < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	fake.uid = 0;
	claim_end(&claim);
	claim_end(&other);
	eventctr(HWPERF_RELSYSCNTRS, NULL);
	ioctl(mine, PIOCRELEVCTRS);
	close(mine);

	return ixp_system_on() || fake_nr_open() ? -1 : 0;
}

FIXTURE(setup, teardown);

/* What it counts */

CASE(before_the_first_choice_there_is_nothing_to_read)
{
	assert_int_equal(claim_alone(), 0);
	assert_int_equal(irixperf_claim_read(claim, 0, count), -EINVAL);
	assert_int_equal(fake_nr_open(), 0);
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), 0);
	assert_int_equal(irixperf_claim_read(claim, 0, count), 0);
	assert_int_equal(count[0].value, 0);
}

CASE(other_events_are_counted_in_turn)
{
	assert_int_equal(claim_alone(), 0);
	mode[0] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), 0);
	mode[0] = 0;
	mode[15] = mode[16] = HWPERF_CNTEN_K;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), 0);
	assert_int_equal(irixperf_claim_read(claim, 1, count), 0);
	assert_int_equal(count[0].value, 0);
	assert_int_equal(count[15].value, 1115);
	assert_int_equal(count[16].value, 1116);
	assert_int_equal(fake_nr_open(), 3 * 2);
}

/* Of a CPU and an event: how many count in user mode alone */
static unsigned int open_in_user_mode(int cpu, unsigned int event, bool user_mode)
{
	unsigned int i, nr = 0;

	for (i = 0; i < fake.nr; i++)
		nr += fake.event[i].open && fake.event[i].cpu == cpu &&
		      (fake.event[i].attr.config & 31) == event &&
		      fake.event[i].attr.exclude_user == !user_mode &&
		      fake.event[i].attr.exclude_kernel == user_mode;

	return nr;
}

/* An R12000 counts any event on both counters, and so in two modes at once */
CASE(an_event_counts_twice)
{
	struct irixperf_code code[IRIXPERF_CODES] = { { IRIXPERF_CODE_EVENT, 9 } };

	mode[9] = HWPERF_CNTEN_U;
	mode[0] = HWPERF_CNTEN_K;
	assert_int_equal(claim_alone(), 0);
	assert_int_equal(irixperf_claim_count(claim, mode, code), -EINVAL);
	claim_end(&claim);

	fake_install(R12000_V35);
	fake_share();
	assert_int_equal(claim_alone(), 0);
	assert_int_equal(irixperf_claim_count(claim, mode, code), 0);
	assert_int_equal(irixperf_claim_read(claim, 1, count), 0);
	assert_int_equal(count[0].value, 1109);
	assert_int_equal(count[9].value, 1109);
	assert_int_equal(open_in_user_mode(1, 9, true), 1);
	assert_int_equal(open_in_user_mode(1, 9, false), 1);
	code[0].code = IRIXPERF_EVENTS;
	assert_int_equal(irixperf_claim_count(claim, mode, code), -EINVAL);
}

/* On the R10000 each half of the events has one counter */
CASE(each_event_has_a_counter_of_its_own)
{
	fake.pinned_groups = 1;
	assert_int_equal(claim_alone(), 0);
	mode[0] = mode[1] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), -ENOSPC);
	assert_int_equal(irixperf_claim_read(claim, 0, count), -EINVAL);
	assert_int_equal(fake_nr_open(), 0);
	mode[1] = 0;
	mode[16] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), 0);

	/* What does not fit leaves the events as they are */
	mode[3] = HWPERF_CNTEN_K;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), -ENOSPC);
	assert_int_equal(irixperf_claim_read(claim, 1, count), 0);
	assert_int_equal(count[16].value, 1116);
	assert_int_equal(count[3].value, 0);
	assert_int_equal(fake_nr_enabled(), 3 * 2);
}

/* Another user of perf has pinned events: ours would get no counter */
CASE(pinned_events_of_others_leave_no_room)
{
	assert_int_equal(claim_alone(), 0);
	mode[15] = HWPERF_CNTEN_U;
	fake.pinned_short = true;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), -ENOSPC);
	fake.pinned_short = false;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), 0);
}

/* Another user of perf */
static int open_pinned(int cpu)
{
	struct perf_event_attr attr = { .pinned = 1 };

	return ixp_kernel.perf_open(&attr, -1, cpu, -1);
}

CASE(cpus_come_and_go)
{
	int other_pinned;

	assert_int_equal(claim_alone(), 0);
	mode[2] = mode[16] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), 0);
	fake_file("/sys/devices/system/cpu/online", "0,3-4\n");
	fake_file("/life-of-cpu-1", "1\n");
	assert_int_equal(irixperf_claim_read(claim, 1, count), -ENOENT);
	assert_int_equal(irixperf_claim_read(claim, 4, count), 0);
	assert_int_equal(count[16].value, 4116);
	assert_int_equal(count[15].enabled, 0);
	assert_int_equal(irixperf_claim_read(claim, 9999, count), -ENOENT);
	assert_int_equal(irixperf_claim_read(claim, -1, count), -ENOENT);
	assert_int_equal(irixperf_claim_read(claim, -ENOENT, count), -ENOENT);
	assert_int_equal(count[16].value, 4116);

	/* Back again, it goes on from what it has counted */
	fake_file("/sys/devices/system/cpu/online", "0-1,3-4\n");
	assert_int_equal(irixperf_claim_read(claim, 1, count), 0);
	assert_int_equal(count[16].value, 2 * 1116);
	assert_int_equal(count[2].value, 2 * 1102);

	/* It was offline for a moment between two reads */
	fake_file("/life-of-cpu-1", "2\n");
	assert_int_equal(irixperf_claim_read(claim, 1, count), 0);
	assert_int_equal(count[16].value, 3 * 1116);
	assert_int_equal(count[2].value, 3 * 1102);

	/* Without a counter for it, a CPU does not hinder the others */
	fake.pinned_groups = 1;
	other_pinned = open_pinned(5);
	fake_file("/sys/devices/system/cpu/online", "0-1,3-5\n");
	assert_int_equal(irixperf_claim_read(claim, 5, count), -ENOSPC);
	assert_int_equal(irixperf_claim_read(claim, 0, count), 0);
	assert_int_equal(count[16].value, 116);
	ixp_kernel.perf_close(other_pinned);
	assert_int_equal(irixperf_claim_read(claim, 5, count), 0);
	assert_int_equal(count[16].value, 5116);
}

CASE(bad_requests_change_nothing)
{
	assert_int_equal(irixperf_claim(NULL, 0), -EINVAL);
	assert_int_equal(irixperf_claim(&claim, 2), -EINVAL);
	fake.uid = 1000;
	assert_int_equal(claim_alone(), -EPERM);
	assert_int_equal(irixperf_claim(&claim, IRIXPERF_CLAIM_SHARED), -EPERM);
	fake.uid = 0;
	setenv("IRIXPERF_HOLDER", "/nowhere", 1);
	assert_int_equal(claim_alone(), -ENOSYS);
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	assert_null(claim);
	assert_int_equal(ixp_system_on(), 0);

	assert_int_equal(claim_alone(), 0);
	mode[3] = 0x10;
	assert_int_equal(irixperf_claim_count(claim, mode, NULL), -EINVAL);
	irixperf_claim_close(NULL);
}

/* Who has the counters */

CASE(users_lose_their_counters)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &user);

	assert_true(generation > 0);
	assert_int_equal(claim_alone(), 0);
	assert_int_equal(ioctl(mine, PIOCGETEVCTRS, &counts), generation + 1);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &user), EBUSY);
	claim_end(&claim);
	assert_true(ioctl(mine, PIOCENEVCTRS, &user) > generation);

	/* The same for claims that are shared, the second as well as the first */
	assert_int_equal(irixperf_claim(&claim, IRIXPERF_CLAIM_SHARED), 0);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &user), EBUSY);
	assert_int_equal(irixperf_claim(&other, IRIXPERF_CLAIM_SHARED), 0);
	claim_end(&claim);
	assert_fails(ioctl(mine, PIOCENEVCTRS, &user), EBUSY);
}

CASE(system_mode_waits_for_its_end)
{
	static const unsigned int flags[] = { 0, IRIXPERF_CLAIM_SHARED };
	struct irixperf_system_attr wish = { .size = sizeof(wish) };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		assert_int_equal(irixperf_claim(&claim, flags[i]), 0);
		assert_int_equal(eventctr(HWPERF_ENSYSCNTRS, &system_arg), -EBUSY);
		assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &system_arg), -EBUSY);
		assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EBUSY);
		assert_int_equal(eventctr(HWPERF_RELSYSCNTRS, NULL), -EBUSY);
		assert_int_equal(irixperf_system_set(&wish), -EBUSY);
		/* "Read again", and that says why */
		assert_int_equal(irixperf_system_release(7), -ESTALE);
		wish.generation = 7;
		assert_int_equal(irixperf_system_set(&wish), -ESTALE);
		wish.generation = 0;
		claim_end(&claim);
		assert_int_equal(eventctr(HWPERF_GET_SYSEVCTRL, &ctrl), -EINVAL);
		assert_true(eventctr(HWPERF_ENSYSCNTRS, &system_arg) > 0);
		assert_int_equal(irixperf_claim(&claim, flags[i]), -EBUSY);
		assert_int_equal(eventctr(HWPERF_RELSYSCNTRS, NULL), 0);
	}
}

/* The last counts stay readable to IRIX's requests */
CASE(others_cannot_read_it)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int generation;

	assert_int_equal(irixperf_system_read(&system), -EINVAL);
	assert_int_equal(claim_alone(), 0);
	assert_int_equal(irixperf_system_read(&system), -EBUSY);
	assert_int_equal(irixperf_system_read_cpu(&system, 0), -EBUSY);
	claim_end(&claim);
	assert_int_equal(irixperf_system_read(&system), -EINVAL);
	generation = eventctr(HWPERF_ENSYSCNTRS, &system_arg);
	assert_int_equal(eventctr(HWPERF_RELSYSCNTRS, NULL), 0);
	assert_int_equal(claim_alone(), 0);
	assert_int_equal(eventctr(HWPERF_GET_SYSCNTRS, &counts), generation);
	assert_int_equal(counts.hwp_evctr[16], 3 * 116 + 4000);
}

CASE(sixteen_can_share)
{
	struct irixperf_claim *many[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(many); i++)
		assert_int_equal(irixperf_claim(&many[i], IRIXPERF_CLAIM_SHARED), 0);
	assert_int_equal(irixperf_claim(&claim, IRIXPERF_CLAIM_SHARED), -EBUSY);
	irixperf_claim_close(many[7]);
	assert_int_equal(irixperf_claim(&many[7], IRIXPERF_CLAIM_SHARED), 0);
	for (i = 0; i < ARRAY_SIZE(many); i++)
		irixperf_claim_close(many[i]);
}

/* How it ends */

static int ready[2];

static void claim_and_sleep(void)
{
	mode[15] = HWPERF_CNTEN_U;
	if (claim_alone() < 0 || irixperf_claim_count(claim, mode, NULL) < 0 ||
	    write(ready[1], "", 1) != 1)
		_exit(1);
	sleep_for_ever();
}

/* When its parent knows of its end, the counters are free: not a moment later */
CASE(a_claim_ends_before_its_program)
{
	int i;

	assert_int_equal(pipe(ready), 0);
	for (i = 0; i < 50; i++) {
		pid_t pid = start_child(claim_and_sleep);
		char byte;

		assert_int_equal(read(ready[0], &byte, 1), 1);
		assert_int_equal(ixp_system_on(), 1);
		end_child(pid);
		assert_int_equal(ixp_system_on(), 0);
	}
	close(ready[0]);
	close(ready[1]);
}

static void claim_for_ever(void)
{
	for (;;)
		if (claim_alone() == 0)
			claim_end(&claim);
}

/* Whatever it does when it is killed; the times are those of a few claims */
CASE(so_it_does_while_it_begins)
{
	int i;

	for (i = 0; i < 150; i++) {
		pid_t pid = start_child(claim_for_ever);

		usleep(137 * (unsigned int)i % 12000);
		end_child(pid);
		assert_int_equal(ixp_system_on(), 0);
	}
}

static void claim_and_exec(void)
{
	char *const argv[] = { (char *)"sleep", (char *)"600", NULL };

	if (claim_alone() < 0 || write(ready[1], "", 1) != 1)
		_exit(1);
	execvp(argv[0], argv);
	_exit(1);
}

CASE(execve_ends_it)
{
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = start_child(claim_and_exec);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	/* The end of the pipe: execve(2) has closed the other descriptors, too */
	assert_int_equal(read(ready[0], &byte, 1), 0);
	wait_asleep(pid);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	assert_int_equal(ixp_system_on(), 0);
	end_child(pid);
	close(ready[0]);
}

CASE(a_child_shares_it)
{
	pid_t pid;

	assert_int_equal(claim_alone(), 0);
	pid = start_sleeper();
	claim_end(&claim);
	assert_int_equal(ixp_system_on(), 1);
	end_child(pid);
	assert_int_equal(ixp_system_on(), 0);
}

CASE(the_umask_does_not_matter)
{
	const mode_t mask = umask(077);
	struct stat st;

	assert_int_equal(claim_alone(), 0);
	umask(mask);
	assert_int_equal(ixp_file_stat(IXP_RUN_CLAIMS, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0755);
	assert_int_equal(ixp_file_stat(IXP_RUN_CLAIMS "/0", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

/* Any user who can open a file can put a read lock on it: that must not matter */
CASE(locks_of_others_hinder_nobody)
{
	struct flock all = { .l_type = F_RDLCK };
	int fd;

	assert_int_equal(claim_alone(), 0);
	fd = ixp_file_open(IXP_RUN_CLAIMS "/0", O_RDONLY);
	assert_fails(fcntl(fd, F_OFD_SETLK, &all), EAGAIN);
	claim_end(&claim);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &all), 0);
	assert_int_equal(ixp_system_on(), 0);
	assert_int_equal(claim_alone(), 0);
	close(fd);
}

/*
 * Programs that come and go: @alone and @shared tell who has a claim at a moment. A
 * program that counts meanwhile must have lost its counters
 */

static struct {
	int alone;
	int shared;
	int claims;
	int over;
} *had;

#define GET(what)	__atomic_load_n(&had->what, __ATOMIC_SEQ_CST)
#define ADD(what, nr)	__atomic_add_fetch(&had->what, nr, __ATOMIC_SEQ_CST)

static void claim_once(bool shared)
{
	int *mark = shared ? &had->shared : &had->alone;
	int ret = irixperf_claim(&claim, shared ? IRIXPERF_CLAIM_SHARED : 0);

	if (ret == -EBUSY)
		return;
	if (ret < 0)
		_exit(1);
	ADD(claims, 1);
	if (__atomic_add_fetch(mark, 1, __ATOMIC_SEQ_CST) > 1 && !shared)
		_exit(2);
	if (shared ? GET(alone) : GET(shared))
		_exit(3);
	if (ixp_system_on() != 1)
		_exit(4);
	__atomic_sub_fetch(mark, 1, __ATOMIC_SEQ_CST);
	claim_end(&claim);
}

static void count_once(void)
{
	int generation = ioctl(mine, PIOCENEVCTRS, &user);

	if (generation < 0 && errno != EBUSY)
		_exit(5);
	if (generation < 0)
		return;
	if ((GET(alone) || GET(shared)) &&
	    ioctl(mine, PIOCGETEVCTRS, &counts) != generation + 1)
		_exit(6);
	ioctl(mine, PIOCRELEVCTRS);
	/* There is room for so many events in a program's life */
	if (fake_nr_open() == 0)
		fake.nr = 0;
}

static void count_again_and_again(void)
{
	mine = open_process(getpid());
	while (!GET(over))
		count_once();
}

static void claim_again_and_again(void)
{
	int i;

	for (i = 0; i < 40; i++)
		claim_once((i + getpid()) & 1);
}

CASE(many_at_a_time)
{
	pid_t pid[4];
	size_t i;

	had = mmap(NULL, sizeof(*had), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(had, MAP_FAILED);
	for (i = 0; i < ARRAY_SIZE(pid); i++)
		pid[i] = start_child(i ? claim_again_and_again : count_again_and_again);
	for (i = ARRAY_SIZE(pid); i-- > 0;) {
		int status = -1;

		if (i == 0)
			ADD(over, 1);
		waitpid(pid[i], &status, 0);
		assert_int_equal(status, 0);
	}
	assert_true(had->claims > 0);
	munmap(had, sizeof(*had));
}

UNIT_MAIN()
