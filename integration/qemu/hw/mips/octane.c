/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SGI Octane (IP30): one or two R10000, HEART, XBOW, BRIDGE and IOC3
 *
 * There is no PROM. Instead of it the machine leaves in memory what a kernel
 * finds after the PROM has loaded it: the ARCS vectors, their few functions
 * that Linux calls, and the MPCONF blocks of the CPUs.
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
#include "qemu/units.h"
#include "cpu.h"
#include "internal.h"
#include "elf.h"
#include "exec/address-spaces.h"
#include "hw/boards.h"
#include "hw/clock.h"
#include "hw/intc/sgi_heart.h"
#include "hw/irq.h"
#include "hw/loader.h"
#include "hw/mips/mips.h"
#include "hw/mips/octane_dma.h"
#include "hw/misc/sgi_ioc3.h"
#include "hw/misc/sgi_xbow.h"
#include "hw/misc/unimp.h"
#include "hw/pci-host/sgi_bridge.h"
#include "hw/pci/pci_bus.h"
#include "hw/qdev-clock.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "system/qtest.h"
#include "system/reset.h"
#include "system/runstate.h"
#include "system/system.h"

#define CPU_HZ          250000000

/* Physical addresses. The start of the memory is seen at 0 as well. */
#define LOW_SIZE        0x4000
#define HEART_BASE      0x0ff00000
#define WIDGET(n)       (0x10000000 + (hwaddr)(n) * 0x1000000)
#define WIDGET_SIZE     0x1000000
#define RAM_BASE        0x20000000
#define RAM_ARCS_MAX    (1 * GiB)       /* ARCS tells of no more */

/* The widgets, which XBOW has from 8 on */
#define WIDGET_XBOW     0
#define WIDGET_HEART    8
#define WIDGET_BRIDGE   15

/* The board: slots of BRIDGE's bus, and pins that the board has a use for */
#define SLOT_IOC3       2
#define SLOTS_TAKEN     0xd4            /* by IOC3, and by pins without slot */
#define PIN_SIO         4
#define PIN_POWER       6
#define PART_NUMBER     "030-0887-003"  /* IP30 system board */

#define POWER_BUTTON_MS 100

/* What ARCS has in the first 16 KB */
#define MPCONF(cpu)     (0x600 + 0x80 * (cpu))
#define SPB             0x1000
#define VECTOR          0x1100
#define ROOT            0x1300
#define ROOT_NAME       0x1340
#define MEMORY          0x1380
#define CODE            0x1400
#define ARGV            0x1500
#define STRINGS         0x1600

#define MPCONF_MAGIC    0xbaddeed2
#define MPCONF_PRID     0x04
#define MPCONF_PHYSID   0x08
#define MPCONF_VIRTID   0x0c
#define MPCONF_LAUNCH   0x18
#define MPCONF_STACK    0x40
#define MPCONF_PARAM    0x48

#define SPB_MAGIC       0x53435241      /* "ARCS", read backwards */
#define SPB_LENGTH      0xa0
#define SPB_VERSION     64
#define VECTOR_ENTRIES  37
#define GET_CHILD       10
#define GET_MEMORY      18

enum {
    ARCS_EXCEPTION_BLOCK = 0,
    ARCS_FREE = 2,
    ARCS_PERMANENT = 7,
};

#define KSEG0_ADDR(a)   (UINT64_C(0xffffffff80000000) | (a))
#define XKPHYS_ADDR(a)  (UINT64_C(0xa800000000000000) | (a))

/* XKPHYS needs KX; Linux expects the FPU on, and in the 64-bit mode. */
#define BOOT_STATUS     (1 << CP0St_CU1 | 1 << CP0St_CU0 | 1 << CP0St_FR | \
                         1 << CP0St_KX)

#define TYPE_OCTANE MACHINE_TYPE_NAME("octane")
OBJECT_DECLARE_SIMPLE_TYPE(OctaneState, OCTANE)

struct OctaneState {
    MachineState parent_obj;

    MIPSCPU *cpu[SGI_HEART_CPUS];
    MemoryRegion low;
    OctaneDMA dma;
    uint64_t entry;
    int argc;
    QEMUTimer *launch_timer;
    qemu_irq button;
    QEMUTimer *button_timer;
    Notifier powerdown;
};

