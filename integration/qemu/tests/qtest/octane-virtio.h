/*
 * A virtio disk in slot 0 of the SGI Octane, for qtests
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Its registers are little-endian. BRIDGE keeps the value of a word, so a byte
 * of it, or a half, changes its place.
 */

#ifndef TESTS_OCTANE_VIRTIO_H
#define TESTS_OCTANE_VIRTIO_H

#include "qemu/bswap.h"
#include "libqtest.h"

/* Without an event, it takes a request when the register is written. */
#define VIRTIO_DISK     "-drive if=none,id=d,driver=null-co,read-zeroes=on," \
                        "size=1M -device virtio-blk-pci,drive=d,addr=0," \
                        "ioeventfd=off"

/* BAR 4, as BRIDGE's reset programs it */
#define VIRTIO_COMMON   0x1f200000
#define VIRTIO_NOTIFY   0x1f203000
#define VIRTIO_QUEUE    8       /* entries */

#define DESC_NEXT       1
#define DESC_WRITE      2       /* the device writes */

/* The bus address of what is at @addr for a CPU */
#define DMA_64(addr)    (0x8100000000000000ull | (addr))

static inline void virtio_byte(QTestState *qts, unsigned reg, uint8_t val)
{
    qtest_writeb(qts, (VIRTIO_COMMON + reg) ^ 3, val);
}

static inline void virtio_half(QTestState *qts, unsigned reg, uint16_t val)
{
    qtest_writew(qts, (VIRTIO_COMMON + reg) ^ 2, val);
}

static inline void virtio_address(QTestState *qts, unsigned reg, uint64_t val)
{
    qtest_writel(qts, VIRTIO_COMMON + reg, val);
    qtest_writel(qts, VIRTIO_COMMON + reg + 4, val >> 32);
}

/* Start it with one queue, whose parts are at these addresses of the bus. */
static inline void virtio_start(QTestState *qts, uint64_t desc,
                                uint64_t avail, uint64_t used)
{
    virtio_byte(qts, 20, 0);
    virtio_byte(qts, 20, 3);
    qtest_writel(qts, VIRTIO_COMMON + 8, 1);
    qtest_writel(qts, VIRTIO_COMMON + 12, 3);   /* VERSION_1, ACCESS_PLATFORM */
    virtio_byte(qts, 20, 11);
    virtio_half(qts, 22, 0);
    virtio_half(qts, 24, VIRTIO_QUEUE);
    virtio_address(qts, 32, desc);
    virtio_address(qts, 40, avail);
    virtio_address(qts, 48, used);
    virtio_half(qts, 28, 1);
    virtio_byte(qts, 20, 15);
}

/* Entry @i of the descriptors at @desc, an address for a CPU */
static inline void virtio_desc(QTestState *qts, uint64_t desc, unsigned i,
                               uint64_t bus, uint32_t size, unsigned flags)
{
    uint64_t entry[2] = {
        cpu_to_le64(bus),
        cpu_to_le64(size | (uint64_t)flags << 32 |
                    (flags & DESC_NEXT ? (uint64_t)(i + 1) << 48 : 0)),
    };

    qtest_memwrite(qts, desc + sizeof(entry) * i, entry, sizeof(entry));
}

/* Offer the chain that starts at entry 0, as the @n th request. */
static inline void virtio_offer(QTestState *qts, uint64_t avail, unsigned n)
{
    uint16_t head = 0, index = cpu_to_le16(n);

    qtest_memwrite(qts, avail + 4 + 2 * ((n - 1) % VIRTIO_QUEUE), &head, 2);
    qtest_memwrite(qts, avail + 2, &index, 2);
    qtest_writew(qts, VIRTIO_NOTIFY ^ 2, 0);
}

static inline unsigned virtio_used(QTestState *qts, uint64_t used)
{
    uint16_t index;

    qtest_memread(qts, used + 2, &index, sizeof(index));
    return le16_to_cpu(index);
}

#endif
