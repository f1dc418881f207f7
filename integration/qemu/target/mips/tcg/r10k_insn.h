/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MIPS R10000 family: fields and kinds of instructions.
 */

#ifndef TARGET_MIPS_TCG_R10K_INSN_H
#define TARGET_MIPS_TCG_R10K_INSN_H

#define OP_SPECIAL  0x00
#define OP_REGIMM   0x01
#define OP_COP0     0x10
#define OP_COP1     0x11
#define OP_COP1X    0x13
#define OP_CACHE    0x2f
#define OP_PREF     0x33

#define INSN_OP(insn)       ((insn) >> 26)
#define INSN_RS(insn)       (((insn) >> 21) & 0x1f)
#define INSN_RT(insn)       (((insn) >> 16) & 0x1f)
#define INSN_RD(insn)       (((insn) >> 11) & 0x1f)
#define INSN_FUNCT(insn)    ((insn) & 0x3f)

uint16_t r10k_insn_class(uint32_t insn);
unsigned r10k_insn_bytes(uint32_t insn);

#endif /* TARGET_MIPS_TCG_R10K_INSN_H */
