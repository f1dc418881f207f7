/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: what the pipeline model needs to know of an instruction.
 */

#include "r10k_pipe.h"
#include "tcg/r10k_insn.h"

#define OP(id)      R10K_PIPE_OP_##id
#define FPR(n)      (R10K_PIPE_F0 + (n))
#define FCC(n)      (R10K_PIPE_FCC0 + (n))
#define INSN_SA(insn)   (((insn) >> 6) & 0x1f)

#define REGIMM_LINKS    0x10    /* in rt */

static R10kPipeInsn rd_of_rs_rt(uint32_t w, unsigned op)
{
    return (R10kPipeInsn) {
        .op = op, .src = { INSN_RS(w), INSN_RT(w) }, .dst = { INSN_RD(w) },
    };
}

/* MULT to DDIVU: bit 0 is unsigned, bit 1 divides, bit 2 is 64 bits wide. */
static R10kPipeInsn multiply(uint32_t w)
{
    static const uint8_t ops[8] = {
        OP(MULT), OP(MULTU), OP(DIV), OP(DIV),
        OP(DMULT), OP(DMULTU), OP(DDIV), OP(DDIV),
    };

    return (R10kPipeInsn) {
        .op = ops[w & 7], .flags = R10K_PIPE_TWO,
        .src = { INSN_RS(w), INSN_RT(w) },
        .dst = { R10K_PIPE_HI, R10K_PIPE_LO },
    };
}

static R10kPipeInsn special(uint32_t w)
{
    unsigned funct = INSN_FUNCT(w);

    switch (funct) {
    case 0x08: /* JR */
    case 0x09: /* JALR */
        return (R10kPipeInsn) {
            .op = OP(NONE), .flags = R10K_PIPE_JUMP | R10K_PIPE_REGISTER,
            .src = { INSN_RS(w) }, .dst = { funct & 1 ? INSN_RD(w) : 0 },
        };
    case 0x0a: /* MOVZ, MOVN also need what they may leave. */
    case 0x0b:
        return (R10kPipeInsn) {
            .op = OP(SHIFT), .src = { INSN_RS(w), INSN_RT(w), INSN_RD(w) },
            .dst = { INSN_RD(w) },
        };
    case 0x01: /* MOVF, MOVT */
        return (R10kPipeInsn) {
            .op = OP(SHIFT), .dst = { INSN_RD(w) },
            .src = { INSN_RS(w), INSN_RD(w), FCC(INSN_RT(w) >> 2) },
        };
    case 0x0c: /* SYSCALL */
    case 0x0d: /* BREAK */
        return (R10kPipeInsn) { .op = OP(NONE) };
    case 0x0f: /* SYNC */
        return (R10kPipeInsn) { .op = OP(SERIAL) };
    case 0x10: /* MFHI, MFLO */
    case 0x12:
        return (R10kPipeInsn) {
            .op = OP(ALU), .dst = { INSN_RD(w) },
            .src = { funct == 0x10 ? R10K_PIPE_HI : R10K_PIPE_LO },
        };
    case 0x11: /* MTHI, MTLO */
    case 0x13:
        return (R10kPipeInsn) {
            .op = OP(ALU), .src = { INSN_RS(w) },
            .dst = { funct == 0x11 ? R10K_PIPE_HI : R10K_PIPE_LO },
        };
    case 0x18 ... 0x1f:
        return multiply(w);
    case 0x00: /* shifts */
    case 0x02 ... 0x07:
    case 0x14 ... 0x17:
    case 0x38 ... 0x3f:
        if (!w) {
            return (R10kPipeInsn) { .op = OP(NONE) };
        }
        return rd_of_rs_rt(w, OP(SHIFT));
    default:
        return rd_of_rs_rt(w, OP(ALU));
    }
}

