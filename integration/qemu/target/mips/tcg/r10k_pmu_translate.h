/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: what the translator calls.
 */

#ifndef TARGET_MIPS_TCG_R10K_PMU_TRANSLATE_H
#define TARGET_MIPS_TCG_R10K_PMU_TRANSLATE_H

/**
 * R10kPMUTranslation: counting in the block that is being translated
 * @present: the CPU has the counters
 * @counted: the instruction has been counted already
 * @leave: the delay slot may have changed what counts: the block's end must
 *         not be chained to another block
 * @mask: per counter the kinds of instruction (R10K_INSN_*) that it counts
 * @pending: counted since the block's begin or the last flush, not yet added
 */
typedef struct R10kPMUTranslation {
    bool present;
    bool counted;
    bool leave;
    uint16_t mask[R10K_PMU_COUNTERS];
    uint16_t pending[R10K_PMU_COUNTERS];
} R10kPMUTranslation;

struct DisasContext;

#ifndef CONFIG_USER_ONLY

void r10k_pmu_tr_init(struct DisasContext *ctx, CPUMIPSState *env);
uint64_t r10k_pmu_tr_insn_start(struct DisasContext *ctx);
void r10k_pmu_tr_insn_done(struct DisasContext *ctx);
void r10k_pmu_tr_add(struct DisasContext *ctx);
void r10k_pmu_tr_flush(struct DisasContext *ctx);
void r10k_pmu_tr_branch(struct DisasContext *ctx);
bool r10k_pmu_tr_goto(struct DisasContext *ctx, target_ulong dest);
void r10k_pmu_tr_sc(struct DisasContext *ctx, TCGv success);
bool r10k_pmu_tr_cp0(struct DisasContext *ctx, uint32_t opc, int rt, int rd);
void r10k_pmu_tr_wait(struct DisasContext *ctx);

#else

static inline void r10k_pmu_tr_init(struct DisasContext *ctx,
                                    CPUMIPSState *env)
{
}

static inline uint64_t r10k_pmu_tr_insn_start(struct DisasContext *ctx)
{
    return 0;
}

static inline void r10k_pmu_tr_insn_done(struct DisasContext *ctx)
{
}

static inline void r10k_pmu_tr_add(struct DisasContext *ctx)
{
}

static inline void r10k_pmu_tr_flush(struct DisasContext *ctx)
{
}

static inline void r10k_pmu_tr_branch(struct DisasContext *ctx)
{
}

static inline bool r10k_pmu_tr_goto(struct DisasContext *ctx,
                                    target_ulong dest)
{
    return false;
}

static inline void r10k_pmu_tr_sc(struct DisasContext *ctx, TCGv success)
{
}

#endif /* !CONFIG_USER_ONLY */
#endif /* TARGET_MIPS_TCG_R10K_PMU_TRANSLATE_H */
