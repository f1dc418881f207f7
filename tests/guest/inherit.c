// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting other tasks: children that inherit, a child that starts stopped and
 * counts from its exec on, a running child, a whole CPU, and a group that one read()
 * returns.
 */
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "tap.h"
#include "child.h"
#include "loops.h"
#include "pmu.h"

#define N	1000000ul

/* The child exits, so that the kernel adds its counts to the parent's */
static void child_loop(unsigned long n)
{
	pid_t pid = fork();

	if (pid < 0)
		tap_bail_errno("fork");
	if (!pid) {
		loop_run(&loops[LOOP_MIX], n);
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		tap_bail_errno("waitpid");
}

static uint64_t count_children(bool inherit, unsigned long n)
{
	struct perf_event_attr attr;
	uint64_t value;
	int fd;

	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.inherit = inherit;
	fd = pmu_must_open_attr(&attr, 0, -1, -1, "an inherited event");
	pmu_enable(fd);
	child_loop(n);
	child_loop(n);
	pmu_disable(fd);
	value = pmu_read(fd).value;
	pmu_close(fd);
	return value;
}

static void check_inherit(void)
{
	uint64_t few = count_children(true, N), own;

	check_equal("two children add their loads exactly",
		    count_children(true, 2 * N) - few, 2 * N * 2);
	few = count_children(false, N);
	own = count_children(false, 2 * N) - few;
	check_equal("without inherit their loads are not added", own, 0);
}

static void run_loop(void *n)
{
	loop_run(&loops[LOOP_MIX], *(unsigned long *)n);
}

static void run_program(void *argv)
{
	execv(((char **)argv)[0], argv);
}

/* An event of another task, which was running before the event was opened */
static uint64_t count_attached(unsigned long n)
{
	pid_t child = child_hold(run_loop, &n);
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, EV_LOADS, PMU_U);
	attr.disabled = 0;
	fd = pmu_must_open_attr(&attr, child, -1, -1,
				"an event of another task");
	return child_count(child, fd);
}

static uint64_t count_after_exec(char *self, char *n)
{
	char *argv[] = { self, "--loop", n, NULL };
	pid_t child = child_hold(run_program, argv);
	struct perf_event_attr attr;
	int fd;

	pmu_attr(&attr, EV_STORES, PMU_U);
	attr.enable_on_exec = 1;
	fd = pmu_must_open_attr(&attr, child, -1, -1,
				"an event that starts with exec");
	if (pmu_read(fd).value)
		tap_bail("it counts before exec\n");
	return child_count(child, fd);
}

static void check_other_tasks(char *self)
{
	uint64_t few = count_attached(N);

	check_equal("a task attached to, exactly",
		    count_attached(3 * N) - few, 2 * N * 2);
	few = count_after_exec(self, "1000000");
	check_equal("a program from its exec on, exactly",
		    count_after_exec(self, "3000000") - few, 2 * N);
}

/* Two children take turns on the CPU; each keeps its own count */
static void check_switching(void)
{
	pid_t child[2];
	struct perf_event_attr attr;
	int fd[2], i;

	for (i = 0; i < 2; i++) {
		unsigned long n = (i + 1) * 20 * N;

		child[i] = child_hold(run_loop, &n);
		pmu_attr(&attr, EV_STORES, PMU_U);
		attr.disabled = 0;
		fd[i] = pmu_must_open_attr(&attr, child[i], -1, -1,
					   "an event of a child");
	}
	for (i = 0; i < 2; i++)
		child_let_go(child[i]);
	for (i = 0; i < 2; i++)
		child_await(child[i]);
	for (i = 0; i < 2; i++) {
		uint64_t value = pmu_read(fd[i]).value;
		uint64_t expected = (i + 1) * 20 * N;

		/* what the child does around the loop is a few stores */
		check_true("of two tasks that take turns, each has its own",
			   value >= expected && value < expected + 1000,
			   "%llu stores, not %llu", (unsigned long long)value,
			   (unsigned long long)expected);
		pmu_close(fd[i]);
	}
}

/* A CPU-wide event sees what every task does */
static void check_cpu_wide(void)
{
	struct perf_event_attr attr;
	uint64_t value;
	int fd;

	pmu_stay_on_cpu(0);
	pmu_attr(&attr, EV_STORES, PMU_U);
	fd = pmu_must_open_attr(&attr, -1, 0, -1, "an event of CPU 0");
	pmu_enable(fd);
	child_loop(10 * N);
	loop_run(&loops[LOOP_MIX], 10 * N);
	pmu_disable(fd);
	value = pmu_read(fd).value;
	pmu_close(fd);
	pmu_stay_on_cpu(PMU_ANY_CPU);
	check_true("a CPU-wide event sees two tasks",
		   value >= 20 * N && value < 21 * N, "%llu stores",
		   (unsigned long long)value);
}

static void check_group_read(void)
{
	struct { uint64_t nr, enabled, running, value[2]; } group;
	struct perf_event_attr attr;
	int leader, member;
	ssize_t len;

	pmu_attr(&attr, EV_INSNS, PMU_U);
	attr.read_format |= PERF_FORMAT_GROUP;
	leader = pmu_open_attr(&attr, 0, -1, -1);
	pmu_attr(&attr, EV_FP, PMU_U);
	attr.disabled = 0;
	attr.read_format |= PERF_FORMAT_GROUP;
	member = pmu_open_attr(&attr, 0, -1, leader);
	if (leader < 0 || member < 0)
		tap_bail_errno("a group");
	pmu_enable(leader);
	loop_run(&loops[LOOP_MIX], N);
	pmu_disable(leader);
	len = read(leader, &group, sizeof(group));
	check_true("one read gives the whole group",
		   len == sizeof(group) && group.nr == 2 &&
		   group.value[1] == N && group.value[0] > 11 * N,
		   "%zd bytes, %llu values, %llu and %llu", len,
		   (unsigned long long)group.nr,
		   (unsigned long long)group.value[0],
		   (unsigned long long)group.value[1]);
	len = read(leader, &group, 8);
	check_true("a buffer too short is ENOSPC", len < 0 && errno == ENOSPC,
		   "%zd, %s", len, strerror(errno));
	pmu_close(member);
	pmu_close(leader);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--loop")) {
		loop_run(&loops[LOOP_MIX], strtoul(argv[2], NULL, 10));
		return 0;
	}
	tap_start(9);
	check_inherit();
	check_other_tasks(argv[0]);
	check_switching();
	check_cpu_wide();
	check_group_read();
	return tap_end();
}
