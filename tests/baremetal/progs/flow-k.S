/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of flow.c */
#include "asm.h"

	KERNELS

	/*
	 * Control 0 from 0(a0), later from 4(a0). Under the first: 5
	 * instructions, 2 loads, 1 branch and the write itself; under the
	 * second: 7 instructions, 2 loads, 2 branches.
	 */
KERNEL(k_change_event)
	lw	t0, 0(a0)
	lw	t1, 4(a0)
	mtps	t0, 0
	lw	t2, 8(a0)
	bne	zero, zero, 1f
	 nop
1:	lw	t2, 8(a0)
	nop
	mtps	t1, 0
	lw	t2, 8(a0)
	beq	zero, zero, 1f
	 lw	t2, 8(a0)
1:	bne	zero, zero, 1f
	 nop
1:	nop
	nop
	END

	/* Sets the counters to 1000 and 2000 in between. */
KERNEL(k_rewrite_counters)
	nop
	li	t0, 1000
	li	t1, 2000
	nop
	mtpc	t0, 0
	nop
	mtpc	t1, 1
	nop
	nop
	END

	/* Readings at 0, 4, 8, ... (a0): see flow.c */
KERNEL(k_read_counters)
	mfpc	t0, 0
	mfpc	t1, 0
	mfpc	t2, 1
	nop
	mfpc	t3, 1
	sw	t0, 0(a0)
	sw	t1, 4(a0)
	sw	t2, 8(a0)
	sw	t3, 12(a0)
	mfps	t0, 0
	mfpc	t0, 0
	sw	t0, 16(a0)
	END

	/* One instruction, which the test replaces. */
	.globl	k_patch_here
KERNEL(k_patched)
	nop
k_patch_here:
	nop
	nop
	END

	/*
	 * Writes the instruction at 8(a0) over a nop of its own, ten times
	 * alternating with the nop at 12(a0), and executes it each time.
	 * The address of the place is at 0(a0). 2 instructions before the
	 * loop; 13 in each turn; 4 of them stores and cache operations.
	 */
KERNEL(k_self_modifying)
	ld	t0, 0(a0)
	li	t8, 10
1:	andi	t1, t8, 1
	sll	t1, t1, 2
	daddu	t1, t1, a0
	lw	t2, 8(t1)
	sw	t2, 0(t0)
	cache	0x15, 0(t0)
	cache	0x10, 0(t0)
	jal	k_self_modified
	 addiu	t8, t8, -1
	bne	t8, zero, 1b
	 nop
	END

	.balign	64
	.globl	k_self_modified
k_self_modified:
	nop
	jr	ra
	 nop

	/* 1 + 1000 x (4 + 3) */
KERNEL(k_calls)
	li	t8, 1000
1:	jal	2f
	 addiu	t8, t8, -1
	bne	t8, zero, 1b
	 nop
	b	3f
	 nop
2:	nop
	jr	ra
	 nop
3:
	END

	/* 1 + 1000 x 3, and 1000 breaks */
KERNEL(k_break_loop)
	li	t0, 1000
1:	break
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 nop
	END

	/* 2 + 100000 x 4 instructions, as many loads as turns */
KERNEL(k_long_loop)
	lui	t0, 100000 >> 16
	ori	t0, t0, 100000 & 0xffff
1:	lw	t1, 0(a0)
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 nop
	END

	/*
	 * Reading Count, the counters and a device (the byte whose address is
	 * at 0(a0)) in the middle of blocks and in delay slots: 29
	 * instructions, 7 loads, 7 branches.
	 */
KERNEL(k_reads_in_slots)
	ld	t8, 0(a0)
	nop
	lbu	t0, 0(t8)
	nop
	mfc0	t0, C0_COUNT
	nop
	beq	zero, zero, 1f
	 lbu	t0, 0(t8)
	nop
1:	beql	a0, a0, 1f
	 lbu	t0, 0(t8)
	nop
1:	beq	a0, zero, 1f
	 lbu	t0, 0(t8)
	nop
1:	beql	a0, zero, 1f
	 lbu	t0, 0(t8)
	nop
1:	beq	zero, zero, 1f
	 mfc0	t0, C0_COUNT
	nop
1:	beq	zero, zero, 1f
	 mfpc	t1, 0
	nop
1:	beq	a0, zero, 1f
	 mfpc	t2, 1
	sw	t1, 8(a0)
	sw	t2, 12(a0)
1:	lbu	t0, 0(t8)
	lbu	t0, 0(t8)
	nop
	nop
	nop
	nop
	END

	/*
	 * Control 0 from 0(a0) in the delay slot of a branch that is taken, from
	 * 4(a0) in one that is not; before, between and behind 5, 6 and 4
	 * instructions with the writes.
	 */
KERNEL(k_writes_in_slots)
	lw	t0, 0(a0)
	lw	t1, 4(a0)
	nop
	beq	zero, zero, 1f
	 mtps	t0, 0
	nop
1:	nop
	nop
	nop
	nop
	beq	a0, zero, 2f
	 mtps	t1, 0
	nop
	nop
2:	nop
	nop
	END

	/* Status from 0(a0) in a delay slot: 5 instructions before, 3 after */
KERNEL(k_status_in_slot)
	lw	t0, 0(a0)
	nop
	nop
	beq	zero, zero, 1f
	 mtc0	t0, C0_STATUS
	nop
1:	nop
	nop
	nop
	END

	/* Branches at the end of a page, their delay slots on the next */
	.globl	k_page_taken, k_page_not_taken, k_page_likely, k_page_nullified
	.balign	4096
	.space	4096 - 8
k_page_taken:
	nop
	beq	a0, a0, 1f
	 lw	t0, 0(a0)
	nop
1:	nop
	END

	.balign	4096
	.space	4096 - 8
k_page_not_taken:
	nop
	beq	a0, zero, 1f
	 lw	t0, 0(a0)
	nop
1:	nop
	END

	.balign	4096
	.space	4096 - 8
k_page_likely:
	nop
	beql	a0, a0, 1f
	 lw	t0, 0(a0)
	nop
1:	nop
	END

	.balign	4096
	.space	4096 - 8
k_page_nullified:
	nop
	beql	a0, zero, 1f
	 lw	t0, 0(a0)
	nop
1:	nop
	END
