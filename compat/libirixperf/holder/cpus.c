// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which CPUs there are: the kernel writes "0-3,6". */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "holder.h"

#define FOLDER		"/sys/devices/system/cpu/"
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

static void list_read(struct list *list, const char *which)
{
	char text[4096], path[64];

	snprintf(path, sizeof(path), FOLDER "%s", which);
	if (ixp_file_read(path, text, sizeof(text)) > 0)
		list_parse(list, text);
}

/**
 * holder_cpus() - list CPUs
 * @cpu: gets their numbers, lowest first, which free(3) frees
 * @which: "online", "possible"
 *
 * Return: how many, or a negative errno value.
 */
int holder_cpus(int **cpu, const char *which)
{
	struct list list = { .nr = 0 };

	list.cpu = malloc(MAX_CPUS * sizeof(*list.cpu));
	if (!list.cpu)
		return -ENOMEM;

	list_read(&list, which);
	if (list.nr == 0)
		list_read(&list, "online");
	if (list.nr == 0)
		list_add(&list, 0, 0);
	*cpu = list.cpu;

	return list.nr;
}
