/*
 * How a system controller asks the CPUs about what devices read and write
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef HW_MIPS_SNOOP_H
#define HW_MIPS_SNOOP_H

#include "exec/hwaddr.h"

/**
 * MIPSSnoop: what CPUs with a model of their caches offer
 * @line: the bytes of a block; 0 while the model sleeps
 * @dma: a device reads or writes the block at this physical address; @whole:
 *       all of its bytes. Called while no CPU executes a translation block.
 */
typedef struct MIPSSnoop {
    uint32_t (*line)(void);
    void (*dma)(hwaddr block, bool write, bool whole);
} MIPSSnoop;

/* NULL if the CPUs have no such model */
extern const MIPSSnoop *mips_snoop;

#endif
