// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Have others the counters for themselves: system mode, which ecadmin(1) and pctr(1)
 * start, a program with a claim, or another user of perf? And who are they?
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tool.h"

/* Long enough for each event to get a turn, if it gets any at all */
#define TRIAL	0.1	/* seconds, of processor time */

static int has_run(const struct irixperf_set *set,
		   const struct irixperf_attr *attr)
{
	struct irixperf_count count;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] &&
		    irixperf_set_read(set, i, &count) == 0 && count.running)
			return 1;

	return 0;
}

/* False if the set cannot be opened: the caller will open it, and report why not */
static int is_starved(const struct irixperf_attr *attr)
{
	clock_t end = clock() + (clock_t)(TRIAL * CLOCKS_PER_SEC);
	struct irixperf_set *set;
	int ran;

	if (irixperf_set_open(&set, attr) < 0)
		return 0;
	do
		ran = has_run(set, attr);
	while (!ran && clock() < end);
	irixperf_set_close(set);

	return !ran;
}

int tool_counters_taken(const struct irixperf_attr *attr)
{
	return is_starved(attr);
}

/* Does a process have events of perf? Only root can tell of processes of others */
static bool has_events(const char *pid)
{
	static const char events[] = "anon_inode:[perf_event]";
	char path[512], link[sizeof(events)];
	const struct dirent *entry;
	bool found = false;
	ssize_t length;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir))) {
		length = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link));
		found = length == (ssize_t)sizeof(events) - 1 &&
			memcmp(link, events, sizeof(events) - 1) == 0;
	}
	closedir(dir);

	return found;
}

static void add_name(char *buf, size_t size, const char *pid)
{
	size_t at = strlen(buf);
	char path[512], name[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(name, sizeof(name), f))
		name[strcspn(name, "\n")] = '\0';
	fclose(f);
	snprintf(buf + at, size - at, "%s%s (%s)", at ? ", " : "", name, pid);
}

char *tool_neighbours(char *buf, size_t size)
{
	const struct dirent *entry;
	DIR *proc = opendir("/proc");

	buf[0] = '\0';
	while (proc && (entry = readdir(proc)))
		if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid() &&
		    has_events(entry->d_name))
			add_name(buf, size, entry->d_name);
	if (proc)
		closedir(proc);

	return buf;
}

int tool_taken_error(void)
{
	char text[512];

	if (tool_system_is_on())
		tool_error("cannot count: %s",
			   tool_system_explain(-EBUSY, text, sizeof(text)));
	else if (*tool_neighbours(text, sizeof(text)))
		tool_error("cannot count: other users of perf have the counters for themselves\n"
			   "these have events of perf open: %s", text);
	else
		tool_error("cannot count: other users of perf have the counters for themselves\n"
			   "root sees which: perfex names them then");

	return TOOL_FAILED;
}
