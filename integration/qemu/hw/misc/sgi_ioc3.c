/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SGI IOC3, the I/O controller of the Octane (IP30)
 *
 * Modelled are the two UARTs, their interrupts, and the general purpose pins,
 * which do nothing. Left out are Ethernet, the keyboard and mouse, the
 * parallel port, the DMA of the serial ports, and what is on the byte bus:
 * the clock. Nothing is on the one-wire bus, so Linux finds no MAC address
 * and does not look for the Ethernet. Facts: arch/mips/include/asm/sn/ioc3.h
 * and drivers/mfd/ioc3.c of Linux 6.12.
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "hw/irq.h"
#include "hw/misc/sgi_ioc3.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "trace.h"

#define PCI_VENDOR_ID_SGI       0x10a9
#define PCI_DEVICE_ID_SGI_IOC3  0x0003

#define IOC3_PCI_END        0x1c        /* before it: configuration space */
#define IOC3_SIO_IR         0x1c
#define IOC3_SIO_IES        0x20
#define IOC3_SIO_IEC        0x24
#define IOC3_MCR            0x30
#define IOC3_GPCR_S         0x34
#define IOC3_GPCR_C         0x38
#define IOC3_GPPR           0x40        /* to 0x7c */
#define IOC3_PORT           0xb8        /* to 0xec */
#define IOC3_UART_B         0x20170
#define IOC3_UART_A         0x20178
#define IOC3_UART_END       0x20180
#define IOC3_SIZE           (1 * MiB)

#define SIO_UART_A          6
#define SIO_UART_B          15

#define MCR_DONE            (1 << 1)
#define MCR_DATA            (1 << 0)

#define UART_HZ             (22000000 / 3)

static void ioc3_update_irq(SGIIOC3State *s)
{
    qemu_set_irq(s->sio_irq, !!(s->sio_ir & s->sio_ie));
}

static void ioc3_set_uart_irq(void *opaque, int n, int level)
{
    SGIIOC3State *s = opaque;

    s->sio_ir = deposit32(s->sio_ir, n ? SIO_UART_B : SIO_UART_A, 1, !!level);
    trace_sgi_ioc3_irq(s->sio_ir, s->sio_ie);
    ioc3_update_irq(s);
}

static bool ioc3_is_uart(hwaddr addr, unsigned size)
{
    return size == 1 && addr >= IOC3_UART_B && addr < IOC3_UART_END;
}

/* The registers of a UART are bytes, the first one the highest of a word. */
static uint64_t ioc3_read_uart(SGIIOC3State *s, hwaddr addr)
{
    return serial_io_ops.read(&s->uart[addr < IOC3_UART_A], (addr & 7) ^ 3, 1);
}

static void ioc3_write_uart(SGIIOC3State *s, hwaddr addr, uint64_t val)
{
    serial_io_ops.write(&s->uart[addr < IOC3_UART_A], (addr & 7) ^ 3, val, 1);
}

static uint64_t ioc3_read(void *opaque, hwaddr addr, unsigned size)
{
    SGIIOC3State *s = opaque;
    uint64_t val = 0;

    if (ioc3_is_uart(addr, size)) {
        return ioc3_read_uart(s, addr);
    }
    switch (size == 4 ? addr : IOC3_SIZE) {
    case 0 ... IOC3_PCI_END - 1:
        val = pci_default_read_config(PCI_DEVICE(s), addr, size);
        break;
    case IOC3_SIO_IR:
        val = s->sio_ir;
        break;
    case IOC3_SIO_IES:
    case IOC3_SIO_IEC:
        val = s->sio_ie;
        break;
    case IOC3_MCR:
        val = MCR_DONE | MCR_DATA;      /* nobody pulls the wire down */
        break;
    case IOC3_GPCR_S:
    case IOC3_GPCR_C:
        val = s->gpcr;
        break;
    case IOC3_GPPR ... IOC3_GPPR + 4 * SGI_IOC3_GPPRS - 1:
        val = s->gppr[(addr - IOC3_GPPR) / 4];
        break;
    case IOC3_PORT ... IOC3_PORT + 4 * SGI_IOC3_PORT_REGS - 1:
        val = s->port[(addr - IOC3_PORT) / 4];
        break;
    default:
        qemu_log_mask(LOG_UNIMP, "sgi-ioc3: read of %u bytes at 0x%"
                      HWADDR_PRIx "\n", size, addr);
        val = size == 4 ? 0 : ~0ull;    /* an open byte bus */
        break;
    }
    trace_sgi_ioc3_read(addr, size, val);
    return val;
}

