/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: counting in translated code.
 *
 * The counts of a block are constants: the translator sums them up, and the
 * block adds them at its exits, both counters' by one addition. The prefix sum
 * of each instruction is saved with it, so that an exception in the middle of
 * a block adds exactly what has graduated. If nothing is counted, the code is
 * that of stock QEMU, except CACHE and moves to coprocessor 0; and blocks that
 * end in a delay slot that writes Status or the counters are not chained.
 *
 * An instruction counts when it has graduated: one that raises an exception
 * does not count; a read of a counter gives the events of all instructions
 * before it; a write to a counter or control register is itself counted
 * before it takes effect.
 */

#include "qemu/osdep.h"
#include "translate.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "exec/translation-block.h"
#include "r10k_pmu_internal.h"
#include "tcg/r10k_insn.h"
#include "tcg/r10k_mem_translate.h"

/* The count of an instruction: multiply and divide graduate as two. */
static unsigned insn_count(uint16_t mask, uint16_t class)
{
    if (mask & R10K_INSN_ANY) {
        return 1 + !!(mask & class & R10K_INSN_MULDIV);
    }
    return !!(mask & class);
}

void r10k_pmu_tr_init(DisasContext *ctx, CPUMIPSState *env)
{
    static const uint16_t most_insns[] = {
        [R10K_STAGE_NONE] = TCG_MAX_INSNS,
        [R10K_STAGE_SOON] = R10K_SOON_INSNS,
        [R10K_STAGE_CLOSE] = R10K_CLOSE_INSNS,
        [R10K_STAGE_NEAR] = 1,
    };
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    uint64_t flags = ctx->base.tb->cs_base;
    int stage = R10K_TB_STAGE_OF(flags);
    int i;

    *tr = (R10kPMUTranslation) {
        .present = r10k_pmu_present(env),
        .r10000 = r10k_pmu_is_r10000(env),
        .mem = flags & R10K_TB_MEM,
        .branch = flags & R10K_TB_BRANCH,
        .history = flags & R10K_TB_HISTORY,
        .near = stage == R10K_STAGE_NEAR,
        .skid = flags & R10K_TB_SKID,
    };
    /* The skid may begin early in this instruction */
    tr->skid |= tr->near && env->r10k_config.skid;
    if (tr->skid || (flags & R10K_TB_TIMED)) {
        ctx->base.max_insns = 1;
    }
    ctx->base.max_insns = MIN(ctx->base.max_insns, most_insns[stage]);
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        unsigned rule = R10K_PMU_RULE(flags, i);

        tr->mask[i] = r10k_pmu_rule_mask(env, rule);
    }
    tr->counting = flags;
}

/*
 * The prefix sums, in the upper half of the word that holds the hflags. Near an
 * overflow the fetch is reported early.
 */
uint64_t r10k_pmu_tr_insn_start(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    tr->counted = false;
    r10k_mem_tr_fetch(ctx);
    return (uint64_t)R10K_PMU_WORD(tr->pending[0], tr->pending[1],
                                   tr->near ? 0 : tr->log) << 32;
}

/* Called when the opcode is known, before it is translated. */
void r10k_pmu_tr_insn_begin(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    tr->pc = ctx->base.pc_next;
    if (tr->counting) {
        tr->class = r10k_insn_class(ctx->opcode);
    }
    if (tr->present) {
        r10k_mem_tr_address(ctx);
    }
    if (tr->near) {
        r10k_mem_tr_early_fetch(ctx);
    }
    tr->begin = tcg_last_op();
}

/* Count the instruction that has just been translated: it graduates next. */
void r10k_pmu_tr_insn_done(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    int i;

    if (tr->counted || !tr->present || ctx->base.is_jmp == DISAS_NORETURN) {
        return;
    }
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        tr->pending[i] += insn_count(tr->mask[i], tr->class);
    }
    r10k_mem_tr_access(ctx);
    r10k_branch_tr_known(ctx);
    if (tr->near) {
        tcg_gen_st8_i32(tcg_constant_i32(false), tcg_env,
                        offsetof(CPUMIPSState, r10k_pmu.left));
    }
    if (tr->skid) {
        gen_helper_r10k_skid(tcg_env, tcg_constant_i32(1));
    }
    tr->counted = true;
}

