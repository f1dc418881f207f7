/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the door share. The same sources make both doors:
 *
 * - For programs that are linked with the flags of irixperf.pc, the linker puts
 *   __wrap_open() in place of open(), and open() in that of __real_open().
 * - For those that are not, they make a shared object to be named in
 *   LD_PRELOAD: -D__wrap_open=open gives its functions the names of the C
 *   library's, and these are found behind it by dlsym(3).
 *
 * wrap.mk has the names, for both.
 */
#ifndef IXP_DOOR_H
#define IXP_DOOR_H

/* The C libraries do not agree on the type of ioctl()'s second parameter */
#ifdef __GLIBC__
typedef unsigned long request_t;
#else
typedef int request_t;
#endif

/* Where the C library has no such flag, all offsets have 64 bits */
#ifndef O_LARGEFILE
#define O_LARGEFILE	0
#endif

/* The list comes with -D; without it there is nothing that could be checked */
#if defined(IXP_PRELOAD) && !defined(__cppcheck__)

#define DOOR_NUMBER(name)	IXP_DOOR_##name,

enum ixp_door {
	IXP_DOOR_NAMES(DOOR_NUMBER)
	IXP_DOOR_NR
};

/* preload.c */
__attribute__((visibility("hidden")))
void *ixp_door_next(enum ixp_door door);

#define REAL(name) \
	(*(__typeof__(&__real_##name))ixp_door_next(IXP_DOOR_##name))

#else

#define REAL(name)	__real_##name

#endif

#endif