static void ioc3_write(void *opaque, hwaddr addr, uint64_t val, unsigned size)
{
    SGIIOC3State *s = opaque;

    if (ioc3_is_uart(addr, size)) {
        ioc3_write_uart(s, addr, val);
        return;
    }
    trace_sgi_ioc3_write(addr, size, val);
    switch (size == 4 ? addr : IOC3_SIZE) {
    case IOC3_SIO_IR:                   /* both sources are levels */
    case IOC3_MCR:
        break;
    case IOC3_SIO_IES:
        s->sio_ie |= val;
        ioc3_update_irq(s);
        break;
    case IOC3_SIO_IEC:
        s->sio_ie &= ~val;
        ioc3_update_irq(s);
        break;
    case IOC3_GPCR_S:
        s->gpcr |= val;
        break;
    case IOC3_GPCR_C:
        s->gpcr &= ~val;
        break;
    case IOC3_GPPR ... IOC3_GPPR + 4 * SGI_IOC3_GPPRS - 1:
        s->gppr[(addr - IOC3_GPPR) / 4] = val;
        break;
    case IOC3_PORT ... IOC3_PORT + 4 * SGI_IOC3_PORT_REGS - 1:
        s->port[(addr - IOC3_PORT) / 4] = val;
        break;
    default:
        qemu_log_mask(LOG_UNIMP, "sgi-ioc3: write of 0x%" PRIx64 " to %u "
                      "bytes at 0x%" HWADDR_PRIx "\n", val, size, addr);
        break;
    }
}

static const MemoryRegionOps ioc3_ops = {
    .read = ioc3_read,
    .write = ioc3_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

static void ioc3_reset_hold(Object *obj, ResetType type)
{
    SGIIOC3State *s = SGI_IOC3(obj);

    s->sio_ie = 0;
    s->gpcr = 0;
    memset(s->gppr, 0, sizeof(s->gppr));
    memset(s->port, 0, sizeof(s->port));
    ioc3_update_irq(s);
}

static void ioc3_realize(PCIDevice *dev, Error **errp)
{
    SGIIOC3State *s = SGI_IOC3(dev);

    for (int i = 0; i < SGI_IOC3_UARTS; i++) {
        s->uart[i].baudbase = UART_HZ / 16;
        if (!qdev_realize(DEVICE(&s->uart[i]), NULL, errp)) {
            return;
        }
        s->uart[i].irq = qemu_allocate_irq(ioc3_set_uart_irq, s, i);
    }
    qdev_init_gpio_out_named(DEVICE(dev), &s->sio_irq, "sio", 1);
    memory_region_init_io(&s->mmio, OBJECT(s), &ioc3_ops, s, "sgi-ioc3",
                          IOC3_SIZE);
    pci_register_bar(dev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->mmio);
    pci_config_set_interrupt_pin(dev->config, 1);
}

static void ioc3_init(Object *obj)
{
    SGIIOC3State *s = SGI_IOC3(obj);

    object_initialize_child(obj, "uart-a", &s->uart[0], TYPE_SERIAL);
    object_initialize_child(obj, "uart-b", &s->uart[1], TYPE_SERIAL);
    object_property_add_alias(obj, "chardev-a", OBJECT(&s->uart[0]),
                              "chardev");
    object_property_add_alias(obj, "chardev-b", OBJECT(&s->uart[1]),
                              "chardev");
}

static const VMStateDescription vmstate_ioc3 = {
    .name = TYPE_SGI_IOC3,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, SGIIOC3State),
        VMSTATE_STRUCT_ARRAY(uart, SGIIOC3State, SGI_IOC3_UARTS, 0,
                             vmstate_serial, SerialState),
        VMSTATE_UINT32(sio_ir, SGIIOC3State),
        VMSTATE_UINT32(sio_ie, SGIIOC3State),
        VMSTATE_UINT32(gpcr, SGIIOC3State),
        VMSTATE_UINT32_ARRAY(gppr, SGIIOC3State, SGI_IOC3_GPPRS),
        VMSTATE_UINT32_ARRAY(port, SGIIOC3State, SGI_IOC3_PORT_REGS),
        VMSTATE_END_OF_LIST()
    }
};

static void ioc3_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);

    pc->realize = ioc3_realize;
    pc->vendor_id = PCI_VENDOR_ID_SGI;
    pc->device_id = PCI_DEVICE_ID_SGI_IOC3;
    pc->revision = 1;
    pc->class_id = PCI_CLASS_OTHERS << 8;
    dc->desc = "SGI IOC3 I/O controller";
    dc->vmsd = &vmstate_ioc3;
    dc->user_creatable = false;
    RESETTABLE_CLASS(oc)->phases.hold = ioc3_reset_hold;
}

static const TypeInfo ioc3_types[] = {
    {
        .name = TYPE_SGI_IOC3,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(SGIIOC3State),
        .instance_init = ioc3_init,
        .class_init = ioc3_class_init,
        .interfaces = (InterfaceInfo[]) {
            { INTERFACE_CONVENTIONAL_PCI_DEVICE },
            { },
        },
    },
};

DEFINE_TYPES(ioc3_types)
