/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libpfm4, if it is installed: the names of a CPU's own events */
#ifndef IXP_PFM_H
#define IXP_PFM_H

#include <stddef.h>

struct ixp_code;
struct ixp_pmus;

/**
 * struct ixp_pfm - the functions of libpfm4 that this library needs
 * @initialize: pfm_initialize(3)
 * @pmu_info: pfm_get_pmu_info(3)
 * @encode: pfm_get_os_event_encoding(3)
 * @strerror: pfm_strerror(3)
 */
struct ixp_pfm {
	int (*initialize)(void);
	int (*pmu_info)(int pmu, void *info);
	int (*encode)(const char *name, int modes, int os, void *arg);
	const char *(*strerror)(int err);
};

const struct ixp_pfm *ixp_pfm_load(void);
void ixp_pfm_pmus(struct ixp_pmus *pmus);

/* Turn a name into a code: see evname.h */
int ixp_pfm_name(struct ixp_code *code, const char *name, const char *pmu,
		 char *why, size_t size);

#endif
