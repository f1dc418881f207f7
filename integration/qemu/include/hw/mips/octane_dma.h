/*
 * SGI Octane (IP30): the memory as devices see it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef HW_MIPS_OCTANE_DMA_H
#define HW_MIPS_OCTANE_DMA_H

#include "exec/memory.h"
#include "hw/mips/snoop.h"
#include "qemu/thread.h"

/**
 * OctaneDMA:
 * @region: the memory as devices see it
 * @snoop: how to ask the CPUs; NULL if they have no model of their caches
 * @lock: of @accesses, since a device may work in a thread of its own
 * @accesses: those that the CPUs have not seen yet
 */
typedef struct OctaneDMA {
    IOMMUMemoryRegion region;
    MIPSSnoopClass *snoop;
    QemuMutex lock;
    GArray *accesses;
} OctaneDMA;

/**
 * octane_dma_init: called when the CPUs are there
 * @owner: of the memory region
 */
void octane_dma_init(OctaneDMA *dma, Object *owner);

#endif
