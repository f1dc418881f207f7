/*
 * QTest of HEART, the system controller of the SGI Octane
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "libqtest.h"

#define HEART           0x0ff00000
#define MODE            (HEART + 0x00000)
#define MEMCFG          (HEART + 0x00020)
#define STATUS          (HEART + 0x00080)
#define IMR(cpu)        (HEART + 0x10000 + 8 * (cpu))
#define SET_ISR         (HEART + 0x10020)
#define CLR_ISR         (HEART + 0x10028)
#define ISR             (HEART + 0x10030)
#define COUNT           (HEART + 0x20000)
#define COMPARE         (HEART + 0x30000)
#define PRID            (HEART + 0x50000)

#define PATH            "/machine/heart"
#define PINS            5
#define TIMER           50
#define COUNT_NS        80

static QTestState *octane(void)
{
    QTestState *qts = qtest_init("-machine octane -smp 2 -m 512");

    qtest_irq_intercept_out_named(qts, PATH, "sysbus-irq");
    return qts;
}

/* The pins of both CPUs that are up: bit 0 is IP2 of CPU 0 */
static unsigned pins(QTestState *qts)
{
    unsigned up = 0;

    for (int i = 0; i < 2 * PINS; i++) {
        up |= qtest_get_irq(qts, i) << i;
    }
    return up;
}

/* The pin of CPU 0 that an interrupt raises: the groups have priorities. */
static unsigned pin_of(int irq)
{
    return irq < 16 ? 0 : irq < 32 ? 1 : irq < TIMER ? 2 : irq == TIMER ? 3 : 4;
}

static void test_levels(void)
{
    QTestState *qts = octane();

    qtest_writeq(qts, IMR(0), ~0ull);
    for (int irq = 0; irq < 64; irq++) {
        qtest_writeq(qts, SET_ISR, 1ull << irq);
        g_assert_cmphex(qtest_readq(qts, ISR), ==, 1ull << irq);
        g_assert_cmphex(pins(qts), ==, 1 << pin_of(irq));
        qtest_writeq(qts, CLR_ISR, 1ull << irq);
        g_assert_cmphex(pins(qts), ==, 0);
    }
    qtest_quit(qts);
}

/* IPIs are bits 46 and 48 for CPU 0, 47 and 49 for CPU 1. */
static void test_masks(void)
{
    QTestState *qts = octane();

    qtest_writeq(qts, IMR(0), 1ull << 46 | 1ull << 48);
    qtest_writeq(qts, IMR(1), 1ull << 47 | 1ull << 49);
    qtest_writeq(qts, SET_ISR, 1ull << 47);
    g_assert_cmphex(pins(qts), ==, 1 << (PINS + 2));
    qtest_writeq(qts, SET_ISR, 1ull << 48);
    g_assert_cmphex(pins(qts), ==, 1 << (PINS + 2) | 1 << 2);
    qtest_writeq(qts, IMR(1), 0);
    g_assert_cmphex(pins(qts), ==, 1 << 2);
    g_assert_cmphex(qtest_readq(qts, ISR), ==, 1ull << 47 | 1ull << 48);
    g_assert_cmphex(qtest_readq(qts, IMR(0)), ==, 1ull << 46 | 1ull << 48);
    qtest_quit(qts);
}

/* What a widget holds up cannot be cleared, and what falls is gone. */
static void test_wires(void)
{
    QTestState *qts = octane();

    qtest_writeq(qts, IMR(0), 1 << 17);
    qtest_set_irq_in(qts, PATH, NULL, 17, 1);
    g_assert_cmphex(pins(qts), ==, 1 << 1);
    qtest_writeq(qts, CLR_ISR, 1 << 17);
    g_assert_cmphex(qtest_readq(qts, ISR), ==, 1 << 17);
    qtest_set_irq_in(qts, PATH, NULL, 17, 0);
    g_assert_cmphex(qtest_readq(qts, ISR), ==, 0);
    g_assert_cmphex(pins(qts), ==, 0);
    qtest_quit(qts);
}

static void test_count(void)
{
    QTestState *qts = octane();
    uint64_t start = qtest_readq(qts, COUNT);

    qtest_clock_step(qts, 1000 * COUNT_NS);
    g_assert_cmphex(qtest_readq(qts, COUNT), ==, start + 1000);
    qtest_clock_step(qts, COUNT_NS - 1);
    g_assert_cmphex(qtest_readq(qts, COUNT), ==, start + 1000);
    qtest_clock_step(qts, 1);
    g_assert_cmphex(qtest_readq(qts, COUNT), ==, start + 1001);
    qtest_writeq(qts, COUNT, 0);
    g_assert_cmphex(qtest_readq(qts, COUNT), ==, start + 1001);
    qtest_quit(qts);
}

