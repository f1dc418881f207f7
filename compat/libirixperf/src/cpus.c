// SPDX-License-Identifier: LGPL-2.1-or-later
/* How many processors there are, and which one runs the caller: sysmp(2). */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/sysmp.h>
#include "info.h"

/* A list reads "0-3,8,10-11" */
static int list_count(const char *list)
{
	unsigned int first, last;
	int nr = 0, len;

	while (sscanf(list, "%u%n", &first, &len) == 1) {
		list += len;
		last = first;
		if (sscanf(list, "-%u%n", &last, &len) == 1)
			list += len;
		if (last < first)
			return -EIO;
		nr += (int)(last - first + 1);
		if (*list++ != ',')
			break;
	}

	return nr > 0 ? nr : -EIO;
}

/**
 * ixp_cpus() - count processors
 * @list: which: "present", "online" and so on
 *
 * Return: their number, which is positive, or -errno.
 */
int ixp_cpus(const char *list)
{
	char path[64];
	char *text;
	int ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", list);
	ret = ixp_readfile(&text, path);
	if (ret < 0)
		return ret;

	ret = list_count(text);
	free(text);

	return ret;
}

static long cpus_or(const char *list, int name)
{
	int nr = ixp_cpus(list);
	long conf = nr > 0 ? nr : sysconf(name);

	return conf > 0 ? conf : 1;
}

long irixperf_sysmp(int cmd)
{
	switch (cmd) {
	case MP_NPROCS:
		return cpus_or("present", _SC_NPROCESSORS_CONF);
	case MP_NAPROCS:
		return cpus_or("online", _SC_NPROCESSORS_ONLN);
	case MP_PGSIZE:
		return sysconf(_SC_PAGESIZE);
	default:
		return -EINVAL;
	}
}

int irixperf_get_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? -errno : cpu;
}
