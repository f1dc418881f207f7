// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Children that have been waited for, and whose counts nobody has added yet.
 * Handlers of SIGCHLD wait for children, and must not wait for the lock: the
 * one who has it may be in fork(2), which waits for the locks of malloc(3), in
 * which the handler has interrupted its thread. So they note a child here. Who
 * takes the lock adds what he finds before he does anything else.
 */
#include <stdatomic.h>
#include "internal.h"

/* More than there can be signals between two holders of the lock */
#define PLACES	64

static _Atomic(pid_t) place[PLACES];
static atomic_uint nr_taken;

/* False if there is no place left; safe in handlers of signals */
bool ixp_reaped_put(pid_t pid)
{
	unsigned int i;
	pid_t none;

	atomic_fetch_add(&nr_taken, 1);
	for (i = 0; i < PLACES; i++) {
		none = 0;
		if (atomic_compare_exchange_strong(&place[i], &none, pid))
			return true;
	}
	atomic_fetch_sub(&nr_taken, 1);

	return false;
}

/* One of them, or 0 */
pid_t ixp_reaped_get(void)
{
	pid_t pid = 0;
	unsigned int i;

	for (i = 0; i < PLACES && atomic_load(&nr_taken) && !pid; i++)
		pid = atomic_exchange(&place[i], 0);
	if (pid)
		atomic_fetch_sub(&nr_taken, 1);

	return pid;
}

bool ixp_reaped_any(void)
{
	return atomic_load(&nr_taken);
}

/* In the child of a fork: they are its parent's */
void ixp_reaped_fork_child(void)
{
	unsigned int i;

	for (i = 0; i < PLACES; i++)
		atomic_store(&place[i], 0);
	atomic_store(&nr_taken, 0);
}
