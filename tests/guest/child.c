// SPDX-License-Identifier: GPL-2.0-only
/* Children that wait until the parent has opened events for them. */
#include <signal.h>
#include <sys/wait.h>

#include "child.h"
#include "pmu.h"
#include "tap.h"

/*
 * A child that stops itself before it does anything. When the parent sees that it
 * has stopped, the child is in the kernel, at the same place each time.
 */
pid_t child_hold(child_fn fn, void *arg)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		tap_bail_errno("fork");
	if (!pid) {
		raise(SIGSTOP);
		fn(arg);
		_exit(0);
	}
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		tap_bail("the child does not stop: status %x\n", status);
	return pid;
}

void child_let_go(pid_t child)
{
	if (kill(child, SIGCONT))
		tap_bail_errno("SIGCONT");
}

void child_await(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		tap_bail("the child ended with status %x\n", status);
}

uint64_t child_count(pid_t child, int fd)
{
	uint64_t value;

	child_let_go(child);
	child_await(child);
	value = pmu_read(fd).value;
	pmu_close(fd);
	return value;
}
