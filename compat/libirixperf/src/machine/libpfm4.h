/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declarations of libpfm.so.4, which is loaded with dlopen(3) if it is installed, so that
 * nothing depends on it: see pfm_get_pmu_info(3). From the members "size" libpfm4 learns
 * which version of a structure its caller uses.
 */
#ifndef LIBPFM4_H
#define LIBPFM4_H

#include <dlfcn.h>
#include <stddef.h>

/* Weak, because a static program may lack dlopen(); it cannot use libpfm4 anyway */
#pragma weak dlopen
#pragma weak dlsym

#define PFM_SUCCESS		0
#define PFM_PMU_TYPE_CORE	1
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

#endif
