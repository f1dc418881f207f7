/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The connection between a child of fork(2) and its parent: a shared page with the
 * counts that the child has collected so far, and a socket through which the child
 * sends descriptors of its events. Neither is lost if the child is killed: the
 * descriptors stay in the socket until the parent reads them, and their events keep
 * the last counts.
 *
 * The child may run as another user since the fork. So the parent does not trust it:
 * it takes only numbers from the page, and accepts messages only from the user that
 * both had at the fork.
 */
#ifndef IXP_CHILDLINK_H
#define IXP_CHILDLINK_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include "plan.h"

struct irixperf_set;

/**
 * struct ixp_kept - the counts of a process that are not in its open events
 * @serial: number of the offer with the open events; 0 if there are none
 * @counts: the counts of closed events and of the process' own children
 */
struct ixp_kept {
	unsigned int serial;
	hwperf_cntr_t counts;
};

/**
 * struct ixp_shared - the page that a process shares with its parent
 * @pid: the process; 0 until it has started to run
 * @lost: the process could not send its events to its parent
 * @starved: counts are missing for another reason
 * @turn: bit 0 says which of @kept is valid; the other one may be half written
 * @kept: written by the process, read by its parent
 */
struct ixp_shared {
	pid_t pid;
	bool lost;
	bool starved;
	unsigned int turn;
	struct ixp_kept kept[2];
};

/**
 * struct ixp_link - the connection between a process and its parent
 * @shared: the page
 * @child_end: the child's end of the socket
 * @parent_end: the parent's end; the child has it, too, to remove messages of older
 *	offers
 * @uid: the user of both when the child was forked
 */
struct ixp_link {
	struct ixp_shared *shared;
	int child_end;
	int parent_end;
	uid_t uid;
};

/**
 * struct ixp_message - sent with the descriptors of one thread's events
 * @serial: the same number for all threads of an offer
 * @nr: how many messages have this number
 * @events: how many events, each with a descriptor
 * @event: their event numbers
 * @leader: for each event, whether it is the first of its group
 */
struct ixp_message {
	unsigned int serial;
	unsigned int nr;
	unsigned int events;
	unsigned char event[2 * IXP_MAX_PAIRS];
	unsigned char leader[2 * IXP_MAX_PAIRS];
};

#define IXP_NO_LINK	{ .child_end = -1, .parent_end = -1 }

int ixp_link_make(struct ixp_link *link);
void ixp_link_drop(struct ixp_link *link);
bool ixp_link_ended(const struct ixp_link *link);
int ixp_link_send(const struct ixp_link *link, const struct ixp_message *msg,
		  const struct irixperf_set *set);
int ixp_link_peek(struct ixp_link *link, unsigned int *serial);
int ixp_link_receive(struct ixp_link *link, struct ixp_message *msg,
		     struct irixperf_set *set);

#endif
