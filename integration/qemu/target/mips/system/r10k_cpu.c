/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the CPUs' properties, and what follows from them.
 *
 * The properties change a copy of the CPU's definition, from which a reset
 * takes the values of the registers.
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "cpu.h"
#include "internal.h"
#include "hw/boards.h"
#include "hw/clock.h"
#include "hw/mips/snoop.h"
#include "hw/qdev-properties.h"
#include "system/tcg.h"
#include "r10k_config.h"

#define L2_SIZE_MIN (512 * KiB)
#define L2_SIZE_MAX (16 * MiB)

/* Config: log2 of the L2 size in units of 512 KB; set for lines of 128 bytes */
#define CONFIG_SS   16
#define CONFIG_SB   13

#define PROP(kind, name, field, value) \
    DEFINE_PROP_##kind(name, MIPSCPU, env.r10k_config.field, value)

static const Property r10k_cpu_properties[] = {
    PROP(SIZE, "l2-size", l2_size, 1 * MiB),
    PROP(UINT32, "l2-line", l2_line, 128),
    PROP(UINT64, "clock", clock, 0),
    PROP(BOOL, "mips64r2", mips64r2, false),
    PROP(BOOL, "wait", wait, false),
    PROP(UINT32, "model-hold", model_hold, 1000),
    PROP(UINT32, "l2-latency", l2_latency, 10),
    PROP(UINT32, "memory-latency", memory_latency, 60),
    PROP(UINT32, "wrong-path-insns", wrong_path_insns, 0),
    PROP(UINT32, "wrong-path-loads", wrong_path_loads, 0),
    PROP(UINT32, "wrong-path-stores", wrong_path_stores, 0),
    PROP(UINT32, "wrong-path-branches", wrong_path_branches, 0),
    PROP(UINT32, "skid", skid, 0),
    PROP(UINT32, "linger", linger, 0),
    DEFINE_PROP_STRING("overflow", MIPSCPU, env.r10k_config.overflow_name),
    DEFINE_PROP_STRING("events", MIPSCPU, env.r10k_config.events_name),
    PROP(UINT32, "stuck-after", stuck_after, 0),
    PROP(UINT32, "reset-value", reset_value, 0),
    PROP(BOOL, "reserved-bits", reserved_bits, false),
};

/* Properties that can have any value in a range */
static const struct {
    const char *name;
    size_t offset;
    uint32_t min;
    uint32_t max;
    const char *unit;
} ranges[] = {
#define RANGE(name, field, min, max, unit) \
    { name, offsetof(R10kConfig, field), min, max, unit }
    RANGE("model-hold", model_hold, 0, 3600000, "ms"),
    RANGE("l2-latency", l2_latency, 1, 10000, "cycles"),
    RANGE("memory-latency", memory_latency, 1, 10000, "cycles"),
    RANGE("wrong-path-insns", wrong_path_insns, 0, 1000, "a branch"),
    RANGE("wrong-path-loads", wrong_path_loads, 0, 1000, "a branch"),
    RANGE("wrong-path-stores", wrong_path_stores, 0, 1000, "a branch"),
    RANGE("wrong-path-branches", wrong_path_branches, 0, 1000, "a branch"),
    RANGE("skid", skid, 0, 1000, "instructions"),
    RANGE("linger", linger, 0, 100000, "instructions"),
#undef RANGE
};

