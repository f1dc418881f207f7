/*
 * QTest of the SGI Octane: random accesses to its chips, as a broken or hostile
 * guest makes them. None may end the emulator, and a reset undoes them all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TEST_SEED=N makes other accesses, and TEST_ROUNDS=N more of them. Each round
 * has a seed of its own, the next number, and prints it. A build with
 * --enable-asan and --enable-ubsan finds more.
 */

#include "qemu/osdep.h"
#include "qemu/range.h"
#include "qemu/timer.h"
#include "qobject/qdict.h"
#include "libqtest.h"
#include "octane-virtio.h"

#define ROUND           4000    /* operations */
#define ROUNDS          2

#define LOW_MEMORY      0x00000000
#define HEART           0x0ff00000
#define HEART_MODE      (HEART + 0x00000)
#define XBOW            0x10000000
#define HEART_WIDGET    0x18000000
#define BRIDGE          0x1f000000
#define BRIDGE_ID       (BRIDGE + 0x004)
#define BRIDGE_DIR_MAP  (BRIDGE + 0x084)
#define BRIDGE_NIC      (BRIDGE + 0x0b4)
#define CONFIG(slot)    (BRIDGE + 0x20000 + 0x1000 * (slot))
#define DEVIO           (BRIDGE + 0x200000)
#define IOC3            (BRIDGE + 0x600000)
#define RAM             0x20000000

#define SLOT_VIRTIO     0
#define SLOT_IOC3       2
#define IOC3_BAR        0x600000
#define ID_BRIDGE       0x4c00206d

/* Where DMA finds memory by the mapped window */
#define DMA_32          0x80000000u

/* Places in memory, from its start on */
#define DESC            0x0000
#define AVAIL           0x1000
#define USED            0x2000
#define HEADER          0x3000
#define STATUS          0x3080
#define BUFFER          0x4000

typedef struct Fuzz {
    QTestState *qts;
    GRand *rand;
    uint64_t window;            /* left out, see skipped() */
} Fuzz;

typedef struct Place {
    uint64_t base;
    uint32_t size;
    unsigned weight;
} Place;

static const Place places[] = {
    { HEART, 0xc0, 4 },
    { HEART + 0x10000, 0x50, 6 },
    { HEART, 0x100000, 2 },
    { HEART + 0x20000, 8, 1 },
    { HEART + 0x30000, 8, 2 },
    { HEART + 0x50000, 8, 1 },
    { HEART_WIDGET, 0x1000000, 1 },
    { XBOW, 0x400, 3 },
    { XBOW, 0x1000000, 1 },
    { BRIDGE, 0x2a0, 12 },
    { BRIDGE, 0x20000, 1 },
    { CONFIG(SLOT_VIRTIO), 0x100, 4 },
    { CONFIG(SLOT_IOC3), 0x100, 4 },
    { CONFIG(0), 0x20000, 3 },
    { DEVIO, 0xa00000, 3 },
    { VIRTIO_COMMON, 0x4000, 4 },
    { IOC3, 0x100, 6 },
    { IOC3 + 0x20170, 0x10, 8 },
    { IOC3, 0x100000, 1 },
    { BRIDGE, 0x1000000, 1 },
    { LOW_MEMORY, 0x1000, 2 },
    { RAM, 0x8000, 1 },
};

static unsigned below(Fuzz *f, unsigned n)
{
    return g_rand_int(f->rand) % n;
}

static uint64_t any_value(Fuzz *f)
{
    uint64_t word = (uint64_t)g_rand_int(f->rand) << 32 | g_rand_int(f->rand);

    switch (below(f, 6)) {
    case 0:
        return 0;
    case 1:
        return ~0ull;
    case 2:
        return 1ull << below(f, 64);
    case 3:
        return below(f, 256);
    case 4:
        return word & 0xffffffff;
    default:
        return word;
    }
}

