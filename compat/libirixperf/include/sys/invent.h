/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entries of the hardware inventory. The values are this library's own. The names
 * are macros because programs test for newer boards with #ifdef.
 */
#ifndef _SYS_INVENT_H
#define _SYS_INVENT_H

typedef struct inventory_s {
	struct inventory_s *inv_next;
	int inv_class;
	int inv_type;
	unsigned long inv_controller;	/* of a board: its clock in MHz */
	unsigned long inv_unit;		/* number of the processor; of INV_MAIN* 0 */
	int inv_state;			/* of a board: below; of a chip: <sys/sbd.h> */
} inventory_t;

/* inv_class */
#define INV_PROCESSOR		1
#define INV_MEMORY		2

/* inv_type of INV_PROCESSOR */
#define INV_CPUBOARD		1
#define INV_CPUCHIP		2
#define INV_FPUCHIP		3

/* inv_type of INV_MEMORY: inv_state is the size in bytes, of INV_MAIN_MB in megabytes */
#define INV_MAIN		11
#define INV_MAIN_MB		12
#define INV_ICACHE		13
#define INV_DCACHE		14
#define INV_SIDCACHE		15	/* secondary, for instructions and data */
#define INV_SICACHE		16	/* secondary, of older machines: never listed */
#define INV_SDCACHE		17

/* inv_state of INV_CPUBOARD: 0 is none of these */
#define INV_IPMHSIMBOARD	1
#define INV_IP19BOARD		19
#define INV_IP20BOARD		20
#define INV_IP21BOARD		21
#define INV_IP22BOARD		22
#define INV_IP25BOARD		25
#define INV_IP26BOARD		26
#define INV_IP27BOARD		27
#define INV_IP28BOARD		28
#define INV_IP30BOARD		30
#define INV_IP32BOARD		32
#define INV_IP33BOARD		33
#define INV_IP35BOARD		35

#endif
