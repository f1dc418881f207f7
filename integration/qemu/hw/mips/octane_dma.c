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
 * Devices map memory, and QEMU does not see what they do with it, so an access
 * counts when it is mapped. This is an IOMMU that translates each address to
 * itself, and is asked for it on the way. While the CPUs' cache models sleep,
 * one question is enough for any access.
 */

#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/lockable.h"
#include "exec/address-spaces.h"
#include "exec/memory.h"
#include "hw/core/cpu.h"
#include "hw/mips/octane_dma.h"
#include "hw/mips/snoop.h"
#include "system/cpus.h"
#include "system/runstate.h"
#include "qom/object.h"
#include "trace.h"

#define TYPE_OCTANE_DMA_REGION "octane-dma-region"

#define DMA_SIZE    (1ull << 40)
/* A write that leaves out less at the end of a block has written all of it. */
#define DMA_UNIT    8u

/* Contiguous accesses of one kind, from @start on and before @end */
typedef struct OctaneDMAAccess {
    hwaddr start;
    hwaddr end;
    bool write;
} OctaneDMAAccess;

/*
 * The question for an address does not say how many bytes are accessed; but
 * if the answer is good for a part of them only, another question follows. The
 * answer to a write is good for half of what is left of the block, so that the
 * questions show whether the access ends before the block does.
 */
static hwaddr dma_answer_mask(hwaddr addr, uint32_t line, bool write)
{
    uint32_t left = line - (addr & (line - 1));

    return (write ? MAX(pow2ceil(left) / 2, DMA_UNIT) : line) - 1;
}

static void dma_ask(const OctaneDMA *dma, const OctaneDMAAccess *access,
                    uint32_t line)
{
    hwaddr block = access->start & -(hwaddr)line;
    CPUState *cs;

    for (; block < access->end; block += line) {
        bool whole = access->start <= block && access->end >= block + line;

        trace_octane_dma(block, access->write ? "write" : "read",
                         whole ? "all" : "some");
        CPU_FOREACH(cs) {
            dma->snoop->dma(cs, block, access->write, whole);
        }
    }
}

/* Between two translation blocks, when the models are up to date */
static void dma_work(CPUState *cs, run_on_cpu_data data)
{
    OctaneDMA *dma = data.host_ptr;
    uint32_t line = dma->snoop->line(cs);
    g_autofree OctaneDMAAccess *accesses = NULL;
    gsize n;

    WITH_QEMU_LOCK_GUARD(&dma->lock) {
        accesses = g_array_steal(dma->accesses, &n);
    }
    for (gsize i = 0; line && i < n; i++) {
        dma_ask(dma, &accesses[i], line);
    }
}

/* A write that goes on where the last one has ended is one with it. */
static void dma_access(OctaneDMA *dma, hwaddr start, hwaddr end, bool write)
{
    OctaneDMAAccess access = { start, end, write }, *last;

    QEMU_LOCK_GUARD(&dma->lock);
    if (!dma->accesses->len) {
        async_run_on_cpu(first_cpu, dma_work, RUN_ON_CPU_HOST_PTR(dma));
    } else {
        last = &g_array_index(dma->accesses, OctaneDMAAccess,
                              dma->accesses->len - 1);
        if (last->end == start && last->write == write) {
            last->end = end;
            return;
        }
    }
    g_array_append_val(dma->accesses, access);
}

/*
 * Loading a snapshot is no DMA. A vCPU that is about to stop may still start
 * some, though: it counts, so that stopping the machine changes no count.
 */
static bool dma_runs(void)
{
    return runstate_is_running() || qemu_in_vcpu_thread();
}

static IOMMUTLBEntry dma_translate(IOMMUMemoryRegion *iommu, hwaddr addr,
                                   IOMMUAccessFlags flag, int iommu_idx)
{
    OctaneDMA *dma = container_of(iommu, OctaneDMA, region);
    uint32_t line = dma->snoop ? dma->snoop->line(first_cpu) : 0;
    hwaddr mask = DMA_SIZE - 1;

    if (line && flag != IOMMU_NONE && dma_runs()) {
        bool write = flag & IOMMU_WO;

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

void octane_dma_init(OctaneDMA *dma, Object *owner)
{
    ObjectClass *cpu = object_get_class(OBJECT(first_cpu));

    dma->snoop = (MIPSSnoopClass *)object_class_dynamic_cast(cpu,
                                                             TYPE_MIPS_SNOOP);
    dma->accesses = g_array_new(false, true, sizeof(OctaneDMAAccess));
    qemu_mutex_init(&dma->lock);
    memory_region_init_iommu(&dma->region, sizeof(dma->region),
                             TYPE_OCTANE_DMA_REGION, owner, "octane.dma",
                             DMA_SIZE);
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
