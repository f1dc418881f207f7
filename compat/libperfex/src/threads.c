// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * For static programs in Fortran and C++. Their run-time libraries refer weakly to the
 * functions of POSIX threads, and assume that all are there if pthread_key_create()
 * is. But a static program gets only those functions of the C library that it refers
 * to, and libirixperf refers to some. This file refers to all others that gcc's
 * gthr-posix.h uses.
 */
#include <pthread.h>
#include <sched.h>
#include "internal.h"

#define ADDRESS(f)	((void (*)(void))(f))

extern void (*const pfx_threads[])(void);

__attribute__((used))
void (*const pfx_threads[])(void) = {
	ADDRESS(pthread_once), ADDRESS(pthread_getspecific),
	ADDRESS(pthread_setspecific), ADDRESS(pthread_create),
	ADDRESS(pthread_join), ADDRESS(pthread_self), ADDRESS(pthread_detach),
	ADDRESS(pthread_cancel), ADDRESS(pthread_equal), ADDRESS(sched_yield),
	ADDRESS(pthread_mutex_lock), ADDRESS(pthread_mutex_trylock),
	ADDRESS(pthread_mutex_timedlock), ADDRESS(pthread_mutex_unlock),
	ADDRESS(pthread_mutex_init), ADDRESS(pthread_mutex_destroy),
	ADDRESS(pthread_cond_init), ADDRESS(pthread_cond_broadcast),
	ADDRESS(pthread_cond_signal), ADDRESS(pthread_cond_wait),
	ADDRESS(pthread_cond_timedwait), ADDRESS(pthread_cond_destroy),
	ADDRESS(pthread_key_create), ADDRESS(pthread_key_delete),
	ADDRESS(pthread_mutexattr_init), ADDRESS(pthread_mutexattr_settype),
	ADDRESS(pthread_mutexattr_destroy), ADDRESS(pthread_rwlock_rdlock),
	ADDRESS(pthread_rwlock_wrlock), ADDRESS(pthread_rwlock_unlock),
};
