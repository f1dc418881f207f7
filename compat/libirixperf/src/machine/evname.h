/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of events in an event map */
#ifndef IXP_EVNAME_H
#define IXP_EVNAME_H

#include <stddef.h>

struct ixp_code;

int ixp_name_generic(struct ixp_code *code, const char *name);
int ixp_name_resolve(struct ixp_code *code, const char *name, const char *pmu,
		     char *why, size_t size);

#endif
