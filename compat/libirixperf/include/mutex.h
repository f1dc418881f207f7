/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The two intrinsic functions of SGI's compilers that counter programs guard
 * their data with, in terms of this compiler's, which have the same meaning.
 */
#ifndef _MUTEX_H
#define _MUTEX_H

#define __lock_test_and_set(lock, value)	\
	__sync_lock_test_and_set(lock, value)
#define __lock_release(lock)	__sync_lock_release(lock)

#endif
