/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counters that another process has acquired for itself: own.h. */
#ifndef IXP_PEER_H
#define IXP_PEER_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include "arbiter.h"

struct irixperf_set;

/**
 * struct ixp_peer - the counters of another process
 * @page: its page, mapped into this process
 * @process: a pidfd of it
 * @folder: its directory in /proc; the target closes it
 * @pid: its PID
 * @seq: the page's @seq when @own was copied; odd if @own is not valid
 * @own: a copy of what the process has written to the page
 * @set: copies of the descriptors of its events
 * @timed: each set has the events of one thread, so that their times can be compared
 * @epoch: the page's @epoch at the last look
 * @state: @own.state, changed by what other processes have done since then
 * @generation: @own.generation, changed in the same way, but with @losses in place of
 *	what the owner has told of time without a counter
 * @starved: nanoseconds in which the events of @set had no counter, as far as
 *	@generation tells
 * @reads: there has been a read: what is missing from before the first is not told
 * @measured: the list of events for which @starved holds
 * @told: the page's @told at the last read
 * @losses: how often counts were missing
 */
struct ixp_peer {
	struct ixp_user_page *page;
	int process;
	int folder;
	pid_t pid;
	uint32_t seq;
	struct {
		uint32_t list;
		uint32_t epoch;
		int32_t state;
		int32_t generation;
		int32_t told;
		hwperf_eventctrl_t ctrl;
		hwperf_cntr_t base;
	} own;
	struct irixperf_set *set;
	bool timed;
	uint32_t epoch;
	enum ixp_own_state state;
	int generation;
	uint64_t starved;
	bool reads;
	uint32_t measured;
	int32_t told;
	int losses;
};

/* Callers hold the lock. -EPIPE: the process has no counters of its own (any more) */
int ixp_peer_open(struct ixp_peer **peer, int folder, pid_t pid);
void ixp_peer_close(struct ixp_peer *peer);
int ixp_peer_look(struct ixp_peer *peer);
int ixp_peer_read(struct ixp_peer *peer, hwperf_cntr_t *counts);
int ixp_peer_release(struct ixp_peer *peer);
int ixp_peer_take(struct ixp_peer *peer);
int ixp_peer_tell(struct ixp_peer *peer);
void ixp_peer_go_on(struct ixp_peer *peer);
int ixp_peer_number(const struct ixp_peer *peer);
void ixp_peer_give_back(struct ixp_peer *peer);

#endif
