/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: instructions that these CPUs do not have, or have in
 * their own way.
 *
 * QEMU's decoder is for all MIPS CPUs. This file translates the instructions
 * that are reserved on these CPUs, and the accesses to those registers of
 * coprocessor 0 that differ.
 */

#include "qemu/osdep.h"
#include "translate.h"
#include "internal.h"
#include "exec/helper-proto.h"
#include "exec/helper-gen.h"
#include "r10k_insn.h"

/* Bit n stands for the code n of a field of six or five bits. */
#define CODE(n)         (1ull << (n))
#define CODES(from, to) (((2ull << ((to) - (from))) - 1) << (from))

/* Major opcodes, without those that have a table of their own */
#define MAJOR_CODES (CODES(0x02, 0x0f) | CODE(OP_COP0) | CODE(0x12) | \
                     CODES(0x14, 0x1b) | CODES(0x20, 0x3a) | CODES(0x3c, 0x3f))

#define SPECIAL_CODES (CODES(0x00, 0x04) | CODES(0x06, 0x0d) | \
                       CODES(0x0f, 0x14) | CODES(0x16, 0x27) | \
                       CODES(0x2a, 0x34) | CODE(0x36) | CODE(0x38) | \
                       CODES(0x3a, 0x3c) | CODES(0x3e, 0x3f))
#define SPECIAL_MIPS4 (CODE(0x01) | CODE(0x0a) | CODE(0x0b))

#define REGIMM_CODES (CODES(0x00, 0x03) | CODES(0x08, 0x0c) | CODE(0x0e) | \
                      CODES(0x10, 0x13))

/* COP1: MFC1 to CTC1, BC1; then the functions of formats S, D and W, L. */
#define COP1_MOVES      (CODES(0, 2) | CODES(4, 6))
#define COP1_BC         8
#define COP1_S          16
#define COP1_D          17
#define COP1_W          20
#define COP1_L          21
#define FP_COMMON       (CODES(0x00, 0x0f) | CODES(0x11, 0x13) | \
                         CODES(0x15, 0x16) | CODES(0x24, 0x25) | \
                         CODES(0x30, 0x3f))
#define FP_CVT_S        CODE(0x20)
#define FP_CVT_D        CODE(0x21)
#define FP_MIPS4        (CODES(0x11, 0x13) | CODES(0x15, 0x16))
#define FP_COMPARE      0x30

/* Loads and stores, PREFX, then MADD to NMSUB of S and D */
#define COP1X_CODES (CODES(0x00, 0x01) | CODES(0x08, 0x09) | CODE(0x0f) | \
                     CODES(0x20, 0x21) | CODES(0x28, 0x29) | \
                     CODES(0x30, 0x31) | CODES(0x38, 0x39))

static bool cop1_valid(uint32_t insn)
{
    static const uint64_t functions[32] = {
        [COP1_S] = FP_COMMON | FP_CVT_D,
        [COP1_D] = FP_COMMON | FP_CVT_S,
        [COP1_W] = FP_CVT_S | FP_CVT_D,
        [COP1_L] = FP_CVT_S | FP_CVT_D,
    };
    uint32_t fmt = INSN_RS(insn);

    if (fmt < COP1_S) {
        return fmt == COP1_BC || (COP1_MOVES & CODE(fmt));
    }
    return functions[fmt] & CODE(INSN_FUNCT(insn));
}

/* Is this an instruction of MIPS I to IV? */
static bool insn_valid(uint32_t insn)
{
    switch (INSN_OP(insn)) {
    case OP_SPECIAL:
        return SPECIAL_CODES & CODE(INSN_FUNCT(insn));
    case OP_REGIMM:
        return REGIMM_CODES & CODE(INSN_RT(insn));
    case OP_COP1:
        return cop1_valid(insn);
    case OP_COP1X:
        return COP1X_CODES & CODE(INSN_FUNCT(insn));
    default:
        return MAJOR_CODES & CODE(INSN_OP(insn));
    }
}

