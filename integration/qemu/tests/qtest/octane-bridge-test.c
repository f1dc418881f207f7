/*
 * QTest of BRIDGE, the PCI host of the SGI Octane, and of the one-wire EPROM
 * with the board's part number
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/timer.h"
#include "libqtest.h"

#define HEART_ISR       0x0ff10030

#define XBOW            0x10000000
#define XBOW_ID         (XBOW + 0x004)
#define XBOW_LINK(w)    (XBOW + 0x114 + 0x40 * ((w) - 8))
#define XBOW_OTHER      (XBOW + 0x034)

#define BRIDGE          0x1f000000
#define ID              (BRIDGE + 0x004)
#define NIC             (BRIDGE + 0x0b4)
#define INT_STATUS      (BRIDGE + 0x104)
#define INT_ENABLE      (BRIDGE + 0x10c)
#define INT_ADDR(pin)   (BRIDGE + 0x134 + 8 * (pin))
#define DEVICE(slot)    (BRIDGE + 0x204 + 8 * (slot))
#define CONFIG(slot)    (BRIDGE + 0x20000 + 0x1000 * (slot))
#define DEVIO(mb)       (BRIDGE + 0x100000 * (mb))

#define PATH            "/machine/bridge"
#define SLOT_IOC3       2
#define IOC3_ID         0x000310a9
#define IOC3_GPPR       0x40

static QTestState *octane(void)
{
    return qtest_init("-machine octane");
}

static void test_id(void)
{
    QTestState *qts = octane();

    g_assert_cmphex(qtest_readl(qts, ID), ==, 0x4c00206d);
    qtest_quit(qts);
}

/* The crossbar says which widgets are there. Its other registers do nothing. */
static void test_xbow(void)
{
    QTestState *qts = octane();

    qtest_writel(qts, XBOW_ID, 0);
    g_assert_cmphex(qtest_readl(qts, XBOW_ID), ==, 0x10000001);
    for (int widget = 8; widget < 16; widget++) {
        g_assert_cmphex(qtest_readl(qts, XBOW_LINK(widget)), ==,
                        widget == 8 || widget == 15 ? 0x80000000 : 0);
    }
    qtest_writel(qts, XBOW_OTHER, ~0);
    g_assert_cmphex(qtest_readl(qts, XBOW_OTHER), ==, 0);
    g_assert_cmphex(qtest_readl(qts, XBOW_LINK(15) + 4), ==, 0);
    qtest_quit(qts);
}

/* A word keeps its value, so its bytes are in the order of the CPU. */
static void test_config(void)
{
    QTestState *qts = octane();

    g_assert_cmphex(qtest_readl(qts, CONFIG(SLOT_IOC3)), ==, IOC3_ID);
    g_assert_cmphex(qtest_readw(qts, CONFIG(SLOT_IOC3) + (0 ^ 2)), ==, 0x10a9);
    g_assert_cmphex(qtest_readw(qts, CONFIG(SLOT_IOC3) + (2 ^ 2)), ==, 0x0003);
    g_assert_cmphex(qtest_readb(qts, CONFIG(SLOT_IOC3) + (0 ^ 3)), ==, 0xa9);
    for (int slot = 0; slot < 32; slot++) {
        if (slot != SLOT_IOC3) {
            g_assert_cmphex(qtest_readl(qts, CONFIG(slot)), ==, ~0u);
        }
    }
    qtest_writeb(qts, CONFIG(SLOT_IOC3) + (0x3c ^ 3), 0x5a);
    g_assert_cmphex(qtest_readl(qts, CONFIG(SLOT_IOC3) + 0x3c) & 0xff, ==,
                    0x5a);
    qtest_quit(qts);
}

/* Linux expects BARs and COMMAND as the PROM has left them. */
static void test_bars(void)
{
    QTestState *qts = octane();

    for (int i = 0; i < 2; i++) {
        g_assert_cmphex(qtest_readl(qts, CONFIG(SLOT_IOC3) + 0x10), ==,
                        0x600000);
        g_assert_cmphex(qtest_readl(qts, CONFIG(SLOT_IOC3) + 0x04) & 0xffff,
                        ==, 0x0006);
        qtest_system_reset(qts);
    }
    qtest_quit(qts);
}

