// SPDX-License-Identifier: GPL-2.0-only
/* Children that wait until the parent has opened events of them. */
#include <signal.h>
#include <sys/wait.h>

#include "child.h"
#include "tap.h"

/*
 * A child that stops itself before it does anything: when the parent sees it
 * stopped, it is in the kernel, at the same place each time.
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
