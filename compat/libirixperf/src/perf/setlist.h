/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of a process: a list of sets, one for each thread. */
#ifndef IXP_SETLIST_H
#define IXP_SETLIST_H

#include <stdint.h>
#include <sys/hwperftypes.h>

struct irixperf_attr;
struct irixperf_set;
struct ixp_subject;

int ixp_setlist_open(struct irixperf_set **set, struct irixperf_attr *attr,
		     const struct ixp_subject *subject,
		     const hwperf_profevctrarg_t *arg);
int ixp_setlist_enable(const struct irixperf_set *set);
uint64_t ixp_setlist_starved(const struct irixperf_set *set, uint64_t least);
int ixp_setlist_starts(const struct irixperf_set *set);
int ixp_setlist_disable(const struct irixperf_set *set);
int ixp_setlist_get(const struct irixperf_set *set, const hwperf_cntr_t *base,
		    hwperf_cntr_t *to, uint64_t *starved);
int ixp_setlist_add(const struct irixperf_set *set, hwperf_cntr_t *sum,
		    uint64_t *starved);
unsigned int ixp_setlist_count(const struct irixperf_set *set);

#endif
