/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SGI BRIDGE, crosstalk to PCI, in the Octane (IP30)
 *
 * Modelled is what Linux 6.12 uses (arch/mips/include/asm/pci/bridge.h,
 * arch/mips/pci/pci-xtalk-bridge.c): PIO by the windows of the slots, direct
 * DMA, interrupts, configuration cycles, and the board's part number on a
 * one-wire bus. Left out are errors, DMA by way of the ATEs, the big windows
 * (the only way to I/O space, if a slot's own window shows memory), and the
 * choices of byte order: DMA keeps bytes in their order, and PIO words.
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "exec/address-spaces.h"
#include "hw/irq.h"
#include "hw/pci-host/sgi_bridge.h"
#include "hw/pci/pci_bus.h"
#include "hw/pci/pci_device.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "trace.h"

/* Registers have 32 bits and lie in the second half of 64 */
#define BRIDGE_ID           0x004
#define BRIDGE_STATUS       0x00c
#define BRIDGE_CONTROL      0x024
#define BRIDGE_REQ_TIMEOUT  0x02c
#define BRIDGE_INT_UPPER    0x034
#define BRIDGE_INT_LOWER    0x03c
#define BRIDGE_LLP          0x04c
#define BRIDGE_TFLUSH       0x054
#define BRIDGE_DIR_MAP      0x084
#define BRIDGE_ARB          0x0a4
#define BRIDGE_NIC          0x0b4
#define BRIDGE_BUS_TIMEOUT  0x0c4
#define BRIDGE_PCI_CFG      0x0cc
#define BRIDGE_INT_STATUS   0x104
#define BRIDGE_INT_ENABLE   0x10c
#define BRIDGE_INT_RST_STAT 0x114
#define BRIDGE_INT_MODE     0x11c
#define BRIDGE_INT_DEVICE   0x124
#define BRIDGE_INT_ADDR     0x134       /* to 0x16c, one for each pin */
#define BRIDGE_DEVICE       0x204       /* to 0x23c, one for each slot */
#define BRIDGE_REG_END      0x240
#define BRIDGE_RRB_MAP      0x284
#define BRIDGE_RESP_CLEAR   0x29c
#define BRIDGE_ATE_RAM      0x10000
#define BRIDGE_REGS_SIZE    0x20000

#define BRIDGE_CONFIG       0x20000
#define BRIDGE_CONFIG_SIZE  0x20000
#define CONFIG_TYPE1        0x8000      /* in it; from 0x9000 there is none */
#define CONFIG_TYPE1_END    0x9000

#define BRIDGE_DEVIO        0x200000
#define BRIDGE_DEVIO_SIZE   0xa00000
#define BRIDGE_SIZE         0x1000000

#define ID_BRIDGE_REV_D     (4u << 28 | 0xc002 << 12 | 0x036 << 1 | 1)
#define STATUS_PCI          (1 << 5)
#define DIR_MAP_ADD512      (1 << 17)
#define DIR_MAP_OFFSET      MAKE_64BIT_MASK(0, 17)
#define PCI_CFG_BUS         MAKE_64BIT_MASK(16, 8)
#define PCI_CFG_BUS_SLOT    MAKE_64BIT_MASK(11, 13)
#define INT_ADDR_FIELD      0xff
#define DEVICE_OFFSET       0xfff       /* of the window, in MB of PCI */
#define DEVICE_MEMORY       (1 << 12)

/* A pulse in us, when to look in it, then done and what has been seen */
#define NIC_PULSE_SHIFT     10
#define NIC_DONE            (1 << 1)
#define NIC_DATA            (1 << 0)
#define NIC_RESET_US        480
#define NIC_WRITE_1_US      15          /* the longest pulse for a 1 */

#define DMA_32_BASE         (2 * GiB)
#define DMA_32_SIZE         (2 * GiB)
/* Target widget 8 (HEART), and the barrier attribute */
#define DMA_64_BASE         0x8100000000000000ull
#define DMA_64_SIZE         (1ull << 40)

#define REG(s, offset)      ((s)->regs[(offset) / 8])

static PCIBus *bridge_bus(SGIBridgeState *s)
{
    return PCI_HOST_BRIDGE(s)->bus;
}

/* Interrupts */

static uint8_t bridge_int_status(SGIBridgeState *s)
{
    return s->pci_pins | s->board_pins;
}

static void bridge_update_irq(SGIBridgeState *s)
{
    uint8_t pins = bridge_int_status(s) & REG(s, BRIDGE_INT_ENABLE);
    uint64_t raised = 0, changed;

    for (int pin = 0; pin < SGI_BRIDGE_PINS; pin++) {
        if (extract32(pins, pin, 1)) {
            raised |= 1ull << REG(s, BRIDGE_INT_ADDR + 8 * pin) %
                      SGI_BRIDGE_IRQS;
        }
    }
    changed = raised ^ s->raised;
    s->raised = raised;
    for (; changed; changed &= changed - 1) {
        int n = ctz64(changed);

        trace_sgi_bridge_irq(n, extract64(raised, n, 1));
        qemu_set_irq(s->irq[n], extract64(raised, n, 1));
    }
}

static void bridge_set_pci_irq(void *opaque, int pin, int level)
{
    SGIBridgeState *s = opaque;

    s->pci_pins = deposit32(s->pci_pins, pin, 1, !!level);
    bridge_update_irq(s);
}

static void bridge_set_board_pin(void *opaque, int pin, int level)
{
    SGIBridgeState *s = opaque;

    s->board_pins = deposit32(s->board_pins, pin, 1, !!level);
    bridge_update_irq(s);
}

/* INTA and INTC of a slot go to its own pin, INTB and INTD to another's */
static int bridge_map_irq(PCIDevice *dev, int n)
{
    int slot = PCI_SLOT(dev->devfn) % SGI_BRIDGE_PINS;

    return n & 1 ? slot ^ 4 : slot;
}

/* The one-wire bus: the time that a pulse takes is not modelled */

static void bridge_write_nic(SGIBridgeState *s, uint32_t val)
{
    unsigned pulse = val >> NIC_PULSE_SHIFT;

    s->nic = NIC_DONE;
    if (pulse >= NIC_RESET_US) {
        ds2505_reset(&s->eprom);        /* it answers with 0 */
    } else if (ds2505_touch(&s->eprom, pulse < NIC_WRITE_1_US)) {
        s->nic |= NIC_DATA;
    }
}

/* Registers */

static void bridge_update_dir_map(SGIBridgeState *s)
{
    uint32_t map = REG(s, BRIDGE_DIR_MAP);

    memory_region_set_alias_offset(&s->dma_32,
                                   (map & DIR_MAP_OFFSET) * (2 * GiB) +
                                   (map & DIR_MAP_ADD512 ? 512 * MiB : 0));
}

static uint64_t bridge_read(void *opaque, hwaddr addr, unsigned size)
{
    SGIBridgeState *s = opaque;
    uint64_t val = 0;

    switch (addr & 4 ? addr : 0) {
    case BRIDGE_ID:
        val = ID_BRIDGE_REV_D;
        break;
    case BRIDGE_STATUS:
        val = STATUS_PCI;
        break;
    case BRIDGE_TFLUSH:
        break;
    case BRIDGE_NIC:
        val = s->nic;
        break;
    case BRIDGE_INT_STATUS:
        val = bridge_int_status(s);
        break;
    case BRIDGE_CONTROL ... BRIDGE_LLP:
    case BRIDGE_DIR_MAP:
    case BRIDGE_ARB:
    case BRIDGE_BUS_TIMEOUT ... BRIDGE_PCI_CFG:
    case BRIDGE_INT_ENABLE:
    case BRIDGE_INT_MODE ... BRIDGE_INT_DEVICE:
    case BRIDGE_INT_ADDR ... BRIDGE_INT_ADDR + 8 * 7:
    case BRIDGE_DEVICE ... BRIDGE_REG_END - 1:
        val = REG(s, addr);
        break;
    case BRIDGE_RRB_MAP ... BRIDGE_RESP_CLEAR:
    case BRIDGE_ATE_RAM ... BRIDGE_REGS_SIZE - 1:
        qemu_log_mask(LOG_UNIMP, "sgi-bridge: read of register 0x%"
                      HWADDR_PRIx "\n", addr);
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-bridge: read of 0x%" HWADDR_PRIx
                      ", where no readable register is\n", addr);
        break;
    }
    trace_sgi_bridge_read(addr, val);
    return val;
}