static void test_pio(void)
{
    QTestState *qts = octane();

    qtest_writel(qts, DEVIO(6) + IOC3_GPPR, 0x12345678);
    g_assert_cmphex(qtest_readl(qts, DEVIO(6) + IOC3_GPPR), ==, 0x12345678);
    /* The window of slot 3 can show what is in that of slot 2. */
    qtest_writel(qts, DEVICE(3), 0x1006);
    g_assert_cmphex(qtest_readl(qts, DEVIO(7) + IOC3_GPPR), ==, 0x12345678);
    qtest_writel(qts, DEVICE(3), 0x0006);
    g_assert_cmphex(qtest_readl(qts, DEVIO(7) + IOC3_GPPR), ==, ~0u);
    /* While nobody decodes the address, Linux's console polls the UART. */
    qtest_writew(qts, CONFIG(SLOT_IOC3) + (0x04 ^ 2), 0);
    g_assert_cmphex(qtest_readb(qts, DEVIO(6) + 0x2017d), ==, 0xff);
    qtest_quit(qts);
}

static void test_interrupts(void)
{
    QTestState *qts = octane();

    for (int pin = 0; pin < 8; pin++) {
        qtest_writel(qts, INT_ADDR(pin), 3 + 5 * pin);
        qtest_set_irq_in(qts, PATH, "pin", pin, 1);
        g_assert_cmphex(qtest_readl(qts, INT_STATUS), ==, 1 << pin);
        g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 0);
        qtest_writel(qts, INT_ENABLE, 1 << pin);
        g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==,
                        1ull << (3 + 5 * pin));
        /* A new address takes the interrupt with it. */
        qtest_writel(qts, INT_ADDR(pin), 60);
        g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 1ull << 60);
        qtest_set_irq_in(qts, PATH, "pin", pin, 0);
        g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 0);
        qtest_writel(qts, INT_ENABLE, 0);
    }
    /* Two pins may share an address. */
    qtest_writel(qts, INT_ENABLE, 0xff);
    qtest_set_irq_in(qts, PATH, "pin", 0, 1);
    qtest_set_irq_in(qts, PATH, "pin", 1, 1);
    qtest_set_irq_in(qts, PATH, "pin", 0, 0);
    g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 1ull << 60);
    qtest_set_irq_in(qts, PATH, "pin", 1, 0);
    g_assert_cmphex(qtest_readq(qts, HEART_ISR), ==, 0);
    qtest_quit(qts);
}

/* The button is pressed for a while. */
static void test_power_button(void)
{
    QTestState *qts = octane();

    qtest_qmp_assert_success(qts, "{ 'execute': 'system_powerdown' }");
    g_assert_cmphex(qtest_readl(qts, INT_STATUS), ==, 1 << 6);
    qtest_clock_step(qts, NANOSECONDS_PER_SECOND);
    g_assert_cmphex(qtest_readl(qts, INT_STATUS), ==, 0);
    qtest_quit(qts);
}

/* One-wire: pulses in us, as Linux makes them */

static bool pulse(QTestState *qts, unsigned low, unsigned sample)
{
    uint32_t val;

    qtest_writel(qts, NIC, low << 10 | sample << 2);
    val = qtest_readl(qts, NIC);
    g_assert_cmphex(val & ~1, ==, 2);
    return val & 1;
}

static bool touch(QTestState *qts, bool bit)
{
    return bit ? pulse(qts, 6, 13) : pulse(qts, 80, 30);
}

static uint8_t transfer(QTestState *qts, uint8_t out)
{
    uint8_t in = 0;

    for (int i = 0; i < 8; i++) {
        in |= touch(qts, extract32(out, i, 1)) << i;
    }
    return in;
}

static void wire_command(QTestState *qts, uint8_t command)
{
    g_assert_false(pulse(qts, 520, 65));
    g_assert_cmphex(transfer(qts, command), ==, command);
}

static uint64_t read_rom(QTestState *qts)
{
    uint64_t rom = 0;

    wire_command(qts, 0x33);
    for (int i = 0; i < 64; i += 8) {
        rom |= (uint64_t)transfer(qts, 0xff) << i;
    }
    return rom;
}

/* Both CRCs are of the kind that is 0 or a constant over data and CRC. */
static unsigned crc(unsigned crc, unsigned polynomial, uint8_t byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++) {
        crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    }
    return crc;
}

#define CRC8            0x8c
#define CRC16           0xa001
#define CRC16_VALID     0xb001

