/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The two intrinsic functions of SGI's compilers with which counter programs
 * guard their data, defined by this compiler's equivalents.
 */
#ifndef _MUTEX_H
#define _MUTEX_H

#define __lock_test_and_set(lock, value)	\
	__sync_lock_test_and_set(lock, value)
#define __lock_release(lock)	__sync_lock_release(lock)

#endif
