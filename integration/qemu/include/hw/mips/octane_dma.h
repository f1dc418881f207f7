/*
 * SGI Octane (IP30): the memory as devices see it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef HW_MIPS_OCTANE_DMA_H
#define HW_MIPS_OCTANE_DMA_H

#include "exec/memory.h"

/* What the CPUs are asked for: all of a block is written, or some of it */
typedef struct OctaneDMARequest {
    hwaddr block;
    bool write;
    bool whole;
} OctaneDMARequest;

/**
 * OctaneDMA:
 * @region: the memory as devices see it
 * @requests: those that the CPUs have not seen yet
 * @start: where the access began to which the last request belongs
 * @next: where it goes on, if it does
 * @write: it is a write
 */
typedef struct OctaneDMA {
    IOMMUMemoryRegion region;
    GArray *requests;
    hwaddr start;
    hwaddr next;
    bool write;
} OctaneDMA;

MemoryRegion *octane_dma_init(OctaneDMA *dma, Object *owner);
void octane_dma_flush(OctaneDMA *dma);

#endif