static uint64_t any_address(Fuzz *f)
{
    unsigned total = 0, pick;
    const Place *p;

    for (int i = 0; i < ARRAY_SIZE(places); i++) {
        total += places[i].weight;
    }
    pick = below(f, total);
    for (p = places; pick >= p->weight; p++) {
        pick -= p->weight;
    }
    return p->base + below(f, p->size);
}

/*
 * virtio-pci lets a guest reach its BARs by a window in configuration space. It
 * has assertions on what the guest writes there, which are no business of this
 * test: leave the window out.
 */
static bool skipped(Fuzz *f, uint64_t addr, unsigned size)
{
    return ranges_overlap(addr & ~3ull, ROUND_UP(size + 3, 4), f->window, 20);
}

static uint64_t find_window(QTestState *qts)
{
    uint64_t config = CONFIG(SLOT_VIRTIO);
    unsigned cap = qtest_readl(qts, config + 0x34) & 0xfc;

    while (cap) {
        uint32_t head = qtest_readl(qts, config + cap);

        if ((head & 0xff) == 9 && head >> 24 == 5) {
            return config + cap;
        }
        cap = head >> 8 & 0xfc;
    }
    g_assert_not_reached();
}

static void fuzz_access(Fuzz *f)
{
    uint64_t addr = any_address(f), val = any_value(f);
    unsigned shift = below(f, 4), kind = shift + (below(f, 2) ? 4 : 0);

    if (below(f, 8)) {
        addr = ROUND_DOWN(addr, 1 << shift);
        /* The registers of BRIDGE and XBOW are in the second half of 64 bits */
        addr |= shift == 2 && below(f, 2) ? 4 : 0;
    }
    if (skipped(f, addr, 1 << shift)) {
        return;
    }
    switch (kind) {
    case 0:
        qtest_readb(f->qts, addr);
        break;
    case 1:
        qtest_readw(f->qts, addr);
        break;
    case 2:
        qtest_readl(f->qts, addr);
        break;
    case 3:
        qtest_readq(f->qts, addr);
        break;
    case 4:
        qtest_writeb(f->qts, addr, val);
        break;
    case 5:
        qtest_writew(f->qts, addr, val);
        break;
    case 6:
        qtest_writel(f->qts, addr, val);
        break;
    case 7:
        qtest_writeq(f->qts, addr, val);
        break;
    }
}

static void fuzz_block(Fuzz *f)
{
    uint64_t addr = any_address(f);
    unsigned size = 1 + below(f, 64);
    uint8_t buf[64];

    if (skipped(f, addr, size)) {
        return;
    }
    if (below(f, 2)) {
        qtest_memread(f->qts, addr, buf, size);
        return;
    }
    for (int i = 0; i < size; i++) {
        buf[i] = g_rand_int(f->rand);
    }
    qtest_memwrite(f->qts, addr, buf, size);
}

/* One-wire: a reset, some bytes that are often a command, and reads */

static void wire_byte(Fuzz *f, uint8_t byte)
{
    for (int i = 0; i < 8; i++) {
        qtest_writel(f->qts, BRIDGE_NIC,
                     byte >> i & 1 ? 6 << 10 | 13 << 2 : 80 << 10 | 30 << 2);
    }
}

static void fuzz_wire(Fuzz *f)
{
    static const uint8_t commands[] = { 0x33, 0x55, 0xcc, 0xf0, 0xa5 };

    if (below(f, 8)) {
        qtest_writel(f->qts, BRIDGE_NIC, 520 << 10 | 65 << 2);
        wire_byte(f, commands[below(f, ARRAY_SIZE(commands))]);
    }
    if (below(f, 2)) {
        wire_byte(f, 0xa5);
        wire_byte(f, below(f, 256));
        wire_byte(f, below(f, 2) ? 0 : below(f, 256));
    }
    for (int i = below(f, 60); i >= 0; i--) {
        wire_byte(f, below(f, 4) ? 0xff : below(f, 256));
    }
    qtest_readl(f->qts, BRIDGE_NIC);
}