static void bridge_write(void *opaque, hwaddr addr, uint64_t val,
                         unsigned size)
{
    SGIBridgeState *s = opaque;

    trace_sgi_bridge_write(addr, val);
    switch (addr & 4 ? addr : 0) {
    case BRIDGE_NIC:
        bridge_write_nic(s, val);
        break;
    case BRIDGE_TFLUSH:
    case BRIDGE_INT_RST_STAT:
        break;
    case BRIDGE_DIR_MAP:
        REG(s, addr) = val;
        bridge_update_dir_map(s);
        break;
    case BRIDGE_INT_ADDR ... BRIDGE_INT_ADDR + 8 * 7:
        if ((val & INT_ADDR_FIELD) >= SGI_BRIDGE_IRQS) {
            qemu_log_mask(LOG_GUEST_ERROR, "sgi-bridge: HEART has no "
                          "interrupt %u\n", (unsigned)val & INT_ADDR_FIELD);
        }
        /* fall through */
    case BRIDGE_INT_ENABLE:
        REG(s, addr) = val;
        bridge_update_irq(s);
        break;
    case BRIDGE_CONTROL ... BRIDGE_LLP:
    case BRIDGE_ARB:
    case BRIDGE_BUS_TIMEOUT ... BRIDGE_PCI_CFG:
    case BRIDGE_INT_MODE ... BRIDGE_INT_DEVICE:
    case BRIDGE_DEVICE ... BRIDGE_REG_END - 1:
        REG(s, addr) = val;
        break;
    case BRIDGE_RRB_MAP ... BRIDGE_RESP_CLEAR:
    case BRIDGE_ATE_RAM ... BRIDGE_REGS_SIZE - 1:
        qemu_log_mask(LOG_UNIMP, "sgi-bridge: write of 0x%" PRIx64
                      " to register 0x%" HWADDR_PRIx "\n", val, addr);
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-bridge: write of 0x%" PRIx64
                      " to 0x%" HWADDR_PRIx ", where no writable register "
                      "is\n", val, addr);
        break;
    }
}

