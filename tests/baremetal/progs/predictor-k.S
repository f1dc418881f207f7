/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel of predictor.c */
#include "asm.h"

	KERNELS

	/*
	 * One branch, taken as the digits say: 0 to 2 mispredicted at first,
	 * depending on what was before, then 2 and 2.
	 */
KERNEL(k_surprises)
	.irp	taken, 0, 0, 0, 1, 1, 1, 0, 0, 0
	jal	1f
	 ori	t0, zero, \taken
	.endr
	j	2f
	 nop
1:	bne	t0, zero, 3f
	 nop
3:	jr	ra
	 nop
2:
	END
