// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting a process that already runs. perfex opens a set for each of its threads;
 * the set also counts the threads and processes that this thread starts later. A
 * thread that starts while perfex opens the sets may be missed or be counted twice:
 * so the sets stay disabled until a second listing has found the same threads.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "perfex.h"

#define MAX_TRIES	100

struct list {
	unsigned int nr;
	pid_t *tid;
};

static int list_add(struct list *list, pid_t tid)
{
	pid_t *more = tool_one_more(list->tid, list->nr, sizeof(*more));

	if (!more)
		return -ENOMEM;
	list->tid = more;
	more[list->nr++] = tid;

	return 0;
}

/* The kernel always lists the threads in the same order, see list_same() */
static int list_read(struct list *list, pid_t pid)
{
	struct dirent *entry;
	char path[64];
	int ret = 0;
	DIR *dir;

	list->nr = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return -ESRCH;
	while (ret == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			ret = list_add(list, (pid_t)atol(entry->d_name));
	closedir(dir);

	return ret;
}

static bool list_same(const struct list *a, const struct list *b)
{
	return a->nr == b->nr &&
	       memcmp(a->tid, b->tid, a->nr * sizeof(*a->tid)) == 0;
}

static int open_all(struct perfex_target *target, const struct list *list)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < list->nr && ret == 0; i++) {
		ret = perfex_target_open(target, list->tid[i],
					 IRIXPERF_INHERIT | IRIXPERF_DISABLED);
		/* The thread has ended since the list was read */
		if (ret == -ESRCH && list->nr > 1)
			ret = 0;
	}

	return ret;
}

static int attach_once(struct perfex_target *target, struct list *before,
		       struct list *after)
{
	int ret = list_read(before, target->pid);

	if (ret == 0)
		ret = open_all(target, before);
	if (ret == 0)
		ret = list_read(after, target->pid);
	if (ret == 0 && !list_same(before, after))
		ret = -EAGAIN;

	return ret;
}

int perfex_attach(struct perfex_target *target)
{
	struct list before = { 0 }, after = { 0 };
	unsigned int tries = MAX_TRIES;
	int ret;

	while ((ret = attach_once(target, &before, &after)) == -EAGAIN &&
	       --tries)
		perfex_target_close(target);
	free(before.tid);
	free(after.tid);
	if (ret < 0)
		perfex_target_close(target);

	return ret;
}