static void test_compare(void)
{
    QTestState *qts = octane();

    qtest_writeq(qts, IMR(1), 1ull << TIMER);
    qtest_writeq(qts, COMPARE, qtest_readq(qts, COUNT) + 10);
    qtest_clock_step(qts, 9 * COUNT_NS);
    g_assert_cmphex(pins(qts), ==, 0);
    qtest_clock_step(qts, COUNT_NS);
    g_assert_cmphex(pins(qts), ==, 1 << (PINS + 3));
    qtest_writeq(qts, CLR_ISR, 1ull << TIMER);
    g_assert_cmphex(pins(qts), ==, 0);
    /* 24 bits are compared */
    qtest_clock_step(qts, ((1 << 24) - 1) * COUNT_NS);
    g_assert_cmphex(pins(qts), ==, 0);
    qtest_clock_step(qts, COUNT_NS);
    g_assert_cmphex(pins(qts), ==, 1 << (PINS + 3));
    qtest_quit(qts);
}

static void test_status(void)
{
    QTestState *qts = octane();

    g_assert_cmphex(qtest_readq(qts, STATUS), ==, 0x138);
    g_assert_cmphex(qtest_readq(qts, PRID), ==, 0);
    qtest_quit(qts);
}

static void check_memcfg(const char *size, const uint32_t banks[4])
{
    QTestState *qts = qtest_initf("-machine octane -m %s", size);

    for (int i = 0; i < 4; i++) {
        g_assert_cmphex(qtest_readl(qts, MEMCFG + 4 * i), ==, banks[i]);
    }
    g_assert_cmphex(qtest_readq(qts, MEMCFG), ==,
                    (uint64_t)banks[0] << 32 | banks[1]);
    qtest_quit(qts);
}

/* Units of 32 MB: size - 1 from bit 16 on, and the start */
static void test_memcfg(void)
{
    check_memcfg("128M", (uint32_t[]) { 0x80030000, 0, 0, 0 });
    check_memcfg("512M", (uint32_t[]) { 0x800f0000, 0, 0, 0 });
    check_memcfg("768M", (uint32_t[]) { 0x800f0000, 0x80070010, 0, 0 });
    check_memcfg("2G", (uint32_t[]) { 0x800f0000, 0x800f0010, 0x800f0020,
                                      0x800f0030 });
}

/* RAM is at 512 MB, and its first 16 KB at 0. */
static void test_ram(void)
{
    QTestState *qts = octane();

    qtest_writeq(qts, 0x20000600, 0x0123456789abcdef);
    g_assert_cmphex(qtest_readq(qts, 0x600), ==, 0x0123456789abcdef);
    qtest_writel(qts, 0x3ffc, 0xfeedface);
    g_assert_cmphex(qtest_readl(qts, 0x20003ffc), ==, 0xfeedface);
    qtest_writel(qts, 0x20004000, 1);
    g_assert_cmphex(qtest_readl(qts, 0x4000), ==, 0);
    qtest_quit(qts);
}

static void test_reset(void)
{
    QTestState *qts = octane();

    qtest_writeq(qts, IMR(0), ~0ull);
    qtest_writeq(qts, SET_ISR, 1);
    qtest_writeq(qts, COMPARE, 100);
    qtest_writeq(qts, MODE, 1ull << 23);
    qtest_qmp_eventwait(qts, "RESET");
    g_assert_cmphex(qtest_readq(qts, MODE), ==, 0);
    g_assert_cmphex(qtest_readq(qts, IMR(0)), ==, 0);
    g_assert_cmphex(qtest_readq(qts, ISR), ==, 0);
    g_assert_cmphex(pins(qts), ==, 0);
    qtest_clock_step(qts, (1 << 24) * COUNT_NS);
    g_assert_cmphex(qtest_readq(qts, ISR), ==, 0);
    qtest_quit(qts);
}

/* None of this may end the emulator. */
static void test_errors(void)
{
    QTestState *qts = octane();

    for (uint64_t addr = HEART; addr < HEART + 0x100000; addr += 0x7ff8) {
        qtest_readq(qts, addr);
        qtest_writel(qts, addr + 4, ~0);
    }
    qtest_readb(qts, ISR);
    qtest_writel(qts, SET_ISR, ~0);
    g_assert_cmphex(qtest_readq(qts, ISR), ==, 0);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);

    qtest_add_func("/octane/heart/levels", test_levels);
    qtest_add_func("/octane/heart/masks", test_masks);
    qtest_add_func("/octane/heart/wires", test_wires);
    qtest_add_func("/octane/heart/count", test_count);
    qtest_add_func("/octane/heart/compare", test_compare);
    qtest_add_func("/octane/heart/status", test_status);
    qtest_add_func("/octane/heart/memcfg", test_memcfg);
    qtest_add_func("/octane/heart/ram", test_ram);
    qtest_add_func("/octane/heart/reset", test_reset);
    qtest_add_func("/octane/heart/errors", test_errors);

    return g_test_run();
}
