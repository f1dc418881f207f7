// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * irixperf_proc_ioctl(): run a request, under the library's lock if it needs that.
 * PIOCGETEVCTRS usually reads the counts without it (snapshot.c), as do the requests
 * that have nothing to do with counters (info.c).
 */
#include <errno.h>
#include <sys/procfs.h>
#include <time.h>
#include "enter.h"
#include "ident.h"
#include "info.h"
#include "machine.h"
#include "proc.h"
#include "reaped.h"
#include "snapshot.h"
#include "usage.h"
#include "user.h"

/*
 * While another thread is in fork(2): how often PIOCGETEVCTRS tries to take the lock
 * before it reads the counts without it
 */
#define PATIENCE	200

static int locked_ioctl(int fd, unsigned int request, void *arg)
{
	int ret;

	ixp_enter();
	ret = ixp_proc_ioctl(fd, request, arg);
	ixp_leave();

	return ret;
}

/*
 * Read without the lock if there is a snapshot and no child's counts have to be added
 * first; else take the lock. A thread that stays in fork(2) keeps the lock, and may
 * wait for a lock of malloc(3) that this thread has: so, after some tries, read
 * without the lock, and without the counts of the children.
 */
static int counts_ioctl(int fd, void *arg)
{
	static const struct timespec moment = { .tv_nsec = 50000 };
	unsigned int tries = 0;
	int ret;

	do {
		if (!ixp_reaped_any() ||
		    (++tries > PATIENCE && ixp_forking())) {
			ret = ixp_snapshot_get(fd, arg, ixp_forking());
			if (ret != -EAGAIN)
				return ret;
		}
	} while (!ixp_enter_soon(&moment));

	ret = ixp_proc_ioctl(fd, PIOCGETEVCTRS, arg);
	ixp_leave();

	return ret;
}

/* The usage is read from files in /proc, before the lock is taken */
static int usage_ioctl(int fd, void *arg)
{
	hwperf_prusage_t usage;
	struct ixp_ident id;
	int generation, ret;

	ret = ixp_ident_of_fd(&id, fd);
	if (ret == 0)
		ret = ixp_usage_of(fd, &usage);
	/* Errors of the counters come first, such as that none have been acquired */
	generation = locked_ioctl(fd, PIOCGETPREVCTRS, &usage);
	if (generation < 0)
		return generation;
	if (ret == 0)
		ret = ixp_user_write(arg, &usage, sizeof(usage));

	return ret < 0 ? ret : generation;
}

int irixperf_proc_ioctl(int fd, unsigned int request, void *arg)
{
	char why[IXP_WHY_SIZE];

	if (request < PIOCENEVCTRS || request > PIOCSAVECCNTRS)
		return ixp_info_ioctl(fd, request, arg);
	if (request == PIOCGETEVCTRS)
		return counts_ioctl(fd, arg);
	if (request == PIOCGETPREVCTRS)
		return usage_ioctl(fd, arg);
	/* Look for event maps and libpfm4 without the lock, as this calls malloc(3) */
	if (request == PIOCENEVCTRS || request == PIOCSETEVCTRL)
		ixp_machine(why, sizeof(why));

	return locked_ioctl(fd, request, arg);
}
