/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring buffers from which the buckets of a profile are filled. */
#ifndef IXP_PROFILE_H
#define IXP_PROFILE_H

#include <stdbool.h>

struct irixperf_set;
struct ixp_overflow;

int ixp_profile_attach(struct irixperf_set *set,
		       const struct ixp_overflow *overflow);
bool ixp_profile_threads(void);
void ixp_profile_drain(void);
void ixp_profile_fork_child(void);

#endif
