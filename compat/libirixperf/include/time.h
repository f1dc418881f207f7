/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The system's own <time.h>, and two names that IRIX had: CLOCK_SGI_CYCLE, and
 * the ticks of times(2), which need <unistd.h> besides.
 */
#pragma GCC system_header
#include_next <time.h>
#include <sys/ptimers.h>

#ifndef CLK_TCK
#define CLK_TCK	sysconf(_SC_CLK_TCK)
#endif