/*
 * All functions of ARCS but two return 0: no error, or nothing. The code is
 * independent of its place.
 */
#define CODE_RETURN_0   (CODE + 0x00)
#define CODE_GET_CHILD  (CODE + 0x08)
#define CODE_GET_MEMORY (CODE + 0x20)

static const uint32_t arcs_code[] = {
    0x03e00008,             /* jr     ra                                     */
    0x00001025,             /* move   v0, zero                               */
    /* GetChild(component): the root, of nothing; the root has no child      */
    0x14800003,             /* bnez   a0, 1f                                 */
    0x00001025,             /* move   v0, zero                               */
    0x3c028000,             /* lui    v0, 0x8000                             */
    0x34420000 | ROOT,      /* ori    v0, v0, ROOT                           */
    0x03e00008,             /* 1: jr  ra                                     */
    0x00000000,             /* nop                                           */
    /* GetMemoryDescriptor(previous): the next, or 0 if it has no pages      */
    0x10800003,             /* beqz   a0, 1f                                 */
    0x3c028000,             /* lui    v0, 0x8000                             */
    0x10000002,             /* b      2f                                     */
    0x64820018,             /* daddiu v0, a0, 24                             */
    0x34420000 | MEMORY,    /* 1: ori v0, v0, MEMORY                         */
    0xdc430010,             /* 2: ld  v1, 16(v0)                             */
    0x03e00008,             /* jr     ra                                     */
    0x0003100a,             /* movz   v0, zero, v1                           */
};

static uint64_t octane_phys_addr(void *opaque, uint64_t addr)
{
    return addr & MAKE_64BIT_MASK(0, addr >> 62 == 2 ? 40 : 29);
}

static void *arcs_memory(void *p, uint32_t type, uint64_t base, uint64_t size)
{
    stl_be_p(p, type);
    stq_be_p(p + 8, base >> 12);
    stq_be_p(p + 16, size >> 12);
    return p + 24;
}

/* Adds a word to the arguments; p is the first page of the memory. */
static void arcs_argument(OctaneState *s, uint8_t *p, size_t *at,
                          const char *word)
{
    size_t length = strlen(word) + 1;

    if (*at + length > LOW_SIZE || ARGV + 8 * s->argc >= STRINGS) {
        error_report("the command line of the kernel is too long");
        exit(EXIT_FAILURE);
    }
    memcpy(p + *at, word, length);
    stq_be_p(p + ARGV + 8 * s->argc++, KSEG0_ADDR(*at));
    *at += length;
}

static void octane_make_arcs(OctaneState *s, hwaddr initrd,
                             uint64_t initrd_size)
{
    MachineState *ms = MACHINE(s);
    g_autofree uint8_t *p = g_malloc0(LOW_SIZE);
    size_t strings = STRINGS;
    void *memory = p + MEMORY;

    stq_be_p(p + SPB, SPB_MAGIC);
    stq_be_p(p + SPB + 0x08, SPB_LENGTH);
    stw_be_p(p + SPB + 0x10, SPB_VERSION);
    stq_be_p(p + SPB + 0x38, 8 * VECTOR_ENTRIES);
    stq_be_p(p + SPB + 0x40, KSEG0_ADDR(VECTOR));
    for (int i = 0; i < VECTOR_ENTRIES; i++) {
        stq_be_p(p + VECTOR + 8 * i,
                 KSEG0_ADDR(i == GET_CHILD ? CODE_GET_CHILD :
                            i == GET_MEMORY ? CODE_GET_MEMORY :
                            CODE_RETURN_0));
    }
    for (int i = 0; i < ARRAY_SIZE(arcs_code); i++) {
        stl_be_p(p + CODE + 4 * i, arcs_code[i]);
    }

    strcpy((char *)p + ROOT_NAME, "SGI-IP30");
    stq_be_p(p + ROOT + 0x28, strlen("SGI-IP30") + 1);
    stq_be_p(p + ROOT + 0x30, KSEG0_ADDR(ROOT_NAME));

    memory = arcs_memory(memory, ARCS_EXCEPTION_BLOCK, 0, LOW_SIZE);
    memory = arcs_memory(memory, ARCS_FREE, RAM_BASE + LOW_SIZE,
                         MIN(ms->ram_size, RAM_ARCS_MAX) - LOW_SIZE);
    if (ms->ram_size > RAM_ARCS_MAX) {
        /* Linux frees it, as MEMCFG tells of it. */
        arcs_memory(memory, ARCS_PERMANENT, RAM_BASE + RAM_ARCS_MAX,
                    ms->ram_size - RAM_ARCS_MAX);
    }

    s->argc = 0;
    arcs_argument(s, p, &strings, ms->kernel_filename);
    if (initrd_size) {
        g_autofree char *start = g_strdup_printf("rd_start=0x%" PRIx64,
                                                 XKPHYS_ADDR(initrd));
        g_autofree char *size = g_strdup_printf("rd_size=0x%" PRIx64,
                                                initrd_size);

        arcs_argument(s, p, &strings, start);
        arcs_argument(s, p, &strings, size);
    }
    if (ms->kernel_cmdline && *ms->kernel_cmdline) {
        arcs_argument(s, p, &strings, ms->kernel_cmdline);
    }

    for (int i = 0; i < ms->smp.cpus; i++) {
        uint8_t *mpconf = p + MPCONF(i);

        stl_be_p(mpconf, MPCONF_MAGIC);
        stl_be_p(mpconf + MPCONF_PRID, s->cpu[i]->env.CP0_PRid);
        stl_be_p(mpconf + MPCONF_PHYSID, i);
        stl_be_p(mpconf + MPCONF_VIRTID, i);
    }
    rom_add_blob_fixed("octane.arcs", p, LOW_SIZE, RAM_BASE);
}

