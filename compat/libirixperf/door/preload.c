// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find the C library's own functions, which the door replaces, with dlsym(3). Only the
 * object for LD_PRELOAD has this file: see door.h.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include "door.h"

#define DOOR_STRING(name)	#name,

static const char *const names[] = { IXP_DOOR_NAMES(DOOR_STRING) };

static void *next[IXP_DOOR_NR];

/* Look a function up, if find_all() has not run yet: other constructors may be first */
void *ixp_door_next(enum ixp_door door)
{
	void *found = __atomic_load_n(&next[door], __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym(RTLD_NEXT, names[door]);
		__atomic_store_n(&next[door], found, __ATOMIC_RELAXED);
	}

	return found;
}

/* A constructor: signal handlers call these functions, and must not call dlsym() */
__attribute__((constructor))
static void find_all(void)
{
	unsigned int i;

	for (i = 0; i < IXP_DOOR_NR; i++)
		ixp_door_next((enum ixp_door)i);
}