/* Properties that have one of a few values; the first is the default */
static const struct {
    const char *name;
    size_t given;
    size_t offset;
    const char *values[5];
} choices[] = {
#define CHOICE(name, field, ...) \
    { name, offsetof(R10kConfig, field##_name), offsetof(R10kConfig, field), \
      { __VA_ARGS__, NULL } }
    CHOICE("overflow", overflow, "level", "crossing", "latch", "never"),
    CHOICE("events", events, "full", "split5", "split4"),
#undef CHOICE
};

/* Beyond these, Count and the guest's time are too coarse, or overflow. */
#define CLOCK_MIN   1000000u
#define CLOCK_MAX   4000000000u

static DeviceRealize mips_cpu_realize;
static ResettablePhases mips_cpu_phases;

static bool check_ranges(const R10kConfig *config, Error **errp)
{
    int i;

    for (i = 0; i < ARRAY_SIZE(ranges); i++) {
        uint32_t value = *(uint32_t *)((char *)config + ranges[i].offset);

        if (value < ranges[i].min || value > ranges[i].max) {
            error_setg(errp, "%s=%u is out of range: it must be from %u to %u "
                       "%s", ranges[i].name, value, ranges[i].min,
                       ranges[i].max, ranges[i].unit);
            return false;
        }
    }
    if (config->clock &&
        (config->clock < CLOCK_MIN || config->clock > CLOCK_MAX)) {
        error_setg(errp, "clock=%" PRIu64 " is out of range: it must be from "
                   "%u to %u Hz, or 0 for the board's clock", config->clock,
                   CLOCK_MIN, CLOCK_MAX);
        return false;
    }
    return true;
}

static bool choose(R10kConfig *config, Error **errp)
{
    int i;

    for (i = 0; i < ARRAY_SIZE(choices); i++) {
        const char *const *values = choices[i].values;
        char **given = (char **)((char *)config + choices[i].given);
        uint8_t value = 0;

        if (!*given) {
            *given = g_strdup(values[0]);
        }
        while (values[value] && strcmp(*given, values[value])) {
            value++;
        }
        if (!values[value]) {
            g_autofree char *known = g_strjoinv(", ", (char **)values);

            error_setg(errp, "%s=%s is unknown: it must be one of %s",
                       choices[i].name, *given, known);
            return false;
        }
        *((uint8_t *)config + choices[i].offset) = value;
    }
    return true;
}

/* What only another CPU has, or no CPU can have */
static bool check_pmu(const CPUMIPSState *env, Error **errp)
{
    const R10kConfig *config = &env->r10k_config;

    if (config->events != R10K_EVENTS_FULL && r10k_pmu_is_r10000(env)) {
        error_setg(errp, "events=%s is of the R12000 and later: an R10000 "
                   "always has split codes of four bits",
                   config->events_name);
        return false;
    }
    if (config->stuck_after && config->overflow == R10K_OVERFLOW_LATCH) {
        error_setg(errp, "stuck-after=%u and overflow=latch exclude each "
                   "other: nothing would ever clear the interrupt",
                   config->stuck_after);
        return false;
    }
    return true;
}

static bool check_l2(const R10kConfig *config, Error **errp)
{
    if (!is_power_of_2(config->l2_size) || config->l2_size < L2_SIZE_MIN ||
        config->l2_size > L2_SIZE_MAX) {
        error_setg(errp, "l2-size=%" PRIu64 " is not a size of the level 2 "
                   "cache: it must be 512K, 1M, 2M, 4M, 8M or 16M",
                   config->l2_size);
        return false;
    }
    if (config->l2_line != 64 && config->l2_line != 128) {
        error_setg(errp, "l2-line=%u is not a line size of the level 2 cache: "
                   "it must be 64 or 128", config->l2_line);
        return false;
    }
    return true;
}

static bool check_threads(Error **errp)
{
    if (current_machine->smp.cpus > 1 && tcg_enabled() &&
        qemu_tcg_mttcg_enabled()) {
        error_setg(errp, "several CPUs of the R10000 family must run in one "
                   "thread, because the models of their caches share state: "
                   "add -accel tcg,thread=single");
        return false;
    }
    return true;
}

/*
 * Return a copy of the CPU's definition, changed as the CPU's properties
 * (@config) say.
 */
static const mips_def_t *configured(const mips_def_t *from,
                                    const R10kConfig *config)
{
    mips_def_t *def = g_memdup2(from, sizeof(*from));

    def->CP0_Config0 = deposit32(def->CP0_Config0, CONFIG_SS, 3,
                                 ctz64(config->l2_size / L2_SIZE_MIN));
    def->CP0_Config0 = deposit32(def->CP0_Config0, CONFIG_SB, 1,
                                 config->l2_line == 128);
    if (config->mips64r2) {
        def->insn_flags = CPU_MIPS64R2 | INSN_R10K;
        def->CP1_fcr0 |= (1 << FCR0_F64) | (1 << FCR0_L) | (1 << FCR0_W) |
                         (1 << FCR0_D) | (1 << FCR0_S);
    }
    return def;
}

static void use_own_clock(MIPSCPU *cpu, uint64_t hz)
{
    cpu->clock = clock_new(OBJECT(cpu), "r10k-clock");
    clock_set_hz(cpu->clock, hz);
}

/* An entry matches no address until it is written for the first time. */
static void empty_tlb(CPUMIPSState *env)
{
    int i;

    for (i = 0; i < env->tlb->nb_tlb; i++) {
        env->tlb->mmu.r4k.tlb[i].EHINV = 1;
    }
}

static void r10k_cpu_realize(DeviceState *dev, Error **errp)
{
    ERRP_GUARD();
    MIPSCPU *cpu = MIPS_CPU(dev);
    CPUMIPSState *env = &cpu->env;

    if (!check_ranges(&env->r10k_config, errp) ||
        !choose(&env->r10k_config, errp) || !check_pmu(env, errp) ||
        !check_l2(&env->r10k_config, errp) || !check_threads(errp)) {
        return;
    }
    env->cpu_model = configured(env->cpu_model, &env->r10k_config);
    if (env->r10k_config.clock) {
        use_own_clock(cpu, env->r10k_config.clock);
    }
    mips_cpu_realize(dev, errp);
    if (!*errp) {
        assert(env->tlb->nb_tlb == R10K_TLB_ENTRIES);
        empty_tlb(env);
    }
}

static void r10k_cpu_reset_hold(Object *obj, ResetType type)
{
    mips_cpu_phases.hold(obj, type);
    r10k_pmu_reset(&MIPS_CPU(obj)->env);
}

/* The interfaces of a CPU type */
InterfaceInfo *r10k_cpu_interfaces(const mips_def_t *def)
{
    static InterfaceInfo interfaces[] = {
        { TYPE_MIPS_SNOOP },
        { }
    };

    return def->insn_flags & INSN_R10K ? interfaces : NULL;
}

/* Called for every CPU type. */
void r10k_cpu_class_init(ObjectClass *oc, const mips_def_t *def)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    if (def->insn_flags & INSN_R10K) {
        device_class_set_props(dc, r10k_cpu_properties);
        r10k_snoop_class_init(oc);
        device_class_set_parent_realize(dc, r10k_cpu_realize,
                                        &mips_cpu_realize);
        resettable_class_set_parent_phases(RESETTABLE_CLASS(oc), NULL,
                                           r10k_cpu_reset_hold, NULL,
                                           &mips_cpu_phases);
    }
}
