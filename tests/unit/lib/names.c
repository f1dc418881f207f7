// SPDX-License-Identifier: GPL-2.0-only
/* Every function under its IRIX name, as a program of a user's calls them. */
#include <invent.h>
#include <stdio.h>
#include <sys/sysmp.h>
#include <sys/syssgi.h>

static int count(inventory_t *entry, void *arg)
{
	(void)entry;

	return ++*(int *)arg > 1000;
}

int main(void)
{
	inv_state_t *state = NULL;
	int nr = 0, listed = 0;

#ifdef IRIXPERF_PRELOAD
	/* They are not there to link with, so their names are weak */
	if (!syssgi) {
		puts("no library");
		return 3;
	}
#endif
	if (scaninvent(count, &nr) || setinvent() || setinvent_r(&state))
		return 1;
	while (getinvent() && getinvent_r(state))
		listed++;
	endinvent();
	endinvent_r(state);
	if (nr < 2 || nr != listed || sysmp(MP_NPROCS) < sysmp(MP_NAPROCS))
		return 2;

	return get_cpu() < 0 || syssgi(SGI_CYCLECNTR_SIZE) != 64;
}
