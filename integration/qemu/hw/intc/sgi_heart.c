/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SGI HEART, the system controller of the Octane (IP30): interrupts of the
 * CPUs, a counter, the layout of the memory, and the reset of the machine
 *
 * There is no public manual. What is here is what Linux 6.12 says and needs
 * (arch/mips/include/asm/sgi/heart.h, arch/mips/sgi-ip30). Errors, flow
 * control and the one-wire bus are not modelled.
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "hw/core/cpu.h"
#include "hw/intc/sgi_heart.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "system/runstate.h"
#include "trace.h"

/* Registers have 64 bits; only MEMCFG is read by its halves. */
#define HEART_MODE          0x00000
#define HEART_SDRAM_MODE    0x00008
#define HEART_MEM_REQ_ARB   0x00018
#define HEART_MEMCFG        0x00020     /* to 0x3f */
#define HEART_FC_MODE       0x00040
#define HEART_STATUS        0x00080
#define HEART_BERR_ADDR     0x00088
#define HEART_MLAN_CTL      0x000b8
#define HEART_IMR           0x10000     /* to 0x1001f, one for each CPU */
#define HEART_SET_ISR       0x10020
#define HEART_CLR_ISR       0x10028
#define HEART_ISR           0x10030
#define HEART_IMSR          0x10038
#define HEART_CAUSE         0x10040
#define HEART_COUNT         0x20000
#define HEART_COMPARE       0x30000
#define HEART_TRIGGER       0x40000
#define HEART_PRID          0x50000
#define HEART_SYNC          0x60000
#define HEART_SIZE          0x100000

#define MODE_COLD_RST       (1ull << 23)
#define MODE_SW_RST         (1ull << 22)

#define MEMCFG_BANKS        4
#define MEMCFG_BANK_MAX     (512 * MiB) /* two DIMMs of 256 MB */
#define MEMCFG_VALID        0x80000000u
#define MEMCFG_SIZE_SHIFT   16

#define STATUS_BIG_ENDIAN   (1 << 8)
#define STATUS_PROC_SHIFT   4
#define STATUS_WIDGET_ID    8

#define COUNT_NS            80          /* 12.5 MHz */
#define COUNT_MASK          MAKE_64BIT_MASK(0, 52)
#define COMPARE_MASK        MAKE_64BIT_MASK(0, 24)
#define ISR_TIMER           (1ull << 50)

/* The bits of ISR that raise IP2 to IP6 */
static const uint64_t pin_mask[SGI_HEART_CPU_PINS] = {
    MAKE_64BIT_MASK(0, 16), MAKE_64BIT_MASK(16, 16), MAKE_64BIT_MASK(32, 18),
    ISR_TIMER, MAKE_64BIT_MASK(51, 13),
};

/*
 * A widget sends HEART a packet when its interrupt rises, and one when it
 * falls: a bit that the guest clears comes back while the wire is up.
 */
static uint64_t heart_isr(SGIHeartState *s)
{
    return s->latched | s->level;
}

static void heart_update(SGIHeartState *s)
{
    for (int cpu = 0; cpu < s->num_cpus; cpu++) {
        uint64_t pending = heart_isr(s) & s->imr[cpu];

        trace_sgi_heart_update(cpu, pending);
        for (int i = 0; i < SGI_HEART_CPU_PINS; i++) {
            qemu_set_irq(s->cpu_irq[cpu][i], !!(pending & pin_mask[i]));
        }
    }
}

static void heart_set_irq(void *opaque, int n, int level)
{
    SGIHeartState *s = opaque;

    s->level = deposit64(s->level, n, 1, !!level);
    heart_update(s);
}

