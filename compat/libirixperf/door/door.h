/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the door share. The door exists in two forms, made from the same
 * sources:
 *
 * - In programs that are linked with the flags of irixperf.pc, the linker replaces
 *   open() by __wrap_open(), and __real_open() by open().
 * - Other programs load a shared object through LD_PRELOAD. It is compiled with
 *   -D__wrap_open=open and so on, so its functions have the names of the C library's;
 *   it finds the C library's own with dlsym(3).
 *
 * wrap.mk lists the names for both.
 */
#ifndef IXP_DOOR_H
#define IXP_DOOR_H

/* The C libraries do not agree on the type of ioctl()'s second parameter */
#ifdef __GLIBC__
typedef unsigned long request_t;
#else
typedef int request_t;
#endif

/* A C library without this flag has 64-bit file offsets only */
#ifndef O_LARGEFILE
#define O_LARGEFILE	0
#endif

/* wrap.mk defines IXP_DOOR_NAMES by -D, which cppcheck does not see */
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
