/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The system's own <time.h>, with two names of IRIX added: CLOCK_SGI_CYCLE and
 * CLK_TCK, the rate of times(2). A program that uses CLK_TCK includes <unistd.h>.
 */
#pragma GCC system_header
#include_next <time.h>
#include <sys/ptimers.h>

#ifndef CLK_TCK
#define CLK_TCK	sysconf(_SC_CLK_TCK)
#endif