/* The banks lie one behind the other; a unit of size and address is 32 MB. */
static uint32_t heart_memcfg(SGIHeartState *s, unsigned bank)
{
    uint64_t start = bank * MEMCFG_BANK_MAX;

    if (bank >= MEMCFG_BANKS || start >= s->ram_size) {
        return 0;
    }
    return MEMCFG_VALID | start / SGI_HEART_MEMORY_UNIT |
           (MIN(s->ram_size - start, MEMCFG_BANK_MAX) / SGI_HEART_MEMORY_UNIT
            - 1) << MEMCFG_SIZE_SHIFT;
}

static uint64_t heart_cycles(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) / COUNT_NS;
}

static void heart_start_timer(SGIHeartState *s)
{
    uint64_t now = heart_cycles();
    uint64_t wait = (s->compare - now) & COMPARE_MASK;

    timer_mod(&s->timer, (now + (wait ?: COMPARE_MASK + 1)) * COUNT_NS);
}

static void heart_timer_expired(void *opaque)
{
    SGIHeartState *s = opaque;

    s->latched |= ISR_TIMER;
    heart_update(s);
    heart_start_timer(s);
}

static uint64_t heart_read64(SGIHeartState *s, hwaddr addr)
{
    switch (addr) {
    case HEART_MODE:
        return s->mode;
    case HEART_MEMCFG ... HEART_FC_MODE - 1: {
        unsigned bank = (addr - HEART_MEMCFG) / 4;

        return (uint64_t)heart_memcfg(s, bank) << 32 |
               heart_memcfg(s, bank + 1);
    }
    case HEART_STATUS:
        return STATUS_BIG_ENDIAN | STATUS_WIDGET_ID |
               MAKE_64BIT_MASK(STATUS_PROC_SHIFT, s->num_cpus);
    case HEART_IMR ... HEART_SET_ISR - 1:
        return s->imr[(addr - HEART_IMR) / 8];
    case HEART_ISR:
        return heart_isr(s);
    case HEART_CAUSE:
    case HEART_SYNC:
        return 0;
    case HEART_COUNT:
        return heart_cycles() & COUNT_MASK;
    case HEART_COMPARE:
        return s->compare;
    case HEART_PRID:
        return current_cpu ? current_cpu->cpu_index : 0;
    case HEART_SDRAM_MODE ... HEART_MEM_REQ_ARB:
    case HEART_FC_MODE ... HEART_STATUS - 1:
    case HEART_BERR_ADDR ... HEART_MLAN_CTL:
    case HEART_IMSR:
    case HEART_TRIGGER:
        qemu_log_mask(LOG_UNIMP, "sgi-heart: read of register 0x%"
                      HWADDR_PRIx "\n", addr);
        return 0;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-heart: read of 0x%" HWADDR_PRIx
                      ", where no readable register is\n", addr);
        return 0;
    }
}

static uint64_t heart_read(void *opaque, hwaddr addr, unsigned size)
{
    uint64_t val = heart_read64(opaque, addr & ~7ull);

    if (size == 4) {
        val = extract64(val, addr & 4 ? 0 : 32, 32);
    }
    trace_sgi_heart_read(addr, size, val);
    return val;
}

static void heart_write(void *opaque, hwaddr addr, uint64_t val, unsigned size)
{
    SGIHeartState *s = opaque;

    trace_sgi_heart_write(addr, size, val);
    if (size != 8) {
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-heart: write of %u bytes to 0x%"
                      HWADDR_PRIx ", which has 8\n", size, addr);
        return;
    }

    switch (addr) {
    case HEART_MODE:
        s->mode = val & ~(MODE_COLD_RST | MODE_SW_RST);
        if (s->mode != val) {
            qemu_system_reset_request(SHUTDOWN_CAUSE_GUEST_RESET);
        }
        break;
    case HEART_IMR ... HEART_SET_ISR - 1:
        s->imr[(addr - HEART_IMR) / 8] = val;
        heart_update(s);
        break;
    case HEART_SET_ISR:
        s->latched |= val;
        heart_update(s);
        break;
    case HEART_CLR_ISR:
        s->latched &= ~val;
        heart_update(s);
        break;
    case HEART_COMPARE:
        s->compare = val & COMPARE_MASK;
        heart_start_timer(s);
        break;
    case HEART_SYNC:
        break;
    case HEART_SDRAM_MODE ... HEART_STATUS - 1:
    case HEART_BERR_ADDR ... HEART_MLAN_CTL:
    case HEART_TRIGGER:
        qemu_log_mask(LOG_UNIMP, "sgi-heart: write of 0x%" PRIx64
                      " to register 0x%" HWADDR_PRIx "\n", val, addr);
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-heart: write of 0x%" PRIx64
                      " to 0x%" HWADDR_PRIx ", where no writable register "
                      "is\n", val, addr);
        break;
    }
}

