/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same events on each CPU. */
#ifndef IXP_COUNTERS_H
#define IXP_COUNTERS_H

#include <irixperf.h>
#include "set.h"

struct ixp_counters;

int ixp_counters_open(struct ixp_counters **counters, const struct irixperf_attr *attr,
		      const struct irixperf_code code[IRIXPERF_CODES], enum ixp_pin pin);
int ixp_counters_start(struct ixp_counters *c);
void ixp_counters_stop(struct ixp_counters *c);
int ixp_counters_follow(struct ixp_counters *c);
int ixp_counters_follow_one(struct ixp_counters *c, unsigned int index);
int ixp_counters_index(const struct ixp_counters *c, int cpu);
unsigned int ixp_counters_cpus(const struct ixp_counters *c);
int ixp_counters_read(const struct ixp_counters *c, unsigned int index, int *cpu,
		      struct irixperf_count count[IRIXPERF_EVENTS], uint64_t *starved);
uint64_t ixp_counters_starved(const struct ixp_counters *c, uint64_t least);
void ixp_counters_close(struct ixp_counters *c);
int ixp_counters_replace(struct ixp_counters **counters, struct ixp_counters *new);

#endif
