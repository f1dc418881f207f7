/*
 * QTest of what devices of the SGI Octane read and write
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A disk works on pieces of memory of any place and size, and the CPU counts
 * HEART's requests. The CPU executes a small program, which dirties a buffer
 * again and again, so that its caches have all of the buffer's blocks.
 */

#include "qemu/osdep.h"
#include "elf.h"
#include "qobject/qdict.h"
#include "qobject/qlist.h"
#include "libqtest.h"
#include "octane-virtio.h"

#define RAM             0x20000000
#define RAM_SIZE        (512 * 1024 * 1024)
#define XKPHYS(addr)    (0xa800000000000000ull | (addr))

#define DESC            (RAM + 0x8000)
#define AVAIL           (RAM + 0x8400)
#define USED            (RAM + 0x8800)
#define HEADER          (RAM + 0x8c00)
#define STATUS          (RAM + 0x9000)
#define CODE            (RAM + 0x10000)
#define BUFFER          (RAM + 0x100000)
#define PASSES          (BUFFER + 0x1000)
#define OTHER           (RAM + 0x200000)

#define BLOCK           128
#define SECTOR          512
/* An access that leaves out less than this at a block's end has all of it. */
#define UNIT            8

/* Event @n of counter 0, and @n + 16 of counter 1, in kernel mode */
#define CONTROL(n)      ((n) << 5 | 2)
#define INTERVENTIONS   12
#define INVALIDATIONS   13

static const uint32_t program[] = {
    0x3c08a800,                 /* lui    a4, 0xa800    */
    0x0008403c,                 /* dsll32 a4, a4, 0     */
    0x3c092010,                 /* lui    a5, 0x2010    */
    0x01094025,                 /* or     a4, a4, a5    */
#define PROGRAM_CONTROL 4
    0x340a0000,                 /* li     a6, control   */
    0x408ac800,                 /* mtps   a6, 0         */
    0x408ac802,                 /* mtps   a6, 1         */
    0x240c0020,                 /* 1: li  t0, 32        */
    0x01006825,                 /* move   t1, a4        */
    0xfda00000,                 /* 2: sd  zero, 0(t1)   */
    0x258cffff,                 /* addiu  t0, t0, -1    */
    0x1580fffd,                 /* bnez   t0, 2b        */
    0x65ad0080,                 /* daddiu t1, t1, 128   */
    0x25ce0001,                 /* addiu  t2, t2, 1     */
    0x1000fff8,                 /* b      1b            */
    0xad0e1000,                 /* sw     t2, 0x1000(a4) */
};

typedef struct Piece {
    uint64_t addr;
    uint32_t size;
} Piece;

typedef struct Requests {
    uint32_t total;
    uint32_t hits;
} Requests;

typedef struct Disk {
    QTestState *qts;
    char *cpu;                  /* its path in QOM */
    unsigned requests;
} Disk;

/* The program as an ELF file */
static char *write_kernel(unsigned control)
{
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr segment;
        uint32_t code[ARRAY_SIZE(program)];
    } file = { };
    char *name = NULL;
    int fd = g_file_open_tmp("octane-dma-XXXXXX", &name, NULL);

    g_assert_cmpint(fd, >=, 0);
    memcpy(file.header.e_ident, ELFMAG, SELFMAG);
    file.header.e_ident[EI_CLASS] = ELFCLASS64;
    file.header.e_ident[EI_DATA] = ELFDATA2MSB;
    file.header.e_ident[EI_VERSION] = EV_CURRENT;
    file.header.e_type = cpu_to_be16(ET_EXEC);
    file.header.e_machine = cpu_to_be16(EM_MIPS);
    file.header.e_version = cpu_to_be32(EV_CURRENT);
    file.header.e_entry = cpu_to_be64(XKPHYS(CODE));
    file.header.e_phoff = cpu_to_be64(sizeof(file.header));
    file.header.e_ehsize = cpu_to_be16(sizeof(file.header));
    file.header.e_phentsize = cpu_to_be16(sizeof(file.segment));
    file.header.e_phnum = cpu_to_be16(1);
    file.segment.p_type = cpu_to_be32(PT_LOAD);
    file.segment.p_offset = cpu_to_be64(offsetof(typeof(file), code));
    file.segment.p_vaddr = cpu_to_be64(XKPHYS(CODE));
    file.segment.p_paddr = cpu_to_be64(XKPHYS(CODE));
    file.segment.p_filesz = cpu_to_be64(sizeof(file.code));
    file.segment.p_memsz = cpu_to_be64(sizeof(file.code));
    for (int i = 0; i < ARRAY_SIZE(program); i++) {
        file.code[i] = cpu_to_be32(program[i] |
                                   (i == PROGRAM_CONTROL ? control : 0));
    }
    g_assert_cmpint(write(fd, &file, sizeof(file)), ==, sizeof(file));
    close(fd);
    return name;
}

