/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events for perf_event_open(2) by the event map */
#ifndef IXP_MAPUSE_H
#define IXP_MAPUSE_H

#include <stdint.h>

struct irixperf_attr;
struct ixp_machine;
struct perf_event_attr;

int ixp_map_check(const struct ixp_machine *machine,
		  const struct irixperf_attr *attr);
void ixp_map_apply(struct perf_event_attr *pea, unsigned int mode);
uint32_t ixp_map_software(const struct ixp_machine *machine);

#endif
