/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family performance counters: counting in translated code.
 *
 * What a block counts is a constant of the block: the sums are made while it
 * is translated and added where it is left, one addition per counter. Each
 * instruction's prefix sum is kept beside it, so that an exception in the
 * middle of a block adds exactly what has graduated. With nothing to count
 * the code is that of stock QEMU, but for blocks that end in a delay slot which
 * writes Status or the counters: those are not chained.
 *
 * An instruction counts when it has graduated: one that raises an exception
 * does not; reading a counter gives the events of all instructions before it;
 * a write to a counter or control register is counted before it takes effect.
 */

#include "qemu/osdep.h"
#include "translate.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "exec/translation-block.h"
#include "r10k_pmu_internal.h"

#define OP_SPECIAL  0x00
#define OP_REGIMM   0x01
#define OP_COP1     0x11
#define OP_COP1X    0x13

#define INSN_OP(insn)       ((insn) >> 26)
#define INSN_RS(insn)       (((insn) >> 21) & 0x1f)
#define INSN_RT(insn)       (((insn) >> 16) & 0x1f)
#define INSN_RD(insn)       (((insn) >> 11) & 0x1f)
#define INSN_FUNCT(insn)    ((insn) & 0x3f)

#define LD  R10K_INSN_LOAD
#define ST  R10K_INSN_STORE
#define SC  (R10K_INSN_STORE | R10K_INSN_SC)
#define BR  R10K_INSN_BRANCH
#define SY  R10K_INSN_SYNC

/* By major opcode; COP1X loads and stores are below. */
static const uint16_t major_class[64] = {
    [0x04] = BR, [0x05] = BR, [0x06] = BR, [0x07] = BR, /* BEQ to BGTZ */
    [0x14] = BR, [0x15] = BR, [0x16] = BR, [0x17] = BR, /* likely forms */
    [0x1a] = LD, [0x1b] = LD,                           /* LDL LDR */
    [0x20] = LD, [0x21] = LD, [0x22] = LD, [0x23] = LD, /* LB LH LWL LW */
    [0x24] = LD, [0x25] = LD, [0x26] = LD, [0x27] = LD, /* LBU LHU LWR LWU */
    [0x28] = ST, [0x29] = ST, [0x2a] = ST, [0x2b] = ST, /* SB SH SWL SW */
    [0x2c] = ST, [0x2d] = ST, [0x2e] = ST, [0x2f] = SY, /* SDL SDR SWR CACHE */
    [0x30] = LD, [0x31] = LD, [0x34] = LD, [0x35] = LD, /* LL LWC1 LLD LDC1 */
    [0x37] = LD, [0x38] = SC, [0x39] = ST, [0x3c] = SC, /* LD SC SWC1 SCD */
    [0x3d] = ST, [0x3f] = ST,                           /* SDC1 SD */
};

/* COP1X functions 0 to 15: LWXC1, LDXC1, SWXC1, SDXC1 (PREFX is below). */
static const uint16_t cop1x_class[16] = {
    [0x00] = LD, [0x01] = LD, [0x08] = ST, [0x09] = ST,
};

/* PREF and PREFX: store, store_streamed and store_retained hints. */
static uint16_t pref_class(unsigned hint)
{
    return hint == 1 || hint == 5 || hint == 7 ? R10K_INSN_PREF_STORE
                                               : R10K_INSN_PREF_LOAD;
}

static uint16_t special_class(uint32_t insn)
{
    uint32_t funct = INSN_FUNCT(insn);

    if (funct >= 0x18 && funct <= 0x1f) { /* MULT to DDIVU */
        return R10K_INSN_MULDIV;
    }
    return funct == 0x0f ? R10K_INSN_SYNC : 0;
}

/* BLTZ, BGEZ, likely and linking forms: rt is 0-3 or 16-19. */
static uint16_t regimm_class(uint32_t insn)
{
    return (INSN_RT(insn) & 0x0c) == 0 ? BR : 0;
}

/*
 * Operations that can set the status flags (V, Z, O, U, I): all of the
 * formats but the moves. Copies to and from the CPU are formats below 8.
 */
static uint16_t cop1_class(uint32_t insn)
{
    uint32_t fmt = INSN_RS(insn);
    uint32_t funct = INSN_FUNCT(insn);

    if (fmt == 0x08) {
        return BR;
    }
    if (fmt < 0x10) {
        return 0;
    }
    return funct == 0x06 || (funct >= 0x11 && funct <= 0x13) ? 0
                                                             : R10K_INSN_FP;
}

static uint16_t cop1x_insn_class(uint32_t insn)
{
    uint32_t funct = INSN_FUNCT(insn);

    if (funct == 0x0f) {
        return pref_class(INSN_RD(insn));
    }
    return funct < 0x10 ? cop1x_class[funct] : R10K_INSN_FP;
}

static uint16_t insn_class(uint32_t insn)
{
    switch (INSN_OP(insn)) {
    case OP_SPECIAL:
        return special_class(insn);
    case OP_REGIMM:
        return regimm_class(insn);
    case OP_COP1:
        return cop1_class(insn);
    case OP_COP1X:
        return cop1x_insn_class(insn);
    case 0x33:
        return pref_class(INSN_RT(insn));
    default:
        return major_class[INSN_OP(insn)];
    }
}

