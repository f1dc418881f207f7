/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: the kinds of instructions that the counters tell apart.
 */

#include "qemu/osdep.h"
#include "translate.h"
#include "r10k_pmu_internal.h"
#include "tcg/r10k_insn.h"

#define LD  R10K_INSN_LOAD
#define ST  R10K_INSN_STORE
#define SC  (R10K_INSN_STORE | R10K_INSN_SC)
#define BR  R10K_INSN_BRANCH
#define JP  R10K_INSN_JUMP
#define SY  R10K_INSN_SYNC

/* By major opcode; COP1X loads and stores are below. */
static const uint16_t major_class[64] = {
    [0x02] = JP, [0x03] = JP,                           /* J JAL */
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
    if (funct == 0x08 || funct == 0x09) { /* JR, JALR */
        return R10K_INSN_JUMP;
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

/* Instructions that the address unit executes, not an ALU or FPU. */
#define ADDRESS_UNIT (R10K_INSN_LOAD | R10K_INSN_STORE | R10K_INSN_SYNC | \
                      R10K_INSN_PREF_LOAD | R10K_INSN_PREF_STORE)

/* NOP, JR, JALR, SYSCALL and BREAK go to no unit; SYNC to the address unit. */
static bool special_has_no_unit(uint32_t insn)
{
    uint32_t funct = INSN_FUNCT(insn);

    return insn == 0 || funct == 0x08 || funct == 0x09 || funct == 0x0c ||
           funct == 0x0d;
}

static bool in_alu_or_fpu(uint32_t insn, uint16_t class)
{
    if (class & (ADDRESS_UNIT | R10K_INSN_JUMP)) {
        return false;
    }
    switch (INSN_OP(insn)) {
    case OP_SPECIAL:
        return !special_has_no_unit(insn);
    case OP_COP0:
        return false;
    case OP_COP1:
        return !(class & R10K_INSN_BRANCH);
    default:
        return true;
    }
}

static uint16_t kind_of(uint32_t insn)
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
    case OP_PREF:
        return pref_class(INSN_RT(insn));
    default:
        return major_class[INSN_OP(insn)];
    }
}

/* The kinds (R10K_INSN_*) of @insn. */
uint16_t r10k_insn_class(uint32_t insn)
{
    uint16_t class = kind_of(insn);

    return in_alu_or_fpu(insn, class) ? class | R10K_INSN_UNIT : class;
}

/*
 * The size of the access of a load or a store, to which its address must be
 * aligned; 1 if it need not be.
 */
unsigned r10k_insn_bytes(uint32_t insn)
{
    unsigned op = INSN_OP(insn);

    switch (op) {
    case OP_COP1X: /* LWXC1, SWXC1; LDXC1, SDXC1 */
        return INSN_FUNCT(insn) & 1 ? 8 : 4;
    case 0x21: case 0x25: case 0x29: /* LH LHU SH */
        return 2;
    case 0x23: case 0x27: case 0x2b: /* LW LWU SW */
    case 0x30: case 0x31: case 0x39: /* LL LWC1 SWC1 */
        return 4;
    case 0x34: case 0x35: case 0x37: /* LLD LDC1 LD */
    case 0x3d: case 0x3f:            /* SDC1 SD */
        return 8;
    default:
        return 1;
    }
}
