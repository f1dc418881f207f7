// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the driver's module, as often as it can. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fuzz.h"

#define MODULE	"mips_r10k_pmu"

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

void role_plugger(void)
{
	for (;;) {
		plug_unload();
		usleep(random_below(2000));
		plug_load();
		usleep(random_below(5000));
	}
}
