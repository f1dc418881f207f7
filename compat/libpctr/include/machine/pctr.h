/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * OpenBSD's interface to the performance counters of a CPU, pctr(4). Open _PATH_PCTR,
 * and make these requests with ioctl(2). Link with the flags of pctr.pc.
 *
 * A function says what a counter counts:
 *
 *	 31                   24 23 22     18 17 16 15                8 7             0
 *	| PCTR_CM: counter mask | I|EN|     | E| K| U| PCTR_UM: unit mask |    event    |
 *
 * An R10000 has two counters; its events are numbers from 0 to 31, and I, E and the
 * masks have to be 0. On x86 CPUs all parts mean what they do in the hardware.
 */
#ifndef _MACHINE_PCTR_H
#define _MACHINE_PCTR_H

#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define _PATH_PCTR	"/dev/pctr"

typedef uint64_t pctrval;

#define PCTR_NUM	4

/* What PCIOCRD reads; 56 bytes on all machines */
struct pctrst {
	unsigned int pctr_fn[PCTR_NUM];	/* functions of the counters */
	pctrval pctr_tsc;		/* time stamp, in cycles since the start */
	pctrval pctr_hwc[PCTR_NUM];	/* counts, of 40 bits */
};

#define PCIOCRD		_IOR('c', 1, struct pctrst)
/* These four numbers follow each other */
#define PCIOCS0		_IOW('c', 8, unsigned int)
#define PCIOCS1		_IOW('c', 9, unsigned int)
#define PCIOCS2		_IOW('c', 10, unsigned int)
#define PCIOCS3		_IOW('c', 11, unsigned int)

/* Flags of a function */
#define PCTR_U		0x010000	/* count in user mode */
#define PCTR_K		0x020000	/* count in kernel mode */
#define PCTR_E		0x040000	/* count edges */
#define PCTR_EN		0x400000	/* in counter 0: all counters count */
#define PCTR_I		0x800000	/* invert the counter mask */

/* Bits of the unit mask: states of lines in the L2 cache, and any agent of the bus */
#define PCTR_UM_M	0x0800
#define PCTR_UM_E	0x0400
#define PCTR_UM_S	0x0200
#define PCTR_UM_I	0x0100
#define PCTR_UM_MESI	(PCTR_UM_M | PCTR_UM_E | PCTR_UM_S | PCTR_UM_I)
#define PCTR_UM_A	0x2000

#define PCTR_UM_SHIFT	8
#define PCTR_CM_SHIFT	24

/* The time stamp, as in pctr_tsc */
pctrval pctr_rdtsc(void);

/*
 * The count of a counter on the CPU that runs the caller; all bits set if there is none.
 * This is a call that takes as long as PCIOCRD.
 */
pctrval pctr_rdpmc(unsigned int ctr);

#define rdpmc(ctr)	pctr_rdpmc(ctr)

#ifdef __cplusplus
}
#endif

#endif