/* MIPS III has condition code 0 only; MIPS IV has added the others. */
static bool cop1_is_mips4(uint32_t insn)
{
    uint32_t fmt = INSN_RS(insn);
    uint32_t funct = INSN_FUNCT(insn);

    if (fmt == COP1_BC) {
        return extract32(insn, 18, 3) != 0;
    }
    if (fmt != COP1_S && fmt != COP1_D) {
        return false;
    }
    return (FP_MIPS4 & CODE(funct)) ||
           (funct >= FP_COMPARE && extract32(insn, 8, 3) != 0);
}

/* Has MIPS IV added this valid instruction? */
static bool insn_is_mips4(uint32_t insn)
{
    switch (INSN_OP(insn)) {
    case OP_SPECIAL:
        return SPECIAL_MIPS4 & CODE(INSN_FUNCT(insn));
    case OP_COP1:
        return cop1_is_mips4(insn);
    case OP_COP1X:
    case OP_PREF:
        return true;
    default:
        return false;
    }
}

/*
 * If ctx->opcode is a reserved instruction, translate it and return true.
 * MIPS_HFLAG_COP1X says that MIPS IV is allowed, by Status.XX or by the mode.
 * Leave the FPU's instructions to QEMU's decoder if the FPU is switched off:
 * they raise another exception.
 */
bool r10k_tr_reserved(CPUMIPSState *env, DisasContext *ctx)
{
    uint32_t insn = ctx->opcode;

    if (!r10k_pmu_present(env) || (ctx->insn_flags & ISA_MIPS_R2) ||
        (INSN_OP(insn) == OP_COP1 && !(ctx->hflags & MIPS_HFLAG_FPU))) {
        return false;
    }
    if (insn_valid(insn) &&
        ((ctx->hflags & MIPS_HFLAG_COP1X) || !insn_is_mips4(insn))) {
        return false;
    }
    gen_reserved_instruction(ctx);
    return true;
}

/*
 * Registers that keep what is written to the bits in @mask, which are those
 * that exist. A register without bits does not exist, or has no content in
 * this model (CacheErr): it reads as zero. Physical watchpoints are not
 * modelled.
 */
static const struct {
    bool ours;
    bool wide;
    uint32_t offset;
    uint32_t mask;
} plain[32] = {
#define PLAIN(field, mask) \
    { true, sizeof_field(CPUMIPSState, field) == 8, \
      offsetof(CPUMIPSState, field), mask }
    [7] = { true },
    [18] = PLAIN(CP0_WatchLo[0], 0xfffffffb),
    [19] = PLAIN(CP0_WatchHi[0], 0xff),
    [21] = PLAIN(CP0_Framemask, 0xffff),
    [22] = PLAIN(r10k_pmu.diag, 0xffffffff), /* written by a helper */
    [23] = { true },
    [24] = { true },
    [26] = PLAIN(CP0_ErrCtl, 0x3ff),
    [27] = { true },
    [28] = PLAIN(CP0_TagLo, 0xffffffff),
    [29] = PLAIN(CP0_TagHi, 0xffffffff),
    [31] = { true },
#undef PLAIN
};

static void gen_plain_read(TCGv value, int rd)
{
    if (!plain[rd].mask) {
        tcg_gen_movi_tl(value, 0);
    } else if (plain[rd].wide) {
        tcg_gen_ld_tl(value, tcg_env, plain[rd].offset);
    } else {
        tcg_gen_ld32u_tl(value, tcg_env, plain[rd].offset);
    }
    tcg_gen_andi_tl(value, value, plain[rd].mask);
    tcg_gen_ext32s_tl(value, value);
}

static void gen_plain_write(TCGv value, int rd)
{
    if (!plain[rd].mask) {
        return;
    }
    tcg_gen_andi_tl(value, value, plain[rd].mask);
    if (plain[rd].wide) {
        tcg_gen_st_tl(value, tcg_env, plain[rd].offset);
    } else {
        tcg_gen_st32_tl(value, tcg_env, plain[rd].offset);
    }
}

