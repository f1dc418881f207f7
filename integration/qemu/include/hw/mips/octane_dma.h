/*
 * SGI Octane (IP30): the memory as devices see it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef HW_MIPS_OCTANE_DMA_H
#define HW_MIPS_OCTANE_DMA_H

#include "exec/memory.h"
#include "qemu/thread.h"

/* A device reads or writes the bytes from @start to before @end. */
typedef struct OctaneDMAAccess {
    hwaddr start;
    hwaddr end;
    bool write;
} OctaneDMAAccess;

/**
 * OctaneDMA:
 * @region: the memory as devices see it
 * @lock: for @accesses
 * @accesses: those that the CPUs have not seen yet
 */
typedef struct OctaneDMA {
    IOMMUMemoryRegion region;
    QemuMutex lock;
    GArray *accesses;
} OctaneDMA;

MemoryRegion *octane_dma_init(OctaneDMA *dma, Object *owner);

/* Ask the CPUs about all accesses until now. */
void octane_dma_flush(OctaneDMA *dma);

/* Forget them: the machine starts again, or another is loaded into it. */
void octane_dma_reset(OctaneDMA *dma);

#endif
