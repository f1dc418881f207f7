/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: how each event is counted.
 */

#ifndef TARGET_MIPS_R10K_MODELS_H
#define TARGET_MIPS_R10K_MODELS_H

#include "r10k_pmu_internal.h"

/* What counts an event: translated code (RULE_*), or other code of QEMU. */
enum {
    RULE_NONE,
    RULE_GRADUATED,
    RULE_UNITS,
    RULE_DECODED,
    RULE_LOADS,
    RULE_ISSUED_LOADS,
    RULE_DECODED_LOADS,
    RULE_STORES,
    RULE_ISSUED_STORES,
    RULE_SC,
    RULE_SC_FAILED,
    RULE_FP,
    RULE_BRANCHES,
    RULE_ALL_BRANCHES,
    RULE_PROGRESS,
    RULES,
    EVENT_CYCLES = RULES,
    EVENT_TLB_REFILLS,
    EVENT_MISPREDICTED,
    MEM_MHT_OCCUPANCY,
    MEM_L2_WRITEBACK_QUADWORDS,
    MEM_L2_ECC_ERRORS,
    MEM_L1I_MISSES,
    MEM_L2I_MISSES,
    MEM_L2I_WAY_MISPREDICTED,
    MEM_EXT_INTERVENTIONS,
    MEM_EXT_INVALIDATIONS,
    MEM_VIRTUAL_COHERENCY,
    MEM_PREFETCHES,
    MEM_PREFETCH_MISSES,
    MEM_L1D_WRITEBACK_QUADWORDS,
    MEM_L1D_MISSES,
    MEM_L2D_MISSES,
    MEM_L2D_WAY_MISPREDICTED,
    MEM_EXT_INTERVENTION_HITS,
    MEM_EXT_INTERVENTION_STATE,
    MEM_EXT_INVALIDATION_HITS,
    MEM_EXT_INVALIDATION_STATE,
    MEM_STORE_TO_CLEAN,
    MEM_MHT_MEMORY,
    MEM_STORE_TO_SHARED,
    MEM_UPDATE_REQUESTS,
    MODELS,
    MEM_FIRST = MEM_MHT_OCCUPANCY,
};

void r10k_pmu_count(CPUMIPSState *env, unsigned model, unsigned n);
bool r10k_pmu_counting(const CPUMIPSState *env, unsigned model);
uint64_t r10k_pmu_model_cycle(CPUMIPSState *env);
void r10k_pmu_refresh(CPUMIPSState *env);

void r10k_awake_update(CPUMIPSState *env);
void r10k_awake_timed(CPUMIPSState *env);
void r10k_awake_hold(CPUMIPSState *env, int64_t until);

#endif /* TARGET_MIPS_R10K_MODELS_H */
