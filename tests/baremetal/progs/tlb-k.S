/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of tlb.c; a0 is an address without TLB entry. */
#include "asm.h"

	KERNELS

KERNEL(k_load)
	lw	t0, 0(a0)
	END

KERNEL(k_store)
	sw	zero, 0(a0)
	END

KERNEL(k_prefetch)
	pref	0, 0(a0)
	pref	1, 0(a0)
	END

KERNEL(k_jump)
	jr	a0
	 nop

	/* What k_jump finds on the page that it jumps to */
KERNEL(k_landing)
	END

	/* 8 pairs of pages, each touched four times */
KERNEL(k_walk)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	lui	t0, (0x2000 * \n) >> 16
	ori	t0, t0, (0x2000 * \n) & 0xffff
	daddu	t0, t0, a0
	lw	t1, 0(t0)
	sw	t1, 4(t0)
	lw	t1, 0x1000(t0)
	sw	t1, 0x1004(t0)
	.endr
	END

	/*
	 * With EXL set a miss goes to the general vector and leaves EPC alone:
	 * the handler returns to 2:, having cleared EXL by eret.
	 */
KERNEL(k_nested)
	bltzal	zero, 1f
	 mfc0	t0, C0_STATUS
1:	daddiu	t2, ra, 2f - 1b
	dmtc0	t2, C0_EPC
	ori	t0, t0, ST_EXL
	mtc0	t0, C0_STATUS
	lw	t0, 0(a0)
	nop
2:	nop
	END
