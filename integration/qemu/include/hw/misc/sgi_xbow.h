/*
 * SGI XBOW, the crossbar of the Octane (IP30)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU interface:
 *  + QOM property "links": bit n is set if there is a widget 8 + n
 *  + sysbus MMIO region 0: the registers, widget 0 of crosstalk
 */

#ifndef HW_MISC_SGI_XBOW_H
#define HW_MISC_SGI_XBOW_H

#include "hw/sysbus.h"
#include "qom/object.h"

#define TYPE_SGI_XBOW "sgi-xbow"
OBJECT_DECLARE_SIMPLE_TYPE(SGIXbowState, SGI_XBOW)

struct SGIXbowState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    uint8_t links;
};

#endif
