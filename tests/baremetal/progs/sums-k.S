/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel of sums.c */
#include "asm.h"

	KERNELS

	/*
	 * Some of everything, n = 32(a0) times, with exceptions of both
	 * kinds: breaks, and accesses to the page whose address is at 40(a0).
	 */
KERNEL(k_everything)
	lw	t0, 32(a0)
	ld	t3, 40(a0)
1:	ll	t1, 0(a0)
	addiu	t1, t1, 1
	sc	t1, 0(a0)
	beql	t1, zero, 1b
	 nop
	break
	ll	t1, 0(a0)
	break
	sc	t1, 0(a0)
	madd.d	$f8, $f2, $f4, $f6
	sdc1	$f8, 8(t3)
	c.lt.d	$f2, $f4
	bc1t	2f
	 mult	t0, t0
	ldl	t2, 16(a0)
2:	pref	1, 64(a0)
	sync
	daddiu	t3, t3, 0x2000
	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 sdr	t0, 24(a0)
	END
