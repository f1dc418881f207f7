/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of invariants.c */
#include "asm.h"

	KERNELS

	/*
	 * Some of everything, 20 times, with a break in each. a0 is a cached
	 * page; at 64, 128 and 192 KB from it are lines of the same sets.
	 */
KERNEL(k_mix)
	li	t0, 20
	lui	t1, 1
1:	lw	t2, 0(a0)
	daddu	t3, a0, t1
	sw	t0, 0(t3)
	daddu	t3, t3, t1
	lw	t2, 32(t3)
	daddu	t3, t3, t1
	sw	t0, 0(t3)
	sd	t0, 32(a0)
	pref	0, 64(a0)
	pref	1, 96(a0)
	ll	t2, 256(a0)
	sc	t2, 256(a0)
	ll	t2, 288(a0)
	break
	sc	t2, 288(a0)
	mult	t0, t0
	mflo	t2
	add.d	$f8, $f2, $f4
	c.lt.d	$f2, $f4
	bc1t	2f
	 andi	t2, t0, 3
	bnel	t2, zero, 2f
	 lw	t2, 4(a0)
2:	jal	3f
	 nop
	j	4f
	 nop
3:	jr	ra
	 nop
4:	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 ddiv	zero, t0, t1
	END

	/* 100 additions */
KERNEL(k_alu_only)
	.rept	100
	addu	t0, t0, t1
	.endr
	END

	/* 50 multiplications and divisions */
KERNEL(k_mult_only)
	li	t1, 3
	.rept	25
	mult	t1, t1
	div	zero, t1, t1
	.endr
	END

	/* With ERL, the instructions after the label or (a1 = 0) none */
	.macro	WITH_ERL insns:vararg
	mfc0	t0, C0_STATUS
	ori	t1, t0, ST_ERL
	mtc0	t1, C0_STATUS
	\insns
	mtc0	t0, C0_STATUS
	END
	.endm

	.macro	WORK
	lw	t2, 0(a0)
	sw	t2, 64(a0)
	cache	0x15, 64(a0)
	pref	1, 128(a0)
	ll	t2, 0(a0)
	sc	t2, 0(a0)
	mult	t0, t0
	add.d	$f8, $f2, $f4
	bne	t0, zero, 9f
	 nop
9:	nop
	.endm

KERNEL(k_erl_idle)
	WITH_ERL

KERNEL(k_erl_work)
	WITH_ERL WORK

	/* Count at 64(a0) on begin, at 68(a0) on end */
KERNEL(k_counted)
	mfc0	t0, C0_COUNT
	sw	t0, 64(a0)
	li	t0, 2000
1:	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 nop
	mfc0	t0, C0_COUNT
	sw	t0, 68(a0)
	END

	/* 20 stores, $12 counts them */
KERNEL(k_stores)
	li	t0, 0
1:	addiu	t0, t0, 1
	sltiu	t1, t0, 20
	bne	t1, zero, 1b
	 sw	t0, 64(a0)
	END
