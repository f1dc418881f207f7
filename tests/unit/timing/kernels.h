/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions by name, for kernels of the pipeline model's tests. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>

#define R_TYPE(rs, rt, rd, sa, funct)					\
	((uint32_t)((rs) << 21 | (rt) << 16 | (rd) << 11 | (sa) << 6 | (funct)))
#define I_TYPE(op, rs, rt, imm)						\
	((uint32_t)(op) << 26 | (rs) << 21 | (rt) << 16 | ((imm) & 0xffff))
#define FP_D(ft, fs, fd, funct)	I_TYPE(0x11, 0x11, ft, (fs) << 11 | (fd) << 6 | (funct))
#define FP_S(ft, fs, fd, funct)	I_TYPE(0x11, 0x10, ft, (fs) << 11 | (fd) << 6 | (funct))

#define NOP			0u
#define ADDU(rd, rs, rt)	R_TYPE(rs, rt, rd, 0, 0x21)
#define SLL(rd, rt, sa)		R_TYPE(0, rt, rd, sa, 0x00)
#define MOVZ(rd, rs, rt)	R_TYPE(rs, rt, rd, 0, 0x0a)
#define MULT(rs, rt)		R_TYPE(rs, rt, 0, 0, 0x18)
#define MULTU(rs, rt)		R_TYPE(rs, rt, 0, 0, 0x19)
#define DIV(rs, rt)		R_TYPE(rs, rt, 0, 0, 0x1a)
#define DMULT(rs, rt)		R_TYPE(rs, rt, 0, 0, 0x1c)
#define DDIV(rs, rt)		R_TYPE(rs, rt, 0, 0, 0x1e)
#define MFHI(rd)		R_TYPE(0, 0, rd, 0, 0x10)
#define MFLO(rd)		R_TYPE(0, 0, rd, 0, 0x12)
#define JR(rs)			R_TYPE(rs, 0, 0, 0, 0x08)
#define SYNC			0x0000000fu
#define BEQ(rs, rt)		I_TYPE(0x04, rs, rt, 0)
#define BNE(rs, rt)		I_TYPE(0x05, rs, rt, 0)
#define JAL			I_TYPE(0x03, 0, 0, 0)
#define ADDIU(rt, rs, imm)	I_TYPE(0x09, rs, rt, imm)
#define LW(rt, base)		I_TYPE(0x23, base, rt, 0)
#define LL(rt, base)		I_TYPE(0x30, base, rt, 0)
#define SC(rt, base)		I_TYPE(0x38, base, rt, 0)
#define SW(rt, base)		I_TYPE(0x2b, base, rt, 0)
#define LDC1(ft, base)		I_TYPE(0x35, base, ft, 0)
#define SDC1(ft, base)		I_TYPE(0x3d, base, ft, 0)
#define PREF(base)		I_TYPE(0x33, base, 0, 0)
#define ADD_D(fd, fs, ft)	FP_D(ft, fs, fd, 0x00)
#define MUL_D(fd, fs, ft)	FP_D(ft, fs, fd, 0x02)
#define DIV_D(fd, fs, ft)	FP_D(ft, fs, fd, 0x03)
#define DIV_S(fd, fs, ft)	FP_S(ft, fs, fd, 0x03)
#define SQRT_D(fd, fs)		FP_D(0, fs, fd, 0x04)
#define C_LT_D(fs, ft)		FP_D(ft, fs, 0, 0x3c)
#define BC1T			I_TYPE(0x11, 0x08, 1, 0)
#define MTC1(rt, fs)		I_TYPE(0x11, 0x04, rt, (fs) << 11)
#define MFC1(rt, fs)		I_TYPE(0x11, 0x00, rt, (fs) << 11)
/* fd = fs * ft + fr */
#define MADD_D(fd, fr, fs, ft)	I_TYPE(0x13, fr, ft, (fs) << 11 | (fd) << 6 | 0x21)

#endif
