// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Children that have been waited for, and whose counts have not yet been added. A
 * handler of SIGCHLD waits for children, but must not wait for the lock: the thread
 * that holds it may be in fork(2), which waits for a lock of malloc(3), and the handler
 * may have interrupted the thread that has that lock. So the handler notes the child
 * here. A thread that takes the lock adds the counts of all noted children first.
 */
#include <stdatomic.h>
#include "reaped.h"

/* How many children can be noted until a thread takes the lock */
#define MAX_NOTED	64

static _Atomic(pid_t) noted[MAX_NOTED];
static atomic_uint nr_noted;

/* Note a child; false if the list is full. Safe in signal handlers */
bool ixp_reaped_put(pid_t pid)
{
	unsigned int i;
	pid_t none;

	atomic_fetch_add(&nr_noted, 1);
	for (i = 0; i < MAX_NOTED; i++) {
		none = 0;
		if (atomic_compare_exchange_strong(&noted[i], &none, pid))
			return true;
	}
	atomic_fetch_sub(&nr_noted, 1);

	return false;
}

/* Take one of the children; 0 if there is none */
pid_t ixp_reaped_get(void)
{
	pid_t pid = 0;
	unsigned int i;

	for (i = 0; i < MAX_NOTED && atomic_load(&nr_noted) && !pid; i++)
		pid = atomic_exchange(&noted[i], 0);
	if (pid)
		atomic_fetch_sub(&nr_noted, 1);

	return pid;
}

bool ixp_reaped_any(void)
{
	return atomic_load(&nr_noted);
}

/* Called in a forked child: these are its parent's children */
void ixp_reaped_fork_child(void)
{
	unsigned int i;

	for (i = 0; i < MAX_NOTED; i++)
		atomic_store(&noted[i], 0);
	atomic_store(&nr_noted, 0);
}