/*
 * Add @n to both halves of R10kPMU.run, between which there is no carry. Jump
 * to @to: with @full if a half is full, else if none is.
 */
static void gen_add(TCGv_i32 n, TCGLabel *to, bool full)
{
    intptr_t offset = offsetof(CPUMIPSState, r10k_pmu.run);
    TCGv_i32 run = tcg_temp_new_i32();

    tcg_gen_ld_i32(run, tcg_env, offset);
    tcg_gen_add_i32(run, run, n);
    tcg_gen_st_i32(run, tcg_env, offset);
    tcg_gen_brcondi_i32(full ? TCG_COND_TSTNE : TCG_COND_TSTEQ, run,
                        R10K_PMU_RUN_ANY_FULL, to);
}

static uint32_t pending(const R10kPMUTranslation *tr)
{
    return tr->pending[0] << R10K_PMU_RUN_SHIFT(0) |
           tr->pending[1] << R10K_PMU_RUN_SHIFT(1);
}

/* Add @n where the block does not end. */
static void gen_add_and_stay(TCGv_i32 n)
{
    TCGLabel *quiet = gen_new_label();

    gen_add(n, quiet, false);
    gen_helper_r10k_pmu_overflow(tcg_env);
    gen_set_label(quiet);
}

static void gen_counts(const R10kPMUTranslation *tr)
{
    if (pending(tr)) {
        gen_add_and_stay(tcg_constant_i32(pending(tr)));
    }
}

/* Add what is pending; it stays pending for the block's other exits. */
void r10k_pmu_tr_add(DisasContext *ctx)
{
    r10k_mem_tr_check(ctx);
    gen_counts(&ctx->r10k_pmu);
}

/* Add what is pending, for all paths that follow. */
void r10k_pmu_tr_flush(DisasContext *ctx)
{
    r10k_mem_tr_flush(ctx);
    gen_counts(&ctx->r10k_pmu);
    ctx->r10k_pmu.pending[0] = 0;
    ctx->r10k_pmu.pending[1] = 0;
}

/*
 * The delay slot of a branch has been translated, the branch comes next. If
 * the slot has written Status or the counters, it is not always the same block
 * that follows. All branches except those to a register continue in
 * r10k_pmu_tr_goto().
 */
void r10k_pmu_tr_branch(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    uint32_t base = ctx->hflags & MIPS_HFLAG_BMASK_BASE;

    tr->conditional = base == MIPS_HFLAG_BC || base == MIPS_HFLAG_BL;
    if (base == MIPS_HFLAG_BR) {
        r10k_pmu_tr_flush(ctx);
    }
    tr->leave = tr->present && ctx->base.is_jmp != DISAS_NEXT;
}

static void gen_leave(target_ulong dest)
{
    tcg_gen_movi_tl(cpu_PC, dest);
    tcg_gen_exit_tb(NULL, 0);
}

/*
 * End a block that has counted. No value in a host register must survive the
 * addition here. In the rare case of an overflow, the block is not chained.
 */
static void gen_count_and_goto(DisasContext *ctx, int n, target_ulong dest)
{
    TCGLabel *overflow = gen_new_label();

    gen_add(tcg_constant_i32(pending(&ctx->r10k_pmu)), overflow, true);
    if (translator_use_goto_tb(&ctx->base, dest)) {
        tcg_gen_goto_tb(n);
        tcg_gen_movi_tl(cpu_PC, dest);
        tcg_gen_exit_tb(ctx->base.tb, n);
    } else {
        tcg_gen_movi_tl(cpu_PC, dest);
        tcg_gen_lookup_and_goto_ptr();
    }
    gen_set_label(overflow);
    gen_helper_r10k_pmu_overflow(tcg_env);
    gen_leave(dest);
}

/*
 * A block ends and continues at @dest. @n is 0 for a conditional branch that
 * is taken. For a likely branch that is not taken, this is called before its
 * delay slot is translated. Returns true if it has ended the block itself.
 */
bool r10k_pmu_tr_goto(DisasContext *ctx, int n, target_ulong dest)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (tr->conditional ||
        (n == 1 &&
         (ctx->hflags & MIPS_HFLAG_BMASK_BASE) == MIPS_HFLAG_BL)) {
        r10k_branch_tr_check(ctx, ctx->base.pc_next - 4, n == 0);
    } else {
        r10k_mem_tr_check(ctx);
    }
    if (tr->leave) {
        gen_counts(tr);
        gen_leave(dest);
        return true;
    }
    if (pending(tr)) {
        gen_count_and_goto(ctx, n, dest);
        return true;
    }
    return false;
}

