// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters keep user mode, kernel mode and exception level apart, in one boot.
 * tests/accept/modes compares four identical boots, to show that the sum of the
 * three is exactly the count of all modes.
 */
#include "tap.h"
#include "loops.h"
#include "pmu.h"

#define CALLS	20000ul

/* What the event counts during n iterations of the loop */
static uint64_t count(enum loop_id id, unsigned long n, unsigned int modes)
{
	int fd = pmu_must_open(EV_INSNS, modes);
	uint64_t value;

	pmu_enable(fd);
	loop_run(&loops[id], n);
	pmu_disable(fd);
	value = pmu_read(fd).value;
	pmu_close(fd);
	return value;
}

static uint64_t difference(enum loop_id id, unsigned long n, unsigned int modes)
{
	uint64_t few = count(id, n, modes);

	return count(id, 2 * n, modes) - few;
}

static void check_no_mode(void)
{
	struct perf_event_attr attr;
	uint64_t value;
	int fd;

	pmu_attr(&attr, EV_INSNS | PMU_EXL_NEVER, 0);
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an event of no mode");
	pmu_enable(fd);
	loop_run(&loops[LOOP_SC_SYSCALL], 1000);
	pmu_disable(fd);
	value = pmu_read(fd).value;
	pmu_close(fd);
	check_equal("no mode selected: nothing is counted", value, 0);
}

/* A loop of system calls: each runs code at exception level and in kernel mode */
static void check_syscalls(void)
{
	uint64_t user = difference(LOOP_SC_SYSCALL, CALLS, PMU_U);
	uint64_t kernel = difference(LOOP_SC_SYSCALL, CALLS, PMU_K);
	uint64_t exl = difference(LOOP_SC_SYSCALL, CALLS, PMU_EXL);
	uint64_t both = difference(LOOP_SC_SYSCALL, CALLS, PMU_K | PMU_EXL);
	uint64_t all = difference(LOOP_SC_SYSCALL, CALLS, PMU_ALL);

	check_equal("system calls add nothing to user mode", user,
		    CALLS * loop_expect(&loops[LOOP_SC_SYSCALL], EV_INSNS));
	check_true("each system call executes kernel code",
		   kernel >= 20 * CALLS && kernel < 2000 * CALLS,
		   "%llu instructions a call",
		   (unsigned long long)(kernel / CALLS));
	/* at least the vector's first instruction and the ERET */
	check_true("each system call passes the exception level",
		   exl >= 2 * CALLS && exl < 200 * CALLS,
		   "%llu instructions a call",
		   (unsigned long long)(exl / CALLS));
	check_near("kernel and exception level together are their sum",
		   both, kernel + exl, 0.02);
	check_near("all modes together are the sum of the three",
		   all, user + kernel + exl, 0.02);
}

static void check_user_loop(void)
{
	uint64_t expected = loop_expect(&loops[LOOP_INT], EV_INSNS) * 10000000;
	uint64_t kernel, exl;

	check_equal("a loop in user mode",
		    difference(LOOP_INT, 10000000, PMU_U), expected);
	kernel = count(LOOP_INT, 10000000, PMU_K);
	exl = count(LOOP_INT, 10000000, PMU_EXL);
	check_true("user code does not leak into the kernel's count",
		   kernel < expected / 20, "%llu", (unsigned long long)kernel);
	check_true("user code does not leak into the exception level's count",
		   exl < expected / 20, "%llu", (unsigned long long)exl);
}

int main(void)
{
	tap_start(9);
	check_no_mode();
	check_syscalls();
	check_user_loop();
	return tap_end();
}
