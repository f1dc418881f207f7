// SPDX-License-Identifier: LGPL-2.1-or-later
/* The memory map of a process, for PIOCNMAP and PIOCMAP. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include "memmap.h"
#include "readfile.h"
#include "user.h"

/* A line reads "00400000-00452000 r-xp 00001000 08:02 173521  /bin/file" */
static bool map_parse(prmap_t *map, const char *line)
{
	unsigned long long start, end, offset;
	char access[5];

	if (sscanf(line, "%llx-%llx %4s %llx", &start, &end, access,
		   &offset) != 4 || strlen(access) != 4)
		return false;

	map->pr_vaddr = (char *)(uintptr_t)start;
	map->pr_size = (unsigned long)(end - start);
	map->pr_off = offset;
	map->pr_mflags = (access[0] == 'r' ? MA_READ : 0) |
			 (access[1] == 'w' ? MA_WRITE : 0) |
			 (access[2] == 'x' ? MA_EXEC : 0) |
			 (access[3] == 's' ? MA_SHARED : 0) |
			 (strstr(line, "[heap]") ? MA_BREAK : 0) |
			 (strstr(line, "[stack]") ? MA_STACK : 0);

	return true;
}

/* Call @use with each mapping and @arg */
static int maps_each(int folder, int (*use)(const prmap_t *map, void *arg),
		     void *arg)
{
	char *text, *line, *rest;
	prmap_t map;
	int ret;

	ret = ixp_readfile_at(&text, NULL, folder, "maps");
	if (ret < 0)
		return ret == -ENOENT ? -ESRCH : ret;

	for (line = strtok_r(text, "\n", &rest); line && ret == 0;
	     line = strtok_r(NULL, "\n", &rest))
		if (map_parse(&map, line))
			ret = use(&map, arg);
	free(text);

	return ret;
}

static int map_count(const prmap_t *map, void *arg)
{
	(void)map;
	(*(int *)arg)++;

	return 0;
}

/* Return: how many mappings there are, or -errno */
int ixp_memmap_count(int folder)
{
	int nr = 0, ret;

	ret = maps_each(folder, map_count, &nr);

	return ret < 0 ? ret : nr;
}

static int map_copy(const prmap_t *map, void *arg)
{
	prmap_t **next = arg;
	int ret;

	ret = ixp_user_write(*next, map, sizeof(*map));
	if (ret == 0)
		(*next)++;

	return ret;
}

/* Copy the mappings to @maps, and one of size 0 after the last; return 0 or -errno */
int ixp_memmap_copy(int folder, prmap_t *maps)
{
	static const prmap_t last;
	int ret;

	if (!maps)
		return -EFAULT;

	ret = maps_each(folder, map_copy, &maps);

	return ret < 0 ? ret : map_copy(&last, &maps);
}
