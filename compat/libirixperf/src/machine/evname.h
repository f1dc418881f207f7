/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names of events in an event map. Several functions turn a name into a code, each
 * for one kind of names; some are in evsysfs.h and pfm.h. They return 0; -ENOENT if the
 * name is of another kind; or another negative errno value, with the reason in @why, if
 * the name is of their kind but wrong. ixp_name_resolve() tries all of them in turn.
 */
#ifndef IXP_EVNAME_H
#define IXP_EVNAME_H

#include <stddef.h>

struct ixp_code;

int ixp_name_generic(struct ixp_code *code, const char *name);
int ixp_name_resolve(struct ixp_code *code, const char *name, const char *pmu,
		     char *why, size_t size);

#endif
