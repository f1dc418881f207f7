// SPDX-License-Identifier: GPL-2.0-only
/* tests/library/scenarios.c with fake counters, for more rounds and for sanitizers. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fake.h"
#include "kernel.h"

/* This replaces the machine that the program runs on */
#define MACHINE
#define HOLDER_NAME	"fake-holder"
#define HOLDER_IS_OURS(pid)	holder_is_ours(pid)
#define ROOT_FOLDER	ixp_kernel.root

/* Other tests of the same kind may be running: each has a machine of its own */
static bool holder_is_ours(const char *pid)
{
	char path[64], text[65536], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
	fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (p = text; p < text + n; p += strlen(p) + 1)
		if (strncmp(p, "FAKE_ROOT=", 10) == 0)
			return strcmp(p + 10, ixp_kernel.root) == 0;

	return false;
}

static void machine_install(void)
{
	fake_install(R10000_V34);
	fake_share();
	setenv("IRIXPERF_HOLDER", FAKE_HOLDER, 1);
}

static int become_user(void)
{
	fake.uid = 1000;

	return 0;
}

#include "../../library/scenarios.c"
