/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the R10000 family: the meaning of each number on each chip.
 *
 * This part uses neither perf nor CPU registers. The facts are in events.def.
 */
#ifndef _MIPS_R10K_EVENTS_H
#define _MIPS_R10K_EVENTS_H

#include <linux/types.h>

/* Chips with different event tables, as bits: a row can be for several chips */
#define R10K_CHIP_V2	0x1	/* R10000 revision 2.x */
#define R10K_CHIP_V3	0x2	/* R10000 revision 3.x */
#define R10K_CHIP_R12K	0x4	/* R12000, R14000, R16000 */
#define R10K_CHIP_R10K	(R10K_CHIP_V2 | R10K_CHIP_V3)
#define R10K_CHIP_ALL	(R10K_CHIP_R10K | R10K_CHIP_R12K)

#define R10K_EVENTS	32	/* numbers, on every chip */

/**
 * struct r10k_event - one row of events.def, as far as the driver needs it
 * @num: the number, 0 to 31
 * @twin: the number of the same event on the R10000's other counter, or @num
 * @chips: R10K_CHIP_* bits of the chips that the row is for
 * @id: what is counted: the same for rows that mean the same
 * @name: the name in sysfs
 */
struct r10k_event {
	u8 num;
	u8 twin;
	u8 chips;
	const char *id;
	const char *name;
};

unsigned int r10k_chip(u32 prid);
const char *r10k_chip_name(u32 prid);
const struct r10k_event *r10k_event_find(unsigned int chip, unsigned int num);

#endif /* _MIPS_R10K_EVENTS_H */
