// SPDX-License-Identifier: GPL-2.0-or-later
/* Who else uses perf: the processes that have descriptors of its events. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tool.h"

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

char *tool_neighbours_explain(char *buf, size_t size)
{
	static const char text[] = "other users of perf have the counters for themselves";
	char names[512];

	if (*tool_neighbours(names, sizeof(names)))
		snprintf(buf, size, "%s\nthese have events of perf open: %s", text, names);
	else
		snprintf(buf, size, "%s\nrun %s as root to see which", text, tool_name);

	return buf;
}
