// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which CPUs there are: the kernel writes "0-3,6". */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include "holder.h"

#define ONLINE		"/sys/devices/system/cpu/online"
#define MAX_CPUS	8192

struct list {
	int *cpu;
	int nr;
};

static void list_add(struct list *list, long first, long last)
{
	for (; first <= last && list->nr < MAX_CPUS; first++)
		list->cpu[list->nr++] = (int)first;
}

static void list_parse(struct list *list, const char *text)
{
	while (*text >= '0' && *text <= '9') {
		char *end;
		long first = strtol(text, &end, 10), last = first;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		list_add(list, first, last);
		text = *end == ',' ? end + 1 : end;
	}
}

/**
 * holder_cpus_online() - list the CPUs that are online
 * @cpu: gets their numbers, which free(3) frees
 *
 * Return: how many, or a negative errno value.
 */
int holder_cpus_online(int **cpu)
{
	struct list list = { .nr = 0 };
	char text[4096];

	list.cpu = malloc(MAX_CPUS * sizeof(*list.cpu));
	if (!list.cpu)
		return -ENOMEM;

	if (ixp_file_read(ONLINE, text, sizeof(text)) > 0)
		list_parse(&list, text);
	if (list.nr == 0)
		list_add(&list, 0, 0);
	*cpu = list.cpu;

	return list.nr;
}
