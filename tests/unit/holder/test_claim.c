// SPDX-License-Identifier: GPL-2.0-only
/*
 * Claims on the counters of all CPUs, with a real holder, on a machine with the CPUs
 * 0, 1 and 3 whose counters are fake.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "children.h"
#include "fake.h"
#include "process.h"
#include "view.h"
#include "unit.h"

#define PATIENCE	300

static unsigned char mode[IRIXPERF_EVENTS];
static hwperf_cntr_t counts;

static int eventctr(int command, const void *first)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, command, (uintptr_t)first, 0, 0);
}

static int of_cpu(long cpu)
{
	return (int)irixperf_syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS,
				    (uintptr_t)cpu, (uintptr_t)&counts, 0);
}

/* The holder sees a while later that a connection is closed */
static void wait_until_off(void)
{
	while (ixp_system_on())
		sched_yield();
}

/* The counters are free when it returns */
static void end(int claim)
{
	assert_int_equal(irixperf_claim_end(claim), 0);
	assert_int_equal(ixp_system_on(), 0);
}

static bool has_hung_up(int claim)
{
	struct pollfd wait = { .fd = claim };

	return poll(&wait, 1, 5000) == 1 && (wait.revents & POLLHUP);
}

static int begin(const char *model)
{
	alarm(PATIENCE);
	fake_install(model);
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
	memset(mode, 0, sizeof(mode));

	return 0;
}

static int setup(void **state)
{
	(void)state;

	return begin(R10000_V34);
}

static int setup_r12000(void **state)
{
	(void)state;

	return begin(R12000_V35);
}

static int teardown(void **state)
{
	(void)state;
	fake.uid = 0;
	eventctr(HWPERF_RELSYSCNTRS, NULL);

	return ixp_system_on() || fake_nr_open() ? -1 : 0;
}

static void user_mode_alone_is_counted(void **state)
{
	int claim;

	(void)state;
	mode[23] = HWPERF_CNTEN_U;
	claim = irixperf_claim(mode, 0);
	assert_true(claim >= 0);
	assert_true(of_cpu(3) > 0);
	assert_int_equal(counts.hwp_evctr[23], 3123);
	assert_int_equal(counts.hwp_evctr[15], 0);
	end(claim);
}

static void other_events_are_counted_in_turn(void **state)
{
	int claim, first, second;

	(void)state;
	mode[0] = HWPERF_CNTEN_U;
	claim = irixperf_claim(mode, 0);
	first = of_cpu(1);
	assert_int_equal(counts.hwp_evctr[0], 1100);
	mode[0] = 0;
	mode[15] = mode[16] = HWPERF_CNTEN_K;
	second = irixperf_claim_change(claim, mode);
	assert_true(second > first);
	assert_int_equal(of_cpu(1), second);
	assert_int_equal(counts.hwp_evctr[0], 0);
	assert_int_equal(counts.hwp_evctr[15], 1115);
	assert_int_equal(counts.hwp_evctr[16], 1116);

	/* What does not fit leaves the events as they are */
	mode[3] = HWPERF_CNTEN_K;
	assert_int_equal(irixperf_claim_change(claim, mode), -ENOSPC);
	assert_int_equal(of_cpu(1), second);
	assert_int_equal(counts.hwp_evctr[16], 1116);
	close(claim);
	wait_until_off();
}

static void bad_requests(void **state)
{
	(void)state;
	assert_int_equal(irixperf_claim(mode, 0), -EINVAL);
	mode[15] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim(mode, 2), -EINVAL);
	assert_int_equal(irixperf_claim_change(-1, mode), -EBADF);
	assert_int_equal(irixperf_claim_end(-1), -EBADF);
	fake.uid = 1000;
	assert_int_equal(irixperf_claim(mode, 0), -EPERM);
	assert_int_equal(irixperf_claim(mode, IRIXPERF_CLAIM_ROOM), -EPERM);
	fake.uid = 0;
	assert_int_equal(ixp_system_on(), 0);
}

/* On the R10000 each half of the events has one counter */
static void events_must_have_counters_of_their_own(void **state)
{
	static const unsigned int flags[] = { 0, IRIXPERF_CLAIM_ROOM };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		int claim;

		memset(mode, 0, sizeof(mode));
		mode[0] = mode[1] = HWPERF_CNTEN_U;
		assert_int_equal(irixperf_claim(mode, flags[i]), -ENOSPC);
		mode[1] = 0;
		mode[16] = HWPERF_CNTEN_U;
		claim = irixperf_claim(mode, flags[i]);
		assert_true(claim >= 0);
		end(claim);
	}
}

static void the_r12000_counts_any_two(void **state)
{
	int claim;

	(void)state;
	mode[0] = mode[1] = HWPERF_CNTEN_U;
	claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	assert_true(claim >= 0);
	mode[2] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim(mode, IRIXPERF_CLAIM_ROOM), -ENOSPC);
	end(claim);
}

/* Another user of perf has pinned events: ours would get no counter */
static void pinned_events_of_others_leave_no_room(void **state)
{
	int claim;

	(void)state;
	mode[15] = HWPERF_CNTEN_U;
	fake.pinned_short = true;
	fake_share();
	assert_int_equal(irixperf_claim(mode, 0), -ENOSPC);
	assert_int_equal(irixperf_claim(mode, IRIXPERF_CLAIM_ROOM), -ENOSPC);
	fake.pinned_short = false;
	fake_share();
	claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	assert_true(claim >= 0);
	end(claim);
}

