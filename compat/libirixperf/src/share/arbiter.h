/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides who has the counters: any number of programs in user mode, or system mode or
 * a claim, which are the same to them.
 *
 * A program that counts in user mode has a page of memory that names the
 * processes it counts. The page is an open memfd with a fixed name: no directory has
 * to exist for it, it disappears with its program, and root finds it under /proc.
 * When system mode takes the counters, its holder changes the number @epoch in each of
 * these pages, and the program notices this when it next reads its own page. The page
 * also names the descriptors of the program's events, so the holder can stop them at
 * once.
 *
 * Looking for the file "system" (sysfile.h) takes ten times as long as reading @epoch.
 * So a program that has once found system mode off does not look again while @epoch
 * stays the same. If system mode has started meanwhile, its holder has not yet come to
 * this page, but will: it first makes the file, and then changes @epoch in all pages.
 */
#ifndef IXP_ARBITER_H
#define IXP_ARBITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>

#define IXP_USER_MAGIC		0x69787574
#define IXP_USER_TARGETS	16381

/* Events with larger descriptors go on counting until the program reads its page */
#define IXP_USER_EVENTS		65536

/* Name of the memfd; ixp_kernel.root, which tests set, is added to it */
#define IXP_USER_NAME		"irixperf-user"

/*
 * @epoch of the page: what other processes have done with the counters. System mode
 * takes the counters of all targets and adds one to the upper half. The lower half
 * is about the counters that the program has acquired for itself (own.h): the two
 * lowest bits say what another process did last, the others count how often.
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
 * struct ixp_own_event - an event by which the program counts itself
 * @fd: its descriptor
 * @event: its number
 * @leader: it is the first event of a pair; the other one follows
 * @thread: it is the first one of a thread
 * @pad: not used
 */
struct ixp_own_event {
	int32_t fd;
	uint8_t event;
	uint8_t leader;
	uint8_t thread;
	uint8_t pad;
};

/**
 * struct ixp_own - the counters that a program has acquired for itself
 * @seq: odd while the program writes
 * @list: changes whenever @event changes
 * @epoch: the page's @epoch that the program has taken into account here
 * @pid: the program
 * @state: one of enum ixp_own_state
 * @generation: generation number
 * @nr: how many events there are
 * @told: how often @generation has told of time without a counter
 * @ctrl: control information: which events count in which modes
 * @base: counts to which those of the events are added
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
	int32_t told;
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t base;
	struct ixp_own_event event[IXP_OWN_EVENTS];
};

/**
 * struct ixp_user_page - one program that counts in user mode
 * @magic: IXP_USER_MAGIC
 * @epoch: changes each time the counters are taken away
 * @target: the processes that the program counts; 0 marks a free entry
 * @seen: the highest generation number that another process has returned for @own
 * @event: a bit for each descriptor: set if it is an event of these processes
 * @own: the counters that the program has acquired for itself
 *
 * Other processes write @epoch and @seen, the program writes everything else. The layout is
 * the same for 32-bit and 64-bit programs. The file is sealed against truncation, as
 * processes that map a truncated file can get SIGBUS.
 */
struct ixp_user_page {
	uint32_t magic;
	uint32_t epoch;
	int32_t target[IXP_USER_TARGETS];
	int32_t seen;
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
int ixp_arbiter_pages(int folder, int (*found)(int number, void *data), void *data);

#endif