static void octane_load_kernel(OctaneState *s)
{
    MachineState *ms = MACHINE(s);
    uint64_t high, initrd = 0;
    ssize_t size;

    size = load_elf(ms->kernel_filename, NULL, octane_phys_addr, NULL,
                    &s->entry, NULL, &high, NULL, ELFDATA2MSB, EM_MIPS, 1, 0);
    if (size < 0) {
        error_report("could not load the kernel '%s': %s",
                     ms->kernel_filename, load_elf_strerror(size));
        exit(EXIT_FAILURE);
    }
    size = 0;
    if (ms->initrd_filename) {
        initrd = ROUND_UP(high + 1 * MiB, 64 * KiB);
        size = load_image_targphys(ms->initrd_filename, initrd, RAM_BASE +
                                   MIN(ms->ram_size, RAM_ARCS_MAX) - initrd);
        if (size < 0) {
            error_report("could not load the initial file system '%s', or it "
                         "does not fit into the memory", ms->initrd_filename);
            exit(EXIT_FAILURE);
        }
    }
    octane_make_arcs(s, initrd, size);
}

static void octane_start_cpu(MIPSCPU *cpu, vaddr pc)
{
    CPUMIPSState *env = &cpu->env;

    cpu_mips_store_status(env, BOOT_STATUS);
    env->active_tc.PC = pc;
}

static void octane_cpu_reset(void *opaque)
{
    MIPSCPU *cpu = opaque;
    OctaneState *s = OCTANE(qdev_get_machine());

    cpu_reset(CPU(cpu));
    if (cpu == s->cpu[0] && MACHINE(s)->kernel_filename) {
        octane_start_cpu(cpu, s->entry);
        cpu->env.active_tc.gpr[4] = s->argc;
        cpu->env.active_tc.gpr[5] = KSEG0_ADDR(ARGV);
        cpu->env.active_tc.gpr[6] = KSEG0_ADDR(ARGV + 8 * s->argc);
        cpu->env.active_tc.gpr[29] = XKPHYS_ADDR(LOW_SIZE - 16);
    }
}

static uint64_t octane_mpconf(int cpu, hwaddr field)
{
    return address_space_ldq_be(&address_space_memory, MPCONF(cpu) + field,
                                MEMTXATTRS_UNSPECIFIED, NULL);
}

/*
 * CPU 1 is halted, where it would wait in the PROM for an address in its
 * MPCONF. A loop there would take half of the time from CPU 0, and to catch
 * the write would make the page of the exception vectors slow, so a timer
 * looks. There is nothing to look for any more once the CPU runs.
 */