/*
 * Registers that a helper writes: WRITE_ANY for MTC0 and DMTC0; WRITE_DWORD
 * for DMTC0 only, because MTC0 does not write the bits in which EntryLo
 * differs; WRITE_EXIT also ends the block, because the write changes IP, K0
 * or what a model does.
 */
enum { WRITE_ANY = 1, WRITE_DWORD, WRITE_EXIT };

static const struct {
    uint8_t how;
    void (*helper)(TCGv_env env, TCGv value);
} writers[32] = {
    [2] = { WRITE_DWORD, gen_helper_r10k_dmtc0_entrylo0 },
    [3] = { WRITE_DWORD, gen_helper_r10k_dmtc0_entrylo1 },
    [5] = { WRITE_ANY, gen_helper_r10k_mtc0_pagemask },
    [10] = { WRITE_ANY, gen_helper_r10k_mtc0_entryhi },
    [13] = { WRITE_EXIT, gen_helper_r10k_mtc0_cause },
    [16] = { WRITE_EXIT, gen_helper_r10k_mtc0_config },
    [22] = { WRITE_EXIT, gen_helper_r10k_mtc0_diag },
};

/* MFC0 and DMFC0; returns false if QEMU's decoder is right for the register. */
static bool gen_read(int rt, int rd)
{
    TCGv value = tcg_temp_new();

    if (rd == 13) { /* with mips64r2, QEMU's Cause has more bits */
        tcg_gen_ld32s_tl(value, tcg_env, offsetof(CPUMIPSState, CP0_Cause));
        tcg_gen_andi_tl(value, value, (int32_t)0xb000ff7c);
    } else if (plain[rd].ours) {
        gen_plain_read(value, rd);
    } else {
        return false;
    }
    gen_store_gpr(value, rt);
    return true;
}

/* The same for MTC0 and DMTC0 */
static bool gen_write(DisasContext *ctx, int rt, int rd, bool dword)
{
    TCGv value = tcg_temp_new();
    uint8_t how = writers[rd].how;

    gen_load_gpr(value, rt);
    if (how == WRITE_EXIT) {
        translator_io_start(&ctx->base);
        writers[rd].helper(tcg_env, value);
        tcg_gen_movi_tl(cpu_PC, ctx->base.pc_next + 4);
        ctx->base.is_jmp = DISAS_EXIT;
    } else if (how == WRITE_ANY || (how == WRITE_DWORD && dword)) {
        writers[rd].helper(tcg_env, value);
    } else if (plain[rd].ours) {
        gen_plain_write(value, rd);
    } else {
        return false;
    }
    return true;
}

/* Instructions with the CO bit, by their function; the others are reserved. */
static bool gen_co(CPUMIPSState *env, DisasContext *ctx)
{
    switch (INSN_FUNCT(ctx->opcode)) {
    case 0x01: /* TLBR */
        gen_helper_r10k_tlbr(tcg_env);
        return true;
    case 0x02: /* TLBWI */
    case 0x06: /* TLBWR */
    case 0x08: /* TLBP */
    case 0x18: /* ERET */
        return false;
    case 0x20: /* WAIT */
        if (env->r10k_config.wait) {
            return false;
        }
        /* fall through */
    default:
        gen_reserved_instruction(ctx);
        return true;
    }
}

/*
 * Translate an instruction of coprocessor 0, which is usable, except accesses
 * to register 25. These CPUs have 32 registers and no selectors. Returns
 * false if QEMU's decoder is right for the instruction.
 */
bool r10k_cp0_tr(CPUMIPSState *env, DisasContext *ctx, uint32_t opc, int rt,
                 int rd)
{
    uint32_t rs = INSN_RS(ctx->opcode);

    if (rs & 0x10) {
        return gen_co(env, ctx);
    }
    if (!(rs == 0 || rs == 1 || rs == 4 || rs == 5) || (ctx->opcode & 7)) {
        gen_reserved_instruction(ctx);
        return true;
    }
    return rs < 4 ? gen_read(rt, rd) : gen_write(ctx, rt, rd, rs & 1);
}
