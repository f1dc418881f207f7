/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SGI XBOW, the crossbar of the Octane (IP30)
 *
 * It tells which widgets are there. It needs no configuration here, so the
 * other registers are left out, and there is no state to migrate.
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "hw/misc/sgi_xbow.h"
#include "hw/qdev-properties.h"

#define XBOW_ID             0x004
#define XBOW_LINK_STATUS    0x114       /* of widget 8; 0x40 to the next */
#define XBOW_SIZE           0x1000000

#define ID_REVISION_1       0x10000001  /* part and manufacturer 0 */
#define LINK_ALIVE          0x80000000u

static uint64_t xbow_read(void *opaque, hwaddr addr, unsigned size)
{
    SGIXbowState *s = opaque;
    unsigned link = (addr - XBOW_LINK_STATUS) / 0x40;

    if (addr == XBOW_ID) {
        return ID_REVISION_1;
    }
    if (addr >= XBOW_LINK_STATUS && link < 8 &&
        addr == XBOW_LINK_STATUS + 0x40 * link) {
        return extract32(s->links, link, 1) ? LINK_ALIVE : 0;
    }
    qemu_log_mask(LOG_UNIMP, "sgi-xbow: read of 0x%" HWADDR_PRIx "\n", addr);
    return 0;
}

static void xbow_write(void *opaque, hwaddr addr, uint64_t val, unsigned size)
{
    qemu_log_mask(LOG_UNIMP, "sgi-xbow: write of 0x%" PRIx64 " to 0x%"
                  HWADDR_PRIx "\n", val, addr);
}

static const MemoryRegionOps xbow_ops = {
    .read = xbow_read,
    .write = xbow_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

static void xbow_realize(DeviceState *dev, Error **errp)
{
    SGIXbowState *s = SGI_XBOW(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &xbow_ops, s, "sgi-xbow",
                          XBOW_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->mmio);
}

static const Property xbow_properties[] = {
    DEFINE_PROP_UINT8("links", SGIXbowState, links, 0),
};

static void xbow_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "SGI XBOW crossbar";
    dc->realize = xbow_realize;
    device_class_set_props(dc, xbow_properties);
}

static const TypeInfo xbow_types[] = {
    {
        .name = TYPE_SGI_XBOW,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(SGIXbowState),
        .class_init = xbow_class_init,
    },
};

DEFINE_TYPES(xbow_types)
