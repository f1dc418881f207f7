/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Constants of the IRIX event counter interface, under their IRIX names.
 *
 * r10k_evcntrs(5) names this file and uses some of the constants; the others
 * follow from how programs use them. They are macros because programs test for
 * them with #ifdef.
 */
#ifndef _SYS_HWPERFMACROS_H
#define _SYS_HWPERFMACROS_H

/* Events 0 to 15 run on counter 0, events 16 to 31 on counter 1 */
#define HWPERF_EVENTMAX		32
#define HWPERF_CNTEVENTMAX	16
#define HWPERF_CNT1BASE		16
#define HWPERF_CNT1MAX		32

/* Numbers of an event within its counter */
#define HWPERF_MINEVENT		0
#define HWPERF_MAXEVENT		15

/* hwp_mode: the count enable bits of the control register */
#define HWPERF_CNTEN_E		0x1	/* exception level */
#define HWPERF_CNTEN_K		0x2	/* kernel mode */
#define HWPERF_CNTEN_S		0x4	/* supervisor mode; nothing runs in it */
#define HWPERF_CNTEN_U		0x8	/* user mode */
#define HWPERF_CNTEN_A \
	(HWPERF_CNTEN_U | HWPERF_CNTEN_K | HWPERF_CNTEN_E)
#define HWPERF_MODEMASK		0xf

#define HWPERF_C0PRFCNT0_CYCLES	0

/* Sub-commands of syssgi(SGI_EVENTCTR, ...); the values are this library's own */
#define HWPERF_PROFENABLE	1
#define HWPERF_ENSYSCNTRS	2
#define HWPERF_GET_SYSCNTRS	3
#define HWPERF_GET_CPUCNTRS	4
#define HWPERF_GET_SYSEVCTRL	5
#define HWPERF_SET_SYSEVCTRL	6
#define HWPERF_RELSYSCNTRS	7

#endif
