// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The requests of /proc that do not concern the event counters. They work without
 * acquired counters, and take no lock. Linux checks what the caller may see.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperftypes.h>
#include <sys/procfs.h>
#include "info.h"
#include "ident.h"
#include "memmap.h"
#include "psinfo.h"
#include "usage.h"
#include "user.h"

_Static_assert(sizeof(prusage_t) == offsetof(hwperf_prusage_t, pu_cpu_mon),
	       "hwperf_prusage_t must begin with the members of prusage_t");

static int info_psinfo(int fd, void *arg)
{
	prpsinfo_t info;
	int ret;

	ret = ixp_psinfo_of(fd, &info);

	return ret < 0 ? ret : ixp_user_write(arg, &info, sizeof(info));
}

static int info_usage(int fd, void *arg)
{
	hwperf_prusage_t usage;
	int ret;

	ret = ixp_usage_of(fd, &usage);

	return ret < 0 ? ret : ixp_user_write(arg, &usage, sizeof(prusage_t));
}

static int info_timers(int fd, void *arg)
{
	timespec_t timers[MAX_PROCTIMER];
	hwperf_prusage_t usage;
	int ret;

	ret = ixp_usage_of(fd, &usage);
	if (ret < 0)
		return ret;

	memset(timers, 0, sizeof(timers));
	timers[AS_USR_RUN] = usage.pu_utime;
	timers[AS_SYS_RUN] = usage.pu_stime;

	return ixp_user_write(arg, timers, sizeof(timers));
}

static int info_nmap(int fd, void *arg)
{
	int nr = ixp_memmap_count(fd);

	return nr < 0 ? nr : ixp_user_write(arg, &nr, sizeof(nr));
}

static int info_map(int fd, void *arg)
{
	return ixp_memmap_copy(fd, arg);
}

static const struct {
	unsigned int request;
	int (*run)(int fd, void *arg);
} info_table[] = {
	{ PIOCPSINFO, info_psinfo },
	{ PIOCUSAGE, info_usage },
	{ PIOCGETPTIMER, info_timers },
	{ PIOCNMAP, info_nmap },
	{ PIOCMAP, info_map },
};

#define INFO_REQUESTS	(sizeof(info_table) / sizeof(info_table[0]))

/**
 * ixp_info_ioctl() - carry out a request that does not concern counters
 * @fd: any descriptor
 * @request: any request
 * @arg: the request's argument
 *
 * Return: 0; -ENOTTY if @request is not in the table above, or @fd is no process;
 * -ESRCH if the process is gone; -EFAULT; or the error with which Linux refuses.
 */
int ixp_info_ioctl(int fd, unsigned int request, void *arg)
{
	struct ixp_ident id;
	size_t i;
	int ret;

	for (i = 0; i < INFO_REQUESTS; i++) {
		if (info_table[i].request != request)
			continue;
		ret = ixp_ident_of_fd(&id, fd);
		return ret < 0 ? ret : info_table[i].run(fd, arg);
	}

	return -ENOTTY;
}
