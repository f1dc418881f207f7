/* SPDX-License-Identifier: GPL-2.0-only */
#include "asm.h"

	KERNELS

	/* Most of what events are about; 20 turns of a load and a branch. */
KERNEL(k_busy)
	li	t0, 20
1:	lw	t1, 0(a0)
	sw	t1, 4(a0)
	add.d	$f8, $f2, $f4
	mult	t0, t0
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 sd	t0, 8(a0)
	END