static char *cpu_path(QTestState *qts)
{
    QDict *answer = qtest_qmp(qts, "{ 'execute': 'query-cpus-fast' }");
    QDict *cpu = qobject_to(QDict, qlist_peek(qdict_get_qlist(answer,
                                                              "return")));
    char *path = g_strdup(qdict_get_str(cpu, "qom-path"));

    qobject_unref(answer);
    return path;
}

static uint32_t counter(const Disk *disk, const char *name)
{
    QDict *answer = qtest_qmp(disk->qts, "{ 'execute': 'qom-get', 'arguments':"
                              " { 'path': %s, 'property': %s } }",
                              disk->cpu, name);
    uint32_t value;

    g_assert(qdict_haskey(answer, "return"));
    value = qdict_get_int(answer, "return");
    qobject_unref(answer);
    return value;
}

/* What the CPU has counted of the requests so far */
static Requests count(const Disk *disk)
{
    return (Requests) { counter(disk, "pmu-counter0"),
                        counter(disk, "pmu-counter1") };
}

/* Wait until the program has dirtied all of the buffer. */
static void wait_dirty(QTestState *qts)
{
    uint32_t passes = qtest_readl(qts, PASSES);

    while (qtest_readl(qts, PASSES) - passes < 2) {
        g_usleep(100);
    }
}

static Disk disk_start(unsigned event)
{
    g_autofree char *kernel = write_kernel(CONTROL(event));
    Disk disk = {
        qtest_initf("-machine octane -accel tcg,thread=single "
                    "-kernel %s -serial null -serial null " VIRTIO_DISK,
                    kernel)
    };

    unlink(kernel);
    disk.cpu = cpu_path(disk.qts);
    virtio_start(disk.qts, DMA_64(DESC), DMA_64(AVAIL), DMA_64(USED));
    return disk;
}

static void disk_end(Disk *disk)
{
    qtest_quit(disk->qts);
    g_free(disk->cpu);
}

/*
 * Let the disk read or write the piece, and others outside of the buffer so
 * that there is a sector. Returns what the CPU has counted.
 */
static Requests transfer(Disk *disk, Piece piece, bool into_memory)
{
    QTestState *qts = disk->qts;
    unsigned flags = into_memory ? DESC_WRITE : 0;
    uint32_t header[4] = { cpu_to_le32(into_memory ? 0 : 1) };
    uint32_t left = ROUND_UP(piece.size, SECTOR) - piece.size;
    unsigned i = 0;
    Requests before, after;

    qtest_memwrite(qts, HEADER, header, sizeof(header));
    virtio_desc(qts, DESC, i++, DMA_64(HEADER), sizeof(header), DESC_NEXT);
    virtio_desc(qts, DESC, i++, DMA_64(piece.addr), piece.size,
                flags | DESC_NEXT);
    if (left) {
        virtio_desc(qts, DESC, i++, DMA_64(OTHER), left, flags | DESC_NEXT);
    }
    virtio_desc(qts, DESC, i++, DMA_64(STATUS), 1, DESC_WRITE);

    wait_dirty(qts);
    before = count(disk);
    virtio_offer(qts, AVAIL, ++disk->requests);
    while (virtio_used(qts, USED) != (uint16_t)disk->requests) {
        g_usleep(100);
    }
    g_assert_cmpint(qtest_readb(qts, STATUS), ==, 0);
    after = count(disk);
    return (Requests) { after.total - before.total, after.hits - before.hits };
}

/* Blocks of which the piece has all, or a part */
static unsigned blocks(Piece piece, bool all)
{
    uint64_t end = piece.addr + piece.size;
    unsigned n = 0;

    for (uint64_t block = ROUND_DOWN(piece.addr, BLOCK); block < end;
         block += BLOCK) {
        n += (piece.addr <= block && end > block + BLOCK - UNIT) == all;
    }
    return n;
}

