// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions of IRIX's C library, under their IRIX names. If they fail, they return -1
 * and set errno, as on IRIX.
 *
 * This file is linked into each program, for the same reason as door.c. So the shared
 * library does not have these names, which other programs may use. The symbols are
 * weak: if a program has a function of the same name, that one is used.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <invent.h>
#include <irixperf.h>
#include <sys/sysmp.h>
#include <sys/syssgi.h>

#define IRIX_NAME	__attribute__((weak))

static long funnel(long ret)
{
	if (ret >= 0)
		return ret;
	errno = (int)-ret;

	return -1;
}

/* Read four arguments, the most that a request has; others ignore those they lack */
IRIX_NAME ptrdiff_t syssgi(int request, ...)
{
	uintptr_t arg[4];
	unsigned int i;
	va_list args;

	va_start(args, request);
	for (i = 0; i < 4; i++)
		arg[i] = va_arg(args, uintptr_t);
	va_end(args);

	return funnel(irixperf_syssgi(request, arg[0], arg[1], arg[2], arg[3]));
}

IRIX_NAME ptrdiff_t sysmp(int cmd, ...)
{
	return funnel(irixperf_sysmp(cmd));
}

IRIX_NAME int get_cpu(void)
{
	return (int)funnel(irixperf_get_cpu());
}

IRIX_NAME int setinvent_r(inv_state_t **state)
{
	if (!*state)
		return (int)funnel(irixperf_inventory_open(state));
	irixperf_inventory_rewind(*state);

	return 0;
}

IRIX_NAME inventory_t *getinvent_r(inv_state_t *state)
{
	return irixperf_inventory_next(state);
}

IRIX_NAME void endinvent_r(inv_state_t *state)
{
	irixperf_inventory_close(state);
}

/* The state of setinvent(), getinvent() and endinvent(), which get none */
static inv_state_t *shared;

IRIX_NAME int setinvent(void)
{
	return setinvent_r(&shared);
}

IRIX_NAME inventory_t *getinvent(void)
{
	if (!shared && setinvent() < 0)
		return NULL;

	return getinvent_r(shared);
}

IRIX_NAME void endinvent(void)
{
	endinvent_r(shared);
	shared = NULL;
}

IRIX_NAME int scaninvent(int (*fun)(inventory_t *, void *), void *arg)
{
	inv_state_t *state = NULL;
	inventory_t *entry;
	int ret;

	ret = setinvent_r(&state);
	while (ret == 0 && (entry = getinvent_r(state)))
		ret = fun(entry, arg);
	endinvent_r(state);

	return ret;
}
