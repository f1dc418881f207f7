// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The walk visits the pages of all programs that count in user mode: memfds with a
 * fixed name (src/share/arbiter.h). It finds them under /proc and copies their
 * descriptors. It does not open the files anew, which could hang in a file system that
 * the program's user runs.
 *
 * close(2) of a file that only has the name of a page could hang, too. So a scout
 * (scout.h) does the walk, and this process waits for it for a limited time.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "descriptor.h"
#include "holder.h"
#include "kernel.h"
#include "scout.h"
#include "status.h"

/* How many users can be left out because a scout has hung at their programs */
#define KEEPERS		16

/* How many descriptors of a process may be files that are neither pages nor events */
#define USELESS		256

/* After so many milliseconds a walk that need not go everywhere ends in any case */
#define HANGS		60000

/* How many users have a time limit of their own; all others share that of the last */
#define USERS		64

/*
 * How much CPU time the pages of a user other than root may take: root waits meanwhile,
 * and users could fill their pages to make it long
 */
#define OF_A_USER	(500 * HOLDER_MS)

/**
 * struct spent - the time that the pages of a user have taken
 * @uid: the user
 * @ns: nanoseconds of a CPU
 */
struct spent {
	long uid;
	uint64_t ns;
};

/**
 * struct holder_walk - a walk to all pages
 * @scout: the scout; @at is the process that it visits
 * @page: called with the page @fd that the process @pid has open; @until is a time by
 *	holder_used(); a value other than 0 ends the walk
 * @data: for @page
 * @until: when the time for all pages ends, by holder_used()
 * @everywhere: visit all pages, even after that time
 * @useless: how many descriptors of the visited process the scout has but cannot close
 * @nr_users: how many users have spent time
 * @spent: their time
 * @nr_keepers: how many users are left out because a scout has hung at their programs
 * @keeper: these users
 */
struct holder_walk {
	struct ixp_scout scout;
	int (*page)(struct holder_walk *walk, int fd, pid_t pid, uint64_t until);
	const void *data;
	uint64_t until;
	bool everywhere;
	unsigned int useless;
	unsigned int nr_users;
	struct spent spent[USERS];
	unsigned int nr_keepers;
	long keeper[KEEPERS];
};

static int process_open(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);

	return openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* The real user ID of a process, or a negative value */
long holder_process_uid(pid_t pid)
{
	int folder = process_open(pid), ret = -ESRCH;
	unsigned int id[3];

	if (folder >= 0) {
		ret = ixp_status_ids(folder, "Uid", id);
		close(folder);
	}

	return ret < 0 ? ret : (long)id[0];
}

/*
 * Do not close a file that is neither a page nor an event: that may never return. A
 * scout has room for a million of them; if a process has too many, the visit ends. A
 * process of root can have such files of other users, for example another scout. So if
 * the walk goes everywhere, only this process is left out, and not all of root's.
 *
 * Return: 0, or the error with which the visit ends.
 */
int holder_walk_keep(struct holder_walk *walk)
{
	walk->scout.stuck = true;
	if (++walk->useless <= USELESS)
		return 0;

	return walk->everywhere && holder_process_uid((pid_t)walk->scout.at) == 0 ?
	       -ENOENT : -ETIMEDOUT;
}

/* Copy a descriptor; -ENOENT if the process has ended, or has closed it meanwhile */
int holder_take(pid_t pid, int number)
{
	int process = ixp_descriptor_process(pid);
	int fd;

	if (process < 0)
		return process == -ESRCH || process == -EINVAL ? -ENOENT : process;
	fd = ixp_descriptor_take(process, number);
	close(process);
	if (fd == -EMFILE || fd == -ENFILE)
		return -ETIMEDOUT;

	return fd == -ESRCH || fd == -EBADF ? -ENOENT : fd;
}

static struct spent *spent_by(struct holder_walk *walk, pid_t pid)
{
	long uid = holder_process_uid(pid);
	unsigned int i;

	for (i = 0; i < walk->nr_users; i++)
		if (walk->spent[i].uid == uid)
			return &walk->spent[i];
	if (i == USERS)
		return &walk->spent[i - 1];
	walk->spent[i].uid = uid;
	walk->nr_users++;

	return &walk->spent[i];
}

/**
 * holder_used() - tell how much CPU time the calling scout has used
 *
 * Limits are in this time, so that a walk does the same on a busy machine. Each scout of
 * a walk begins anew, but what a user has spent stays.
 *
 * Return: nanoseconds.
 */
