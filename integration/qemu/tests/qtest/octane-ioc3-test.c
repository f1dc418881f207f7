/*
 * QTest of IOC3, the I/O controller of the SGI Octane
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "libqtest.h"

#define HEART_ISR       0x0ff10030
#define INT_STATUS      0x1f000104
#define INT_ENABLE      0x1f00010c
#define INT_ADDR_SIO    0x1f000154

#define IOC3            0x1f600000
#define SIO_IR          (IOC3 + 0x1c)
#define SIO_IES         (IOC3 + 0x20)
#define SIO_IEC         (IOC3 + 0x24)
#define MCR             (IOC3 + 0x30)
#define GPCR_S          (IOC3 + 0x34)
#define GPCR_C          (IOC3 + 0x38)
#define EMCR            (IOC3 + 0xf0)
#define UART_A          (IOC3 + 0x20178)
#define UART_B          (IOC3 + 0x20170)

#define SIO_UART_A      (1 << 6)
#define SIO_UART_B      (1 << 15)
#define PIN_SIO         4

/* Registers of a 16550, in the order of the CPU's bytes */
#define REG(uart, n)    ((uart) + (n))
#define RBR             0
#define IER             1
#define IIR             2
#define LCR             3
#define UART_MCR        4
#define LSR             5

static QTestState *octane(void)
{
    return qtest_init("-machine octane -serial null -serial null");
}

static void check_uart(uint32_t uart)
{
    QTestState *qts = octane();

    g_assert_cmphex(qtest_readb(qts, REG(uart, LSR)), ==, 0x60);
    qtest_writeb(qts, REG(uart, UART_MCR), 0x10);       /* loop back */
    qtest_writeb(qts, REG(uart, RBR), 'x');
    qtest_clock_step(qts, 10 * SCALE_MS);
    g_assert_cmphex(qtest_readb(qts, REG(uart, LSR)) & 1, ==, 1);
    g_assert_cmphex(qtest_readb(qts, REG(uart, RBR)), ==, 'x');
    /* The other one is another one. */
    qtest_writeb(qts, REG(uart, LCR), 3);
    g_assert_cmphex(qtest_readb(qts, REG(uart ^ UART_A ^ UART_B, LCR)), ==, 0);
    qtest_quit(qts);
}

static void test_uart_a(void)
{
    check_uart(UART_A);
}

static void test_uart_b(void)
{
    check_uart(UART_B);
}

/* Transmitter empty, from the UART by SIO and BRIDGE to HEART */
static void test_interrupts(void)
{
    QTestState *qts = octane();

    qtest_writel(qts, INT_ADDR_SIO, 20);
    qtest_writel(qts, INT_ENABLE, 1 << PIN_SIO);
    qtest_writeb(qts, REG(UART_A, IER), 2);
    g_assert_cmphex(qtest_readl(qts, SIO_IR), ==, SIO_UART_A);
    g_assert_cmphex(qtest_readl(qts, INT_STATUS), ==, 0);

    qtest_writel(qts, SIO_IES, SIO_UART_A | SIO_UART_B);
    g_assert_cmphex(qtest_readl(qts, SIO_IES), ==, SIO_UART_A | SIO_UART_B);
    g_assert_cmphex(qtest_readl(qts, INT_STATUS), ==, 1 << PIN_SIO);
    g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 1 << 20);

    /* It is a level: no write takes it away, reading IIR does. */
    qtest_writel(qts, SIO_IR, ~0u);
    g_assert_cmphex(qtest_readl(qts, SIO_IR), ==, SIO_UART_A);
    qtest_readb(qts, REG(UART_A, IIR));
    g_assert_cmphex(qtest_readl(qts, SIO_IR), ==, 0);
    g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 0);

    qtest_writeb(qts, REG(UART_B, IER), 2);
    g_assert_cmphex(qtest_readl(qts, SIO_IR), ==, SIO_UART_B);
    g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 1 << 20);
    qtest_writel(qts, SIO_IEC, SIO_UART_B);
    g_assert_cmphex(qtest_readl(qts, SIO_IEC), ==, SIO_UART_A);
    g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 0);

    qtest_system_reset(qts);
    g_assert_cmphex(qtest_readl(qts, SIO_IES), ==, 0);
    g_assert_cmphex(qtest_readl(qts, SIO_IR), ==, 0);
    qtest_quit(qts);
}

/* The first registers are those of configuration space. */
static void test_registers(void)
{
    QTestState *qts = octane();

    g_assert_cmphex(qtest_readl(qts, IOC3), ==, 0x000310a9);
    g_assert_cmphex(qtest_readl(qts, IOC3 + 0x10), ==, 0x600000);
    g_assert_cmphex(qtest_readl(qts, MCR), ==, 3);
    qtest_writel(qts, GPCR_S, 0xc0);
    qtest_writel(qts, GPCR_C, 0x40);
    g_assert_cmphex(qtest_readl(qts, GPCR_S), ==, 0x80);
    g_assert_cmphex(qtest_readl(qts, EMCR), ==, 0);
    qtest_quit(qts);
}

/* None of this may end the emulator. */
static void test_errors(void)
{
    QTestState *qts = octane();

    for (uint64_t addr = IOC3; addr < IOC3 + 0x100000; addr += 0xffc) {
        qtest_writel(qts, addr, addr * 0x9e3779b1);
        qtest_readl(qts, addr);
        qtest_readw(qts, addr + 2);
        qtest_writeb(qts, addr + 3, addr);
    }
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);

    qtest_add_func("/octane/ioc3/uart-a", test_uart_a);
    qtest_add_func("/octane/ioc3/uart-b", test_uart_b);
    qtest_add_func("/octane/ioc3/interrupts", test_interrupts);
    qtest_add_func("/octane/ioc3/registers", test_registers);
    qtest_add_func("/octane/ioc3/errors", test_errors);

    return g_test_run();
}
