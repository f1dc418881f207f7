// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The time stamp: on x86 CPUs their own, elsewhere the time since the start of the
 * machine, in cycles of the CPU's clock. If the kernel does not tell the clock rate,
 * libirixperf measures it by an event, which needs a free counter. So the rate is kept
 * with the functions: a program that comes later finds no counter free.
 */
#include <stdatomic.h>
#include <time.h>
#include <sys/invent.h>
#include "internal.h"

/* If the rate cannot be found out, the time stamp has nanoseconds */
#define UNKNOWN_MHZ	1000

#define NS_PER_US	1000
#define US_PER_S	1000000

static _Atomic uint32_t rate;

/* Use this rate, which another program has found out; 0: find it out */
void pctr_mhz_is(uint32_t mhz)
{
	if (mhz)
		atomic_store(&rate, mhz);
}

static uint32_t find_mhz(void)
{
	struct irixperf_inventory *inv;
	const struct inventory_s *entry;
	uint32_t mhz = 0;

	if (irixperf_inventory_open(&inv) < 0)
		return UNKNOWN_MHZ;
	while (!mhz && (entry = irixperf_inventory_next(inv)))
		if (entry->inv_class == INV_PROCESSOR &&
		    entry->inv_type == INV_CPUBOARD)
			mhz = (uint32_t)entry->inv_controller;
	irixperf_inventory_close(inv);

	return mhz ? mhz : UNKNOWN_MHZ;
}

uint32_t pctr_mhz(void)
{
	uint32_t mhz = atomic_load(&rate);

	if (!mhz) {
		mhz = find_mhz();
		atomic_store(&rate, mhz);
	}

	return mhz;
}

#if defined(__x86_64__) || defined(__i386__)

pctrval pctr_rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}

#else

pctrval pctr_rdtsc(void)
{
	const uint64_t mhz = pctr_mhz();
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);

	return (uint64_t)now.tv_sec * US_PER_S * mhz +
	       (uint64_t)now.tv_nsec * mhz / NS_PER_US;
}

#endif
