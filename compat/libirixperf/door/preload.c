// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door for programs that know nothing of this library: the C library's
 * functions behind those of the other files. See door.h. Of programs that are
 * linked with it this file is no part.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include "door.h"

#define DOOR_STRING(name)	#name,

static const char *const names[] = { IXP_DOOR_NAMES(DOOR_STRING) };

static void *next[IXP_DOOR_NR];

/* Other objects' constructors may come before ours: then it is looked for here */
void *ixp_door_next(enum ixp_door door)
{
	void *found = __atomic_load_n(&next[door], __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym(RTLD_NEXT, names[door]);
		__atomic_store_n(&next[door], found, __ATOMIC_RELAXED);
	}

	return found;
}

/* At once, because dlsym() is not for handlers of signals, and most of these are */
__attribute__((constructor))
static void find_all(void)
{
	unsigned int i;

	for (i = 0; i < IXP_DOOR_NR; i++)
		ixp_door_next((enum ixp_door)i);
}
