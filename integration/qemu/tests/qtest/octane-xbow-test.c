/*
 * QTest of XBOW, the crossbar of the SGI Octane
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "libqtest.h"

#define XBOW            0x10000000
#define ID              (XBOW + 0x004)
#define LINK_CONTROL(w) (XBOW + 0x10c + 0x40 * ((w) - 8))
#define LINK_STATUS(w)  (XBOW + 0x114 + 0x40 * ((w) - 8))

#define ID_REVISION_1   0x10000001
#define ALIVE           0x80000000u
#define HEART           8
#define BRIDGE          15

static void test_id(void)
{
    QTestState *qts = qtest_init("-machine octane");

    g_assert_cmphex(qtest_readl(qts, ID), ==, ID_REVISION_1);
    /* Registers are the second half of 64 bits; the first is empty. */
    g_assert_cmphex(qtest_readl(qts, ID - 4), ==, 0);
    qtest_quit(qts);
}

/* HEART and BRIDGE are there, and no widget between them. */
static void check_links(QTestState *qts)
{
    for (int widget = 8; widget < 16; widget++) {
        bool there = widget == HEART || widget == BRIDGE;

        g_assert_cmphex(qtest_readl(qts, LINK_STATUS(widget)), ==,
                        there ? ALIVE : 0);
    }
    g_assert_cmphex(qtest_readl(qts, LINK_STATUS(16)), ==, 0);
    g_assert_cmphex(qtest_readl(qts, LINK_STATUS(7)), ==, 0);
}

static void test_links(void)
{
    QTestState *qts = qtest_init("-machine octane");

    check_links(qts);
    for (int widget = 8; widget < 16; widget++) {
        qtest_writel(qts, LINK_CONTROL(widget), ~0u);
        qtest_writel(qts, LINK_STATUS(widget), ~0u);
    }
    check_links(qts);
    g_assert_cmphex(qtest_readl(qts, LINK_CONTROL(BRIDGE)), ==, 0);
    qtest_system_reset(qts);
    check_links(qts);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);

    qtest_add_func("/octane/xbow/id", test_id);
    qtest_add_func("/octane/xbow/links", test_links);

    return g_test_run();
}
