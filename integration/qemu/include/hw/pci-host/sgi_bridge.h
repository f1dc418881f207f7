/*
 * SGI BRIDGE, crosstalk to PCI, in the Octane (IP30)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU interface:
 *  + QOM property "memory": the memory that DMA reaches
 *  + sysbus MMIO region 0: the widget's 16 MB
 *  + named GPIO inputs "pin" 0 to 7: the interrupt pins, beside what the
 *    devices on the PCI bus do
 *  + unnamed GPIO outputs 0 to 63: interrupts of HEART
 *  + the PCI bus "pci"; devices go into the slots 0 to 7
 */

#ifndef HW_PCI_HOST_SGI_BRIDGE_H
#define HW_PCI_HOST_SGI_BRIDGE_H

#include "hw/nvram/ds2505.h"
#include "hw/pci/pci_host.h"
#include "qom/object.h"

#define TYPE_SGI_BRIDGE "sgi-bridge"
OBJECT_DECLARE_SIMPLE_TYPE(SGIBridgeState, SGI_BRIDGE)

#define SGI_BRIDGE_PINS     8
#define SGI_BRIDGE_IRQS     64
#define SGI_BRIDGE_REGS     (0x240 / 8)

struct SGIBridgeState {
    PCIHostState parent_obj;

    MemoryRegion *memory;
    MemoryRegion widget, regs_mr, config, devio;
    MemoryRegion pci_memory, pci_io, dma, dma_32, dma_64;
    AddressSpace memory_as, io_as, dma_as;
    DS2505State eprom;
    qemu_irq irq[SGI_BRIDGE_IRQS];

    uint32_t regs[SGI_BRIDGE_REGS];
    uint32_t nic;
    uint8_t pci_pins;           /* held up by devices on the bus */
    uint8_t board_pins;         /* held up by wires of the board */
    uint64_t raised;            /* the outputs that are up */
};

#endif
