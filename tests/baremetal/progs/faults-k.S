/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels of faults.c: ten instructions, one that raises an exception, and
 * ten more. Of each ten, two are loads, two stores, one a branch, one an FP
 * operation, and one, a multiply, counts two. a0 points to a page; 64(a0) has what
 * the exception needs (for example a bad address), which is loaded first.
 */
#include "asm.h"

	KERNELS

	.macro	TEN
	lw	t0, 0(a0)
	sw	t0, 4(a0)
	add.d	$f8, $f2, $f4
	bne	zero, zero, 9f
	 ld	t1, 8(a0)
9:	mult	t0, t1
	sd	t1, 16(a0)
	nop
	addiu	t0, t0, 1
	nop
	.endm

	.macro	FAULT name, insn:vararg
KERNEL(\name)
	ld	t3, 64(a0)
	TEN
	\insn
	TEN
	END
	.endm

	FAULT	k_syscall, syscall
	FAULT	k_break, break
	FAULT	k_trap, teq zero, zero
	FAULT	k_trap_immediate, tgei zero, 0
	FAULT	k_overflow, add t2, t3, t3
	FAULT	k_overflow_immediate, addi t2, t3, -1
	FAULT	k_reserved, .word 0x00000015
	FAULT	k_load_unaligned, lw t2, 1(a0)
	FAULT	k_store_unaligned, sd t2, 4(a0)
	FAULT	k_load_hole, lw t2, 0(t3)
	FAULT	k_store_hole, sd t2, 0(t3)
	FAULT	k_load_fp_hole, ldc1 $f8, 0(t3)
	FAULT	k_link_hole, ll t2, 0(t3)
	FAULT	k_fp_exception, div.d $f8, $f2, $f10
	FAULT	k_fp_convert_exception, cvt.w.d $f8, $f12
	FAULT	k_cp0_user, mfc0 t2, C0_STATUS
	FAULT	k_counter_user, mfpc t2, 0
	FAULT	k_control_user, mtps zero, 0

	/* Unlike the others, these raise no exception, and graduate. */
	FAULT	k_no_trap, tne zero, zero
	FAULT	k_prefetch_hole, pref 0, 0(t3)

	/* The exception is in a delay slot; the branch is executed again. */
	.macro	FAULT_IN_SLOT name, branch, insn:vararg
KERNEL(\name)
	ld	t3, 64(a0)
	TEN
	\branch, 8f
	 \insn
	nop
	nop
8:	TEN
	END
	.endm

	FAULT_IN_SLOT	k_slot_taken, "beq $0, $0", lw t2, 0(t3)
	FAULT_IN_SLOT	k_slot_not_taken, "beq $4, $0", lw t2, 0(t3)
	FAULT_IN_SLOT	k_slot_likely, "beql $0, $0", sd t2, 0(t3)
	FAULT_IN_SLOT	k_slot_nullified, "beql $4, $0", sd t2, 0(t3)

	/* Every second instruction traps, 16 times. */
KERNEL(k_many)
	.rept	16
	nop
	break
	.endr
	END

	/*
	 * The longest possible blocks: 42 and 84 times 12 instructions, one of
	 * which counts two. On a page of its own, because blocks end with pages.
	 */
	.balign	4096
KERNEL(k_long_hole)
	ld	t3, 64(a0)
	.rept	42
	mult	t3, t3
	.rept	11
	nop
	.endr
	.endr
	lw	t2, 0(t3)
	.rept	84
	mult	t3, t3
	.rept	11
	nop
	.endr
	.endr
	lw	t2, 0x2000(t3)
	END

	/* A jump to an unmapped page: 2 instructions before the fetch. */
KERNEL(k_jump_to_hole)
	ld	t3, 64(a0)
	TEN
	jr	t3
	 nop
	END

	/*
	 * The branch is the last instruction of a page, its delay slot the
	 * first of the next. Entered at k_page_end.
	 */
	.globl	k_page_end
	.balign	4096
	.space	4096 - 4 * 4
k_page_end:
	nop
	nop
	nop
	bne	a0, zero, 1f
	 lw	t0, 0(a0)
	nop
1:	nop
	END
