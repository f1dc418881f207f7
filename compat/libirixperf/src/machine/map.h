/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event map says which events of another CPU stand for the R10000's event numbers.
 * The library finds the text file (mapfind.c), parses it (mapparse.c), turns its names
 * into events of perf_event_open(2) (evname.c, evsysfs.c, pfm.c), and keeps the result
 * while the process lives (machine.c). This is what these modules share.
 *
 * irixperf-eventmap(5) describes the format, and where maps are looked for.
 */
#ifndef IXP_MAP_H
#define IXP_MAP_H

#include <stdint.h>

#define IXP_MAP_MAX	65536		/* bytes of a file */
#define IXP_NAME_SIZE	128		/* of an event, with the final 0 */
#define IXP_WHY_SIZE	192
#define IXP_PMUS_MAX	8

/**
 * struct ixp_pmus - the PMUs of this machine's CPUs
 * @nr: how many; 0 if libpfm4 is missing or does not know the CPU
 * @name: the names that libpfm4 has for them
 */
struct ixp_pmus {
	unsigned int nr;
	char name[IXP_PMUS_MAX][32];
};

/**
 * struct ixp_code - an event, as perf_event_open(2) takes it
 * @type: attr.type
 * @config: attr.config, config1 and config2
 */
struct ixp_code {
	uint32_t type;
	uint64_t config[3];
};

#endif
