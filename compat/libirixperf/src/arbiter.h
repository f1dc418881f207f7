/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who has the counters: any number of programs in user mode, or system mode.
 *
 * A program that counts in user mode has a page of memory that names the
 * processes it counts. The page is an open memfd of a certain name. So it needs
 * nobody to make a place for it first, goes when its program goes, and root
 * finds it under /proc. When system mode takes the counters, its holder changes
 * a number in each of these pages: for the program that is a look at its own
 * memory. The page also names the descriptors of the program's events, so that
 * the holder can stop them at once, and not only when the program looks.
 */
#ifndef IXP_ARBITER_H
#define IXP_ARBITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define IXP_USER_MAGIC		0x69787573
#define IXP_USER_TARGETS	16382

/* Events with larger descriptors go on until the program looks */
#define IXP_USER_EVENTS		65536

/* Name of the memfd; the root of struct ixp_kernel is added to it */
#define IXP_USER_NAME		"irixperf-user"

/**
 * struct ixp_user_page - one program that counts in user mode
 * @magic: IXP_USER_MAGIC
 * @epoch: another number after each time the counters were taken away
 * @target: the processes that it counts, with 0 in free places
 * @event: a bit for each descriptor that is an event of theirs
 *
 * The holder writes @epoch, the program all else.
 */
struct ixp_user_page {
	uint32_t magic;
	uint32_t epoch;
	int32_t target[IXP_USER_TARGETS];
	uint8_t event[IXP_USER_EVENTS / 8];
};

struct irixperf_set;

int ixp_arbiter_user_begin(pid_t target, unsigned int *epoch);
void ixp_arbiter_user_end(pid_t target);
bool ixp_arbiter_user_has(pid_t target);
void ixp_arbiter_open(const struct irixperf_set *set);
void ixp_arbiter_close(struct irixperf_set *set);
unsigned int ixp_arbiter_epoch(void);
unsigned int ixp_arbiter_parent_epoch(void);
void ixp_arbiter_forget(void);

#endif
