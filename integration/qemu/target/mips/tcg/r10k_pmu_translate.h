/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: functions for the translator.
 */

#ifndef TARGET_MIPS_TCG_R10K_PMU_TRANSLATE_H
#define TARGET_MIPS_TCG_R10K_PMU_TRANSLATE_H

/**
 * R10kPMUTranslation: counting in the block that is being translated
 * @present: the CPU has the counters
 * @r10000: the CPU is an R10000, not one of its successors
 * @counting: something is counted, or a model is awake
 * @mem: the caches are awake
 * @branch: the branch predictor is awake
 * @history: the branch predictor uses the global history
 * @near: an overflow is near: the block is a single instruction
 * @skid: an overflow interrupts after some more instructions, or IP7 drops
 *        after them: the same
 * @counted: the instruction has been counted already
 * @leave: the delay slot may have changed what counts: the block's end must
 *         not be chained to another block
 * @branch_early: the delay slot has reported its branch
 * @conditional: the block ends with a conditional branch
 * @log: number of log entries that have not been reported
 * @fetched: @fetch_line is valid
 * @pc: address of the instruction; the decoder may change pc_next
 * @fetch_line: line of the last instruction
 * @class: the kinds (R10K_INSN_*) of the current instruction
 * @mask: for each counter, the kinds of instructions that it counts
 * @pending: counted since the block's start or the last flush, not yet added
 * @begin: the last operation before the instruction's own
 * @address: the address that the instruction accesses
 * @unknown: at run time over 31 if the filter lacked an access of the log
 */
typedef struct R10kPMUTranslation {
    bool present;
    bool r10000;
    bool counting;
    bool mem;
    bool branch;
    bool history;
    bool near;
    bool skid;
    bool counted;
    bool leave;
    bool branch_early;
    bool conditional;
    bool fetched;
    uint8_t log;
    uint16_t class;
    uint16_t mask[R10K_PMU_COUNTERS];
    uint16_t pending[R10K_PMU_COUNTERS];
    vaddr pc;
    vaddr fetch_line;
    TCGOp *begin;
    TCGv address;
    TCGv unknown;
} R10kPMUTranslation;

struct DisasContext;

#ifndef CONFIG_USER_ONLY

void r10k_pmu_tr_init(struct DisasContext *ctx, CPUMIPSState *env);
uint64_t r10k_pmu_tr_insn_start(struct DisasContext *ctx);
void r10k_pmu_tr_insn_begin(struct DisasContext *ctx);
void r10k_pmu_tr_insn_done(struct DisasContext *ctx);
void r10k_pmu_tr_add(struct DisasContext *ctx);
void r10k_pmu_tr_flush(struct DisasContext *ctx);
void r10k_pmu_tr_branch(struct DisasContext *ctx);
bool r10k_pmu_tr_goto(struct DisasContext *ctx, int n, target_ulong dest);
void r10k_pmu_tr_sc(struct DisasContext *ctx, TCGv success);
bool r10k_pmu_tr_cp0(CPUMIPSState *env, struct DisasContext *ctx, uint32_t opc,
                     int rt, int rd);
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

static inline void r10k_pmu_tr_insn_begin(struct DisasContext *ctx)
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

static inline bool r10k_pmu_tr_goto(struct DisasContext *ctx, int n,
                                    target_ulong dest)
{
    return false;
}

static inline void r10k_pmu_tr_sc(struct DisasContext *ctx, TCGv success)
{
}

#endif /* !CONFIG_USER_ONLY */
#endif /* TARGET_MIPS_TCG_R10K_PMU_TRANSLATE_H */
