// SPDX-License-Identifier: GPL-2.0-only
/* What the workloads share: their one argument, their one line of result. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wl.h"

static void usage(const char *name, const char *unit, unsigned long dflt,
		  unsigned long max, int status)
{
	fprintf(status ? stderr : stdout,
		"usage: %s [N]\n  N: %s, 1 to %lu (default %lu)\n",
		name, unit, max, dflt);
	exit(status);
}

unsigned long wl_size(int argc, char **argv, const char *unit,
		      unsigned long dflt, unsigned long max)
{
	unsigned long size;
	char *end;

	if (argc < 2)
		return dflt;
	if (argc == 2 && !strcmp(argv[1], "--help"))
		usage(argv[0], unit, dflt, max, 0);
	if (argc > 2)
		usage(argv[0], unit, dflt, max, 2);
	errno = 0;
	size = strtoul(argv[1], &end, 10);
	if (errno || *end || end == argv[1] || *argv[1] == '-' ||
	    size < 1 || size > max) {
		fprintf(stderr, "%s: '%s' is not a size\n", argv[0], argv[1]);
		usage(argv[0], unit, dflt, max, 2);
	}
	return size;
}

void wl_die(const char *what)
{
	perror(what);
	exit(1);
}

uint64_t wl_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}
