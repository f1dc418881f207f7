// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does a process run at this moment? Only this machine's own kernel can tell, and
 * no fake.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <linux/perf_event.h>
#include "../../../compat/libirixperf/holder/holder.h"
#include "children.h"
#include "kernel.h"
#include "unit.h"

#define TRIES	200
#define PATIENCE	60	/* seconds */

static void stop(void)
{
	raise(SIGSTOP);
}

/* Return in how many of @nr tries the process runs */
static unsigned int tries(pid_t pid, unsigned int nr)
{
	unsigned int i, seen = 0;

	for (i = 0; i < nr; i++)
		seen += holder_process_running(pid) > 0;

	return seen;
}

CASE(we_run)
{
	assert_int_equal(tries(getpid(), TRIES), TRIES);
}

CASE(sleepers_do_not)
{
	pid_t pid = start_sleeper();

	assert_int_equal(tries(pid, TRIES), 0);
	end_child(pid);
}

CASE(stopped_processes_do_not)
{
	pid_t pid = start_child(stop);

	waitpid(pid, NULL, WUNTRACED);
	assert_int_equal(tries(pid, TRIES), 0);
	end_child(pid);
}

CASE(the_dead_do_not)
{
	pid_t pid = start_sleeper();

	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT);
	assert_int_equal(tries(pid, TRIES), 0);
	waitpid(pid, NULL, 0);
	assert_int_equal(tries(pid, TRIES), 0);
}

static bool use_cpu(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);

	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

/* A child has its parent's CPU. It gets it sooner or later, however many others want it */
CASE(spinners_on_another_cpu_do)
{
	cpu_set_t old;
	pid_t pid;

	sched_getaffinity(0, sizeof(old), &old);
	if (!use_cpu(0) || !use_cpu(1))
		skip();
	pid = start_spinner();
	use_cpu(0);
	alarm(PATIENCE);
	while (holder_process_running(pid) == 0)
		;
	alarm(0);
	sched_setaffinity(0, sizeof(old), &old);
	end_child(pid);
}

/* In state R but not on a CPU, because we are: root can make sure of that */
CASE(spinners_on_our_cpu_do_not)
{
	struct sched_param param = { .sched_priority = 1 };
	cpu_set_t old;
	unsigned int seen;
	pid_t pid;

	if (sched_setscheduler(0, SCHED_FIFO, &param) < 0)
		skip();
	param.sched_priority = 0;
	sched_setscheduler(0, SCHED_OTHER, &param);
	sched_getaffinity(0, sizeof(old), &old);
	use_cpu(0);
	pid = start_spinner();
	seen = tries(pid, TRIES);
	sched_setaffinity(0, sizeof(old), &old);
	end_child(pid);
	assert_int_equal(seen, 0);
}

/* Without the right to open events, the library can only use the state */
static int no_perf(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	(void)attr;
	(void)pid;
	(void)cpu;
	(void)group;

	return -EACCES;
}

CASE(without_perf_the_state_tells)
{
	struct ixp_kernel kernel = ixp_kernel;
	pid_t sleeper = start_sleeper(), spinner = start_spinner();

	ixp_kernel.perf_open = no_perf;
	assert_int_equal(tries(spinner, TRIES), TRIES);
	assert_int_equal(tries(sleeper, TRIES), 0);
	ixp_kernel = kernel;
	end_child(sleeper);
	end_child(spinner);
}

UNIT_MAIN()