/* What an instruction adds: multiply and divide graduate as two. */
static unsigned insn_count(uint16_t mask, uint16_t class)
{
    if (mask & R10K_INSN_ANY) {
        return 1 + !!(mask & class & R10K_INSN_MULDIV);
    }
    return !!(mask & class);
}

void r10k_pmu_tr_init(DisasContext *ctx, CPUMIPSState *env)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    int i;

    *tr = (R10kPMUTranslation) { .present = r10k_pmu_present(env) };
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        unsigned rule = R10K_PMU_RULE(ctx->base.tb->cs_base, i);

        tr->mask[i] = r10k_pmu_rule_mask(env, rule);
    }
}

/* The prefix sums, in the upper half of the word that holds the hflags. */
uint64_t r10k_pmu_tr_insn_start(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    tr->counted = false;
    return (uint64_t)R10K_PMU_WORD(tr->pending[0], tr->pending[1]) << 32;
}

/* The instruction that has just been translated is the next to graduate. */
void r10k_pmu_tr_insn_done(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    uint16_t class;
    int i;

    if (tr->counted || !(tr->mask[0] | tr->mask[1])) {
        return;
    }
    class = insn_class(ctx->opcode);
    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        tr->pending[i] += insn_count(tr->mask[i], class);
    }
    tr->counted = true;
}

static TCGv_i32 gen_add(int i, TCGv_i32 n)
{
    TCGv_i32 run = tcg_temp_new_i32();
    intptr_t offset = offsetof(CPUMIPSState, r10k_pmu.run) + 4 * i;

    tcg_gen_ld_i32(run, tcg_env, offset);
    tcg_gen_add_i32(run, run, n);
    tcg_gen_st_i32(run, tcg_env, offset);
    return run;
}

/* @run has the sign bit of each distance that was added to. */
static void gen_overflow_check(TCGv_i32 run)
{
    TCGLabel *quiet = gen_new_label();

    tcg_gen_brcondi_i32(TCG_COND_LT, run, 0, quiet);
    gen_helper_r10k_pmu_overflow(tcg_env);
    gen_set_label(quiet);
}

/* Add what is pending; it stays pending for the block's other exits. */
void r10k_pmu_tr_add(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    TCGv_i32 sign = NULL;
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        TCGv_i32 run;

        if (!tr->pending[i]) {
            continue;
        }
        run = gen_add(i, tcg_constant_i32(tr->pending[i]));
        if (sign) {
            tcg_gen_and_i32(run, run, sign);
        }
        sign = run;
    }
    if (sign) {
        gen_overflow_check(sign);
    }
}

/* Add what is pending, on every path that follows. */
void r10k_pmu_tr_flush(DisasContext *ctx)
{
    r10k_pmu_tr_add(ctx);
    ctx->r10k_pmu.pending[0] = 0;
    ctx->r10k_pmu.pending[1] = 0;
}

/*
 * The delay slot of a branch has been translated, the branch comes next. If
 * the slot has written Status or the counters, the block that follows is not
 * the same each time.
 */
void r10k_pmu_tr_branch(DisasContext *ctx)
{
    r10k_pmu_tr_flush(ctx);
    ctx->r10k_pmu.leave = ctx->r10k_pmu.present &&
                          ctx->base.is_jmp != DISAS_NEXT;
}

/* Returns true if it has ended the block, which goes on at @dest. */
bool r10k_pmu_tr_goto(DisasContext *ctx, target_ulong dest)
{
    r10k_pmu_tr_add(ctx);
    if (!ctx->r10k_pmu.leave) {
        return false;
    }
    tcg_gen_movi_tl(cpu_PC, dest);
    tcg_gen_exit_tb(NULL, 0);
    return true;
}

/* SC: @success is 0 or 1, or NULL where it is known to have failed. */
void r10k_pmu_tr_sc(DisasContext *ctx, TCGv success)
{
    int i;

    for (i = 0; i < R10K_PMU_COUNTERS; i++) {
        TCGv_i32 failed;

        if (!(ctx->r10k_pmu.mask[i] & R10K_INSN_SC_FAILED)) {
            continue;
        }
        /* The addition may interrupt: under -icount the block ends here. */
        translator_io_start(&ctx->base);
        failed = tcg_temp_new_i32();
        if (success) {
            tcg_gen_trunc_tl_i32(failed, success);
            tcg_gen_xori_i32(failed, failed, 1);
        } else {
            tcg_gen_movi_i32(failed, 1);
        }
        gen_overflow_check(gen_add(i, failed));
    }
}

/* WAIT leaves the block through its helper. */
void r10k_pmu_tr_wait(DisasContext *ctx)
{
    r10k_pmu_tr_insn_done(ctx);
    r10k_pmu_tr_add(ctx);
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
    /* What the next block counts has changed, and IP7 may have. */
    tcg_gen_movi_tl(cpu_PC, ctx->base.pc_next + 4);
    ctx->base.is_jmp = DISAS_EXIT;
}

/*
 * CP0 register 25, MFPS, MFPC, MTPS and MTPC: a five-bit counter number in
 * bits 5:1, 0 for its control register and 1 for the counter in bit 0.
 */
bool r10k_pmu_tr_cp0(DisasContext *ctx, uint32_t opc, int rt, int rd)
{
    uint32_t reg = ctx->opcode & 0x3f;

    if (rd != 25 || !ctx->r10k_pmu.present) {
        return false;
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
        return false;
    }
}
