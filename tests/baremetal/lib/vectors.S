/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exceptions with BEV = 0. Each vector first reads both counters, so that a
 * test sees what they held when the exception was raised: exactly, for modes
 * other than EXL; counter 1 has seen one instruction of the vector (mfpc of
 * counter 0) when EXL is counted.
 *
 * While SAVE_FAST is positive, this file itself handles exceptions other than TLB
 * refills, by skipping the instruction that raised them; FAST_* in asm.h are the
 * instructions of this path, counted by hand. All others go to exc_handle().
 */
#include "asm.h"

	.macro	VECTOR offset, target
	.org	\offset
	mfpc	k0, 0
	mfpc	k1, 1
	sw	k0, SAVE_SNAP0(zero)
	sw	k1, SAVE_SNAP1(zero)
	j	\target
	 li	k1, \offset
	.endm

	.section .vectors, "ax", @progbits
	.set	noreorder
	.set	noat
	VECTOR	0x000, exc_slow
	VECTOR	0x080, exc_slow
	VECTOR	0x180, exc_common

	.text
exc_common:
	lw	k0, SAVE_FAST(zero)
	blez	k0, exc_slow
	 addiu	k0, k0, -1
	sw	k0, SAVE_FAST(zero)
	dmfc0	k0, C0_EPC
	daddiu	k0, k0, 4
	dmtc0	k0, C0_EPC
	eret

exc_slow:
	lui	k0, %hi(exc_frame)
	daddiu	k0, k0, %lo(exc_frame)
	sd	k1, F_VECTOR(k0)
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	sd	$\n, F_REG(\n)(k0)
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31
	sd	$\n, F_REG(\n)(k0)
	.endr
	mflo	t0
	sd	t0, F_LO(k0)
	mfhi	t0
	sd	t0, F_HI(k0)
	dmfc0	t0, C0_EPC
	sd	t0, F_EPC(k0)
	dmfc0	t0, C0_BADVADDR
	sd	t0, F_BADVADDR(k0)
	mfc0	t0, C0_CAUSE
	sd	t0, F_CAUSE(k0)
	mfc0	t0, C0_STATUS
	sd	t0, F_STATUS(k0)
	move	a0, k0
	jal	exc_handle
	 move	sp, k0
	bnez	v0, exc_leave
	 nop

	lui	k0, %hi(exc_frame)
	daddiu	k0, k0, %lo(exc_frame)
	ld	t0, F_LO(k0)
	mtlo	t0
	ld	t0, F_HI(k0)
	mthi	t0
	ld	t0, F_EPC(k0)
	dmtc0	t0, C0_EPC
	ld	t0, F_STATUS(k0)
	mtc0	t0, C0_STATUS
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	ld	$\n, F_REG(\n)(k0)
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31
	ld	$\n, F_REG(\n)(k0)
	.endr
	eret

/* void run_enter(struct run *): start the kernel; comes back at exc_leave */
	.globl	run_enter
	.type	run_enter, @function
run_enter:
	lui	v0, %hi(run_context)
	daddiu	v0, v0, %lo(run_context)
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 28, 29, 30, 31
	sd	$\n, (\n * 8)(v0)
	.endr
	lw	t0, R_STATUS(a0)
	mtc0	t0, C0_STATUS
	ld	t1, R_ENTRY(a0)
	dmtc0	t1, C0_EPC
	lw	t2, R_START0(a0)
	lw	t3, R_START1(a0)
	mtpc	t2, 0
	mtpc	t3, 1
	lw	t2, R_CTL0(a0)
	lw	t3, R_CTL1(a0)
	lw	t8, R_IN_EXL(a0)
	bnez	t8, 1f
	 ld	a0, R_ARG(a0)
	mtps	t2, 0
	mtps	t3, 1
	eret
1:	mtps	t2, 0
	mtps	t3, 1
	jr	t1
	 nop

exc_leave:
	li	t0, ST_NORMAL
	mtc0	t0, C0_STATUS
	lui	v0, %hi(run_context)
	daddiu	v0, v0, %lo(run_context)
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 28, 29, 30, 31
	ld	$\n, (\n * 8)(v0)
	.endr
	jr	ra
	 nop

	.section .bss
	.balign	16
exc_stack:
	.space	0x2000
exc_frame:
	.space	F_SIZE
run_context:
	.space	256
