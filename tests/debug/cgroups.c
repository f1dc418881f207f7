// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a cgroup count its tasks on a CPU, and nobody else. A task is moved
 * in and out between loops of known length; what the moving itself executes in
 * user mode is the same each time, so that differences are exact.
 *
 * usage: cgroups FOLDER, a group with the groups a and b in it; what is beside
 * FOLDER is outside
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "tap.h"
#include "loops.h"
#include "pmu.h"

#define N	1000000ul
#define MOVES	50

static const char *root;

static int open_file(const char *group, const char *file, int flags)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s%s", root, group, file);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		tap_bail("%s: %s\n", path, strerror(errno));
	return fd;
}

/* The files through which a task enters a group */
struct doors {
	int out, a, b;
};

static void enter(int door)
{
	if (write(door, "0", 1) != 1)
		tap_bail_errno("moving between groups");
}

/* An event of CPU 0, enabled, that counts a group */
static int open_group(const char *group, unsigned int event)
{
	int folder = open_file(group, "", O_RDONLY | O_DIRECTORY), fd;
	struct perf_event_attr attr;

	pmu_attr(&attr, event, PMU_U);
	attr.disabled = 0;
	fd = syscall(SYS_perf_event_open, &attr, folder, 0, -1,
		     PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		tap_bail("an event of group %s: %s\n", group, strerror(errno));
	close(folder);
	return fd;
}

static void turn(unsigned long n)
{
	if (n)
		loop_run(&loops[LOOP_MIX], n);
}

typedef void (*child_fn)(const struct doors *doors, unsigned long n);

/* outside 1n, a 1n, b 2n, outside again 2n */
static void walk(const struct doors *doors, unsigned long n)
{
	turn(n);
	enter(doors->a);
	turn(n);
	enter(doors->b);
	turn(2 * n);
	enter(doors->out);
	turn(2 * n);
}

/* Many short stays: what is lost or doubled at each one adds up */
static void hop(const struct doors *doors, unsigned long n)
{
	int i;

	for (i = 0; i < MOVES; i++) {
		enter(doors->a);
		turn(n / MOVES);
		enter(doors->b);
		turn(2 * n / MOVES);
	}
	enter(doors->out);
}

static pid_t start(child_fn fn, const struct doors *doors, unsigned long n)
{
	pid_t pid = fork();

	if (pid < 0)
		tap_bail_errno("fork");
	if (!pid) {
		fn(doors, n);
		_exit(0);
	}
	return pid;
}

static void await(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		tap_bail("a child ended with status %x\n", status);
}

struct counts {
	uint64_t a, b;
};

/* What the groups counted while `tasks` children did fn */
static struct counts run(child_fn fn, const struct doors *doors,
			 unsigned long n, unsigned int tasks, unsigned int event)
{
	int a = open_group("a", event), b = open_group("b", event);
	struct counts counts;
	pid_t pid[8];
	unsigned int i;

	for (i = 0; i < tasks; i++)
		pid[i] = start(fn, doors, n);
	for (i = 0; i < tasks; i++)
		await(pid[i]);
	counts.a = pmu_read(a).value;
	counts.b = pmu_read(b).value;
	pmu_close(a);
	pmu_close(b);
	return counts;
}

static void check_moves(const char *what, child_fn fn, const struct doors *doors,
			unsigned int tasks, unsigned int event)
{
	struct counts few = run(fn, doors, N, tasks, event);
	struct counts many = run(fn, doors, 3 * N, tasks, event);
	uint64_t each = loop_expect(&loops[LOOP_MIX], event) * tasks * 2 * N;
	char name[80];

	snprintf(name, sizeof(name), "%s: group a", what);
	check_equal(name, many.a - few.a, each);
	snprintf(name, sizeof(name), "%s: group b", what);
	check_equal(name, many.b - few.b, 2 * each);
	tap_note("%s: a %llu, b %llu\n", what, (unsigned long long)many.a,
		 (unsigned long long)many.b);
}

/* A group counts what the groups in it do */
static void check_nested(const struct doors *doors)
{
	uint64_t count[2];
	int i, fd;

	for (i = 0; i < 2; i++) {
		fd = open_group(".", EV_STORES);
		await(start(hop, doors, (1 + 2 * i) * N));
		count[i] = pmu_read(fd).value;
		pmu_close(fd);
	}
	check_equal("the outer group has both", count[1] - count[0], 6 * N);
}

/* The same task is seen by its own event, too, on the other counter */
static void check_both_views(const struct doors *doors)
{
	uint64_t group[2], task[2];
	struct perf_event_attr attr;
	int i;

	for (i = 0; i < 2; i++) {
		int a = open_group("a", EV_STORES), own;
		pid_t pid;

		pmu_attr(&attr, EV_BRANCHES, PMU_U);
		attr.inherit = 1;
		attr.disabled = 0;
		own = pmu_open_attr(&attr, 0, -1, -1);
		if (own < 0)
			tap_bail_errno("an event of a task");
		pid = start(walk, doors, (i + 1) * N);
		await(pid);
		group[i] = pmu_read(a).value;
		task[i] = pmu_read(own).value;
		pmu_close(own);
		pmu_close(a);
	}
	check_equal("seen by the group: its part", group[1] - group[0], N);
	check_equal("seen by the task: all of it", task[1] - task[0], 6 * N);
}

static void check_refused(void)
{
	int folder = open_file("a", "", O_RDONLY | O_DIRECTORY);
	struct perf_event_attr attr;

	pmu_attr(&attr, EV_STORES, PMU_U);
	check_true("a group on all CPUs at once is EINVAL",
		   syscall(SYS_perf_event_open, &attr, folder, -1, -1,
			   PERF_FLAG_PID_CGROUP) < 0 && errno == EINVAL,
		   "%s", strerror(errno));
	close(folder);
}

int main(int argc, char **argv)
{
	struct doors doors;

	if (argc != 2)
		tap_bail("usage: cgroups FOLDER\n");
	root = argv[1];
	doors.out = open_file("..", "/cgroup.procs", O_WRONLY);
	doors.a = open_file("a", "/cgroup.procs", O_WRONLY);
	doors.b = open_file("b", "/cgroup.procs", O_WRONLY);
	tap_start(12);
	check_moves("one task walks, stores", walk, &doors, 1, EV_STORES);
	check_moves("one task walks, loads", walk, &doors, 1, EV_LOADS);
	check_moves("one task hops 100 times", hop, &doors, 1, EV_STORES);
	check_moves("eight tasks hop", hop, &doors, 8, EV_STORES);
	check_nested(&doors);
	check_both_views(&doors);
	check_refused();
	return tap_end();
}