static void octane_wait_launch(void *opaque)
{
    OctaneState *s = opaque;
    uint64_t launch = octane_mpconf(1, MPCONF_LAUNCH);

    if (!launch) {
        timer_mod(s->launch_timer,
                  qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + SCALE_MS);
        return;
    }
    octane_start_cpu(s->cpu[1], launch);
    s->cpu[1]->env.active_tc.gpr[29] = octane_mpconf(1, MPCONF_STACK);
    s->cpu[1]->env.active_tc.gpr[4] = octane_mpconf(1, MPCONF_PARAM);
    CPU(s->cpu[1])->halted = 0;
    qemu_cpu_kick(CPU(s->cpu[1]));
}

static void octane_press_button(Notifier *notifier, void *opaque)
{
    OctaneState *s = container_of(notifier, OctaneState, powerdown);

    qemu_irq_raise(s->button);
    timer_mod(s->button_timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
              POWER_BUTTON_MS * SCALE_MS);
}

static void octane_release_button(void *opaque)
{
    OctaneState *s = opaque;

    qemu_irq_lower(s->button);
}

static void octane_reset(MachineState *ms, ResetType type)
{
    OctaneState *s = OCTANE(ms);

    qemu_devices_reset(type);
    timer_del(s->button_timer);
    octane_release_button(s);
    if (ms->smp.cpus > 1) {
        timer_mod(s->launch_timer,
                  qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + SCALE_MS);
    }
}

static const VMStateDescription vmstate_octane = {
    .name = "octane",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_TIMER_PTR(launch_timer, OctaneState),
        VMSTATE_TIMER_PTR(button_timer, OctaneState),
        VMSTATE_END_OF_LIST()
    }
};

static void octane_check(MachineState *ms)
{
    if (ms->ram_size < 128 * MiB || ms->ram_size > 2 * GiB ||
        ms->ram_size % SGI_HEART_MEMORY_UNIT) {
        error_report("an Octane has 128 MB to 2 GB of memory, in units of "
                     "32 MB");
        exit(EXIT_FAILURE);
    }
    if (!ms->kernel_filename && !qtest_enabled()) {
        error_report("an Octane needs -kernel, as its PROM is not emulated");
        exit(EXIT_FAILURE);
    }
}

static void octane_init_cpus(OctaneState *s, DeviceState *heart)
{
    MachineState *ms = MACHINE(s);
    Clock *clock = clock_new(OBJECT(s), "cpu-refclk");

    clock_set_hz(clock, CPU_HZ);
    for (int i = 0; i < ms->smp.cpus; i++) {
        DeviceState *cpu = qdev_new(ms->cpu_type);

        qdev_connect_clock_in(cpu, "clk-in", clock);
        object_property_set_bool(OBJECT(cpu), "start-powered-off", i > 0,
                                 &error_abort);
        qdev_realize(cpu, NULL, &error_fatal);

        s->cpu[i] = MIPS_CPU(cpu);
        cpu_mips_irq_init_cpu(s->cpu[i]);
        cpu_mips_clock_init(s->cpu[i]);
        qemu_register_reset(octane_cpu_reset, s->cpu[i]);
        for (int pin = 0; pin < SGI_HEART_CPU_PINS; pin++) {
            sysbus_connect_irq(SYS_BUS_DEVICE(heart),
                               SGI_HEART_CPU_PINS * i + pin,
                               s->cpu[i]->env.irq[2 + pin]);
        }
    }
}

