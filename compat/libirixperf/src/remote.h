/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters of one process, held by another one. What a process has acquired
 * for itself is in its own hands (own.h). What somebody else has acquired or
 * changed for it has to outlive him, and to be the same for all who ask: so it
 * belongs to an irixperf-holder of its own, which carries out the requests, one
 * after the other, and ends when the process is gone. So does what a process has
 * acquired for itself when it becomes another program.
 *
 * Its name is an abstract socket's, with the process' number. One message asks,
 * one answers; both look who is at the other end. A holder whose process is gone
 * ends within moments; who finds it for another process of the same number is
 * told so, and looks again.
 */
#ifndef IXP_REMOTE_H
#define IXP_REMOTE_H

#include <sys/socket.h>
#include <sys/un.h>
#include "internal.h"

/* How long an answer may take, in milliseconds, before the holder is given up */
#define IXP_REMOTE_PATIENCE	10000

/* Not one of them: 0 if the holder's process is there, else -ESRCH */
#define IXP_REMOTE_HELLO	0

/* Nor this: go on with what the process has acquired for itself; see own.h */
#define IXP_REMOTE_KEEP		1

/* Nor this: tell whether anybody has acquired the counters; -ENOENT: not yet */
#define IXP_REMOTE_HOLDS	2

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

/* remote.c */
socklen_t ixp_remote_address(struct sockaddr_un *address, pid_t pid);
bool ixp_remote_trusts(int socket, int folder);
int ixp_remote_find(int folder);
int ixp_remote_start(int folder);
int ixp_remote_keep(int folder);
bool ixp_remote_holds(int socket);
int ixp_remote_run(int socket, unsigned int request, void *arg);
int ixp_remote_counts(int socket, hwperf_cntr_t *counts);

#endif
