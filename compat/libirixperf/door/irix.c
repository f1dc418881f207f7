// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The functions that IRIX had in its C library, under their IRIX names and with
 * its way to say that they failed: -1 and errno.
 *
 * This file is linked into each program, as door.c is and for the same reason.
 * That keeps these names out of the shared library, where they would get in
 * the way of programs that know nothing of IRIX. The symbols are weak, so that
 * a program with a function of such a name gets its own.
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

/* As many arguments are taken as any request has; more than it has are junk */
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

/* What the functions without a state of the caller's share */
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
