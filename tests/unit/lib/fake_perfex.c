// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into perfex, to run it on the fake kernel instead of an R10000. FAKE_CMDLINE
 * is the kernel's command line. If FAKE_OPEN_ERRNO is set, opening an event fails with
 * it: the first event, or the one with the number in FAKE_OPEN_FAIL_AT. After
 * FAKE_TURNS_AFTER readings events take turns. See fake_take() as well.
 */
#include <stdlib.h>
#include "fake.h"
#include "kernel.h"

static ssize_t (*read_event)(int fd, void *buf, size_t size);
static unsigned long turns_after;

static ssize_t read_in_turns(int fd, void *buf, size_t size)
{
	static unsigned long readings;

	fake.time_enabled += 1000;
	fake.time_running += readings++ < turns_after ? 1000 : 500;

	return read_event(fd, buf, size);
}

__attribute__((constructor))
static void install(void)
{
	const char *err = getenv("FAKE_OPEN_ERRNO");
	const char *at = getenv("FAKE_OPEN_FAIL_AT");
	const char *turns = getenv("FAKE_TURNS_AFTER");
	const char *cmdline = getenv("FAKE_CMDLINE");

	fake_install(R10000_V34);
	if (cmdline)
		fake_file("/proc/cmdline", cmdline);
	if (turns) {
		turns_after = strtoul(turns, NULL, 10);
		read_event = ixp_kernel.perf_read;
		ixp_kernel.perf_read = read_in_turns;
	}
	fake_take();
	if (!err)
		return;
	fake.open_fail_at = at ? atoi(at) : 0;
	fake.open_err = -atoi(err);
}
