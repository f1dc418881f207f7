/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes (hwp_mode) as perf attributes; masks have bit n for event n */
#ifndef IXP_MODE_H
#define IXP_MODE_H

#include <stdint.h>

struct irixperf_attr;
struct perf_event_attr;

uint32_t ixp_mode_events(const struct irixperf_attr *attr, unsigned int *modes);
int ixp_mode_check(unsigned int mode);
void ixp_mode_apply(struct perf_event_attr *attr, unsigned int mode);

#endif