static void a_claim_for_room_counts_nothing(void **state)
{
	struct irixperf_system system = { .size = sizeof(system) };
	int claim, i;

	(void)state;
	mode[15] = HWPERF_CNTEN_U;
	claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	assert_true(claim >= 0);
	assert_int_equal(irixperf_system_read(&system), 0);
	assert_true(system.on);
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		assert_int_equal(system.mode[i], 0);
	assert_true(of_cpu(0) > 0);
	assert_int_equal(counts.hwp_evctr[15], 0);
	mode[16] = HWPERF_CNTEN_U;
	assert_int_equal(irixperf_claim_change(claim, mode), -EBUSY);
	end(claim);
}

static void several_have_room_until_the_last_ends(void **state)
{
	int first, second;

	(void)state;
	mode[15] = HWPERF_CNTEN_U;
	first = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	second = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	assert_true(first >= 0 && second >= 0);
	assert_int_equal(irixperf_claim_end(first), 0);
	assert_int_equal(ixp_system_on(), 1);
	first = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	assert_true(first >= 0);
	close(second);
	usleep(50000);
	assert_int_equal(ixp_system_on(), 1);
	end(first);
}

static void one_kind_excludes_the_other(void **state)
{
	hwperf_profevctrarg_t arg;
	int claim;

	(void)state;
	memset(&arg, 0, sizeof(arg));
	arg.hwp_evctrargs.hwp_evctrl[16].hwperf_creg.hwp_mode = HWPERF_CNTEN_K;
	mode[15] = HWPERF_CNTEN_U;
	claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
	assert_int_equal(irixperf_claim(mode, 0), -EBUSY);
	assert_int_equal(eventctr(HWPERF_ENSYSCNTRS, &arg), -EBUSY);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &arg), -EBUSY);
	end(claim);

	claim = irixperf_claim(mode, 0);
	assert_true(claim >= 0);
	assert_int_equal(irixperf_claim(mode, 0), -EBUSY);
	assert_int_equal(irixperf_claim(mode, IRIXPERF_CLAIM_ROOM), -EBUSY);
	assert_int_equal(eventctr(HWPERF_SET_SYSEVCTRL, &arg), -EBUSY);
	end(claim);

	assert_true(eventctr(HWPERF_ENSYSCNTRS, &arg) > 0);
	assert_int_equal(irixperf_claim(mode, 0), -EBUSY);
	assert_int_equal(irixperf_claim(mode, IRIXPERF_CLAIM_ROOM), -EBUSY);
}

static void root_can_release_a_claim(void **state)
{
	int claim;

	(void)state;
	mode[15] = HWPERF_CNTEN_U;
	claim = irixperf_claim(mode, 0);
	assert_true(claim >= 0);
	assert_int_equal(eventctr(HWPERF_RELSYSCNTRS, NULL), 0);
	assert_true(has_hung_up(claim));
	assert_int_equal(irixperf_claim_change(claim, mode), -EPIPE);
	assert_int_equal(irixperf_claim_end(claim), -EPIPE);
	assert_int_equal(close(claim), -1);
}

static void claim_and_wait(void)
{
	mode[15] = HWPERF_CNTEN_U;
	if (irixperf_claim(mode, 0) < 0)
		_exit(1);
	sleep_for_ever();
}

static void a_claim_dies_with_its_program(void **state)
{
	pid_t pid = start_child(claim_and_wait);
	int generation;

	(void)state;
	while (ixp_system_on() <= 0)
		sched_yield();
	generation = eventctr(HWPERF_GET_SYSCNTRS, &counts);
	end_child(pid);
	wait_until_off();
	/* The number tells those who have had counters before that they lost them */
	assert_true(eventctr(HWPERF_GET_SYSCNTRS, &counts) >= generation);
	assert_true(generation > 0);
}

static void claim_again_and_again(void)
{
	int i, claim;

	mode[15] = HWPERF_CNTEN_U;
	for (i = 0; i < 3; i++) {
		claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
		if (claim < 0)
			_exit(1);
		close(claim);
	}
	_exit(0);
}

/* One claim ends while another one begins */
static void many_claims_at_a_time(void **state)
{
	pid_t pid[2];
	int i, status;

	(void)state;
	for (i = 0; i < 2; i++)
		pid[i] = start_child(claim_again_and_again);
	for (i = 0; i < 2; i++) {
		waitpid(pid[i], &status, 0);
		assert_int_equal(status, 0);
	}
	wait_until_off();
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(user_mode_alone_is_counted),
	TEST(other_events_are_counted_in_turn),
	TEST(bad_requests),
	TEST(events_must_have_counters_of_their_own),
	cmocka_unit_test_setup_teardown(the_r12000_counts_any_two, setup_r12000,
					teardown),
	TEST(pinned_events_of_others_leave_no_room),
	TEST(a_claim_for_room_counts_nothing),
	TEST(several_have_room_until_the_last_ends),
	TEST(one_kind_excludes_the_other),
	TEST(root_can_release_a_claim),
	TEST(a_claim_dies_with_its_program),
	TEST(many_claims_at_a_time),
};

UNIT_MAIN(tests)
