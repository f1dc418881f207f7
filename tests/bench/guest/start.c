// SPDX-License-Identifier: GPL-2.0-only
/*
 * What it takes to run a program under perfex and under perf stat: each in turn,
 * RUNS times, with what they print going nowhere. Prints "NAME NANOSECONDS" of
 * each run; where time is bound to instructions, these are instructions.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "run.h"

static char *const bare[] = { "/bin/true", NULL };
static char *const perfex[] = {
	"/usr/bin/perfex", "-e", "15", "-e", "21", "/bin/true", NULL,
};
static char *const perf[] = {
	"/usr/bin/perf", "stat", "-e", "{rf,r15}:u", "/bin/true", NULL,
};
static char *const perfex_all[] = {
	"/usr/bin/perfex", "-a", "/bin/true", NULL,
};

/* The same 32 events, which perf has no word for */
static char *const perf_all[] = {
	"/usr/bin/perf", "stat", "-e",
	"r0:u,r1:u,r2:u,r3:u,r4:u,r5:u,r6:u,r7:u,r8:u,r9:u,ra:u,rb:u,rc:u,rd:u,"
	"re:u,rf:u,r10:u,r11:u,r12:u,r13:u,r14:u,r15:u,r16:u,r17:u,r18:u,r19:u,"
	"r1a:u,r1b:u,r1c:u,r1d:u,r1e:u,r1f:u", "/bin/true", NULL,
};

static const struct {
	const char *name;
	char *const *argv;
} things[] = {
	{ "bare", bare }, { "perfex", perfex }, { "perf", perf },
	{ "perfex-all", perfex_all }, { "perf-all", perf_all },
};

int main(int argc, char **argv)
{
	int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);
	size_t i;
	int n;

	if (argc != 2)
		errx(2, "usage: start RUNS");
	if (out < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return 1;
	for (n = 0; n < atoi(argv[1]); n++)
		for (i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
			long start = now();

			run(things[i].argv);
			dprintf(out, "%s %ld\n", things[i].name,
				now() - start);
		}

	return 0;
}
