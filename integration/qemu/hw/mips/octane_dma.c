/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SGI Octane (IP30): the memory as devices see it
 *
 * HEART asks the CPUs for each block that a device reads or writes. A device
 * that reads makes them share the block; one that writes all of it invalidates
 * it, and one that writes a part takes it from the CPU that has it, as the
 * rest of its bytes may be nowhere else.
 *
 * Devices map memory, and then QEMU does not see their accesses: they are
 * those of the moment of the mapping. This is an IOMMU that translates each
 * address to itself, and is asked for it on the way. While no CPU's cache
 * model is awake, one question is enough for any access.
 */

#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/main-loop.h"
#include "exec/address-spaces.h"
#include "exec/memory.h"
#include "hw/core/cpu.h"
#include "hw/mips/octane_dma.h"
#include "hw/mips/snoop.h"
#include "qom/object.h"
#include "trace.h"

#define TYPE_OCTANE_DMA_REGION "octane-dma-region"

#define DMA_SIZE    (1ull << 40)
/* An access to a part of so many bytes counts as one to all of them. */
#define DMA_UNIT    8u

/*
 * The question for an address does not say how many bytes are accessed; but
 * if the answer is good for a part of them only, another question follows. The
 * answer to a write is good for half of what is left of the block, so that the
 * questions show where the access ends.
 */
static hwaddr dma_answer_mask(hwaddr addr, uint32_t line, bool write)
{
    uint32_t left = line - (addr & (line - 1));

    return (write ? MAX(pow2ceil(left) / 2, DMA_UNIT) : line) - 1;
}

/* Between two translation blocks, when the models are up to date */
static void dma_work(CPUState *cs, run_on_cpu_data data)
{
    octane_dma_flush(data.host_ptr);
}

static void dma_ask_cpus(OctaneDMA *dma, hwaddr block, bool write)
{
    OctaneDMARequest request = { .block = block, .write = write };

    if (!dma->requests->len) {
        async_run_on_cpu(first_cpu, dma_work, RUN_ON_CPU_HOST_PTR(dma));
    }
    g_array_append_val(dma->requests, request);
}

/* A device accesses @addr, and the bytes up to @end or some of them. */
static void dma_access(OctaneDMA *dma, hwaddr addr, hwaddr end, uint32_t line,
                       bool write)
{
    hwaddr block = addr & -(hwaddr)line;
    bool goes_on = dma->requests->len && addr == dma->next &&
                   write == dma->write;

    if (!goes_on) {
        dma->start = addr;
        dma->write = write;
    }
    if (!goes_on || addr == block) {
        dma_ask_cpus(dma, block, write);
    }
    dma->next = end;
    if (write && dma->start <= block && end == block + line) {
        g_array_index(dma->requests, OctaneDMARequest,
                      dma->requests->len - 1).whole = true;
    }
}

static IOMMUTLBEntry dma_translate(IOMMUMemoryRegion *iommu, hwaddr addr,
                                   IOMMUAccessFlags flag, int iommu_idx)
{
    OctaneDMA *dma = container_of(iommu, OctaneDMA, region);
    uint32_t line = mips_snoop ? mips_snoop->line() : 0;
    hwaddr mask = DMA_SIZE - 1;

    if (line && flag != IOMMU_NONE) {
        bool write = flag & IOMMU_WO;

        assert(bql_locked());
        mask = dma_answer_mask(addr, line, write);
        dma_access(dma, addr, (addr | mask) + 1, line, write);
    }
    return (IOMMUTLBEntry) {
        .target_as = &address_space_memory,
        .iova = addr & ~mask,
        .translated_addr = addr & ~mask,
        .addr_mask = mask,
        .perm = IOMMU_RW,
    };
}

void octane_dma_flush(OctaneDMA *dma)
{
    for (guint i = 0; i < dma->requests->len; i++) {
        OctaneDMARequest *request = &g_array_index(dma->requests,
                                                   OctaneDMARequest, i);

        trace_octane_dma(request->block, request->write ? "write" : "read",
                         request->whole ? "all" : "some");
        mips_snoop->dma(request->block, request->write, request->whole);
    }
    g_array_set_size(dma->requests, 0);
}

MemoryRegion *octane_dma_init(OctaneDMA *dma, Object *owner)
{
    dma->requests = g_array_new(false, true, sizeof(OctaneDMARequest));
    memory_region_init_iommu(&dma->region, sizeof(dma->region),
                             TYPE_OCTANE_DMA_REGION, owner, "octane.dma",
                             DMA_SIZE);
    return MEMORY_REGION(&dma->region);
}

static void dma_region_class_init(ObjectClass *oc, void *data)
{
    IOMMU_MEMORY_REGION_CLASS(oc)->translate = dma_translate;
}

static const TypeInfo dma_types[] = {
    {
        .name = TYPE_OCTANE_DMA_REGION,
        .parent = TYPE_IOMMU_MEMORY_REGION,
        .class_init = dma_region_class_init,
    },
};

DEFINE_TYPES(dma_types)
