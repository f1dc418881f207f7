/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters of one process, held by another one. What a process has acquired
 * for itself is in its own hands (own.h). What somebody else has acquired or
 * changed for it has to outlive him, and to be the same for all who ask: so it
 * belongs to an irixperf-holder of its own, which carries out the requests, one
 * after the other, and ends when the process is gone. So does what a process has
 * acquired for itself when it becomes another program.
 *
 * It is a socket in a directory of the user who has started it (place.c). One
 * message asks, one answers. The holder judges each request by who asks: see
 * holder/peer.c. Those who ask believe root's holders, their own, and for a
 * process those of its owner, which get less time to answer. A holder whose
 * process is gone ends within moments; who finds it for another process of the
 * same number is told so, and looks again.
 */
#ifndef IXP_REMOTE_H
#define IXP_REMOTE_H

#include <sys/socket.h>
#include <sys/un.h>
#include "internal.h"

/*
 * How long an answer may take, in milliseconds, before the holder is given up; and
 * that of a holder that is neither root's nor the caller's
 */
#define IXP_REMOTE_PATIENCE	10000
#define IXP_REMOTE_STRANGER	500

/* How long to look for one that can be reached */
#define IXP_REMOTE_SEARCH	1000

/* Not one of them: the holder's number if the process is there, else -ESRCH */
#define IXP_REMOTE_HELLO	0

/* Nor this: go on with what the process has acquired for itself; see own.h */
#define IXP_REMOTE_KEEP		1

/*
 * Nor this: tell whether anybody has acquired the counters; -ENOENT: not yet;
 * -EINVAL: they have been released
 */
#define IXP_REMOTE_HOLDS	2

/**
 * struct ixp_remote_begin - what a new holder is to do
 * @pid: the process
 * @strangers: give way to a holder of the process' owner, who is another user
 */
struct ixp_remote_begin {
	int32_t pid;
	int32_t strangers;
};

/**
 * struct ixp_remote_request - what a holder is asked to do
 * @request: one of the PIOC requests of event counters, or of the above
 * @arg: for PIOCENEVCTRS and PIOCSETEVCTRL
 *
 * The same for 32-bit and 64-bit programs, as is the reply.
 */
struct ixp_remote_request {
	uint32_t request;
	hwperf_profevctrarg_t arg;
};

/**
 * struct ixp_remote_reply - what it gives
 * @ret: the request's result: 0, a generation number, or a negative errno value
 * @pad: leaves no hole
 * @counts: for PIOCGETEVCTRS
 * @ctrl: for PIOCGETEVCTRL
 */
struct ixp_remote_reply {
	int32_t ret;
	uint32_t pad;
	union {
		hwperf_cntr_t counts;
		hwperf_eventctrl_t ctrl;
	};
};

/* place.c: directories with the sockets of a user's holders */
#define IXP_PLACES	2

int ixp_place_open(uid_t user, unsigned int choice);
int ixp_place_make(void);
socklen_t ixp_place_address(struct sockaddr_un *address, int place, pid_t pid);

/* remote.c */
uint64_t ixp_remote_now(void);
int ixp_remote_find(int folder);
bool ixp_remote_other(int folder, pid_t pid);
int ixp_remote_start(int folder, bool strangers);
int ixp_remote_keep(int folder);
int ixp_remote_holds(int socket);
int ixp_remote_run(int socket, unsigned int request, void *arg);
int ixp_remote_counts(int socket, hwperf_cntr_t *counts);

#endif
