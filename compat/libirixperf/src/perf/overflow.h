/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thresholds of events, and the signals that events send at them. */
#ifndef IXP_OVERFLOW_H
#define IXP_OVERFLOW_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>

struct irixperf_set;
struct ixp_profile;

/**
 * struct ixp_subject - the process whose events are opened
 * @pid: its PID
 * @folder: its directory in /proc
 * @self: it is this process
 * @profile: its buckets, or NULL
 */
struct ixp_subject {
	pid_t pid;
	int folder;
	bool self;
	struct ixp_profile *profile;
};

int ixp_overflow_check(const hwperf_profevctrarg_t *arg);
bool ixp_overflow_wanted(const hwperf_profevctrarg_t *arg);
int ixp_overflow_open(struct irixperf_set **set,
		      const struct irixperf_attr *attr, bool alone,
		      const struct ixp_subject *subject,
		      const hwperf_profevctrarg_t *arg);

#endif
