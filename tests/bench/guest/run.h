/* SPDX-License-Identifier: GPL-2.0-only */
/* Run a command, and the clock; where time is bound to instructions, it counts these. */
#ifndef RUN_H
#define RUN_H

#include <err.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return ts.tv_sec * 1000000000L + ts.tv_nsec;
}

static inline void run(char *const *argv)
{
	pid_t pid = vfork();
	int status;

	if (pid < 0)
		err(1, "vfork");
	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		errx(1, "%s: status %#x", argv[0], status);
}

#endif
