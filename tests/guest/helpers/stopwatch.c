// SPDX-License-Identifier: GPL-2.0-only
/*
 * stopwatch COMMAND [ARG...]: runs a command with its output thrown away and
 * prints how many microseconds it took. For tests/bench.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ll + ts.tv_nsec / 1000;
}

static void child(char **argv)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, 1) < 0) {
		perror("/dev/null");
		_exit(126);
	}
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

int main(int argc, char **argv)
{
	long long start = now_us();
	int status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: stopwatch COMMAND [ARG...]\n");
		return 2;
	}
	pid = fork();
	if (pid < 0) {
		perror("fork");
		return 1;
	}
	if (!pid)
		child(argv + 1);
	if (waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "stopwatch: %s failed\n", argv[1]);
		return 1;
	}
	printf("%lld\n", now_us() - start);
	return 0;
}
