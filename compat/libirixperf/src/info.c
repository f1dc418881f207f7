// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The requests of /proc that programs make beside those of the event counters.
 * They need nobody to have acquired any, and take no lock. What may be looked
 * at is for Linux to decide.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "info.h"

_Static_assert(sizeof(prusage_t) == offsetof(hwperf_prusage_t, pu_cpu_mon),
	       "prusage_t must be how hwperf_prusage_t begins");

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
 * ixp_info_ioctl() - carry out a request that is not about counters
 * @fd: any descriptor
 * @request: any request
 * @arg: what the request takes
 *
 * Return: 0; -ENOTTY if the request is none of these, or @fd no process;
 * -ESRCH if the process is gone; -EFAULT; or why Linux refuses to tell.
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
