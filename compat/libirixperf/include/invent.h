/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Processors, caches and memory of the hardware inventory. IRIX's getinvent(3)
 * describes the functions; irixperf-invent(3) describes the entries that they find
 * on Linux.
 */
#ifndef _INVENT_H
#define _INVENT_H

#include <sys/invent.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct irixperf_inventory inv_state_t;

int setinvent(void);
inventory_t *getinvent(void);
void endinvent(void);

int setinvent_r(inv_state_t **state);
inventory_t *getinvent_r(inv_state_t *state);
void endinvent_r(inv_state_t *state);

int scaninvent(int (*fun)(inventory_t *, void *), void *arg);

/* Programs that preload the library are not linked with it: irixperf-compat(7) */
#ifdef IRIXPERF_PRELOAD
#pragma weak setinvent
#pragma weak getinvent
#pragma weak endinvent
#pragma weak setinvent_r
#pragma weak getinvent_r
#pragma weak endinvent_r
#pragma weak scaninvent
#endif

#ifdef __cplusplus
}
#endif

#endif