static void fuzz_irq(Fuzz *f)
{
    int level = below(f, 2);

    if (below(f, 2)) {
        qtest_set_irq_in(f->qts, "/machine/bridge", "pin", below(f, 8), level);
    } else {
        qtest_set_irq_in(f->qts, "/machine/heart", NULL, below(f, 64), level);
    }
}

static void fuzz_clock(Fuzz *f)
{
    qtest_clock_step(f->qts, 1 + below(f, 100 * SCALE_MS));
}

/*
 * A request to the disk, of one to four pieces of memory. Some of the words
 * that say what to do may be something else.
 */
static void fuzz_dma(Fuzz *f)
{
    bool mapped = below(f, 2);
    uint64_t window = mapped ? DMA_32 : DMA_64(RAM);
    uint32_t header[4] = { cpu_to_le32(below(f, 2)) };
    unsigned n = 1 + below(f, 4), flags = header[0] ? 0 : DESC_WRITE;
    uint64_t word;

    if (mapped) {
        /* The window shows 2 GB, the first of which or from 512 MB on */
        qtest_writel(f->qts, BRIDGE_DIR_MAP, 1 << 17);
    }
    virtio_start(f->qts, window + DESC, window + AVAIL, window + USED);
    qtest_memwrite(f->qts, RAM + HEADER, header, sizeof(header));
    virtio_desc(f->qts, RAM + DESC, 0, window + HEADER, sizeof(header),
                DESC_NEXT);
    for (unsigned i = 1; i <= n; i++) {
        uint64_t addr = window + BUFFER + below(f, 0x4000);

        virtio_desc(f->qts, RAM + DESC, i, addr, 1 + below(f, 1024),
                    flags | DESC_NEXT);
    }
    virtio_desc(f->qts, RAM + DESC, n + 1, window + STATUS, 1, DESC_WRITE);
    for (int i = below(f, 3); i > 0; i--) {
        word = any_value(f);
        qtest_memwrite(f->qts, RAM + DESC + below(f, 0x100), &word,
                       1 + below(f, 8));
    }
    if (!below(f, 4)) {
        virtio_address(f->qts, 32 + 8 * below(f, 3), any_value(f));
    }
    virtio_offer(f->qts, RAM + AVAIL, 1);
    qtest_clock_step(f->qts, 1);
}

static void fuzz_button(Fuzz *f)
{
    qtest_qmp_assert_success(f->qts, "{ 'execute': 'system_powerdown' }");
}

/* The guest may have reset the machine: those events are no answer to this. */
static void fuzz_reset(Fuzz *f)
{
    QDict *event;

    qtest_qmp_assert_success(f->qts, "{ 'execute': 'query-status' }");
    while ((event = qtest_qmp_event_ref(f->qts, "RESET"))) {
        qobject_unref(event);
    }
    qtest_system_reset(f->qts);
}

static const struct {
    void (*run)(Fuzz *f);
    unsigned weight;
} operations[] = {
    { fuzz_access, 1000 },
    { fuzz_block, 100 },
    { fuzz_irq, 100 },
    { fuzz_wire, 20 },
    { fuzz_clock, 20 },
    { fuzz_dma, 20 },
    { fuzz_button, 2 },
    { fuzz_reset, 2 },
};

static void any_operation(Fuzz *f)
{
    unsigned total = 0, pick;
    int i;

    for (i = 0; i < ARRAY_SIZE(operations); i++) {
        total += operations[i].weight;
    }
    pick = below(f, total);
    for (i = 0; pick >= operations[i].weight; i++) {
        pick -= operations[i].weight;
    }
    operations[i].run(f);
}

