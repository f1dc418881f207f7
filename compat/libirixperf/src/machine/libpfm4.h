/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What libpfm.so.4 expects of programs that load it with dlopen(3), so that they are
 * built, and run, without it: see pfm_get_pmu_info(3), pfm_get_event_info(3),
 * pfm_get_event_attr_info(3) and pfm_get_os_event_encoding(3). From the members "size"
 * libpfm4 learns which version of a structure its caller uses.
 */
#ifndef IXP_LIBPFM4_H
#define IXP_LIBPFM4_H

#include <stddef.h>
#include <stdint.h>

struct perf_event_attr;

#define PFM_LIBRARY		"libpfm.so.4"
#define PFM_SUCCESS		0
#define PFM_PLM0		0x01
#define PFM_PLM3		0x08
#define PFM_OS_NONE		0
#define PFM_OS_PERF_EVENT	1
#define PFM_PMU_TYPE_CORE	1
#define PFM_ATTR_UMASK		1
#define PFM_PMUS		1024	/* PMU numbers to try; 4.13's end at 535 */

struct pfm_pmu_info {
	const char *name;
	const char *desc;
	size_t size;
	int pmu;
	int type;
	int nevents;
	int first_event;
	int max_encoding;
	int num_cntrs;
	int num_fixed_cntrs;
	struct {
		unsigned int is_present:1;
		unsigned int is_dfl:1;
		unsigned int reserved_bits:30;
	} flags;
};

struct pfm_event_info {
	const char *name;
	const char *desc;
	const char *equiv;
	size_t size;
	uint64_t code;
	int pmu;
	int dtype;
	int idx;
	int nattrs;
	int reserved;
	unsigned int flags;
};

struct pfm_attr_info {
	const char *name;
	const char *desc;
	const char *equiv;
	size_t size;
	uint64_t code;
	int type;
	int idx;
	int ctrl;
	unsigned int flags;
	uint64_t value;
};

struct pfm_encode_arg {
	struct perf_event_attr *attr;
	char **fstr;
	size_t size;
	int idx;
	int cpu;
	int flags;
	int pad0;
};

#endif
