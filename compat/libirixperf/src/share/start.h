/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a holder is started, and which descriptors it finds open. */
#ifndef IXP_START_H
#define IXP_START_H

#include <stddef.h>

/*
 * The argument of irixperf-holder: all CPUs, or only to take them from user mode
 * (sysfile.h); or a process (remote.h)
 */
#define IXP_HOLDER_SYSTEM	"system"
#define IXP_HOLDER_CLAIM	"claim"
#define IXP_HOLDER_PROCESS	"process"

/* Its descriptors: the request, the answer, and a lock or a target's directory */
enum ixp_holder_fd {
	IXP_HOLDER_REQUEST,
	IXP_HOLDER_ANSWER,
	IXP_HOLDER_STDERR,
	IXP_HOLDER_SUBJECT,
	IXP_HOLDER_FDS,
};

int ixp_holder_start(const char *mode, const void *request, size_t size,
		     int subject, int *socket);

#endif
