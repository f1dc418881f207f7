/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters of one process that another process has: a holder. A process itself has
 * the counters that it has acquired for itself (own.h). But counters that other
 * processes acquire or change for a target must outlive these, and all of them must
 * see the same counters. So a process holder has them: an irixperf-holder that serves
 * this target alone, carries out one request after the other, and ends when the target
 * is gone. A process that calls execve(2) hands its own counters to such a holder, too.
 *
 * A holder has a socket in a directory of the user who has started it (place.c). A
 * client sends one message and gets one answer. The holder checks for each request
 * what the client may do: see holder/rights.c. Clients trust holders of root, of
 * their own user, and of the target's owner; a holder of an owner that is another user
 * gets less time to answer. A holder whose target is gone soon ends. If the kernel has
 * given the target's PID to another process before that, the holder answers that its
 * target is gone, and the client looks again.
 */
#ifndef IXP_REMOTE_H
#define IXP_REMOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/hwperftypes.h>
#include "sysfile.h"

/*
 * How many milliseconds a caller waits for the answer of a holder of root or of its own
 * user, and of a holder of another user. PIOCENEVCTRS waits for such a stranger twice
 * at most: before and after it starts a holder, or for a greeting and an answer. So
 * strangers cost it less than a second. Other requests try again for IXP_REMOTE_SEARCH.
 */
#define IXP_REMOTE_PATIENCE	10000
#define IXP_REMOTE_STRANGER	400

/* How many milliseconds a caller tries to reach a holder */
#define IXP_REMOTE_SEARCH	1000

/*
 * Requests in addition to those of /proc. HELLO: the result is the holder's PID if the
 * target exists, else -ESRCH. The number of HELLO changes whenever requests or replies
 * change: so a holder of another version answers -ENOTTY.
 */
#define IXP_REMOTE_HELLO	0x69787003

/* KEEP: take over the counters that the target has acquired for itself; see own.h */
#define IXP_REMOTE_KEEP		1

/*
 * HOLDS: the result is more than 0 if the counters are acquired; -ENOENT if they have
 * never been; -EINVAL if they have been released
 */
#define IXP_REMOTE_HOLDS	2

/**
 * struct ixp_remote_begin - what a new holder is to do
 * @pid: the target
 * @strangers: not 0: if root or the target's owner, as another user, already has a
 *	holder for it, the new one ends at once
 */
struct ixp_remote_begin {
	int32_t pid;
	int32_t strangers;
};

/**
 * struct ixp_remote_request - what a holder is asked to do
 * @request: one of the PIOC requests of event counters, or one of the above
 * @session: for the system-mode holder: the system mode that is meant; 0: the current
 *	one
 * @arg: for PIOCENEVCTRS and PIOCSETEVCTRL
 * @words: for PIOCSETEVCTRL of system mode; its generation number for PIOCRELEVCTRS, too
 *
 * The layout of request and reply is the same for 32-bit and 64-bit programs.
 */
struct ixp_remote_request {
	uint32_t request;
	int32_t session;
	hwperf_profevctrarg_t arg;
	struct ixp_system_words words;
};

/**
 * struct ixp_remote_reply - what a holder answers
 * @ret: the request's result: 0, a generation number, or a negative errno value
 * @pad: not used
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
int ixp_place_system(void);
socklen_t ixp_place_address(struct sockaddr_un *address, int place, pid_t pid);

/* remote.c */
int ixp_remote_find(int folder);
bool ixp_remote_other(int folder, pid_t pid);
int ixp_remote_start(int folder, bool strangers);
int ixp_remote_keep(int folder);
int ixp_remote_holds(int socket);
int ixp_remote_ask(int socket, unsigned int request,
		   const hwperf_profevctrarg_t *arg, struct ixp_remote_reply *reply);
int ixp_remote_system(unsigned int request, int session,
		      const hwperf_profevctrarg_t *arg,
		      const struct ixp_system_words *words);

#endif
