// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make a machine with fake counters, and run a command on it.
 *
 * usage: fake-machine MODEL ENABLED RUNNING COMMAND [ARG]...
 *
 * Events were wanted for ENABLED nanoseconds, and had a counter for RUNNING. If
 * MODEL is "none" there are no counters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fake.h"

int main(int argc, char **argv)
{
	int status = 0;
	pid_t pid;

	if (argc < 5)
		return 125;
	if (strcmp(argv[1], "none") == 0)
		fake_install_other();
	else
		fake_install(argv[1]);
	fake.time_enabled = strtoull(argv[2], NULL, 10);
	fake.time_running = strtoull(argv[3], NULL, 10);
	fake_share();

	pid = fork();
	if (pid == 0) {
		execvp(argv[4], argv + 4);
		_exit(127);
	}
	waitpid(pid, &status, 0);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
