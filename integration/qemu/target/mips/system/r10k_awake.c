/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: which models are awake.
 *
 * A model is awake while translated code reports to it. It stays awake for a
 * while after its event was deselected: otherwise it would start cold each
 * time that an operating system, in which many events share the counters,
 * selects the event again. The caches of all CPUs are awake together, since
 * they see each other's requests.
 *
 * The TLB is awake while it has its real size. Otherwise QEMU keeps entries
 * that a random write has replaced. That saves refills, and makes a program
 * that needs many of them several times faster; but then the accesses of the
 * refills are missing in the caches, too.
 */

#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "internal.h"
#include "trace.h"
#include "r10k_models.h"

static uint8_t models_of(const CPUMIPSState *env, unsigned model)
{
    const R10kConfig *config = &env->r10k_config;
    bool wrong_path = false;

    if (model >= MEM_FIRST) {
        return R10K_AWAKE_MEM | R10K_AWAKE_TLB;
    }
    switch (model) {
    case EVENT_TLB_REFILLS:
        return R10K_AWAKE_TLB;
    case EVENT_MISPREDICTED:
        return R10K_AWAKE_BRANCH | R10K_AWAKE_TLB;
    case RULE_UNITS:
    case RULE_DECODED:
        wrong_path = config->wrong_path_insns;
        break;
    case RULE_ISSUED_LOADS:
    case RULE_DECODED_LOADS:
        wrong_path = config->wrong_path_loads;
        break;
    case RULE_ISSUED_STORES:
        wrong_path = config->wrong_path_stores;
        break;
    case RULE_ALL_BRANCHES:
        wrong_path = config->wrong_path_branches;
        break;
    }
    return wrong_path ? R10K_AWAKE_BRANCH : 0;
}

static uint8_t models_needed_by(const CPUMIPSState *env)
{
    uint8_t needed = 0;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        if (env->r10k_pmu.ctl[i] & R10K_PMU_CTL_MODES) {
            needed |= models_of(env, env->r10k_pmu.model[i]);
        }
    }
    return needed;
}

/* The models that the selected events of all CPUs need. */
static uint8_t models_needed(void)
{
    uint8_t needed = 0;
    CPUState *cs;

    CPU_FOREACH(cs) {
        needed |= models_needed_by(cpu_env(cs));
    }
    return needed;
}

static void drop_extra_tlb_entries(CPUMIPSState *env)
{
    while (env->tlb->tlb_in_use > env->tlb->nb_tlb) {
        r4k_invalidate_tlb(env, --env->tlb->tlb_in_use, 0);
    }
}

static void models_wake(CPUMIPSState *env, uint8_t awake)
{
    R10kPMU *pmu = &env->r10k_pmu;

    if (awake & ~pmu->awake & R10K_AWAKE_TLB) {
        drop_extra_tlb_entries(env);
    }
    if (awake & ~pmu->awake & R10K_AWAKE_MEM) {
        r10k_mem_wake(env);
    }
    trace_r10k_models(env_cpu(env)->cpu_index, pmu->awake, awake);
    qatomic_set(&pmu->awake, awake);    /* devices' threads read it, too */
    r10k_pmu_refresh(env);
}

static void models_set(uint8_t awake)
{
    CPUState *cs;

    CPU_FOREACH(cs) {
        CPUMIPSState *env = cpu_env(cs);

        if (env->r10k_pmu.awake != awake && r10k_pmu_present(env)) {
            models_wake(env, awake);
        }
    }
}

/* If another CPU's timer is pending, leave it to that CPU. */
static void models_timer_work(CPUState *cs, run_on_cpu_data data)
{
    CPUState *other;

    CPU_FOREACH(other) {
        QEMUTimer *timer = cpu_env(other)->r10k_models_timer;

        if (other != cs && timer && timer_pending(timer)) {
            return;
        }
    }
    models_set(models_needed());
}

static void models_timer_cb(void *opaque)
{
    async_run_on_cpu(opaque, models_timer_work, RUN_ON_CPU_NULL);
}

/* At @until (ns of virtual time), check which models are still needed. */
void r10k_awake_hold(CPUMIPSState *env, int64_t until)
{
    if (!env->r10k_models_timer) {
        env->r10k_models_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL,
                                              models_timer_cb, env_cpu(env));
    }
    timer_mod(env->r10k_models_timer, until);
}

static void models_release(CPUMIPSState *env)
{
    int64_t hold = env->r10k_config.model_hold;

    if (!hold) {
        models_set(models_needed());
        return;
    }
    r10k_awake_hold(env, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                         hold * SCALE_MS);
}

/* The selection of events has changed. */
void r10k_awake_update(CPUMIPSState *env)
{
    R10kPMU *pmu = &env->r10k_pmu;
    uint8_t released = pmu->needed;

    pmu->needed = models_needed_by(env);
    released &= ~pmu->needed;
    if (pmu->needed & ~pmu->awake) {
        models_set(pmu->needed | pmu->awake);
    }
    if (released) {
        models_release(env);
    }
}