/* After a reset the machine is as after its start, but for levels of wires. */
static void check_reset(Fuzz *f)
{
    fuzz_reset(f);
    g_assert_cmphex(qtest_readl(f->qts, BRIDGE_ID), ==, ID_BRIDGE);
    g_assert_cmphex(qtest_readq(f->qts, HEART_MODE), ==, 0);
    g_assert_cmphex(qtest_readl(f->qts, BRIDGE_DIR_MAP), ==, 0);
    g_assert_cmphex(qtest_readl(f->qts, CONFIG(SLOT_IOC3) + 0x10), ==,
                    IOC3_BAR);
    g_assert_cmphex(qtest_readl(f->qts, CONFIG(SLOT_IOC3) + 4) & 0xffff, ==, 6);
    g_assert_cmphex(qtest_readl(f->qts, IOC3), ==, 0x000310a9);
    g_assert_cmphex(qtest_readl(f->qts, IOC3 + 0x20), ==, 0);
}

static void fuzz_round(uint32_t seed)
{
    Fuzz f = { .rand = g_rand_new_with_seed(seed) };

    g_test_message("seed %u", seed);
    f.qts = qtest_init("-machine octane -smp 2 -serial null -serial null "
                       "-accel qtest " VIRTIO_DISK " "
                       "-d guest_errors,unimp -D /dev/null");
    f.window = find_window(f.qts);
    for (int i = 0; i < ROUND; i++) {
        any_operation(&f);
    }
    check_reset(&f);
    qtest_quit(f.qts);
    g_rand_free(f.rand);
}

static uint64_t number(const char *variable, uint64_t otherwise)
{
    const char *value = getenv(variable);

    return value ? g_ascii_strtoull(value, NULL, 0) : otherwise;
}

static void test_random(void)
{
    uint32_t seed = number("TEST_SEED", 1);
    uint32_t rounds = number("TEST_ROUNDS", ROUNDS);

    for (uint32_t n = 0; n < rounds; n++) {
        fuzz_round(seed + n);
    }
    g_test_message("%u rounds of %d operations", rounds, ROUND);
}

/* What a guest does wrong is in the log, and the emulator goes on. */
static void test_logged(void)
{
    g_autofree char *log = NULL, *text = NULL;
    int fd = g_file_open_tmp("octane-fuzz-XXXXXX", &log, NULL);
    QTestState *qts;

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    qts = qtest_initf("-machine octane -d guest_errors,unimp -D %s", log);
    qtest_writel(qts, HEART + 0x10000, 1);
    qtest_writel(qts, HEART + 0x90000, 1);
    qtest_writel(qts, XBOW + 0x200, 1);
    qtest_readl(qts, BRIDGE + 0x300);
    qtest_readl(qts, DEVIO + 0x900000);
    qtest_writew(qts, IOC3 + 0x30, 1);
    qtest_writel(qts, BRIDGE_NIC, 520 << 10 | 65 << 2);
    for (int i = 0; i < 8; i++) {
        qtest_writel(qts, BRIDGE_NIC, 80 << 10 | 30 << 2);
    }
    g_assert_cmphex(qtest_readl(qts, BRIDGE_ID), ==, ID_BRIDGE);
    qtest_quit(qts);

    g_assert_true(g_file_get_contents(log, &text, NULL, NULL));
    g_assert_nonnull(strstr(text, "sgi-heart: write of 4 bytes to 0x10000"));
    g_assert_nonnull(strstr(text, "sgi-heart: write of 4 bytes to 0x90000"));
    g_assert_nonnull(strstr(text, "sgi-xbow: write of 0x1 to 0x200"));
    g_assert_nonnull(strstr(text, "sgi-bridge: read of 0x"));
    g_assert_nonnull(strstr(text, "sgi-bridge: no device claims a read"));
    g_assert_nonnull(strstr(text, "sgi-ioc3: write of 0x1 to 2 bytes at 0x32"));
    g_assert_nonnull(strstr(text, "ds2505: no ROM command 0x00"));
    unlink(log);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);

    qtest_add_func("/octane/fuzz/logged", test_logged);
    qtest_add_func("/octane/fuzz/random", test_random);

    return g_test_run();
}