static R10kPipeInsn regimm(uint32_t w)
{
    unsigned rt = INSN_RT(w);

    if (rt & 0x0c) { /* traps */
        return (R10kPipeInsn) { .op = OP(ALU), .src = { INSN_RS(w) } };
    }
    return (R10kPipeInsn) {
        .op = OP(BRANCH), .flags = R10K_PIPE_BRANCH, .src = { INSN_RS(w) },
        .dst = { rt & REGIMM_LINKS ? 31 : 0 },
    };
}

/* Moves between the register files, and BC1 */
static R10kPipeInsn cop1_move(uint32_t w)
{
    unsigned rt = INSN_RT(w), fs = FPR(INSN_RD(w));

    switch (INSN_RS(w)) {
    case 0x00: /* MFC1, DMFC1 */
    case 0x01:
        return (R10kPipeInsn) { .op = OP(MFC1), .src = { fs }, .dst = { rt } };
    case 0x04: /* MTC1, DMTC1 */
    case 0x05:
        return (R10kPipeInsn) { .op = OP(MTC1), .src = { rt }, .dst = { fs } };
    case 0x08: /* BC1 */
        return (R10kPipeInsn) {
            .op = OP(NONE), .flags = R10K_PIPE_BRANCH,
            .src = { FCC(rt >> 2) },
        };
    default: /* CFC1, CTC1 */
        return (R10kPipeInsn) { .op = OP(SERIAL) };
    }
}

static unsigned cop1_op(unsigned fmt, unsigned funct)
{
    bool single = fmt == 0x10;

    switch (funct) {
    case 0x02: /* MUL */
    case 0x06: /* MOV */
        return OP(FMUL);
    case 0x03: /* DIV */
    case 0x15: /* RECIP */
        return single ? OP(FDIV_S) : OP(FDIV_D);
    case 0x04: /* SQRT */
        return single ? OP(FSQRT_S) : OP(FSQRT_D);
    case 0x16: /* RSQRT */
        return single ? OP(FRSQRT_S) : OP(FRSQRT_D);
    case 0x20: /* CVT.S */
        return fmt >= 0x14 ? OP(CVT) : OP(FADD);
    default:
        return OP(FADD);
    }
}

static R10kPipeInsn cop1(uint32_t w)
{
    unsigned funct = INSN_FUNCT(w);
    unsigned fs = FPR(INSN_RD(w)), ft = FPR(INSN_RT(w)), fd = FPR(INSN_SA(w));

    if (INSN_RS(w) < 0x10) {
        return cop1_move(w);
    }
    if (funct >= 0x30) { /* C.cond */
        return (R10kPipeInsn) {
            .op = OP(FADD), .src = { fs, ft }, .dst = { FCC(INSN_SA(w) >> 2) },
        };
    }
    if (funct == 0x11) { /* MOVF.fmt, MOVT.fmt */
        return (R10kPipeInsn) {
            .op = OP(FMUL), .src = { fs, fd, FCC(INSN_RT(w) >> 2) },
            .dst = { fd },
        };
    }
    if (funct == 0x12 || funct == 0x13) { /* MOVZ.fmt, MOVN.fmt */
        return (R10kPipeInsn) {
            .op = OP(FMUL), .src = { fs, fd, INSN_RT(w) }, .dst = { fd },
        };
    }
    return (R10kPipeInsn) {
        .op = cop1_op(INSN_RS(w), funct), .dst = { fd },
        .src = { fs, funct < 4 ? ft : 0 },
    };
}

static R10kPipeInsn cop1x(uint32_t w)
{
    unsigned funct = INSN_FUNCT(w);
    unsigned base = INSN_RS(w), index = INSN_RT(w);

    if (funct >= 0x20) { /* MADD, MSUB, NMADD, NMSUB: fr is the addend */
        return (R10kPipeInsn) {
            .op = OP(FMADD), .src = { FPR(INSN_RD(w)), FPR(INSN_RT(w)) },
            .late = FPR(base), .dst = { FPR(INSN_SA(w)) },
        };
    }
    if (funct == 0x0f) {
        return (R10kPipeInsn) { .op = OP(PREF), .src = { base, index } };
    }
    if (funct & 0x08) { /* SWXC1, SDXC1 */
        return (R10kPipeInsn) {
            .op = OP(STORE), .flags = R10K_PIPE_WRITES, .src = { base, index },
            .late = FPR(INSN_RD(w)),
        };
    }
    return (R10kPipeInsn) {
        .op = OP(LOAD_FP), .src = { base, index }, .dst = { FPR(INSN_SA(w)) },
    };
}

