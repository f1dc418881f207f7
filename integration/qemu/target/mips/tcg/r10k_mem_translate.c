/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family caches and branch predictor: translated code.
 *
 * Most accesses hit the most recently used line of a set, and most branches
 * go as a saturated counter predicts: neither changes a model's state. A block
 * compares each access with the filter (r10k_mem.h) and logs it, without a
 * branch; at each exit, one test tells whether the log must be replayed. An
 * exception in the middle of a block replays the accesses before it.
 */

#include "qemu/osdep.h"
#include "translate.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "exec/translation-block.h"
#include "r10k_branch.h"
#include "r10k_pmu_internal.h"
#include "tcg/r10k_insn.h"
#include "tcg/r10k_mem_translate.h"

#define FILTER(field)   offsetof(CPUMIPSState, r10k_filter.field)

/* Two addresses whose exclusive or is not larger are in the same line. */
#define SAME_LINE       (R10K_L1D_LINE - 1)

static void gen_log(DisasContext *ctx, TCGv address, int kind)
{
    unsigned n = ctx->r10k_pmu.log++;

    tcg_gen_st_tl(address, tcg_env, FILTER(log) + n * sizeof(uint64_t));
    tcg_gen_st8_i32(tcg_constant_i32(kind), tcg_env, FILTER(kind) + n);
}

/* @difference of an access and its filter slot: 0 to 31 if the slot has it. */
static void gen_collect(DisasContext *ctx, TCGv difference)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (tr->log) {
        tcg_gen_or_tl(tr->unknown, tr->unknown, difference);
    } else {
        tr->unknown = tcg_temp_new();
        tcg_gen_mov_tl(tr->unknown, difference);
    }
}

/* Log the fetch of the next instruction, if it is in another line. */
void r10k_mem_tr_fetch(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    vaddr line = ctx->base.pc_next & -(vaddr)R10K_L1I_LINE;
    unsigned set = extract64(line, 6, 8);
    TCGv difference;

    if (!tr->mem) {
        return;
    }
    if (tr->log > R10K_LOG_SIZE - 2) {
        r10k_mem_tr_flush(ctx);
    }
    if (tr->fetched && tr->fetch_line == line) {
        return;
    }
    tr->fetched = true;
    tr->fetch_line = line;
    difference = tcg_temp_new();
    tcg_gen_ld_tl(difference, tcg_env, FILTER(fetch) + set * sizeof(uint64_t));
    tcg_gen_xori_tl(difference, difference, line);
    gen_collect(ctx, difference);
    gen_log(ctx, tcg_constant_tl(line), R10K_ACCESS_FETCH);
}

static bool is_cache_insn(const DisasContext *ctx)
{
    return INSN_OP(ctx->opcode) == OP_CACHE;
}

/* CACHE Hit operations raise TLB exceptions, all others do not. */
static void gen_cache_probe(DisasContext *ctx)
{
    uint32_t op = INSN_RT(ctx->opcode);

    if ((op >> 2 == 4 || op >> 2 == 5) && op != 0x14) {
        gen_helper_r10k_cache_probe(tcg_env, ctx->r10k_pmu.address,
                                    tcg_constant_i32(ctx->mem_idx));
    }
}

/* Base register plus offset, or index register for COP1X. */
static void gen_address(DisasContext *ctx, TCGv address)
{
    int base = INSN_RS(ctx->opcode);

    if (INSN_OP(ctx->opcode) == OP_COP1X) {
        TCGv index = tcg_temp_new();

        gen_load_gpr(address, base);
        gen_load_gpr(index, INSN_RT(ctx->opcode));
        gen_op_addr_add(ctx, address, address, index);
    } else {
        gen_base_offset_addr(ctx, address, base, (int16_t)ctx->opcode);
    }
}

#define ADDRESSES (R10K_INSN_LOAD | R10K_INSN_STORE | R10K_INSN_PREF_LOAD | \
                   R10K_INSN_PREF_STORE)

/* Called before the instruction, which may overwrite its own base register. */
void r10k_mem_tr_address(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (is_cache_insn(ctx) || (tr->mem && (tr->class & ADDRESSES))) {
        tr->address = tcg_temp_new();
        gen_address(ctx, tr->address);
    }
}

static void gen_data_access(DisasContext *ctx, bool store)
{
    TCGv address = ctx->r10k_pmu.address;
    TCGv difference = tcg_temp_new();
    TCGv_i32 offset = tcg_temp_new_i32();
    TCGv_ptr slot = tcg_temp_new_ptr();

    /* Address bits 13:5, times the size of a slot */
    tcg_gen_trunc_tl_i32(offset, address);
    tcg_gen_shri_i32(offset, offset, 2);
    tcg_gen_andi_i32(offset, offset, (R10K_L1D_SETS - 1) << 3);
    tcg_gen_ext_i32_ptr(slot, offset);
    tcg_gen_add_ptr(slot, slot, tcg_env);
    tcg_gen_ld_tl(difference, slot, store ? FILTER(store) : FILTER(load));
    tcg_gen_xor_tl(difference, difference, address);
    gen_collect(ctx, difference);
    gen_log(ctx, address, store ? R10K_ACCESS_STORE : R10K_ACCESS_LOAD);
}

