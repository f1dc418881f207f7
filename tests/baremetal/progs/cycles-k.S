/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of cycles.c */
#include "asm.h"

	KERNELS

	/*
	 * Count, both counters, Count; n turns of an empty loop; the same
	 * again: eight words from 0(a0). n stands at 32(a0), and at 36(a0)
	 * what to set in Status for the loop. Count just within the loop's
	 * Status goes to 40(a0) and 44(a0).
	 */
	.macro	READ offset
	mfc0	t0, C0_COUNT
	mfpc	t1, 0
	mfpc	t2, 1
	mfc0	t3, C0_COUNT
	sw	t0, \offset(a0)
	sw	t1, \offset + 4(a0)
	sw	t2, \offset + 8(a0)
	sw	t3, \offset + 12(a0)
	.endm

KERNEL(k_bracket)
	lw	t8, 32(a0)
	lw	t9, 36(a0)
	mfc0	a1, C0_STATUS
	READ	0
	or	t9, t9, a1
	mtc0	t9, C0_STATUS
	mfc0	a2, C0_COUNT
1:	addiu	t8, t8, -1
	bne	t8, zero, 1b
	 nop
	mfc0	a3, C0_COUNT
	mtc0	a1, C0_STATUS
	READ	16
	sw	a2, 40(a0)
	sw	a3, 44(a0)
	END

	/* n = 0(a0) turns, in any mode */
KERNEL(k_spin)
	lw	t0, 0(a0)
1:	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 nop
	END

KERNEL(k_forever)
1:	b	1b
	 nop