uint64_t holder_used(void)
{
	struct timespec used = { .tv_sec = 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);

	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* Call @page with the time that the user has left, and add up what it takes */
static int use_page(struct holder_walk *walk, pid_t pid, int fd)
{
	struct spent *spent = spent_by(walk, pid);
	const uint64_t before = holder_used();
	uint64_t until = before;
	int ret;

	if (spent->ns < OF_A_USER)
		until += OF_A_USER - spent->ns;
	if (spent->uid == 0 || until > walk->until)
		until = walk->until;
	ret = walk->page(walk, fd, pid, until);
	spent->ns += holder_used() - before;

	return ret;
}

static bool too_late(const struct holder_walk *walk)
{
	return !walk->everywhere && holder_used() > walk->until;
}

static int visit_page(int number, void *data)
{
	struct holder_walk *walk = data;
	const pid_t pid = (pid_t)walk->scout.at;
	uint32_t magic;
	int fd, ret;

	if (too_late(walk))
		return 1;
	fd = holder_take(pid, number);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;

	if (fcntl(fd, F_GET_SEALS) < 0 ||
	    pread(fd, &magic, sizeof(magic), 0) != sizeof(magic) ||
	    magic != IXP_USER_MAGIC)
		return holder_walk_keep(walk);
	ret = use_page(walk, pid, fd);
	close(fd);

	return ret;
}

static int visit_process(struct holder_walk *walk, pid_t pid)
{
	int folder = process_open(pid), ret;

	walk->useless = 0;
	if (folder < 0)
		return errno == ENOMEM || errno == ENFILE ? -errno :
		       errno == EMFILE ? -ETIMEDOUT : 0;
	ret = ixp_arbiter_pages(folder, visit_page, walk);
	close(folder);

	/* Skip a process that has ended, or that the kernel does not let this one visit */
	return ret == -ENOENT || ret == -ESRCH || ret == -EACCES ? 0 : ret;
}

static bool left_out(const struct holder_walk *walk, pid_t pid)
{
	long uid = walk->nr_keepers ? holder_process_uid(pid) : 0;
	unsigned int i;

	for (i = 0; i < walk->nr_keepers; i++)
		if (walk->keeper[i] == uid)
			return true;

	return false;
}

/* Runs in the scout. A second scout visits all again, which does no harm */
static int walk_all(struct ixp_scout *scout)
{
	struct holder_walk *walk = (void *)scout;
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	pid_t pid;
	int ret = 0;

	if (!dir)
		return -errno;
	while (ret == 0 && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		/* Skip the scout itself: files that it keeps can look like pages */
		if (pid <= 0 || pid == getpid() || left_out(walk, pid))
			continue;
		__atomic_store_n(&scout->at, (uint32_t)pid, __ATOMIC_RELEASE);
		ret = too_late(walk) ? 1 : visit_process(walk, pid);
	}
	closedir(dir);

	return ret;
}

static int send_scouts(struct holder_walk *walk)
{
	int ret;

	for (;;) {
		ret = ixp_scout_send(&walk->scout, walk_all, walk->everywhere ?
				     UINT64_MAX : ixp_now_ms() + HANGS);
		if (ret != -ETIMEDOUT)
			return ret;
		ixp_scout_end(&walk->scout);
		if (!walk->everywhere)
			return 1;
		if (walk->nr_keepers == KEEPERS)
			return -EAGAIN;
		walk->keeper[walk->nr_keepers++] =
			holder_process_uid((pid_t)walk->scout.at);
	}
}

/**
 * holder_walk() - visit the pages of all programs that count in user mode
 * @page: called with the page @fd that the process @pid has open; @until is the time,
 *	by holder_used(), when it has to end; a value other than 0 ends the walk
 * @data: for @page, by holder_walk_data()
 * @ns: how much CPU time each scout may take
 * @everywhere: visit all pages, however long that takes, except those of users at
 *	whose programs scouts hang; if false, the result is 1 if the time is too short
 *
 * @page runs in the scout, a process with memory of its own.
 *
 * Return: what @page returned last, 0 if there are no pages, or a negative errno value.
 */
int holder_walk(int (*page)(struct holder_walk *walk, int fd, pid_t pid,
			    uint64_t until),
		const void *data, uint64_t ns, bool everywhere)
{
	struct holder_walk *walk = ixp_scout_new(sizeof(*walk));
	int ret;

	if (!walk)
		return -ENOMEM;
	walk->page = page;
	walk->data = data;
	walk->until = ns;
	walk->everywhere = everywhere;
	ret = send_scouts(walk);
	ixp_scout_free(&walk->scout, sizeof(*walk));

	return ret;
}

const void *holder_walk_data(const struct holder_walk *walk)
{
	return walk->data;
}