/* A prefetch counts even if it hits: it must always be replayed. */
static void gen_prefetch(DisasContext *ctx)
{
    gen_collect(ctx, tcg_constant_tl(SAME_LINE + 1));
    gen_log(ctx, ctx->r10k_pmu.address,
            ctx->r10k_pmu.class & R10K_INSN_PREF_STORE
            ? R10K_ACCESS_PREF_STORE : R10K_ACCESS_PREF_LOAD);
}

/* Report the only entry of the log before the instruction is executed. */
static void gen_early(DisasContext *ctx, TCGLabel *known)
{
    tcg_gen_brcondi_tl(TCG_COND_LEU, ctx->r10k_pmu.unknown, SAME_LINE, known);
    gen_helper_r10k_mem_early(tcg_env);
    gen_set_label(known);
    ctx->r10k_pmu.log = 0;
}

/* Called before the only instruction of a block while an overflow is near. */
void r10k_mem_tr_early_fetch(DisasContext *ctx)
{
    if (ctx->r10k_pmu.log) {
        gen_early(ctx, gen_new_label());
    }
}

/*
 * The same for its access. Whether there is one is known when the instruction
 * has been translated: put the code before that. A prefetch would count again
 * after the interrupt, SC would have lost its link, and in a delay slot the
 * interrupt cannot come before the instruction.
 */
static bool gen_early_access(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;
    unsigned aligned = r10k_insn_bytes(ctx->opcode) - 1;
    TCGLabel *known;
    TCGv t;

    if (!tr->near || (ctx->hflags & MIPS_HFLAG_BMASK)) {
        return false;
    }
    tcg_ctx->emit_before_op = QTAILQ_NEXT(tr->begin, link);
    known = gen_new_label();
    if (aligned) {
        t = tcg_temp_new();
        tcg_gen_andi_tl(t, tr->address, aligned);
        tcg_gen_brcondi_tl(TCG_COND_NE, t, 0, known);
    }
    gen_data_access(ctx, tr->class & R10K_INSN_STORE);
    gen_early(ctx, known);
    tcg_ctx->emit_before_op = NULL;
    return true;
}

/* Called after the instruction: log its access, if it has made one. */
void r10k_mem_tr_access(DisasContext *ctx)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (is_cache_insn(ctx)) {
        gen_cache_probe(ctx);
        r10k_mem_tr_flush(ctx);
        gen_helper_r10k_cache(tcg_env, tr->address,
                              tcg_constant_i32(INSN_RT(ctx->opcode)));
        tr->fetched = false; /* CACHE may have dropped this line */
    } else if (!tr->mem || (tr->class & R10K_INSN_SC)) {
        return;
    } else if (tr->class & (R10K_INSN_LOAD | R10K_INSN_STORE)) {
        if (!gen_early_access(ctx)) {
            gen_data_access(ctx, tr->class & R10K_INSN_STORE);
        }
    } else if (tr->class & ADDRESSES) {
        gen_prefetch(ctx);
    }
}

static void gen_replay(DisasContext *ctx)
{
    if (ctx->r10k_pmu.log) {
        gen_helper_r10k_mem_replay(tcg_env,
                                   tcg_constant_i32(ctx->r10k_pmu.log));
    }
}

/* Replay the log if needed; it stays as it is for the block's other exits. */
void r10k_mem_tr_check(DisasContext *ctx)
{
    TCGLabel *known;

    if (!ctx->r10k_pmu.log) {
        return;
    }
    known = gen_new_label();
    tcg_gen_brcondi_tl(TCG_COND_LEU, ctx->r10k_pmu.unknown, SAME_LINE, known);
    gen_replay(ctx);
    gen_set_label(known);
}

/* Replay the log if needed, and empty it for all paths that follow. */
void r10k_mem_tr_flush(DisasContext *ctx)
{
    r10k_mem_tr_check(ctx);
    ctx->r10k_pmu.log = 0;
}

/* SC is translated as two paths: first that of failure, with NULL. */
void r10k_mem_tr_sc(DisasContext *ctx, TCGv success)
{
    TCGv_i32 stored;

    if (!ctx->r10k_pmu.mem) {
        return;
    }
    r10k_mem_tr_check(ctx);
    if (success) {
        stored = tcg_temp_new_i32();
        tcg_gen_trunc_tl_i32(stored, success);
        gen_helper_r10k_mem_sc(tcg_env, ctx->r10k_pmu.address, stored);
        ctx->r10k_pmu.log = 0;
    }
}

/* Branches */

/* A branch's index into the counters, which history changes at run time. */
static TCGv_i32 gen_index(DisasContext *ctx, vaddr pc)
{
    uint32_t index = r10k_branch_index(ctx->r10k_pmu.r10000, pc);
    TCGv_i32 t;

    if (!ctx->r10k_pmu.history) {
        return tcg_constant_i32(index);
    }
    t = tcg_temp_new_i32();
    tcg_gen_ld_i32(t, tcg_env, offsetof(CPUMIPSState, r10k_branch.history));
    tcg_gen_andi_i32(t, t, R10K_BRANCH_HISTORY);
    tcg_gen_xori_i32(t, t, index);
    return t;
}

