/*
 * SGI HEART, the system controller of the Octane (IP30)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU interface:
 *  + QOM property "ram-size": the memory that MEMCFG shows, in bytes
 *  + QOM property "num-cpus": how many CPUs the machine has
 *  + sysbus MMIO region 0: the registers
 *  + unnamed GPIO inputs 0 to 63: the interrupts of the crosstalk widgets
 *  + sysbus IRQ 5 * n + i: pin IP(2 + i) of CPU n
 */

#ifndef HW_INTC_SGI_HEART_H
#define HW_INTC_SGI_HEART_H

#include "hw/sysbus.h"
#include "qemu/timer.h"
#include "qom/object.h"

#define TYPE_SGI_HEART "sgi-heart"
OBJECT_DECLARE_SIMPLE_TYPE(SGIHeartState, SGI_HEART)

#define SGI_HEART_CPUS          2       /* that a board can have */
#define SGI_HEART_MASKS         4       /* that the chip has registers for */
#define SGI_HEART_CPU_PINS      5
#define SGI_HEART_IRQS          64
#define SGI_HEART_MEMORY_UNIT   (32 * MiB)

struct SGIHeartState {
    SysBusDevice parent_obj;

    uint64_t ram_size;
    uint32_t num_cpus;

    MemoryRegion mmio;
    qemu_irq cpu_irq[SGI_HEART_CPUS][SGI_HEART_CPU_PINS];
    QEMUTimer timer;

    uint64_t mode;
    uint64_t imr[SGI_HEART_MASKS];
    uint64_t latched;           /* set by SET_ISR, and by the timer */
    uint64_t level;             /* wires that widgets hold up */
    uint64_t compare;
};

#endif
