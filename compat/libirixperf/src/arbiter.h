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
 *
 * The same number says that system mode is still off, to a program that has found
 * it off before: a holder changes it in all pages after "system" has its name, so
 * whoever has begun since then will come to this page yet. A look at "system" is
 * a path, and takes ten times as long.
 */
#ifndef IXP_ARBITER_H
#define IXP_ARBITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>

#define IXP_USER_MAGIC		0x69787574
#define IXP_USER_TARGETS	16382

/* Events with larger descriptors go on until the program looks */
#define IXP_USER_EVENTS		65536

/* Name of the memfd; the root of struct ixp_kernel is added to it */
#define IXP_USER_NAME		"irixperf-user"

/*
 * @epoch of the page: what others have done with the counters. System mode takes
 * those of all targets and adds one to the upper half. The lower half is about
 * the program's own counters: what was done last, and how often (see own.h).
 */
#define IXP_EPOCH_SYSTEM	0x10000u
#define IXP_EPOCH_OWN		0xffffu
#define IXP_EPOCH_STEP		4u
#define IXP_EPOCH_WHAT		3u
#define IXP_EPOCH_RELEASED	1u
#define IXP_EPOCH_TAKEN		2u

#define IXP_OWN_EVENTS		16384

enum ixp_own_state { IXP_OWN_NONE, IXP_OWN_COUNTS, IXP_OWN_RELEASED };

/**
 * struct ixp_own_event - an event that the program counts itself with
 * @fd: its descriptor
 * @event: its number
 * @leader: the first of its pair, which comes before the other one
 * @pad: leaves no hole
 */
struct ixp_own_event {
	int32_t fd;
	uint8_t event;
	uint8_t leader;
	uint16_t pad;
};

/**
 * struct ixp_own - the counters that a program has acquired for itself
 * @seq: odd while the program writes
 * @list: another number if @event is another one
 * @epoch: of the page, as far as it has been taken into account here
 * @pid: the program
 * @state: one of enum ixp_own_state
 * @generation: generation number
 * @nr: how many events there are
 * @pad: leaves no hole
 * @ctrl: what is counted
 * @base: counts that the events do not have
 * @event: the events
 */
struct ixp_own {
	uint32_t seq;
	uint32_t list;
	uint32_t epoch;
	int32_t pid;
	int32_t state;
	int32_t generation;
	uint32_t nr;
	uint32_t pad;
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t base;
	struct ixp_own_event event[IXP_OWN_EVENTS];
};

/**
 * struct ixp_user_page - one program that counts in user mode
 * @magic: IXP_USER_MAGIC
 * @epoch: another number after each time the counters were taken away
 * @target: the processes that it counts, with 0 in free places
 * @event: a bit for each descriptor that is an event of theirs
 * @own: what it counts for itself
 *
 * Others write @epoch, the program all else. The same for 32-bit and 64-bit
 * programs. It cannot be made smaller: others have it in their memory.
 */
struct ixp_user_page {
	uint32_t magic;
	uint32_t epoch;
	int32_t target[IXP_USER_TARGETS];
	uint8_t event[IXP_USER_EVENTS / 8];
	struct ixp_own own;
};

struct irixperf_set;

int ixp_arbiter_user_begin(pid_t target, unsigned int *epoch);
void ixp_arbiter_user_end(pid_t target);
bool ixp_arbiter_user_has(pid_t target);
void ixp_arbiter_open(const struct irixperf_set *set);
void ixp_arbiter_close(struct irixperf_set *set);
unsigned int ixp_arbiter_epoch(void);
unsigned int ixp_arbiter_parent_epoch(void);
struct ixp_own *ixp_arbiter_own(pid_t pid);
void ixp_arbiter_forget(void);

#endif
