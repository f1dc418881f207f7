// SPDX-License-Identifier: GPL-2.0-or-later
/* Who else uses perf: the processes that have descriptors of its events. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tool.h"

/* All processes together: nobody can delay this tool by having many files open */
#define LINKS_MAX	(1 << 18)

/*
 * Does a process have events of perf? Only root can tell of processes of others. @links
 * counts the descriptors that were looked at.
 */
static bool has_events(const char *pid, unsigned int *links)
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
	while (!found && *links < LINKS_MAX && (entry = readdir(dir))) {
		++*links;
		length = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link));
		found = length == (ssize_t)sizeof(events) - 1 &&
			memcmp(link, events, sizeof(events) - 1) == 0;
	}
	closedir(dir);

	return found;
}

/* A process chooses its name itself. False if it has ended */
static bool read_name(char *name, size_t size, const char *pid)
{
	char path[512];
	bool read;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	read = fgets(name, (int)size, f);
	fclose(f);
	if (read) {
		name[strcspn(name, "\n")] = '\0';
		tool_printable(name, '\0');
	}

	return read;
}

/* False if there is no more room */
static bool add_name(char *buf, size_t size, const char *name, const char *pid)
{
	static const char more[] = ", ...";
	size_t at = strlen(buf);
	int length;

	length = snprintf(buf + at, size - at, "%s%s (%s)", at ? ", " : "", name, pid);
	if (at + (size_t)length + sizeof(more) <= size)
		return true;
	snprintf(buf + at, size - at, "%s", at ? more : "...");

	return false;
}

/* A holder keeps what others have asked it for. Whoever takes its name alone is shown */
static bool is_holder(const char *name, const char *pid)
{
	char path[512];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%s", pid);

	return strcmp(name, "irixperf-holder") == 0 && stat(path, &st) == 0 &&
	       (st.st_uid == 0 || st.st_uid == geteuid());
}

char *tool_neighbours(char *buf, size_t size, const char *before)
{
	const struct dirent *entry;
	DIR *proc = opendir("/proc");
	unsigned int links = 0;
	bool room = true;
	char name[32];
	size_t start;

	start = (size_t)snprintf(buf, size, "%sthese have events of perf open: ", before);
	while (proc && room && (entry = readdir(proc)))
		if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid() &&
		    has_events(entry->d_name, &links) &&
		    read_name(name, sizeof(name), entry->d_name) &&
		    !is_holder(name, entry->d_name))
			room = add_name(buf + start, size - start, name, entry->d_name);
	if (proc)
		closedir(proc);
	/* Not all processes were looked at */
	if (room && links == LINKS_MAX)
		snprintf(buf + strlen(buf), size - strlen(buf), "%s",
			 buf[start] ? ", ..." : "...");
	if (!buf[start])
		buf[0] = '\0';

	return buf;
}

char *tool_neighbours_explain(char *buf, size_t size)
{
	static const char text[] = "other users of perf have the counters for themselves";
	char names[512], hint[128] = "";
	bool some = *tool_neighbours(names, sizeof(names), "\n");

	/* Only root sees what processes of other users have open */
	if (geteuid() != 0)
		snprintf(hint, sizeof(hint), "\nrun %s as root to see %s", tool_name,
			 some ? "those of all users" : "which");
	else if (!some)
		snprintf(hint, sizeof(hint), "\nno process has events of perf open now: "
			 "try again, or look for modules that count in the kernel");
	snprintf(buf, size, "%s%s%s", text, names, hint);

	return buf;
}