static const Piece pieces[] = {
    { BUFFER, 512 }, { BUFFER, 4096 }, { BUFFER + 256, 1024 },
    { BUFFER, 128 }, { BUFFER, 64 }, { BUFFER + 64, 64 }, { BUFFER, 1 },
    { BUFFER + 127, 1 }, { BUFFER + 127, 2 }, { BUFFER + 1, 127 },
    { BUFFER + 1, 383 }, { BUFFER + 64, 128 }, { BUFFER + 96, 320 },
    { BUFFER, 120 }, { BUFFER, 121 }, { BUFFER, 200 }, { BUFFER + 33, 1500 },
};

/* The rest of the sector, as transfer() chooses it */
static Piece rest(Piece piece)
{
    return (Piece) { OTHER, ROUND_UP(piece.size, SECTOR) - piece.size };
}

static void test_invalidations(void)
{
    Disk disk = disk_start(INVALIDATIONS);

    for (int i = 0; i < ARRAY_SIZE(pieces); i++) {
        Requests got = transfer(&disk, pieces[i], true);

        g_test_message("into 0x%" PRIx64 ", %u bytes", pieces[i].addr,
                       pieces[i].size);
        g_assert_cmpint(got.hits, ==, blocks(pieces[i], true));
        g_assert_cmpint(got.total, ==, blocks(pieces[i], true) +
                        blocks(rest(pieces[i]), true));

        got = transfer(&disk, pieces[i], false);
        g_assert_cmpint(got.hits, ==, 0);
        g_assert_cmpint(got.total, ==, 0);
    }
    disk_end(&disk);
}

/*
 * The queue, the header and the status are read and written in the same way for
 * each piece, but for one descriptor more if there is a rest.
 */
static void test_interventions(void)
{
    Disk disk = disk_start(INTERVENTIONS);
    uint32_t queue[2] = { 0, 0 };

    for (int i = 0; i < ARRAY_SIZE(pieces); i++) {
        for (int into_memory = 0; into_memory < 2; into_memory++) {
            Requests got = transfer(&disk, pieces[i], into_memory);
            Piece more = rest(pieces[i]);
            unsigned expected = blocks(pieces[i], false), other;

            other = blocks(more, false) + !!more.size;
            if (!into_memory) {
                expected += blocks(pieces[i], true);
                other += blocks(more, true);
            }
            g_test_message("%s 0x%" PRIx64 ", %u bytes: %u",
                           into_memory ? "into" : "from", pieces[i].addr,
                           pieces[i].size, got.total);
            g_assert_cmpint(got.hits, ==, expected);
            if (!queue[into_memory]) {
                queue[into_memory] = got.total - expected - other;
            }
            g_assert_cmpint(got.total, ==,
                            queue[into_memory] + expected + other);
        }
    }
    g_assert_cmpint(queue[0], ==, queue[1]);
    disk_end(&disk);
}

/* Parts of a queue that end behind the memory: nothing is to be had there. */
static void test_end(void)
{
    const uint64_t end = RAM + RAM_SIZE;
    const struct {
        uint64_t desc, avail, used;
    } queues[] = {
        { end - 8, AVAIL, USED },
        { DESC, end - 2, USED },
        { DESC, end - 5, USED },
        { DESC, AVAIL, end - 8 },
        { 0x1fa00000 - 8, AVAIL, USED },
        { DESC, 0x1fa00000 - 5, USED },
        { DESC, AVAIL, 0x1fa00000 - 8 },
    };
    Disk disk = disk_start(INTERVENTIONS);

    for (int i = 0; i < ARRAY_SIZE(queues); i++) {
        virtio_start(disk.qts, DMA_64(queues[i].desc),
                     DMA_64(queues[i].avail), DMA_64(queues[i].used));
        virtio_desc(disk.qts, DESC, 0, DMA_64(HEADER), 16, DESC_NEXT);
        virtio_desc(disk.qts, DESC, 1, DMA_64(BUFFER), SECTOR,
                    DESC_WRITE | DESC_NEXT);
        virtio_desc(disk.qts, DESC, 2, DMA_64(STATUS), 1, DESC_WRITE);
        virtio_offer(disk.qts, AVAIL, 1);
    }
    wait_dirty(disk.qts);
    disk_end(&disk);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);

    qtest_add_func("/octane/dma/invalidations", test_invalidations);
    qtest_add_func("/octane/dma/interventions", test_interventions);
    qtest_add_func("/octane/dma/end", test_end);

    return g_test_run();
}