static const MemoryRegionOps bridge_ops = {
    .read = bridge_read,
    .write = bridge_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/*
 * PIO: a word of PCI keeps its value, so a byte or half of it changes its
 * place.
 */
static hwaddr bridge_lane(hwaddr addr, unsigned size)
{
    return addr ^ (4 - size);
}

/*
 * Configuration: 0x1000 bytes for each slot and 0x100 for each function, then
 * 0x1000 bytes for the slot and bus that PCI_CFG chooses. Linux goes on with
 * slots 8 to 31 as if they were there; nothing answers.
 */
static bool bridge_config_addr(SGIBridgeState *s, hwaddr addr, unsigned size,
                               uint32_t *config_addr)
{
    uint32_t pci_cfg = REG(s, BRIDGE_PCI_CFG);
    unsigned fn = extract32(addr, 8, 3);
    unsigned reg = bridge_lane(addr, size) & 0xff;

    if (addr < CONFIG_TYPE1) {
        *config_addr = PCI_DEVFN(addr >> 12, fn) << 8 | reg;
    } else if (addr < CONFIG_TYPE1_END && (pci_cfg & PCI_CFG_BUS)) {
        *config_addr = (pci_cfg & PCI_CFG_BUS_SLOT) | fn << 8 | reg;
    } else {
        return false;
    }
    return !(addr & 0x800);
}

static uint64_t bridge_config_read(void *opaque, hwaddr addr, unsigned size)
{
    SGIBridgeState *s = opaque;
    uint32_t config_addr;

    if (!bridge_config_addr(s, addr, size, &config_addr)) {
        return ~0ull;
    }
    return pci_data_read(bridge_bus(s), config_addr, size);
}

static void bridge_config_write(void *opaque, hwaddr addr, uint64_t val,
                                unsigned size)
{
    SGIBridgeState *s = opaque;
    uint32_t config_addr;

    if (bridge_config_addr(s, addr, size, &config_addr)) {
        pci_data_write(bridge_bus(s), config_addr, val, size);
    }
}

static const MemoryRegionOps bridge_config_ops = {
    .read = bridge_config_read,
    .write = bridge_config_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/* The windows of the slots: two of 2 MB and six of 1 MB */
static hwaddr bridge_window_size(unsigned slot)
{
    return slot < 2 ? 2 * MiB : 1 * MiB;
}

static hwaddr bridge_window(unsigned slot)
{
    return BRIDGE_DEVIO + (slot < 2 ? slot * 2 : slot + 2) * MiB;
}

/* @addr is changed from an offset to an address in what is returned. */
static AddressSpace *bridge_devio(SGIBridgeState *s, hwaddr *addr,
                                  unsigned size)
{
    unsigned slot = *addr < 4 * MiB ? *addr / (2 * MiB) : *addr / MiB - 2;
    uint32_t device = REG(s, BRIDGE_DEVICE + 8 * slot);

    *addr = (device & DEVICE_OFFSET) * MiB +
            bridge_lane(*addr + BRIDGE_DEVIO - bridge_window(slot), size);
    return device & DEVICE_MEMORY ? &s->memory_as : &s->io_as;
}

/*
 * A read that no device claims gives ones, as on other PCI hosts, and not the
 * bus error of the chip: Linux's early console polls a UART behind the BAR
 * whose size Linux finds out, and must find it ready then.
 */
static uint64_t bridge_devio_read(void *opaque, hwaddr addr, unsigned size)
{
    AddressSpace *as = bridge_devio(opaque, &addr, size);
    uint8_t buf[8];

    if (address_space_read(as, addr, MEMTXATTRS_UNSPECIFIED, buf, size)) {
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-bridge: no device claims a read "
                      "at 0x%" HWADDR_PRIx "\n", addr);
        return ~0ull;
    }
    return ldn_le_p(buf, size);
}

static void bridge_devio_write(void *opaque, hwaddr addr, uint64_t val,
                               unsigned size)
{
    AddressSpace *as = bridge_devio(opaque, &addr, size);
    uint8_t buf[8];

    stn_le_p(buf, size, val);
    if (address_space_write(as, addr, MEMTXATTRS_UNSPECIFIED, buf, size)) {
        qemu_log_mask(LOG_GUEST_ERROR, "sgi-bridge: no device claims a write "
                      "at 0x%" HWADDR_PRIx "\n", addr);
    }
}

static const MemoryRegionOps bridge_devio_ops = {
    .read = bridge_devio_read,
    .write = bridge_devio_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/* DMA */

static AddressSpace *bridge_dma_as(PCIBus *bus, void *opaque, int devfn)
{
    SGIBridgeState *s = opaque;

    return &s->dma_as;
}

static const PCIIOMMUOps bridge_iommu_ops = {
    .get_address_space = bridge_dma_as,
};

static void bridge_write_config(PCIDevice *dev, unsigned reg, uint32_t val,
                                unsigned size)
{
    pci_host_config_write_common(dev, reg, pci_config_size(dev), val, size);
}

/*
 * What the PROM does: each device gets memory in the window of its slot.
 * Linux takes the BARs as it finds them (PCI_PROBE_ONLY). BARs of I/O space
 * stay 0.
 */
static void bridge_assign_bars(SGIBridgeState *s, unsigned slot)
{
    PCIBus *bus = bridge_bus(s);
    hwaddr next = bridge_window(slot);
    hwaddr end = next + bridge_window_size(slot);

    REG(s, BRIDGE_DEVICE + 8 * slot) = next / MiB | DEVICE_MEMORY;
    for (int devfn = PCI_DEVFN(slot, 0); devfn < PCI_DEVFN(slot + 1, 0);
         devfn++) {
        PCIDevice *dev = bus->devices[devfn];

        for (int i = 0; dev && i < PCI_ROM_SLOT; i++) {
            PCIIORegion *bar = &dev->io_regions[i];
            hwaddr base = bar->size ? ROUND_UP(next, bar->size) : 0;

            if (!bar->size || (bar->type & PCI_BASE_ADDRESS_SPACE_IO)) {
                continue;
            }
            if (base + bar->size > end) {
                warn_report_once("sgi-bridge: BAR %d of slot %u does not fit "
                                 "into its window", i, slot);
                continue;
            }
            next = base + bar->size;
            bridge_write_config(dev, PCI_BASE_ADDRESS_0 + 4 * i, base, 4);
        }
        if (dev) {
            bridge_write_config(dev, PCI_COMMAND, PCI_COMMAND_MEMORY |
                                PCI_COMMAND_MASTER, 2);
        }
    }
}

static void bridge_reset_hold(Object *obj, ResetType type)
{
    SGIBridgeState *s = SGI_BRIDGE(obj);

    memset(s->regs, 0, sizeof(s->regs));
    s->nic = NIC_DONE;
    bridge_update_irq(s);
    bridge_update_dir_map(s);
}

/* The devices on the bus have cleared their BARs by now. */
static void bridge_reset_exit(Object *obj, ResetType type)
{
    for (unsigned slot = 0; slot < SGI_BRIDGE_PINS; slot++) {
        bridge_assign_bars(SGI_BRIDGE(obj), slot);
    }
}

static void bridge_realize(DeviceState *dev, Error **errp)
{
    SGIBridgeState *s = SGI_BRIDGE(dev);
    PCIHostState *host = PCI_HOST_BRIDGE(dev);
    Object *obj = OBJECT(dev);

    if (!s->memory) {
        error_setg(errp, "sgi-bridge: the link 'memory' is not set");
        return;
    }
    if (!qdev_realize(DEVICE(&s->eprom), NULL, errp)) {
        return;
    }

    memory_region_init(&s->widget, obj, "sgi-bridge", BRIDGE_SIZE);
    memory_region_init_io(&s->regs_mr, obj, &bridge_ops, s,
                          "sgi-bridge.registers", BRIDGE_REGS_SIZE);
    memory_region_add_subregion(&s->widget, 0, &s->regs_mr);
    memory_region_init_io(&s->config, obj, &bridge_config_ops, s,
                          "sgi-bridge.config", BRIDGE_CONFIG_SIZE);
    memory_region_add_subregion(&s->widget, BRIDGE_CONFIG, &s->config);
    memory_region_init_io(&s->devio, obj, &bridge_devio_ops, s,
                          "sgi-bridge.devio", BRIDGE_DEVIO_SIZE);
    memory_region_add_subregion(&s->widget, BRIDGE_DEVIO, &s->devio);
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->widget);

    memory_region_init(&s->pci_memory, obj, "sgi-bridge.pci-memory", 4 * GiB);
    address_space_init(&s->memory_as, &s->pci_memory, "sgi-bridge.pci-memory");
    memory_region_init(&s->pci_io, obj, "sgi-bridge.pci-io", 4 * GiB);
    address_space_init(&s->io_as, &s->pci_io, "sgi-bridge.pci-io");
    host->bus = pci_register_root_bus(dev, "pci", bridge_set_pci_irq,
                                      bridge_map_irq, s, &s->pci_memory,
                                      &s->pci_io, 0, SGI_BRIDGE_PINS,
                                      TYPE_PCI_BUS);
    pci_bus_set_slot_reserved_mask(host->bus, MAKE_64BIT_MASK(8, 24));

    memory_region_init(&s->dma, obj, "sgi-bridge.dma", UINT64_MAX);
    memory_region_init_alias(&s->dma_32, obj, "sgi-bridge.dma-32",
                             s->memory, 0, DMA_32_SIZE);
    memory_region_add_subregion(&s->dma, DMA_32_BASE, &s->dma_32);
    memory_region_init_alias(&s->dma_64, obj, "sgi-bridge.dma-64",
                             s->memory, 0, DMA_64_SIZE);
    memory_region_add_subregion(&s->dma, DMA_64_BASE, &s->dma_64);
    address_space_init(&s->dma_as, &s->dma, "sgi-bridge.dma");
    pci_setup_iommu(host->bus, &bridge_iommu_ops, s);

    qdev_init_gpio_in_named(dev, bridge_set_board_pin, "pin", SGI_BRIDGE_PINS);
    qdev_init_gpio_out(dev, s->irq, SGI_BRIDGE_IRQS);
}

static void bridge_init(Object *obj)
{
    SGIBridgeState *s = SGI_BRIDGE(obj);

    object_initialize_child(obj, "eprom", &s->eprom, TYPE_DS2505);
    object_property_add_alias(obj, "part-number", OBJECT(&s->eprom),
                              "part-number");
}

static int bridge_post_load(void *opaque, int version_id)
{
    bridge_update_dir_map(opaque);
    return 0;
}

static const VMStateDescription vmstate_bridge = {
    .name = TYPE_SGI_BRIDGE,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = bridge_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(regs, SGIBridgeState, SGI_BRIDGE_REGS),
        VMSTATE_UINT32(nic, SGIBridgeState),
        VMSTATE_UINT8(pci_pins, SGIBridgeState),
        VMSTATE_UINT8(board_pins, SGIBridgeState),
        VMSTATE_UINT64(raised, SGIBridgeState),
        VMSTATE_END_OF_LIST()
    }
};

static const Property bridge_properties[] = {
    DEFINE_PROP_LINK("memory", SGIBridgeState, memory, TYPE_MEMORY_REGION,
                     MemoryRegion *),
};

static void bridge_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "SGI BRIDGE, crosstalk to PCI";
    dc->realize = bridge_realize;
    dc->vmsd = &vmstate_bridge;
    device_class_set_props(dc, bridge_properties);
    rc->phases.hold = bridge_reset_hold;
    rc->phases.exit = bridge_reset_exit;
}

static const TypeInfo bridge_types[] = {
    {
        .name = TYPE_SGI_BRIDGE,
        .parent = TYPE_PCI_HOST_BRIDGE,
        .instance_size = sizeof(SGIBridgeState),
        .instance_init = bridge_init,
        .class_init = bridge_class_init,
    },
};

DEFINE_TYPES(bridge_types)
