/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: what the MIPS target calls.
 */

#ifndef TARGET_MIPS_R10K_PMU_INTERNAL_H
#define TARGET_MIPS_R10K_PMU_INTERNAL_H

/* PRId implementation numbers, company number 0. */
#define R10K_PRID_R10000 0x0900
#define R10K_PRID_R12000 0x0e00
#define R10K_PRID_R14000 0x0f00

static inline bool r10k_pmu_is_r10000(const CPUMIPSState *env)
{
    return (env->CP0_PRid & 0xffff00) == R10K_PRID_R10000;
}

static inline bool r10k_pmu_present(const CPUMIPSState *env)
{
    uint32_t prid = env->CP0_PRid & 0xffff00;

    return prid == R10K_PRID_R10000 || prid == R10K_PRID_R12000 ||
           prid == R10K_PRID_R14000;
}

/* What an instruction is to the events; a rule counts some of these. */
enum {
    R10K_INSN_ANY = 1 << 0,
    R10K_INSN_MULDIV = 1 << 1,
    R10K_INSN_LOAD = 1 << 2,
    R10K_INSN_STORE = 1 << 3,
    R10K_INSN_SC = 1 << 4,
    R10K_INSN_FP = 1 << 5,
    R10K_INSN_BRANCH = 1 << 6,
    R10K_INSN_SYNC = 1 << 7,        /* SYNC and CACHE */
    R10K_INSN_PREF_LOAD = 1 << 8,   /* PREF and PREFX with a load hint */
    R10K_INSN_PREF_STORE = 1 << 9,  /* the same with a store hint */
    R10K_INSN_SC_FAILED = 1 << 10,  /* known only when it has run */
};

/*
 * R10kPMU.tb_flags holds one rule a counter, rule 0 counting nothing. A rule
 * stands for a mask of R10K_INSN_*.
 */
#define R10K_PMU_RULE_BITS 4
#define R10K_PMU_RULE(flags, i) \
    (((flags) >> (R10K_PMU_RULE_BITS * (i))) & ((1u << R10K_PMU_RULE_BITS) - 1))

#ifndef CONFIG_USER_ONLY

extern const VMStateDescription vmstate_r10k_pmu;

uint16_t r10k_pmu_rule_mask(const CPUMIPSState *env, unsigned rule);
void r10k_pmu_set_mode(CPUMIPSState *env);
void r10k_pmu_timer_level(CPUMIPSState *env, bool level);
void r10k_pmu_count_refill(CPUMIPSState *env, int excp);
void r10k_pmu_leave_block(CPUMIPSState *env, uint32_t word);
bool r10k_pmu_defer_interrupt(CPUState *cs);
bool r10k_pmu_counts_refills(const CPUMIPSState *env);

/* Status may have changed. */
static inline void r10k_pmu_mode_changed(CPUMIPSState *env)
{
    if (unlikely(env->r10k_pmu.active)) {
        r10k_pmu_set_mode(env);
    }
}

/* Exception @excp is about to be taken. */
static inline void r10k_pmu_exception(CPUMIPSState *env, int excp)
{
    if (unlikely(env->r10k_pmu.active)) {
        r10k_pmu_count_refill(env, excp);
    }
}

/* A block is left before the instruction beside which it has @word. */
static inline void r10k_pmu_restore(CPUMIPSState *env, uint32_t word)
{
    if (unlikely(env->r10k_pmu.active)) {
        r10k_pmu_leave_block(env, word);
    }
}

#else

static inline void r10k_pmu_mode_changed(CPUMIPSState *env)
{
}

static inline void r10k_pmu_restore(CPUMIPSState *env, uint32_t word)
{
}

#endif /* !CONFIG_USER_ONLY */

/*
 * The word beside each instruction of a translation block: what the block
 * has counted before this instruction and not yet added.
 */
#define R10K_PMU_WORD(n0, n1) ((n0) | ((uint32_t)(n1) << 16))
#define R10K_PMU_WORD_COUNT(word, i) (((word) >> (16 * (i))) & 0xffff)

#endif /* TARGET_MIPS_R10K_PMU_INTERNAL_H */
