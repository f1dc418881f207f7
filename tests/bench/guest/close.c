// SPDX-License-Identifier: GPL-2.0-only
/*
 * What it takes to open and close an event of perf, and to run a script of 30 commands
 * bare and under perfex -a. Prints nanoseconds: "event" of one event, the mean of N;
 * "bare" and "perfex" of a script, each in turn, and again if N is 100 or more.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include "run.h"

#define SCRIPT	"i=0; while [ $i -lt 30 ]; do /bin/true; i=$((i + 1)); done"

static char *const bare[] = { "/bin/sh", "-c", SCRIPT, NULL };
static char *const perfex[] = { "/usr/bin/perfex", "-a", "/bin/sh", "-c", SCRIPT, NULL };

static void open_and_close(int n)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES, .exclude_kernel = 1,
	};
	long start = now();
	int i, fd;

	for (i = 0; i < n; i++) {
		fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		if (fd < 0)
			err(1, "perf_event_open");
		close(fd);
	}
	printf("event %ld\n", (now() - start) / n);
}

static void timed(const char *name, char *const *argv)
{
	long start = now();

	run(argv);
	printf("%s %ld\n", name, now() - start);
}

int main(int argc, char **argv)
{
	int n = argc == 2 ? atoi(argv[1]) : 0, null = open("/dev/null", O_WRONLY), i;

	if (n < 1)
		errx(2, "usage: close N");
	/* perfex prints its report there */
	if (null < 0 || dup2(null, STDERR_FILENO) < 0)
		return 1;
	setvbuf(stdout, NULL, _IOLBF, 0);
	open_and_close(n);
	for (i = 0; i < (n < 100 ? 1 : 3); i++) {
		timed("bare", bare);
		timed("perfex", perfex);
	}

	return 0;
}
