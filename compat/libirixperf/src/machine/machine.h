/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The CPU and the event map that this process uses */
#ifndef IXP_MACHINE_H
#define IXP_MACHINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <irixperf.h>
#include "map.h"

/**
 * struct ixp_map_event - an event of the map
 * @line: its line in the file, 0 if the map does not have it
 * @there: this machine can count it
 * @code: its code
 * @name: the right-hand side
 * @why: why it cannot be counted
 */
struct ixp_map_event {
	unsigned int line;
	bool there;
	struct ixp_code code;
	char name[IXP_NAME_SIZE];
	char why[IXP_WHY_SIZE];
};

/**
 * struct ixp_machine - what this process counts with
 * @cpu: the CPU
 * @unmodelled: an emulator's, which does not model how many cycles anything takes
 * @path: the event map; empty if the CPU has R10000 counters
 * @event: the events by number: those of the map, or of the R10000
 */
struct ixp_machine {
	struct irixperf_cpu cpu;
	bool unmodelled;
	char path[PATH_MAX];
	struct ixp_map_event event[IRIXPERF_EVENTS];
};

const struct ixp_machine *ixp_machine(char *why, size_t size);
void ixp_machine_forget(void);
int ixp_machine_coded(struct ixp_machine *coded,
		      const struct irixperf_code codes[IRIXPERF_CODES]);

#endif