static void test_wire_rom(void)
{
    QTestState *qts = octane();
    uint64_t rom = read_rom(qts), found = 0;
    unsigned sum = 0;

    g_assert_cmphex(rom & 0xff, ==, 0x0b);
    for (int i = 0; i < 64; i += 8) {
        sum = crc(sum, CRC8, rom >> i);
    }
    g_assert_cmphex(sum, ==, 0);

    /* A search finds the same number: each bit and its complement */
    wire_command(qts, 0xf0);
    for (int i = 0; i < 64; i++) {
        bool bit = touch(qts, 1);

        g_assert_cmpint(touch(qts, 1), ==, !bit);
        touch(qts, bit);
        found |= (uint64_t)bit << i;
    }
    g_assert_cmphex(found, ==, rom);

    /* After a wrong turn the device is silent */
    wire_command(qts, 0xf0);
    touch(qts, 1);
    touch(qts, 1);
    touch(qts, !(rom & 1));
    for (int i = 0; i < 16; i++) {
        g_assert_true(touch(qts, 1));
    }
    qtest_quit(qts);
}

static void check_memory(QTestState *qts, const char *part)
{
    static const uint8_t command[] = { 0xa5, 0, 0 };
    uint64_t rom = read_rom(qts);
    char content[32 + 1] = "";
    unsigned sum = 0;

    wire_command(qts, 0x55);
    for (int i = 0; i < 64; i += 8) {
        transfer(qts, rom >> i);
    }
    for (int i = 0; i < sizeof(command); i++) {
        sum = crc(sum, CRC16, transfer(qts, command[i]));
    }
    /* Not redirected, then the CRC with the command in it */
    for (int i = 0; i < 3; i++) {
        uint8_t byte = transfer(qts, 0xff);

        g_assert(i > 0 || byte == 0xff);
        sum = crc(sum, CRC16, byte);
    }
    g_assert_cmphex(sum, ==, CRC16_VALID);

    for (int page = 0; page < 3; page++) {
        unsigned own = 0;

        sum = 0;
        for (int i = 0; i < 32 + 2; i++) {
            uint8_t byte = transfer(qts, 0xff);

            sum = crc(sum, CRC16, byte);
            own = i < 32 ? crc(own, CRC16, byte) : own;
            if (page == 0 && i < 32) {
                content[i] = byte;
            }
        }
        g_assert_cmphex(sum, ==, CRC16_VALID);
        /* SGI's own CRC ends the two pages that are written. */
        if (page < 2) {
            g_assert_cmphex(own, ==, CRC16_VALID);
        }
        /* The redirection of the next page, and its CRC */
        g_assert_cmphex(transfer(qts, 0xff), ==, 0xff);
        transfer(qts, 0xff);
        transfer(qts, 0xff);
    }
    g_assert_cmpmem(content + 11, strlen(part), part, strlen(part));
}

static void test_wire_memory(void)
{
    QTestState *qts = octane();

    check_memory(qts, "030-0887-003 ");
    qtest_quit(qts);
    qts = qtest_init("-machine octane -global ds2505.serial=0xfedcba987654");
    g_assert_cmphex(read_rom(qts) << 8 >> 16, ==, 0xfedcba987654);
    check_memory(qts, "030-0887-003 ");
    qtest_quit(qts);
}

/* None of this may end the emulator. */
static void test_errors(void)
{
    QTestState *qts = octane();

    for (uint64_t addr = BRIDGE; addr < BRIDGE + 0x1000000; addr += 0xff4) {
        qtest_writel(qts, addr, addr * 0x9e3779b1);
        qtest_readl(qts, addr);
        qtest_readq(qts, addr & ~7);
        qtest_readb(qts, addr + 1);
    }
    for (int i = 0; i < 10000; i++) {
        qtest_writel(qts, NIC, i * 0x9e3779b1);
    }
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);

    qtest_add_func("/octane/bridge/id", test_id);
    qtest_add_func("/octane/bridge/xbow", test_xbow);
    qtest_add_func("/octane/bridge/config", test_config);
    qtest_add_func("/octane/bridge/bars", test_bars);
    qtest_add_func("/octane/bridge/pio", test_pio);
    qtest_add_func("/octane/bridge/interrupts", test_interrupts);
    qtest_add_func("/octane/bridge/power-button", test_power_button);
    qtest_add_func("/octane/bridge/wire-rom", test_wire_rom);
    qtest_add_func("/octane/bridge/wire-memory", test_wire_memory);
    qtest_add_func("/octane/bridge/errors", test_errors);

    return g_test_run();
}
