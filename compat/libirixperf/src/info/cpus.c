// SPDX-License-Identifier: LGPL-2.1-or-later
/* How many processors there are, and which one runs the caller: sysmp(2). */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/sysmp.h>
#include <irixperf.h>
#include "cpus.h"
#include "kernel.h"

/* Parse a list such as "0-3,8,10-11" */
static int list_parse(const char *list, int *cpu, int room)
{
	unsigned int first, last;
	int nr = 0, len;

	while (sscanf(list, "%u%n", &first, &len) == 1) {
		list += len;
		last = first;
		if (sscanf(list, "-%u%n", &last, &len) == 1)
			list += len;
		if (last < first || last - first >= (unsigned int)(IXP_CPUS_MAX - nr))
			return -EIO;
		for (; first <= last; first++, nr++)
			if (nr < room)
				cpu[nr] = (int)first;
		if (*list++ != ',')
			break;
	}

	return nr > 0 ? nr : -EIO;
}

/**
 * ixp_cpus() - list processors
 * @list: name of the list: "present", "online" and so on
 * @cpu: gets their numbers, lowest first, up to @room
 * @room: how many numbers @cpu has room for; 0 if the caller only wants their count
 *
 * Return: how many there are, which is 1 to IXP_CPUS_MAX, or a negative errno value.
 */
int ixp_cpus(const char *list, int *cpu, int room)
{
	char path[64], text[4096];	/* as long as files of sysfs can be */
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", list);
	n = ixp_file_read(path, text, sizeof(text));

	return n < 0 ? (int)n : list_parse(text, cpu, room);
}

static long cpus_or(const char *list, int name)
{
	int nr = ixp_cpus(list, NULL, 0);
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
