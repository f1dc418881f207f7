// SPDX-License-Identifier: GPL-2.0-only
/* The Count/Compare timer, which shares IP7 with the counters. */
#include "bm.h"

#define FIRST_DISTANCE	2000
#define LAST_DISTANCE	(FIRST_DISTANCE << 14)

int ip7(void)
{
	return !!(c0_read(C0_CAUSE) & CAUSE_IP7);
}

/* Set Compare just behind Count: the next match is 2^32 ticks away. */
void timer_off(void)
{
	c0_write(C0_COMPARE, c0_read(C0_COUNT) - 1);
}

/*
 * Let the timer fire. On a busy host Count may pass a near match before it is set, so
 * each try sets one that is further away. Returns true if Count has reached a match
 * that was set in time, and IP7 was low before.
 */
int timer_fire(void)
{
	for (u32 distance = FIRST_DISTANCE; distance <= LAST_DISTANCE; distance *= 4) {
		u32 start = c0_read(C0_COUNT);

		c0_write(C0_COMPARE, start + distance);
		if ((u32)c0_read(C0_COUNT) - start < distance / 2)
			while ((u32)c0_read(C0_COUNT) - start < distance + distance / 2)
				if (ip7())
					return 1;
	}
	return 0;
}
