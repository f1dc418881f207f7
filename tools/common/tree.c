// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signals to all descendants of this process, found by their parents in /proc. A
 * child that starts meanwhile is found in the next pass.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tool.h"

#define MAX_LOOKS	100

struct process {
	pid_t pid;
	pid_t parent;
	bool ours;
	bool signalled;
};

struct tree {
	unsigned int nr;
	struct process *process;
};

/* "12 (a) b) S 3 ...": the name may contain anything. False for a dead process */
static bool parse_stat(struct process *process, const char *text)
{
	const char *end = strrchr(text, ')');
	char state;

	process->pid = (pid_t)atol(text);

	return end && process->pid > 0 &&
	       sscanf(end, ") %c %d", &state, &process->parent) == 2 &&
	       state != 'Z' && state != 'X';
}

static bool read_process(struct process *process, const char *name)
{
	char path[64], text[512];
	size_t n = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", name);
	file = fopen(path, "re");
	if (file) {
		n = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[n] = '\0';

	return parse_stat(process, text);
}

static bool known(const struct tree *tree, pid_t pid)
{
	unsigned int i;

	for (i = 0; i < tree->nr; i++)
		if (tree->process[i].pid == pid && tree->process[i].signalled)
			return true;

	return false;
}

static bool tree_add(struct tree *tree, const struct process *process)
{
	struct process *more = tool_one_more(tree->process, tree->nr,
					     sizeof(*more));

	if (!more)
		return false;
	tree->process = more;
	more[tree->nr++] = *process;

	return true;
}

/* Read all processes of the machine, and mark those that have got the signal */
static void tree_read(struct tree *tree, const struct tree *before)
{
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	while (proc && (entry = readdir(proc))) {
		struct process process = { 0 };

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    !read_process(&process, entry->d_name))
			continue;
		process.signalled = known(before, process.pid);
		if (!tree_add(tree, &process))
			break;
	}
	if (proc)
		closedir(proc);
}

static bool is_ours(const struct tree *tree, pid_t parent)
{
	unsigned int i;

	if (parent == getpid())
		return true;
	for (i = 0; i < tree->nr; i++)
		if (tree->process[i].pid == parent)
			return tree->process[i].ours;

	return false;
}

/* A child is found in a pass after its parent is marked: repeat until none is found */
static void tree_mark(struct tree *tree)
{
	bool changed = true;
	unsigned int i;

	while (changed) {
		changed = false;
		for (i = 0; i < tree->nr; i++) {
			struct process *process = &tree->process[i];

			if (process->ours ||
			    !is_ours(tree, process->parent))
				continue;
			process->ours = changed = true;
		}
	}
}

static unsigned int tree_send(struct tree *tree, int sig, pid_t spare)
{
	unsigned int i, nr = 0;

	for (i = 0; i < tree->nr; i++) {
		struct process *process = &tree->process[i];

		if (!process->ours || process->signalled ||
		    process->pid == spare)
			continue;
		kill(process->pid, sig);
		process->signalled = true;
		nr++;
	}

	return nr;
}

bool tool_tree_signal(int sig, pid_t spare)
{
	struct tree before = { 0 }, tree;
	unsigned int looks, sent = 1;
	bool any = false;

	for (looks = 0; looks < MAX_LOOKS && sent > 0; looks++) {
		memset(&tree, 0, sizeof(tree));
		tree_read(&tree, &before);
		tree_mark(&tree);
		sent = tree_send(&tree, sig, spare);
		any |= sent > 0;
		free(before.process);
		before = tree;
	}
	free(before.process);

	return any;
}