/* 0 if a saturated counter has predicted the outcome, else to be reported. */
static TCGv gen_surprise(TCGv_i32 index, bool taken)
{
    TCGv_ptr counter = tcg_temp_new_ptr();
    TCGv_i32 t = tcg_temp_new_i32();
    TCGv surprise = tcg_temp_new();

    tcg_gen_ext_i32_ptr(counter, index);
    tcg_gen_add_ptr(counter, counter, tcg_env);
    tcg_gen_ld8u_i32(t, counter, offsetof(CPUMIPSState, r10k_branch.counter));
    tcg_gen_xori_i32(t, t, taken ? R10K_BRANCH_ALWAYS : R10K_BRANCH_NEVER);
    tcg_gen_extu_i32_tl(surprise, t);
    return surprise;
}

static void gen_remember(DisasContext *ctx, TCGv_i32 taken)
{
    intptr_t offset = offsetof(CPUMIPSState, r10k_branch.history);
    TCGv_i32 t = tcg_temp_new_i32();

    if (!ctx->r10k_pmu.history) {
        return;
    }
    tcg_gen_ld_i32(t, tcg_env, offset);
    tcg_gen_shli_i32(t, t, 1);
    tcg_gen_or_i32(t, t, taken);
    tcg_gen_st_i32(t, tcg_env, offset);
}

/* The branch at @pc is @taken or not; @unknown is the log's, or NULL. */
static void gen_outcome(DisasContext *ctx, vaddr pc, bool taken, TCGv unknown)
{
    TCGLabel *known = gen_new_label();
    TCGv_i32 index = gen_index(ctx, pc);
    TCGv surprise = gen_surprise(index, taken);

    if (unknown) {
        tcg_gen_or_tl(surprise, surprise, unknown);
    }
    tcg_gen_brcondi_tl(TCG_COND_LEU, surprise, SAME_LINE, known);
    if (unknown) {
        gen_replay(ctx);
    }
    gen_helper_r10k_branch(tcg_env, index, tcg_constant_i32(taken));
    gen_set_label(known);
    gen_remember(ctx, tcg_constant_i32(taken));
}

/* Called on each of the two paths of a conditional branch */
void r10k_branch_tr_check(DisasContext *ctx, vaddr pc, bool taken)
{
    R10kPMUTranslation *tr = &ctx->r10k_pmu;

    if (tr->branch && !tr->branch_early) {
        gen_outcome(ctx, pc, taken, tr->log ? tr->unknown : NULL);
    } else {
        r10k_mem_tr_check(ctx);
    }
}

/* Is this branch, whose outcome depends on no register, taken? */
static bool always_taken(uint32_t insn)
{
    switch (INSN_OP(insn)) {
    case OP_REGIMM: /* BGEZ, BGEZL, BGEZAL, BGEZALL */
        return INSN_RT(insn) & 1;
    default: /* BEQ, BLEZ, BEQL, BLEZL */
        return !(INSN_OP(insn) & 1);
    }
}

/*
 * A branch that compares $0 with itself is always or never taken: QEMU's
 * translator does not treat it as conditional.
 */
void r10k_branch_tr_known(DisasContext *ctx)
{
    uint32_t base = ctx->hflags & MIPS_HFLAG_BMASK_BASE;

    if (ctx->r10k_pmu.branch && (ctx->r10k_pmu.class & R10K_INSN_BRANCH) &&
        base != MIPS_HFLAG_BC && base != MIPS_HFLAG_BL) {
        gen_outcome(ctx, ctx->r10k_pmu.pc, always_taken(ctx->opcode), NULL);
    }
}

/*
 * Report a conditional branch before its delay slot is executed, because the
 * slot may change what is counted.
 */
static void gen_early_outcome(DisasContext *ctx)
{
    uint32_t base = ctx->hflags & MIPS_HFLAG_BMASK_BASE;
    TCGv_i32 taken;
    TCGv t;

    if (!ctx->r10k_pmu.branch ||
        (base != MIPS_HFLAG_BC && base != MIPS_HFLAG_BL)) {
        return;
    }
    t = tcg_temp_new();
    taken = tcg_temp_new_i32();
    tcg_gen_setcondi_tl(TCG_COND_NE, t, bcond, 0);
    tcg_gen_trunc_tl_i32(taken, t);
    gen_helper_r10k_branch(tcg_env, gen_index(ctx, ctx->base.pc_next - 4),
                           taken);
    gen_remember(ctx, taken);
    ctx->r10k_pmu.branch_early = true;
}

/*
 * A COP0 instruction may change the mode or the mapping of addresses: report
 * what came before it.
 */
void r10k_mem_tr_cp0(DisasContext *ctx)
{
    uint32_t rs = INSN_RS(ctx->opcode);

    if (rs == 0x04 || rs == 0x05 || (rs & 0x10)) { /* not MFC0, DMFC0 */
        r10k_mem_tr_flush(ctx);
        gen_early_outcome(ctx);
    }
}
