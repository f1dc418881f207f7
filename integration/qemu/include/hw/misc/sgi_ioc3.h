/*
 * SGI IOC3, the I/O controller of the Octane (IP30)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU interface:
 *  + QOM properties "chardev-a" and "chardev-b": what the UARTs talk to
 *  + named GPIO output "sio": the interrupt of the super I/O part; INTA is
 *    the Ethernet's
 */

#ifndef HW_MISC_SGI_IOC3_H
#define HW_MISC_SGI_IOC3_H

#include "hw/char/serial.h"
#include "hw/pci/pci_device.h"
#include "qom/object.h"

#define TYPE_SGI_IOC3 "sgi-ioc3"
OBJECT_DECLARE_SIMPLE_TYPE(SGIIOC3State, SGI_IOC3)

#define SGI_IOC3_UARTS      2
#define SGI_IOC3_GPPRS      16
#define SGI_IOC3_PORT_REGS  14          /* of both serial ports' DMA */

struct SGIIOC3State {
    PCIDevice parent_obj;

    MemoryRegion mmio;
    SerialState uart[SGI_IOC3_UARTS];
    qemu_irq sio_irq;

    uint32_t sio_ir;
    uint32_t sio_ie;
    uint32_t gpcr;
    uint32_t gppr[SGI_IOC3_GPPRS];
    uint32_t port[SGI_IOC3_PORT_REGS];
};

#endif
