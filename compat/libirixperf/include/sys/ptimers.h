/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clock that IRIX programs read for its resolution. On IRIX it was the
 * system's free-running counter, mapped into the program. Here it is
 * CLOCK_MONOTONIC_RAW, the clock of Linux that is most like a hardware counter:
 * NTP does not steer it and nobody can set it. It counts nanoseconds in 64 bits
 * and so does not wrap.
 *
 * Linux and some C libraries define the name with the number of a clock that
 * Linux no longer has: clock_gettime(2) would fail.
 */
#ifndef _SYS_PTIMERS_H
#define _SYS_PTIMERS_H

#undef CLOCK_SGI_CYCLE
#define CLOCK_SGI_CYCLE	4	/* CLOCK_MONOTONIC_RAW, which -std=c89 hides */

#endif
