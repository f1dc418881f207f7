/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: snapshots and migration.
 *
 * This subsection of the CPU's VMState has the counters, the models, and state
 * that QEMU does not save although a count can depend on it: a branch that
 * waits for its delay slot, the value that LL has read, the time of the next
 * Count/Compare match and the generator of random TLB indexes. State that is
 * derived from these is not saved, but derived again after a load.
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "internal.h"
#include "migration/cpu.h"
#include "migration/vmstate.h"
#include "r10k_mem_internal.h"
#include "r10k_models.h"

/* What must be the same in the CPU that was saved and in this one */

/**
 * R10kIdentity: the kind of CPU that a snapshot was taken of
 * @parent: the CPU that is saved or loaded
 * @prid: CPU type and revision
 * @config: some of its properties
 */
typedef struct R10kIdentity {
    MIPSCPU *parent;
    uint32_t prid;
    R10kConfig config;
} R10kIdentity;

static int identity_pre_save(void *opaque)
{
    R10kIdentity *saved = opaque;

    saved->prid = saved->parent->env.CP0_PRid;
    saved->config = saved->parent->env.r10k_config;
    return 0;
}

/* The name of a CPU type that reports @prid; several types may do so. */
static char *type_of(uint32_t prid)
{
    g_autoptr(GSList) list = object_class_get_list(TYPE_MIPS_CPU, false);
    GSList *l;

    for (l = list; l; l = l->next) {
        const mips_def_t *def = MIPS_CPU_CLASS(l->data)->cpu_def;

        if (def && def->CP0_PRid == prid) {
            return cpu_model_from_type(object_class_get_name(l->data));
        }
    }
    return g_strdup_printf("CPU with PRId 0x%04x", prid);
}

static bool same_type(CPUMIPSState *env, uint32_t prid)
{
    if (prid != env->cpu_model->CP0_PRid) {
        g_autofree char *from = type_of(prid);
        g_autofree char *to =
            cpu_model_from_type(object_get_typename(OBJECT(env_cpu(env))));

        error_report("the snapshot is of a CPU of type %s and cannot be "
                     "loaded into one of type %s", from, to);
        return false;
    }
    return true;
}

static bool same_value(const char *name, uint64_t saved, uint64_t have)
{
    if (saved != have) {
        error_report("the snapshot is of a CPU with %s=%" PRIu64 ", this one "
                     "has %s=%" PRIu64, name, saved, name, have);
        return false;
    }
    return true;
}

static int identity_post_load(void *opaque, int version_id)
{
    const R10kIdentity *saved = opaque;
    CPUMIPSState *env = &saved->parent->env;
    const R10kConfig *from = &saved->config;
    const R10kConfig *to = &env->r10k_config;

    return same_type(env, saved->prid) &&
           same_value("l2-size", from->l2_size, to->l2_size) &&
           same_value("l2-line", from->l2_line, to->l2_line) &&
           same_value("clock", from->clock, to->clock) &&
           same_value("mips64r2", from->mips64r2, to->mips64r2) &&
           same_value("wait", from->wait, to->wait) ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_r10k_identity = {
    .name = "cpu/r10k_pmu/identity",
    .pre_save = identity_pre_save,
    .post_load = identity_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(prid, R10kIdentity),
        VMSTATE_UINT64(config.l2_size, R10kIdentity),
        VMSTATE_UINT32(config.l2_line, R10kIdentity),
        VMSTATE_UINT64(config.clock, R10kIdentity),
        VMSTATE_BOOL(config.mips64r2, R10kIdentity),
        VMSTATE_BOOL(config.wait, R10kIdentity),
        VMSTATE_END_OF_LIST()
    },
};

/*
 * A snapshot of a CPU of another family does not have this subsection. Compare
 * the PRId, which QEMU itself saves.
 */
bool r10k_vmstate_check(CPUMIPSState *env)
{
    return !(env->cpu_model->insn_flags & INSN_R10K) ||
           same_type(env, env->CP0_PRid);
}

/* State that cannot be saved in the form in which a CPU keeps it */

/**
 * R10kLoose: this state, in the form in which it is saved
 * @parent: the CPU
 * @branch: the flags of a branch whose delay slot comes next
 * @hold: when to check which models are still needed, in ns; -1 for never
 */
typedef struct R10kLoose {
    MIPSCPU *parent;
    uint32_t branch;
    int64_t hold;
} R10kLoose;

static int loose_pre_save(void *opaque)
{
    R10kLoose *loose = opaque;
    CPUMIPSState *env = &loose->parent->env;

    loose->branch = env->hflags & MIPS_HFLAG_BMASK;
    loose->hold = env->r10k_models_timer
        ? timer_expire_time_ns(env->r10k_models_timer) : -1;
    return 0;
}

static int loose_post_load(void *opaque, int version_id)
{
    const R10kLoose *loose = opaque;
    CPUMIPSState *env = &loose->parent->env;

    env->hflags = (env->hflags & ~MIPS_HFLAG_BMASK) | loose->branch;
    if (loose->hold != -1) {
        r10k_awake_hold(env, loose->hold);
    } else if (env->r10k_models_timer) {
        timer_del(env->r10k_models_timer);
    }
    return 0;
}

