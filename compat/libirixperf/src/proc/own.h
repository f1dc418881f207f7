/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters that a process (the owner) has acquired for itself, as other processes
 * see them. The owner has them, and only has to write each change to its page
 * (arbiter.h). A process that may trace the owner finds this page in the owner's
 * /proc directory and copies the descriptors that the page names: with these it
 * reads and stops the same events.
 *
 * Other processes change only two numbers of the page, each by one atomic operation:
 * @seen, and @epoch. With that, the counters are released, or a holder has them
 * (remote.h).
 * The process that has written @epoch may be killed before it stops the events, so
 * each process that then reads the page stops events that still count. The owner reads
 * @epoch at each request, and after each change that it writes to the page: so neither
 * side misses a change of the other.
 */
#ifndef IXP_OWN_H
#define IXP_OWN_H

#include <sys/types.h>
#include "arbiter.h"

struct irixperf_set;
struct ixp_target;

/* own.c: the owner's side; callers hold the lock */
void ixp_own_show(struct ixp_target *t);
void ixp_own_hide(pid_t pid);

#endif
