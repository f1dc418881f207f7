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
 *
 * What devices access is only noted, and the CPUs are asked when they do not
 * execute code. A device that has a thread of its own maps memory meanwhile,
 * so that they may be asked in the middle of an access.
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/host-utils.h"
#include "qemu/lockable.h"
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
 * questions show where the access ends: with blocks of 128 bytes, a write to
 * the first 64 asks once, and one to the first 72 asks for 0 and for 64, whose
 * answers are good for 64 and 32 bytes.
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

/*
 * A device accesses @addr, and the bytes up to @end or some of them: the last
 * access goes on, or another one starts.
 */
static void dma_access(OctaneDMA *dma, hwaddr addr, hwaddr end, bool write)
{
    OctaneDMAAccess access = { .start = addr, .end = end, .write = write };
    OctaneDMAAccess *last;

    QEMU_LOCK_GUARD(&dma->lock);
    if (!dma->accesses->len) {
        async_run_on_cpu(first_cpu, dma_work, RUN_ON_CPU_HOST_PTR(dma));
    } else {
        last = &g_array_index(dma->accesses, OctaneDMAAccess,
                              dma->accesses->len - 1);
        if (last->end == addr && last->write == write) {
            last->end = end;
            return;
        }
    }
    g_array_append_val(dma->accesses, access);
}

static IOMMUTLBEntry dma_translate(IOMMUMemoryRegion *iommu, hwaddr addr,
                                   IOMMUAccessFlags flag, int iommu_idx)
{
    OctaneDMA *dma = container_of(iommu, OctaneDMA, region);
    uint32_t line = mips_snoop ? mips_snoop->line() : 0;
    hwaddr mask = DMA_SIZE - 1;

    if (line && flag != IOMMU_NONE) {
        bool write = flag & IOMMU_WO;

        if (!bql_locked()) {
            warn_report_once("octane: a device has a thread of its own: some "
                             "of the blocks that it writes count as several "
                             "accesses to parts of them");
        }
        mask = dma_answer_mask(addr, line, write);
        dma_access(dma, addr, (addr | mask) + 1, write);
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
    hwaddr line = mips_snoop ? mips_snoop->line() : 0;

    QEMU_LOCK_GUARD(&dma->lock);
    for (guint i = 0; line && i < dma->accesses->len; i++) {
        OctaneDMAAccess *access = &g_array_index(dma->accesses,
                                                 OctaneDMAAccess, i);
        hwaddr block = access->start & -line;

        for (; block < access->end; block += line) {
            bool whole = access->write && block >= access->start &&
                         block + line <= access->end;

            trace_octane_dma(block, access->write ? "write" : "read",
                             whole ? "all" : "some");
            mips_snoop->dma(block, access->write, whole);
        }
    }
    g_array_set_size(dma->accesses, 0);
}

void octane_dma_reset(OctaneDMA *dma)
{
    QEMU_LOCK_GUARD(&dma->lock);
    g_array_set_size(dma->accesses, 0);
}

MemoryRegion *octane_dma_init(OctaneDMA *dma, Object *owner)
{
    qemu_mutex_init(&dma->lock);
    dma->accesses = g_array_new(false, true, sizeof(OctaneDMAAccess));
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