static const VMStateDescription vmstate_r10k_loose = {
    .name = "cpu/r10k_pmu/loose",
    .pre_save = loose_pre_save,
    .post_load = loose_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(branch, R10kLoose),
        VMSTATE_INT64(hold, R10kLoose),
        VMSTATE_END_OF_LIST()
    },
};

/* Caches */

static const VMStateDescription vmstate_r10k_l2_set = {
    .name = "cpu/r10k_mem/l2_set",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64_ARRAY(block, R10kL2Set, R10K_WAYS),
        VMSTATE_UINT8_ARRAY(ecc, R10kL2Set, R10K_WAYS),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_r10k_caches = {
    .name = "cpu/r10k_mem/caches",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64_2DARRAY(l1i, R10kMem, R10K_L1I_SETS, R10K_WAYS),
        VMSTATE_UINT8_ARRAY(l1i_mru, R10kMem, R10K_L1I_SETS),
        VMSTATE_UINT64_2DARRAY(l1d, R10kMem, R10K_L1D_SETS, R10K_WAYS),
        VMSTATE_UINT8_ARRAY(l1d_mru, R10kMem, R10K_L1D_SETS),
        VMSTATE_STRUCT_VARRAY_POINTER_UINT32(l2, R10kMem, l2_sets,
                                             vmstate_r10k_l2_set, R10kL2Set),
        VMSTATE_BUFFER(way, R10kMem),
        VMSTATE_UINT64_ARRAY(mht_until, R10kMem, R10K_MHT_ENTRIES),
        VMSTATE_END_OF_LIST()
    },
};

static bool mem_needed(void *opaque)
{
    return MIPS_CPU(opaque)->env.r10k_pmu.mem_valid;
}

static int mem_pre_load(void *opaque)
{
    r10k_mem_prepare(&MIPS_CPU(opaque)->env);
    return 0;
}

static const VMStateDescription vmstate_r10k_mem = {
    .name = "cpu/r10k_pmu/mem",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = mem_needed,
    .pre_load = mem_pre_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(env.r10k_mem, MIPSCPU, vmstate_r10k_caches,
                               R10kMem),
        VMSTATE_END_OF_LIST()
    },
};

/* All together */

static bool pmu_needed(void *opaque)
{
    return r10k_pmu_present(&MIPS_CPU(opaque)->env);
}

static int pmu_pre_save(void *opaque)
{
    r10k_pmu_before_save(&MIPS_CPU(opaque)->env);
    return 0;
}

/* A snapshot has the caches only if they have been used. */
static int pmu_pre_load(void *opaque)
{
    MIPS_CPU(opaque)->env.r10k_pmu.mem_valid = false;
    return 0;
}

static int pmu_post_load(void *opaque, int version_id)
{
    r10k_pmu_after_load(&MIPS_CPU(opaque)->env);
    return 0;
}

const VMStateDescription vmstate_r10k_pmu = {
    .name = "cpu/r10k_pmu",
    .version_id = 5,
    .minimum_version_id = 5,
    .needed = pmu_needed,
    .pre_save = pmu_pre_save,
    .pre_load = pmu_pre_load,
    .post_load = pmu_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_WITH_TMP(MIPSCPU, R10kIdentity, vmstate_r10k_identity),
        VMSTATE_UINT32_ARRAY(env.r10k_pmu.ctl, MIPSCPU, R10K_PMU_COUNTERS),
        VMSTATE_UINT32_ARRAY(env.r10k_pmu.base, MIPSCPU, R10K_PMU_COUNTERS),
        VMSTATE_UINT32(env.r10k_pmu.run, MIPSCPU),
        VMSTATE_BOOL(env.r10k_pmu.timer_latch, MIPSCPU),
        VMSTATE_UINT8(env.r10k_pmu.awake, MIPSCPU),
        VMSTATE_UINT8(env.r10k_pmu.needed, MIPSCPU),
        VMSTATE_UINT64(env.r10k_pmu.diag, MIPSCPU),
        VMSTATE_UINT32(env.r10k_pmu.random, MIPSCPU),
        VMSTATE_UINT32(env.r10k_pmu.random_last, MIPSCPU),
        VMSTATE_BUFFER(env.r10k_branch.counter, MIPSCPU),
        VMSTATE_UINT32(env.r10k_branch.history, MIPSCPU),
        VMSTATE_UINTTL(env.llval, MIPSCPU),
        VMSTATE_TIMER_PTR(env.timer, MIPSCPU),
        VMSTATE_WITH_TMP(MIPSCPU, R10kLoose, vmstate_r10k_loose),
        VMSTATE_UINT32(env.r10k_pmu.skid, MIPSCPU),
        VMSTATE_UINT32(env.r10k_pmu.linger, MIPSCPU),
        VMSTATE_UINT8(env.r10k_pmu.latched, MIPSCPU),
        VMSTATE_UINT32(env.r10k_pmu.overflows, MIPSCPU),
        VMSTATE_UINT8(env.r10k_pmu.stuck, MIPSCPU),
        VMSTATE_BOOL(env.r10k_pmu.left, MIPSCPU),
        VMSTATE_UINT8_ARRAY(env.r10k_tlb_uc, MIPSCPU, R10K_TLB_ENTRIES),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription * const []) {
        &vmstate_r10k_mem, NULL
    },
};
