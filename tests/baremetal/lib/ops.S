/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of mem.c's lists, with argument a0, and their interpreter. They have
 * no conditional branch, and no cached access but the intended one.
 */
#include "asm.h"

	.text
	.set	noreorder
	.set	noat
	.set	nomacro

	.macro	OPERATION name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	/* void run_steps(const struct step *); the last step ends it */
OPERATION run_steps
	daddiu	sp, sp, -16
	sd	s0, 0(sp)
	sd	ra, 8(sp)
	move	s0, a0
1:	ld	t9, 0(s0)
	ld	a0, 8(s0)
	jalr	t9
	 daddiu	s0, s0, 16
	j	1b
	 nop

OPERATION op_end
	ld	s0, 0(sp)
	ld	ra, 8(sp)
	jr	ra
	 daddiu	sp, sp, 16

OPERATION op_load
	lw	t0, 16(a0)
	jr	ra
	 nop

OPERATION op_store
	sw	t0, 16(a0)
	jr	ra
	 nop

OPERATION op_llsc
	ll	t0, 16(a0)
	sc	t0, 16(a0)
	jr	ra
	 nop

	/* LL has linked another, uncached, address. */
OPERATION op_sc
	ll	t0, 0(sp)
	sc	t0, 16(a0)
	jr	ra
	 nop

	/* Control 0 from the low half, control 1 from the high one */
OPERATION op_control
	dsra32	t0, a0, 0
	mtps	a0, 0
	mtps	t0, 1
	jr	ra
	 nop

OPERATION op_clear
	mtpc	zero, 0
	mtpc	zero, 1
	jr	ra
	 nop

	/* struct counts at a0 */
OPERATION op_snap
	mfpc	t0, 0
	mfpc	t1, 1
	sw	t0, 0(a0)
	sw	t1, 4(a0)
	jr	ra
	 nop

OPERATION op_diag
	dmtc0	a0, $22
	jr	ra
	 nop

	/* TagLo from the low half, TagHi from the high one */
OPERATION op_store_tag
	dsra32	t0, a0, 0
	mtc0	a0, $28
	mtc0	t0, $29
	jr	ra
	 nop

	/* u32 [2] at a0 */
OPERATION op_load_tag
	mfc0	t0, $28
	mfc0	t1, $29
	sw	t0, 0(a0)
	sw	t1, 4(a0)
	jr	ra
	 nop

	.altmacro
	.macro	CACHE_OPERATION code
op_cache_\code:
	cache	\code, 0(a0)
	jr	ra
	 nop
	.endm

	.macro	PREFETCH_OPERATION hint
op_pref_\hint:
	pref	\hint, 0(a0)
	jr	ra
	 nop
	.endm

	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	CACHE_OPERATION \n
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	CACHE_OPERATION \n
	.endr
	.irp	n, 0, 1, 4, 5, 6, 7
	PREFETCH_OPERATION \n
	.endr

	.section .rodata
	.balign	8
	.globl	op_handlers
op_handlers:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.dword	op_cache_\n
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.dword	op_cache_\n
	.endr
	.dword	op_load, op_store, 0, op_llsc, op_sc, 0, 0, 0
	.dword	op_pref_0, op_pref_1, 0, 0, op_pref_4, op_pref_5, op_pref_6, op_pref_7