static void octane_init(MachineState *ms)
{
    OctaneState *s = OCTANE(ms);
    MemoryRegion *system_memory = get_system_memory();
    DeviceState *heart, *xbow, *bridge, *ioc3;
    PCIBus *bus;

    octane_check(ms);

    memory_region_add_subregion(system_memory, RAM_BASE, ms->ram);
    memory_region_init_alias(&s->low, OBJECT(s), "octane.low", ms->ram, 0,
                             LOW_SIZE);
    memory_region_add_subregion(system_memory, 0, &s->low);

    heart = qdev_new(TYPE_SGI_HEART);
    object_property_add_child(OBJECT(s), "heart", OBJECT(heart));
    qdev_prop_set_uint64(heart, "ram-size", ms->ram_size);
    qdev_prop_set_uint32(heart, "num-cpus", ms->smp.cpus);
    sysbus_realize_and_unref(SYS_BUS_DEVICE(heart), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(heart), 0, HEART_BASE);
    create_unimplemented_device("octane.heart-widget", WIDGET(WIDGET_HEART),
                                WIDGET_SIZE);
    octane_init_cpus(s, heart);

    xbow = qdev_new(TYPE_SGI_XBOW);
    object_property_add_child(OBJECT(s), "xbow", OBJECT(xbow));
    qdev_prop_set_uint8(xbow, "links", 1 << (WIDGET_HEART - 8) |
                        1 << (WIDGET_BRIDGE - 8));
    sysbus_realize_and_unref(SYS_BUS_DEVICE(xbow), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(xbow), 0, WIDGET(WIDGET_XBOW));

    bridge = qdev_new(TYPE_SGI_BRIDGE);
    object_property_add_child(OBJECT(s), "bridge", OBJECT(bridge));
    qdev_prop_set_string(bridge, "part-number", PART_NUMBER);
    octane_dma_init(&s->dma, OBJECT(s));
    object_property_set_link(OBJECT(bridge), "memory",
                             OBJECT(&s->dma.region), &error_abort);
    sysbus_realize_and_unref(SYS_BUS_DEVICE(bridge), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(bridge), 0, WIDGET(WIDGET_BRIDGE));
    for (int i = 0; i < SGI_BRIDGE_IRQS; i++) {
        qdev_connect_gpio_out(bridge, i, qdev_get_gpio_in(heart, i));
    }
    bus = PCI_HOST_BRIDGE(bridge)->bus;

    ioc3 = DEVICE(pci_new(PCI_DEVFN(SLOT_IOC3, 0), TYPE_SGI_IOC3));
    object_property_add_child(OBJECT(s), "ioc3", OBJECT(ioc3));
    qdev_prop_set_chr(ioc3, "chardev-a", serial_hd(0));
    qdev_prop_set_chr(ioc3, "chardev-b", serial_hd(1));
    pci_realize_and_unref(PCI_DEVICE(ioc3), bus, &error_fatal);
    qdev_connect_gpio_out_named(ioc3, "sio", 0,
                                qdev_get_gpio_in_named(bridge, "pin",
                                                       PIN_SIO));
    pci_bus_set_slot_reserved_mask(bus, SLOTS_TAKEN);

    s->launch_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, octane_wait_launch, s);
    s->button = qdev_get_gpio_in_named(bridge, "pin", PIN_POWER);
    s->button_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, octane_release_button,
                                   s);
    s->powerdown.notify = octane_press_button;
    qemu_register_powerdown_notifier(&s->powerdown);
    vmstate_register(NULL, 0, &vmstate_octane, s);

    if (ms->kernel_filename) {
        octane_load_kernel(s);
    }
}

/*
 * BRIDGE offers no I/O space, which Linux would miss in a legacy device. DMA
 * goes through BRIDGE.
 */
static GlobalProperty octane_defaults[] = {
    { "virtio-pci", "disable-legacy", "on" },
    { "virtio-device", "iommu_platform", "on" },
};

static void octane_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);
    static const char * const cpu_types[] = {
        MIPS_CPU_TYPE_NAME("R10000"),
        MIPS_CPU_TYPE_NAME("R10000-v2.6"),
        MIPS_CPU_TYPE_NAME("R12000"),
        MIPS_CPU_TYPE_NAME("R14000"),
        NULL
    };

    mc->desc = "SGI Octane (IP30)";
    mc->init = octane_init;
    mc->reset = octane_reset;
    mc->max_cpus = SGI_HEART_CPUS;
    mc->default_cpu_type = MIPS_CPU_TYPE_NAME("R10000");
    mc->valid_cpu_types = cpu_types;
    mc->default_ram_size = 512 * MiB;
    mc->default_ram_id = "octane.ram";
    mc->block_default_type = IF_VIRTIO;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
    mc->no_parallel = 1;
    compat_props_add(mc->compat_props, octane_defaults,
                     G_N_ELEMENTS(octane_defaults));
}

static const TypeInfo octane_types[] = {
    {
        .name = TYPE_OCTANE,
        .parent = TYPE_MACHINE,
        .instance_size = sizeof(OctaneState),
        .class_init = octane_class_init,
    },
};

DEFINE_TYPES(octane_types)
