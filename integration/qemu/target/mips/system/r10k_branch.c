/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family branch predictor.
 *
 * A table of two-bit saturating counters. Translated code itself handles a
 * branch that goes as a saturated counter predicts, and calls this file for
 * all others.
 *
 * Sources: R10000 User's Manual, sections on the branch prediction and the
 * Diagnostic register.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "r10k_branch.h"
#include "r10k_models.h"

/*
 * The model has no wrong path: a fixed number stands for the instructions
 * that the CPU would have started there.
 */
static void count_wrong_path(CPUMIPSState *env)
{
    const R10kConfig *config = &env->r10k_config;

    r10k_pmu_count(env, RULE_UNITS, config->wrong_path_insns);
    r10k_pmu_count(env, RULE_DECODED, config->wrong_path_insns);
    r10k_pmu_count(env, RULE_ISSUED_LOADS, config->wrong_path_loads);
    r10k_pmu_count(env, RULE_DECODED_LOADS, config->wrong_path_loads);
    r10k_pmu_count(env, RULE_ISSUED_STORES, config->wrong_path_stores);
    r10k_pmu_count(env, RULE_ALL_BRANCHES, config->wrong_path_branches);
}

/* The branch with table index @index (history included) was @taken or not. */
void helper_r10k_branch(CPUMIPSState *env, uint32_t index, uint32_t taken)
{
    uint8_t *counter = &env->r10k_branch.counter[index];
    bool predicted = *counter >= 2 * R10K_BRANCH_STEP;

    if (taken && *counter < R10K_BRANCH_ALWAYS) {
        *counter += R10K_BRANCH_STEP;
    } else if (!taken && *counter > R10K_BRANCH_NEVER) {
        *counter -= R10K_BRANCH_STEP;
    }
    if (predicted != taken) {
        env->r10k_clock.mispredicted = true;
        r10k_pmu_count(env, EVENT_MISPREDICTED, 1);
        count_wrong_path(env);
    }
}
