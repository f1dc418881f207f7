// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the driver's module, as often as it can. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fuzz.h"

#define MODULE	"mips_r10k_pmu"
#define MUX	"/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms"

bool plug_load(void)
{
	int fd = open(fuzz_module, O_RDONLY | O_CLOEXEC);
	bool good;

	if (fd < 0)
		return false;
	good = !syscall(SYS_finit_module, fd, "", 0);
	if (good)
		fuzz_did(COUNT_LOADED);
	close(fd);
	return good || errno == EEXIST;
}

bool plug_unload(void)
{
	if (!syscall(SYS_delete_module, MODULE, O_NONBLOCK)) {
		fuzz_did(COUNT_UNLOADED);
		return true;
	}
	if (errno == EWOULDBLOCK || errno == EBUSY)
		fuzz_did(COUNT_UNLOAD_BUSY);
	return errno == ENOENT;
}

/* This starts the timer, whether there are events or not */
static void set_mux_interval(void)
{
	int fd = open(MUX, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (dprintf(fd, "%u\n", 1 + random_below(50)) > 0)
		fuzz_did(COUNT_MUX_SET);
	close(fd);
}

void role_plugger(void)
{
	for (;;) {
		if (random_once_in(2))
			set_mux_interval();
		plug_unload();
		usleep(random_below(2000));
		plug_load();
		usleep(random_below(5000));
	}
}
