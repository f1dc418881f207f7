// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The time stamp: on x86 CPUs their own, elsewhere the time since the start of the
 * machine, in cycles of the CPU's clock. If the kernel does not tell the clock rate,
 * libirixperf measures it by an event, which needs a free counter. So the rate is kept
 * with the functions: a program that comes later finds no counter free.
 */
#include <time.h>
#include "internal.h"

#if defined(__x86_64__) || defined(__i386__)

uint32_t pctr_mhz(void)
{
	return 0;
}

void pctr_mhz_is(uint32_t mhz)
{
	(void)mhz;
}

pctrval pctr_rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}

#else

#include <stdatomic.h>
#include <sys/invent.h>

/* If the rate cannot be found out, the time stamp has nanoseconds */
#define UNKNOWN_MHZ	1000

#define NS_PER_US	1000
#define US_PER_S	1000000

/* It stays as long as the process, or time stamps could go backwards */
static _Atomic uint32_t rate;

/* Another program has found it out; 0: it has not */
void pctr_mhz_is(uint32_t mhz)
{
	uint32_t unknown = 0;

	if (mhz)
		atomic_compare_exchange_strong(&rate, &unknown, mhz);
}

static uint32_t find_mhz(void)
{
	struct irixperf_inventory *inv;
	const struct inventory_s *entry;
	uint32_t mhz = 0;

	if (irixperf_inventory_open(&inv) < 0)
		return 0;
	while (!mhz && (entry = irixperf_inventory_next(inv)))
		if (entry->inv_class == INV_PROCESSOR &&
		    entry->inv_type == INV_CPUBOARD)
			mhz = (uint32_t)entry->inv_controller;
	irixperf_inventory_close(inv);

	return mhz;
}

uint32_t pctr_mhz(void)
{
	uint32_t mhz;

	if (!atomic_load(&rate)) {
		mhz = find_mhz();
		pctr_mhz_is(mhz ? mhz : UNKNOWN_MHZ);
	}
	mhz = atomic_load(&rate);

	return mhz == UNKNOWN_MHZ ? 0 : mhz;
}

pctrval pctr_rdtsc(void)
{
	const uint32_t found = pctr_mhz();
	const uint64_t mhz = found ? found : UNKNOWN_MHZ;
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);

	return (uint64_t)now.tv_sec * US_PER_S * mhz +
	       (uint64_t)now.tv_nsec * mhz / NS_PER_US;
}

#endif
