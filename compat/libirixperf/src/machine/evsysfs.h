/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that the kernel describes in sysfs, and the PMUs that are there */
#ifndef IXP_EVSYSFS_H
#define IXP_EVSYSFS_H

#include <stddef.h>

struct ixp_code;

/* Turn a name into a code: see evname.h */
int ixp_sysfs_term(struct ixp_code *code, const char *name, char *why,
		   size_t size);
int ixp_sysfs_event(struct ixp_code *code, const char *name, char *why,
		    size_t size);

unsigned int ixp_sysfs_cores(char *first, size_t size);

#endif
