/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Definitions for all assembly files: register names (n64), CP0 numbers, Status
 * bits, and the frame of an exception. C files include it for the numbers.
 */
#ifndef BAREMETAL_ASM_H
#define BAREMETAL_ASM_H

/* Status, CP0 register 12 */
#define ST_XX		0x80000000
#define ST_CU1		0x20000000
#define ST_CU0		0x10000000
#define ST_FR		0x04000000
#define ST_IM7		0x00008000
#define ST_KX		0x00000080
#define ST_SX		0x00000040
#define ST_UX		0x00000020
#define ST_KSU		0x00000018
#define ST_KSU_USER	0x00000010
#define ST_KSU_SUPER	0x00000008
#define ST_ERL		0x00000004
#define ST_EXL		0x00000002
#define ST_IE		0x00000001
#define ST_NORMAL	(ST_XX | ST_CU1 | ST_CU0 | ST_FR | ST_KX | ST_SX | ST_UX)

/*
 * A wired TLB entry maps the runtime's first pages of variables at the top of
 * the address space, so that the vectors can store without a base register.
 */
#define SAVE_SNAP0	-8
#define SAVE_SNAP1	-4
#define SAVE_FAST	-12

/*
 * The number of instructions that the vector and its fast path (skip the
 * instruction that raised the exception) execute with EXL set, and how many of
 * these are loads, stores, conditional branches and jumps.
 */
#define FAST_INSNS	14
#define FAST_LOADS	1
#define FAST_STORES	3
#define FAST_BRANCHES	1
#define FAST_JUMPS	1

/*
 * struct frame: 32 general registers, then these. The stack below it keeps
 * 16-byte alignment.
 */
#define F_REG(n)	((n) * 8)
#define F_LO		256
#define F_HI		264
#define F_EPC		272
#define F_BADVADDR	280
#define F_CAUSE		288
#define F_STATUS	296
#define F_VECTOR	304
#define F_SIZE		320

/* struct run */
#define R_ENTRY		0
#define R_ARG		8
#define R_STATUS	16
#define R_CTL0		24
#define R_CTL1		28
#define R_START0	32
#define R_START1	36
#define R_IN_EXL	40

#ifdef __ASSEMBLER__
#define zero	$0
#define AT	$1
#define v0	$2
#define v1	$3
#define a0	$4
#define a1	$5
#define a2	$6
#define a3	$7
#define t0	$12
#define t1	$13
#define t2	$14
#define t3	$15
#define s0	$16
#define s1	$17
#define s2	$18
#define s3	$19
#define s4	$20
#define s5	$21
#define s6	$22
#define s7	$23
#define t8	$24
#define t9	$25
#define k0	$26
#define k1	$27
#define gp	$28
#define sp	$29
#define s8	$30
#define ra	$31

#define C0_INDEX	$0
#define C0_BADVADDR	$8
#define C0_COUNT	$9
#define C0_COMPARE	$11
#define C0_STATUS	$12
#define C0_CAUSE	$13
#define C0_EPC		$14
#define C0_ERROREPC	$30

/*
 * A kernel: the counters count the code between KERNEL and END and nothing else;
 * the syscall that ends it raises an exception and does not graduate.
 * It is position-independent, since user mode runs it at its useg address.
 */
#define KERNEL(name)			\
	.balign	64;			\
	.globl	name;			\
	.type	name, @function;	\
name:

#define END		\
	syscall;	\
	nop

#define KERNELS			\
	.text;			\
	.set	noreorder;	\
	.set	noat;		\
	.set	nomacro;	\
	.set	hardfloat
#endif /* __ASSEMBLER__ */

#endif
