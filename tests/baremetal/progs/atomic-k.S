/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of atomic.c */
#include "asm.h"

	KERNELS

	/* An exception between LL and SC breaks the link. */
KERNEL(k_broken_link)
	ll	t0, 0(a0)
	addiu	t0, t0, 1
	break
	sc	t0, 0(a0)
	sw	t0, 8(a0)
	END

KERNEL(k_broken_link_64)
	lld	t0, 0(a0)
	daddiu	t0, t0, 1
	break
	scd	t0, 0(a0)
	sd	t0, 8(a0)
	END

KERNEL(k_whole_link)
	ll	t0, 0(a0)
	addiu	t0, t0, 1
	sc	t0, 0(a0)
	sw	t0, 8(a0)
	END

	/* A second SC has no link: the first has used it. */
KERNEL(k_second_sc)
	ll	t0, 0(a0)
	sc	t0, 0(a0)
	break
	sc	t1, 0(a0)
	sw	t1, 8(a0)
	END

	/*
	 * n (= 16(a0)) additions by LL and SC; each whose number is a
	 * multiple of 4 is broken once: n/4 of n + n/4 passes fail.
	 * 2 instructions, 4 for each addition, 7 for each pass.
	 */
KERNEL(k_add_loop)
	lw	t1, 16(a0)
	nop
1:	andi	t2, t1, 3
2:	ll	t0, 0(a0)
	addiu	t0, t0, 1
	bne	t2, zero, 3f
	 addiu	t2, zero, 1
	break
3:	sc	t0, 0(a0)
	beq	t0, zero, 2b
	 nop
	addiu	t1, t1, -1
	bne	t1, zero, 1b
	 nop
	END