/* SC: @success is 0 or 1, or NULL on the path where SC has failed. */
void r10k_pmu_tr_sc(DisasContext *ctx, TCGv success)
{
    int i;

    r10k_mem_tr_sc(ctx, success);

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        TCGv_i32 failed;

        if (!(ctx->r10k_pmu.mask[i] & R10K_INSN_SC_FAILED)) {
            continue;
        }
        failed = tcg_temp_new_i32();
        if (success) {
            tcg_gen_trunc_tl_i32(failed, success);
            tcg_gen_xori_i32(failed, failed, 1);
        } else {
            tcg_gen_movi_i32(failed, 1);
        }
        tcg_gen_shli_i32(failed, failed, R10K_PMU_RUN_SHIFT(i));
        gen_add_and_stay(failed);
    }
}

/*
 * The helper of WAIT does not return: count it, and add, before the call. An
 * overflow need not wait for instructions that do not come.
 */
void r10k_pmu_tr_wait(DisasContext *ctx)
{
    r10k_pmu_tr_insn_done(ctx);
    r10k_pmu_tr_add(ctx);
    if (ctx->r10k_pmu.counting) {
        gen_helper_r10k_skid(tcg_env, tcg_constant_i32(UINT32_MAX));
    }
}

static void gen_read(DisasContext *ctx, uint32_t reg, int rt)
{
    TCGv_i32 value = tcg_temp_new_i32();
    TCGv t0 = tcg_temp_new();

    r10k_pmu_tr_flush(ctx);
    translator_io_start(&ctx->base);
    if (reg & 1) {
        gen_helper_r10k_mfpc(value, tcg_env, tcg_constant_i32(reg >> 1));
    } else {
        gen_helper_r10k_mfps(value, tcg_env, tcg_constant_i32(reg >> 1));
    }
    tcg_gen_ext_i32_tl(t0, value);
    gen_store_gpr(t0, rt);
    ctx->base.is_jmp = DISAS_STOP;
}

static void gen_write(DisasContext *ctx, uint32_t reg, int rt)
{
    TCGv_i32 value = tcg_temp_new_i32();
    TCGv t0 = tcg_temp_new();

    r10k_pmu_tr_insn_done(ctx);
    r10k_pmu_tr_flush(ctx);
    translator_io_start(&ctx->base);
    gen_load_gpr(t0, rt);
    tcg_gen_trunc_tl_i32(value, t0);
    if (reg & 1) {
        gen_helper_r10k_mtpc(tcg_env, value, tcg_constant_i32(reg >> 1));
    } else {
        gen_helper_r10k_mtps(tcg_env, value, tcg_constant_i32(reg >> 1));
    }
    /* End the block: the next may count other events, and IP7 may be set. */
    tcg_gen_movi_tl(cpu_PC, ctx->base.pc_next + 4);
    ctx->base.is_jmp = DISAS_EXIT;
}

/*
 * CP0 register 25, MFPS, MFPC, MTPS and MTPC: a five-bit counter number in
 * bits 5:1, 0 for its control register and 1 for the counter in bit 0.
 */
bool r10k_pmu_tr_cp0(CPUMIPSState *env, DisasContext *ctx, uint32_t opc,
                     int rt, int rd)
{
    uint32_t reg = ctx->opcode & 0x3f;

    if (!ctx->r10k_pmu.present) {
        return false;
    }
    r10k_mem_tr_cp0(ctx);
    if (INSN_RS(ctx->opcode) >= 0x10 || rd != 25) {
        return r10k_cp0_tr(env, ctx, opc, rt, rd);
    }
    switch (INSN_RS(opc)) {
    case 0x00: /* MFC0 */
    case 0x01: /* DMFC0 */
        gen_read(ctx, reg, rt);
        return true;
    case 0x04: /* MTC0 */
    case 0x05: /* DMTC0 */
        gen_write(ctx, reg, rt);
        return true;
    default:
        gen_reserved_instruction(ctx);
        return true;
    }
}
