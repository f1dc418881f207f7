// SPDX-License-Identifier: GPL-2.0-only
/* N child processes, one after the other; each computes, all are awaited. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wl.h"

#define STEPS	200000

/* The exit status of child i: the low bits of a short computation */
static int child_work(unsigned long i)
{
	uint64_t state = i + 1;
	unsigned long step;

	for (step = 0; step < STEPS; step++)
		wl_random(&state);
	return state & 0x7f;
}

static int run_child(unsigned long i)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		wl_die("fork");
	if (!pid)
		_exit(child_work(i));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) {
		fprintf(stderr, "fork: child %lu was lost\n", i);
		exit(1);
	}
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	unsigned long n = wl_size(argc, argv, "child processes", 10, 100000);
	unsigned long i, sum = 0;

	for (i = 0; i < n; i++)
		sum += run_child(i);
	printf("fork: %lu children: sum %lu\n", n, sum);
	return 0;
}
