/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters of one process, held by another one. What a process has acquired
 * for itself is in its own memory (target.c). What somebody else has acquired
 * for it has to outlive him, and to be the same for all who ask: so it belongs
 * to an irixperf-holder of its own, which carries out the requests, one after
 * the other, and ends when the process is gone.
 *
 * Its name is an abstract socket's, made of the process' number and start. One
 * message asks, one answers; both look who is at the other end.
 */
#ifndef IXP_REMOTE_H
#define IXP_REMOTE_H

#include <sys/socket.h>
#include <sys/un.h>
#include "internal.h"

/* How long an answer may take, in milliseconds, before the holder is given up */
#define IXP_REMOTE_PATIENCE	10000

/**
 * struct ixp_remote_request - what a holder is asked to do
 * @request: one of the PIOC requests of event counters
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

/**
 * struct ixp_remote_name - which process; what a new holder is given
 * @pid: its number
 * @start: when it was started, as /proc/<pid>/stat has it
 */
struct ixp_remote_name {
	int32_t pid;
	int32_t pad;
	uint64_t start;
};

/* remote.c */
socklen_t ixp_remote_address(struct sockaddr_un *address,
			     const struct ixp_remote_name *name);
bool ixp_remote_trusts(int socket, int folder);
int ixp_remote_find(int folder);
int ixp_remote_start(int folder);
int ixp_remote_run(int socket, unsigned int request, void *arg);
int ixp_remote_counts(int socket, hwperf_cntr_t *counts);

#endif