static const MemoryRegionOps heart_ops = {
    .read = heart_read,
    .write = heart_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 8 },
    .impl = { .min_access_size = 4, .max_access_size = 8 },
};

static void heart_reset_hold(Object *obj, ResetType type)
{
    SGIHeartState *s = SGI_HEART(obj);

    timer_del(&s->timer);
    s->mode = 0;
    s->latched = 0;
    s->compare = 0;
    memset(s->imr, 0, sizeof(s->imr));
    heart_update(s);
}

static void heart_realize(DeviceState *dev, Error **errp)
{
    SGIHeartState *s = SGI_HEART(dev);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

    if (s->num_cpus < 1 || s->num_cpus > SGI_HEART_CPUS) {
        error_setg(errp, "sgi-heart: num-cpus must be 1 to %d",
                   SGI_HEART_CPUS);
        return;
    }
    if (!s->ram_size || s->ram_size % SGI_HEART_MEMORY_UNIT ||
        s->ram_size > MEMCFG_BANKS * MEMCFG_BANK_MAX) {
        error_setg(errp, "sgi-heart: ram-size must be a multiple of 32 MB, "
                   "and at most 2 GB");
        return;
    }
    memory_region_init_io(&s->mmio, OBJECT(s), &heart_ops, s, "sgi-heart",
                          HEART_SIZE);
    sysbus_init_mmio(sbd, &s->mmio);
    for (int cpu = 0; cpu < SGI_HEART_CPUS; cpu++) {
        for (int i = 0; i < SGI_HEART_CPU_PINS; i++) {
            sysbus_init_irq(sbd, &s->cpu_irq[cpu][i]);
        }
    }
    qdev_init_gpio_in(dev, heart_set_irq, SGI_HEART_IRQS);
    timer_init_ns(&s->timer, QEMU_CLOCK_VIRTUAL, heart_timer_expired, s);
}

static const VMStateDescription vmstate_heart = {
    .name = TYPE_SGI_HEART,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_TIMER(timer, SGIHeartState),
        VMSTATE_UINT64(mode, SGIHeartState),
        VMSTATE_UINT64_ARRAY(imr, SGIHeartState, SGI_HEART_MASKS),
        VMSTATE_UINT64(latched, SGIHeartState),
        VMSTATE_UINT64(level, SGIHeartState),
        VMSTATE_UINT64(compare, SGIHeartState),
        VMSTATE_END_OF_LIST()
    }
};

static const Property heart_properties[] = {
    DEFINE_PROP_UINT64("ram-size", SGIHeartState, ram_size, 0),
    DEFINE_PROP_UINT32("num-cpus", SGIHeartState, num_cpus, 1),
};

static void heart_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "SGI HEART system controller";
    dc->realize = heart_realize;
    dc->vmsd = &vmstate_heart;
    RESETTABLE_CLASS(oc)->phases.hold = heart_reset_hold;
    device_class_set_props(dc, heart_properties);
}

static const TypeInfo heart_types[] = {
    {
        .name = TYPE_SGI_HEART,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(SGIHeartState),
        .class_init = heart_class_init,
    },
};

DEFINE_TYPES(heart_types)
