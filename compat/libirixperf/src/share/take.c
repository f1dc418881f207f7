// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copy descriptors of other processes. If the process belongs to a stranger, a scout
 * copies them (scout.h). A file that is neither a page nor an event stays with the
 * scout, because close(2) of it may not return.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include "take.h"
#include "descriptor.h"
#include "scout.h"
#include "status.h"

/**
 * struct taking - descriptors that are taken from a process
 * @scout: takes them if the process belongs to a stranger
 * @stranger: the process belongs to a stranger
 * @process: a pidfd of the process
 * @folder: its directory in /proc
 * @pid: its PID
 * @nr: how many descriptors
 * @event: their events; @fd is first the process' descriptor, then our copy
 */
struct taking {
	struct ixp_scout scout;
	bool stranger;
	int process;
	int folder;
	pid_t pid;
	uint32_t nr;
	struct ixp_own_event event[];
};

static size_t taking_size(uint32_t nr)
{
	return sizeof(struct taking) + nr * sizeof(struct ixp_own_event);
}

/*
 * Does the process belong to another user than root and the caller? Those two need not
 * be guarded against: both can stop the caller anyway.
 */
static bool is_stranger(int folder)
{
	unsigned int id[3], i;

	if (ixp_status_ids(folder, "Uid", id) < 0)
		return true;
	for (i = 0; i < 3; i++)
		if (id[i] != 0 && id[i] != geteuid())
			return true;

	return false;
}

static struct taking *taking_new(int process, int folder, uint32_t nr)
{
	struct taking *taking = ixp_scout_new(taking_size(nr));

	if (!taking)
		return NULL;
	taking->stranger = is_stranger(folder);
	taking->scout.keep[0] = taking->process = process;
	taking->scout.keep[1] = taking->folder = folder;
	taking->nr = nr;

	return taking;
}

/* A scout does not close a descriptor that is not wanted: that might never return */
static void discard(struct taking *taking, int fd)
{
	if (taking->stranger)
		taking->scout.stuck = true;
	else
		close(fd);
}

/* Copy the descriptors that the scout has taken and checked into this process */
static int take_over(struct taking *taking)
{
	int scout = ixp_descriptor_process(taking->scout.pid), fd = scout;
	uint32_t i;

	for (i = 0; i < taking->nr && fd >= 0; i++) {
		fd = ixp_descriptor_take(scout, taking->event[i].fd);
		taking->event[i].fd = fd;
	}
	if (scout >= 0)
		close(scout);
	/* The last entry is the one that failed: close those before it */
	while (fd < 0 && i-- > 1)
		close(taking->event[i - 1].fd);

	return fd < 0 ? fd : 0;
}

/* Do the work, or let a scout do it. After a failure this process has no descriptor */
static int take(struct taking *taking, int (*work)(struct ixp_scout *scout),
		uint64_t until)
{
	int ret;

	if (!taking->stranger)
		return work(&taking->scout);
	ret = ixp_scout_send(&taking->scout, work, until);

	return ret < 0 ? ret : take_over(taking);
}

static bool page_says(int fd, size_t offset, uint32_t word)
{
	uint32_t got;

	return pread(fd, &got, sizeof(got), (off_t)offset) == sizeof(got) &&
	       got == word;
}

/*
 * Is the file the page of process @pid, and can it be mapped and read without SIGBUS?
 * It must be large enough and sealed against truncation. It must not be on hugetlbfs,
 * which can run out of huge pages. The PID is checked because a child that was made
 * without fork(2) has its parent's page open, too.
 */
static bool page_is_of(int fd, pid_t pid)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;

	return seals >= 0 && (seals & F_SEAL_SHRINK) && fstatfs(fd, &fs) == 0 &&
	       fs.f_type == TMPFS_MAGIC && fstat(fd, &st) == 0 &&
	       st.st_size >= (off_t)sizeof(struct ixp_user_page) &&
	       page_says(fd, offsetof(struct ixp_user_page, magic), IXP_USER_MAGIC) &&
	       page_says(fd, offsetof(struct ixp_user_page, own.pid), (uint32_t)pid);
}

static int page_found(int number, void *data)
{
	struct taking *taking = data;
	int fd = ixp_descriptor_take(taking->process, number);

	taking->scout.at++;
	if (fd < 0)
		return fd == -EPERM ? -EPERM : 0;
	if (!page_is_of(fd, taking->pid)) {
		discard(taking, fd);
		return 0;
	}
	taking->event[0].fd = fd;

	return 1;
}

static int page_take(struct ixp_scout *scout)
{
	struct taking *taking = (void *)scout;
	int ret = ixp_arbiter_pages(taking->folder, page_found, taking);

	if (ret > 0)
		return 0;

	return ret == -EACCES || ret == -EPERM ? -EPERM : -EPIPE;
}

/**
 * ixp_take_page() - take a descriptor of a process' page (arbiter.h)
 * @process: a pidfd of the process
 * @folder: its directory in /proc
 * @pid: its PID
 * @until: when to give up, by ixp_now_ms()
 *
 * Return: a descriptor, which the caller closes; -EPIPE if there is no page that can
 * be read safely; -EPERM if the caller may not trace the process; -ETIMEDOUT if the
 * scout did not finish in time; or another negative errno value.
 */
int ixp_take_page(int process, int folder, pid_t pid, uint64_t until)
{
	struct taking *taking = taking_new(process, folder, 1);
	int ret;

	if (!taking)
		return -ENOMEM;
	taking->pid = pid;
	ret = take(taking, page_take, until);
	if (ret == 0)
		ret = taking->event[0].fd;
	ixp_scout_free(&taking->scout, taking_size(1));

	return ret;
}

static int events_take(struct ixp_scout *scout)
{
	struct taking *taking = (void *)scout;
	uint32_t i;
	int fd = 0;

	for (i = 0; i < taking->nr && fd >= 0; i++) {
		fd = ixp_descriptor_take(taking->process, taking->event[i].fd);
		if (fd >= 0 && !ixp_descriptor_is_event(fd)) {
			discard(taking, fd);
			fd = -EPIPE;
		}
		if (fd < 0 && fd != -EMFILE && fd != -ENFILE && fd != -EPERM)
			fd = -EPIPE;
		taking->event[i].fd = fd;
		__atomic_store_n(&scout->at, i, __ATOMIC_RELEASE);
	}
	while (fd < 0 && i-- > 1)
		discard(taking, taking->event[i - 1].fd);

	return fd < 0 ? fd : 0;
}

/**
 * ixp_take_events() - take events that a process has open
 * @process: a pidfd of the process
 * @folder: its directory in /proc
 * @event: the events that the process names; on success, @fd becomes our copy
 * @nr: how many
 * @until: when to give up, by ixp_now_ms()
 *
 * Return: 0; -EPIPE if one of them is not an event; -ETIMEDOUT if the scout did not
 * finish in time; or another negative errno value. After a failure this process has
 * none of the descriptors.
 */
int ixp_take_events(int process, int folder, struct ixp_own_event *event,
		    uint32_t nr, uint64_t until)
{
	struct taking *taking = taking_new(process, folder, nr);
	int ret;

	if (!taking)
		return -ENOMEM;
	memcpy(taking->event, event, nr * sizeof(*event));
	ret = take(taking, events_take, until);
	if (ret == 0)
		memcpy(event, taking->event, nr * sizeof(*event));
	ixp_scout_free(&taking->scout, taking_size(nr));

	return ret;
}
