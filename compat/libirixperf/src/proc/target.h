/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The processes whose counters this process has acquired, or has asked for.
 */
#ifndef IXP_TARGET_H
#define IXP_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include "ident.h"
#include "kernel.h"

struct irixperf_set;
struct ixp_profile;
struct ixp_peer;

/* Which process has the counters of a target, and what they do */
enum ixp_target_state {
	IXP_COUNTS,		/* this process has them, in user mode */
	IXP_RELEASED,		/* it has released them, and has the counts */
	IXP_SYSTEM,		/* it has started system mode: all CPUs count */
	IXP_SYSTEM_RELEASED,	/* it has ended system mode, and has the counts */
	IXP_HELD,		/* a holder has them: remote.h */
	IXP_PEER,		/* the target, another process, has them: own.h */
};

/**
 * struct ixp_target - the counters of one process
 * @next: the next target
 * @id: the process
 * @fd: its directory, held open because the kernel could otherwise give it another
 *	inode number
 * @pid: its PID
 * @self: it is this process
 * @own: this process has acquired the counters for itself, not inherited them
 * @shown: the page (own.h) has the current state
 * @state: which process has the counters
 * @remote: if IXP_HELD, a socket to the holder, else -1
 * @peer: if IXP_PEER, the counters as read from the target's page, else NULL
 * @session: if IXP_SYSTEM, the generation number with which system mode started
 * @generation: positive, and higher after each PIOCSETEVCTRL, and after each loss
 * @starved: nanoseconds in which the events of @set had no counter, as far as
 *	@generation tells
 * @told: how often it has told so
 * @set: the events that count now; NULL if released, or if the program asked for none
 * @offer: number of the offer by which the parent got the events of @set: see child.c
 * @epoch: ixp_arbiter_epoch() when the counters were acquired
 * @arg: what the program asked for
 * @last: the counts of events that are closed; in IXP_SYSTEM_RELEASED those of system
 *	mode, which are not added to the parent's
 * @added: the counts of children
 * @profile: the buckets of HWPERF_PROFENABLE, or NULL
 */
struct ixp_target {
	struct ixp_target *next;
	struct ixp_ident id;
	int fd;
	pid_t pid;
	bool self;
	bool own;
	bool shown;
	enum ixp_target_state state;
	int remote;
	struct ixp_peer *peer;
	int session;
	int generation;
	uint64_t starved;
	int told;
	struct irixperf_set *set;
	unsigned int offer;
	unsigned int epoch;
	hwperf_profevctrarg_t arg;
	hwperf_cntr_t last;
	hwperf_cntr_t added;
	struct ixp_profile *profile;
};

/**
 * struct ixp_target_ops - requests on counters that have been acquired
 * @read: PIOCGETEVCTRS and PIOCGETPREVCTRS: fill in @counts
 * @control: PIOCGETEVCTRL: fill in @ctrl
 * @modify: @request is PIOCENEVCTRS or PIOCSETEVCTRL: count @arg from now on
 * @release: PIOCRELEVCTRS
 *
 * Each returns a generation number, 0 after a release, or a negative errno value;
 * -EPIPE if another process has the counters now.
 */
struct ixp_target_ops {
	int (*read)(struct ixp_target *t, hwperf_cntr_t *counts);
	int (*control)(struct ixp_target *t, hwperf_eventctrl_t *ctrl);
	int (*modify)(struct ixp_target *t, unsigned int request,
		      const hwperf_profevctrarg_t *arg);
	int (*release)(struct ixp_target *t);
};

/* This process itself has the counts of the target, and can read them */
static inline bool ixp_target_is_here(const struct ixp_target *t)
{
	return t->state == IXP_COUNTS || t->state == IXP_RELEASED ||
	       t->state == IXP_SYSTEM_RELEASED;
}

static inline bool ixp_target_released(const struct ixp_target *t)
{
	return t->state == IXP_RELEASED || t->state == IXP_SYSTEM_RELEASED;
}

/* Callers hold the lock */
struct ixp_target *ixp_target_first(void);
struct ixp_target *ixp_target_take_all(void);
struct ixp_target *ixp_target_find(const struct ixp_ident *id);
struct ixp_target *ixp_target_find_marked(int fd);
struct ixp_target *ixp_target_self(void);
int ixp_target_identify(struct ixp_target *target);
int ixp_target_new(struct ixp_target **target, const struct ixp_ident *id,
		   int fd);
void ixp_target_add(struct ixp_target *target);
void ixp_target_free(struct ixp_target *target);
void ixp_target_drop(struct ixp_target *target);
void ixp_target_sweep(void);

#endif
