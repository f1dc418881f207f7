/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Work on the open files of a stranger may never end: a file may belong to a file
 * system that the stranger runs (FUSE), and close(2) waits until that file system
 * answers. So this process sends a scout: a child that does the work, and that may
 * hang without harm. The scout keeps only those descriptors of this process that it
 * needs. The sender waits for the scout for a limited time.
 */
#ifndef IXP_SCOUT_H
#define IXP_SCOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct ixp_scout - a scout, in memory that it shares with its sender
 * @pid: the scout; 0 if there is none
 * @keep: descriptors of the sender that it keeps, or -1
 * @at: its progress: every change shows the sender that the scout does not hang
 * @done: it has done its work, and waits until ixp_scout_end() kills it
 * @stuck: it has a file that may never close, so its exit may take forever
 * @ret: the result of its work
 */
struct ixp_scout {
	pid_t pid;
	int keep[2];
	uint32_t at;
	bool done;
	bool stuck;
	int ret;
};

void *ixp_scout_new(size_t size);
int ixp_scout_send(struct ixp_scout *scout, int (*work)(struct ixp_scout *scout),
		   uint64_t until);
void ixp_scout_end(struct ixp_scout *scout);
void ixp_scout_free(struct ixp_scout *scout, size_t size);

#endif
