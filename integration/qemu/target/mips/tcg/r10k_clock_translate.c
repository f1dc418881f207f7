/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: what the clock needs of translated code.
 *
 * A block says at its beginning which one it is, and at each exit how much of
 * it has been executed (system/r10k_clock.c).
 */

#include "qemu/osdep.h"
#include "translate.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "exec/translation-block.h"
#include "r10k_clock_internal.h"
#include "tcg/r10k_clock_translate.h"
#include "tcg/r10k_insn.h"
#include "tcg/r10k_mem_translate.h"

#define CLOCK(field)    offsetof(CPUMIPSState, r10k_clock.field)

static unsigned distance(const DisasContext *ctx)
{
    return (ctx->base.pc_next - ctx->base.pc_first) / 4;
}

void r10k_clock_tr_init(DisasContext *ctx, CPUMIPSState *env)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (!(ctx->base.tb->cs_base & R10K_TB_TIMED)) {
        return;
    }
    tr->clock = r10k_clock_new_block(env, ctx->base.pc_first,
                                     ctx->hflags & MIPS_HFLAG_BMASK);
    ctx->base.max_insns = MIN(ctx->base.max_insns,
                              tr->step ? 1 : R10K_CLOCK_INSNS);
}

/* Called before anything else of an instruction */
void r10k_clock_tr_start(DisasContext *ctx)
{
    const R10kClockBlock *block = ctx->r10k_pmu.clock;

    if (block && ctx->base.num_insns == 1) {
        tcg_gen_st_ptr(tcg_constant_ptr(block), tcg_env, CLOCK(block));
        tcg_gen_st_i32(tcg_constant_i32(0), tcg_env, CLOCK(done));
    }
}

/*
 * @difference says whether the line's fetch is unknown. The first line of a
 * block is not fetched again if the block before has ended in it. Returns the
 * kind of the fetch.
 */
int r10k_clock_tr_fetch(DisasContext *ctx, uint64_t line, TCGv difference)
{
    TCGv last;

    if (!ctx->r10k_pmu.clock) {
        return R10K_ACCESS_FETCH;
    }
    if (ctx->base.num_insns > 1) {
        tcg_gen_st8_i32(tcg_constant_i32(0), tcg_env, CLOCK(dropped));
        return R10K_ACCESS_FETCH;
    }
    last = tcg_temp_new();
    tcg_gen_ld_tl(last, tcg_env, CLOCK(line));
    tcg_gen_movcond_tl(TCG_COND_EQ, difference, last, tcg_constant_tl(line),
                       tcg_constant_tl(0), difference);
    return R10K_ACCESS_FETCH_ON;
}

/* With mips64r2=on, RDHWR reads Count in any mode. */
static bool is_rdhwr(uint32_t opcode)
{
    return INSN_OP(opcode) == OP_SPECIAL3 && INSN_FUNCT(opcode) == FUNCT_RDHWR;
}

/*
 * Called when the opcode is known. The translator leaves out some delay slots:
 * the block must not get longer for that.
 */
void r10k_clock_tr_insn(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    unsigned i = distance(ctx);

    if (!tr->clock) {
        return;
    }
    tr->clock->insns[i] = r10k_pipe_insn(ctx->base.pc_next, ctx->opcode);
    tr->clock->n = i + 1;
    ctx->base.max_insns = MIN(ctx->base.max_insns, ctx->base.num_insns +
                              (int)(R10K_CLOCK_INSNS - 1 - i));
    if (is_rdhwr(ctx->opcode)) {
        r10k_clock_tr_time(ctx);
    }
    ctx->base.io_alone = tr->class & (R10K_INSN_LOAD | R10K_INSN_STORE);
}

/* Called when the instruction has been translated */
void r10k_clock_tr_done(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (!tr->clock) {
        return;
    }
    tr->executed = tr->clock->n;
    if ((ctx->hflags & MIPS_HFLAG_BMASK) && !tr->slot &&
        (tr->class & (R10K_INSN_BRANCH | R10K_INSN_JUMP))) {
        tr->clock->branch = tr->clock->n - 1;
    }
}

static void gen_run(DisasContext *ctx, uint32_t how)
{
    gen_helper_r10k_clock(tcg_env,
                          tcg_constant_i32(ctx->r10k_pmu.executed | how));
}

/* Let the model execute what has been executed, if it has not. */
void r10k_clock_tr_run(DisasContext *ctx)
{
    if (ctx->r10k_pmu.clock && !ctx->r10k_pmu.ends) {
        gen_run(ctx, 0);
    }
}

/* The same before an instruction that may see the time */
void r10k_clock_tr_time(DisasContext *ctx)
{
    if (ctx->r10k_pmu.clock) {
        r10k_mem_tr_flush(ctx);
        r10k_clock_tr_run(ctx);
    }
}

/* The same at an exit at which the block's branch is complete */
void r10k_clock_tr_end(DisasContext *ctx, uint32_t how)
{
    if (ctx->r10k_pmu.clock) {
        gen_run(ctx, how | R10K_CLOCK_END);
    }
}

/* The current instruction is going to report an access outside of the log. */
void r10k_clock_tr_at(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (tr->clock) {
        tcg_gen_st_i32(tcg_constant_i32(tr->clock->n - 1), tcg_env, CLOCK(at));
    }
}
