/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What PIOCGETPTIMER gives: how long a process has been in each state. The
 * values are not those of IRIX. Linux measures the two states named here; the
 * times of all others are 0.
 */
#ifndef _SYS_TIMERS_H
#define _SYS_TIMERS_H

#define AS_USR_RUN	0	/* running in user mode */
#define AS_SYS_RUN	1	/* running in system mode */
#define MAX_PROCTIMER	16

#endif