static R10kPipeInsn load(uint32_t w, bool keeps)
{
    return (R10kPipeInsn) {
        .op = OP(LOAD), .src = { INSN_RS(w), keeps ? INSN_RT(w) : 0 },
        .dst = { INSN_RT(w) },
    };
}

static R10kPipeInsn store(uint32_t w, unsigned data)
{
    return (R10kPipeInsn) {
        .op = OP(STORE), .flags = R10K_PIPE_WRITES, .src = { INSN_RS(w) },
        .late = data,
    };
}

static R10kPipeInsn memory(uint32_t w)
{
    unsigned rt = INSN_RT(w);
    R10kPipeInsn insn;

    switch (INSN_OP(w)) {
    case 0x1a: /* LDL, LDR, LWL, LWR keep a part of the register. */
    case 0x1b:
    case 0x22:
    case 0x26:
        return load(w, true);
    case 0x31: /* LWC1, LDC1 */
    case 0x35:
        insn = load(w, false);
        insn.op = OP(LOAD_FP);
        insn.dst[0] = FPR(rt);
        return insn;
    case 0x38: /* SC, SCD */
    case 0x3c:
        insn = store(w, rt);
        insn.op = OP(SC);
        insn.src[1] = rt;
        insn.dst[0] = rt;
        return insn;
    case 0x39: /* SWC1, SDC1 */
    case 0x3d:
        return store(w, FPR(rt));
    case 0x28 ... 0x2e:
    case 0x3f:
        return store(w, rt);
    default:
        return load(w, false);
    }
}

static R10kPipeInsn decode(uint32_t w)
{
    switch (INSN_OP(w)) {
    case OP_SPECIAL:
        return special(w);
    case OP_REGIMM:
        return regimm(w);
    case 0x02: /* J, JAL */
    case 0x03:
        return (R10kPipeInsn) {
            .op = OP(NONE), .flags = R10K_PIPE_JUMP,
            .dst = { INSN_OP(w) == 0x03 ? 31 : 0 },
        };
    case 0x04 ... 0x07: /* BEQ to BGTZ */
    case 0x14 ... 0x17: /* likely forms */
        return (R10kPipeInsn) {
            .op = OP(BRANCH), .flags = R10K_PIPE_BRANCH,
            .src = { INSN_RS(w), INSN_RT(w) },
        };
    case 0x08 ... 0x0f: /* ADDI to LUI */
    case 0x18: /* DADDI, DADDIU */
    case 0x19:
        return (R10kPipeInsn) {
            .op = OP(ALU), .src = { INSN_RS(w) }, .dst = { INSN_RT(w) },
        };
    case OP_COP0:
    case OP_CACHE:
        return (R10kPipeInsn) { .op = OP(SERIAL) };
    case OP_COP1:
        return cop1(w);
    case OP_COP1X:
        return cop1x(w);
    case OP_PREF:
        return (R10kPipeInsn) { .op = OP(PREF), .src = { INSN_RS(w) } };
    case 0x1a:
    case 0x1b:
    case 0x20 ... 0x2e:
    case 0x30 ... 0x32:
    case 0x34 ... 0x3f:
        return memory(w);
    default: /* reserved */
        return (R10kPipeInsn) { .op = OP(NONE) };
    }
}

/* The instruction @word at address @pc */
R10kPipeInsn r10k_pipe_insn(uint64_t pc, uint32_t word)
{
    R10kPipeInsn insn = decode(word);

    if (!(pc & 63)) {
        insn.flags |= R10K_PIPE_LINE;
    }
    return insn;
}
