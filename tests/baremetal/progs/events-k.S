/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels of events.c, which has the numbers of instructions and of other events,
 * counted by hand: change both files together. a0 points to a page of zeroes.
 */
#include "asm.h"

	KERNELS

KERNEL(k_empty)
	END

KERNEL(k_one)
	nop
	END

KERNEL(k_alu)
	addu	t0, t1, t2
	or	t0, t0, t1
	xor	t0, t0, t2
	sll	t1, t0, 3
	slt	t2, t0, t1
	lui	t0, 0x1234
	daddiu	t0, t0, 1
	dsll32	t1, t0, 4
	movz	t0, t1, zero
	movn	t0, t1, zero
	nop
	END

KERNEL(k_traps)
	li	t0, 1
	teq	t0, zero
	tne	t0, t0
	tge	zero, t0
	tgeu	zero, t0
	tlt	t0, zero
	tltu	t0, zero
	teqi	t0, 2
	END

KERNEL(k_muldiv)
	li	t0, 7
	li	t1, 3
	mult	t0, t1
	multu	t0, t1
	dmult	t0, t1
	dmultu	t0, t1
	div	zero, t0, t1
	divu	zero, t0, t1
	ddiv	zero, t0, t1
	ddivu	zero, t0, t1
	mfhi	t2
	mflo	t3
	mthi	t2
	mtlo	t3
	END

KERNEL(k_div_by_zero)
	div	zero, a0, zero
	ddivu	zero, a0, zero
	END

KERNEL(k_loads)
	lb	t0, 0(a0)
	lbu	t0, 1(a0)
	lh	t0, 2(a0)
	lhu	t0, 4(a0)
	lw	t0, 8(a0)
	lwu	t0, 12(a0)
	ld	t0, 16(a0)
	lwl	t0, 25(a0)
	lwr	t0, 26(a0)
	ldl	t0, 33(a0)
	ldr	t0, 34(a0)
	END

KERNEL(k_loads_fp)
	li	t0, 16
	lwc1	$f0, 0(a0)
	ldc1	$f2, 8(a0)
	lwxc1	$f4, t0(a0)
	ldxc1	$f6, t0(a0)
	END

KERNEL(k_loads_linked)
	ll	t0, 0(a0)
	lld	t0, 8(a0)
	END

KERNEL(k_stores)
	sb	a0, 0(a0)
	sh	a0, 2(a0)
	sw	a0, 4(a0)
	sd	a0, 8(a0)
	swl	a0, 17(a0)
	swr	a0, 18(a0)
	sdl	a0, 25(a0)
	sdr	a0, 26(a0)
	END

KERNEL(k_stores_fp)
	li	t0, 16
	swc1	$f0, 0(a0)
	sdc1	$f2, 8(a0)
	swxc1	$f4, t0(a0)
	sdxc1	$f6, t0(a0)
	END

KERNEL(k_store_conditionals)
	ll	t0, 0(a0)
	sc	t0, 0(a0)
	lld	t0, 8(a0)
	scd	t0, 8(a0)
	END

	/* No link: an eret has just been executed. */
KERNEL(k_failed_conditionals)
	sc	t0, 0(a0)
	scd	t1, 8(a0)
	END

KERNEL(k_prefetch_load)
	pref	0, 0(a0)
	pref	4, 64(a0)
	pref	6, 128(a0)
	prefx	0, zero(a0)
	prefx	4, zero(a0)
	END

KERNEL(k_prefetch_store)
	pref	1, 0(a0)
	pref	5, 64(a0)
	pref	7, 128(a0)
	prefx	1, zero(a0)
	prefx	5, zero(a0)
	END

KERNEL(k_sync)
	sync
	sync
	sync
	END

KERNEL(k_cache)
	cache	0x14, 0(a0)		/* cache barrier */
	cache	0x15, 0(a0)		/* D, hit writeback invalidate */
	cache	0x10, 0(a0)		/* I, hit invalidate */
	cache	0x17, 0(a0)		/* S, hit writeback invalidate */
	END

KERNEL(k_cp0)
	mfc0	t0, C0_STATUS
	mtc0	t0, C0_STATUS
	tlbp
	mfc0	t0, C0_COUNT
	dmfc0	t0, C0_EPC
	dmtc0	t0, C0_EPC
	END

	.macro	FP_ARITHMETIC fmt
	add.\fmt	$f0, $f2, $f4
	sub.\fmt	$f0, $f2, $f4
	mul.\fmt	$f0, $f2, $f4
	div.\fmt	$f0, $f2, $f6
	sqrt.\fmt	$f0, $f6
	recip.\fmt	$f0, $f6
	rsqrt.\fmt	$f0, $f6
	abs.\fmt	$f0, $f6
	neg.\fmt	$f0, $f6
	madd.\fmt	$f0, $f2, $f4, $f6
	msub.\fmt	$f0, $f2, $f4, $f6
	nmadd.\fmt	$f0, $f2, $f4, $f6
	nmsub.\fmt	$f0, $f2, $f4, $f6
	.endm

KERNEL(k_fp_double)
	lui	t0, 0x3ff0
	dsll32	t0, t0, 0
	dmtc1	t0, $f2
	dmtc1	t0, $f4
	dmtc1	t0, $f6
	FP_ARITHMETIC d
	END

KERNEL(k_fp_single)
	lui	t0, 0x3f80
	mtc1	t0, $f2
	mtc1	t0, $f4
	mtc1	t0, $f6
	FP_ARITHMETIC s
	END

	/* f2 = 1.0, f4 = 1.0f, f6 = 1 */
KERNEL(k_fp_convert)
	lui	t0, 0x3ff0
	dsll32	t0, t0, 0
	dmtc1	t0, $f2
	lui	t0, 0x3f80
	mtc1	t0, $f4
	ori	t0, zero, 1
	dmtc1	t0, $f6
	cvt.s.d	$f8, $f2
	cvt.w.d	$f8, $f2
	cvt.l.d	$f8, $f2
	cvt.d.s	$f8, $f4
	cvt.w.s	$f8, $f4
	cvt.l.s	$f8, $f4
	cvt.s.w	$f8, $f6
	cvt.d.w	$f8, $f6
	cvt.s.l	$f8, $f6
	cvt.d.l	$f8, $f6
	.irp	op, round, trunc, ceil, floor
	\op\().w.d	$f8, $f2
	\op\().l.d	$f8, $f2
	\op\().w.s	$f8, $f4
	\op\().l.s	$f8, $f4
	.endr
	END

KERNEL(k_fp_compare)
	mtc1	zero, $f4
	.irp	cond, f, un, eq, ueq, olt, ult, ole, ule
	c.\cond\().d	$f0, $f2
	.endr
	.irp	cond, sf, ngle, seq, ngl, lt, nge, le, ngt
	c.\cond\().s	$fcc3, $f4, $f4
	.endr
	END

	/* Instructions that move values but cannot set an FP status flag. */
KERNEL(k_fp_none)
	mov.d	$f0, $f2
	mov.s	$f0, $f2
	movf.d	$f0, $f2, $fcc0
	movt.s	$f0, $f2, $fcc1
	movz.d	$f0, $f2, zero
	movn.s	$f0, $f2, zero
	movf	t0, t1, $fcc0
	movt	t0, t1, $fcc1
	mtc1	zero, $f0
	mfc1	t0, $f0
	dmtc1	zero, $f0
	dmfc1	t0, $f0
	cfc1	t0, $31
	ctc1	t0, $31
	END

	/* The target is the next instruction: only the delay slot can differ. */
	.macro	BRANCH insn:vararg
	\insn, 9f
	 nop
9:
	.endm

KERNEL(k_branches)
	li	t0, 1
	li	t1, -1
	BRANCH	beq zero, zero
	BRANCH	bne t0, zero
	BRANCH	blez t1
	BRANCH	bgtz t0
	BRANCH	bltz t1
	BRANCH	bgez t0
	BRANCH	bltzal t1
	BRANCH	bgezal t0
	BRANCH	beq t0, zero
	BRANCH	bne zero, zero
	BRANCH	blez t0
	BRANCH	bgtz t1
	BRANCH	bltz t0
	BRANCH	bgez t1
	BRANCH	bltzal t0
	BRANCH	bgezal t1
	END

	/* Taken: the delay slot counts. Not taken: it is nullified. */
KERNEL(k_likely_taken)
	li	t0, 1
	li	t1, -1
	BRANCH	beql zero, zero
	BRANCH	bnel t0, zero
	BRANCH	blezl t1
	BRANCH	bgtzl t0
	BRANCH	bltzl t1
	BRANCH	bgezl t0
	BRANCH	bltzall t1
	BRANCH	bgezall t0
	END

KERNEL(k_likely_not_taken)
	li	t0, 1
	li	t1, -1
	BRANCH	beql t0, zero
	BRANCH	bnel zero, zero
	BRANCH	blezl t0
	BRANCH	bgtzl t1
	BRANCH	bltzl t0
	BRANCH	bgezl t1
	BRANCH	bltzall t0
	BRANCH	bgezall t1
	END

KERNEL(k_bc1)
	c.eq.d	$fcc0, $f0, $f0
	c.eq.d	$fcc5, $f0, $f0
	BRANCH	bc1t $fcc0
	BRANCH	bc1f $fcc0
	BRANCH	bc1tl $fcc0
	BRANCH	bc1fl $fcc0
	BRANCH	bc1t $fcc5
	BRANCH	bc1fl $fcc5
	END

KERNEL(k_jumps)
	j	1f
	 nop
1:	jal	2f
	 nop
2:	daddiu	t0, ra, 3f - 2b
	jr	t0
	 nop
	nop
3:	daddiu	t0, ra, 4f - 2b
	jalr	t1, t0
	 nop
	nop
4:
	END

	/* Written b and bal, but encoded beq zero, zero and bgezal zero. */
KERNEL(k_b_bal)
	b	1f
	 nop
	nop
1:	bal	2f
	 nop
	nop
2:
	END

KERNEL(k_delay_slots)
	li	t0, 1
	beq	zero, zero, 1f
	 lw	t1, 0(a0)
	nop
1:	bne	zero, zero, 2f
	 sw	t1, 4(a0)
2:	b	3f
	 add.d	$f8, $f8, $f8
	nop
3:	bne	t0, zero, 4f
	 mult	t0, t0
	nop
4:	beql	t0, zero, 5f
	 lw	t1, 0(a0)
5:	bnel	t0, zero, 6f
	 ld	t1, 8(a0)
	nop
6:
	END

KERNEL(k_loop_1000)
	li	t0, 1000
1:	addiu	t0, t0, -1
	bne	t0, zero, 1b
	 nop
	END

KERNEL(k_loop_likely_1000)
	li	t0, 1000
1:	addiu	t0, t0, -1
	bnel	t0, zero, 1b
	 lw	t1, 0(a0)
	END

KERNEL(k_loop_memory_5000)
	li	t0, 5000
1:	lw	t1, 0(a0)
	addiu	t0, t0, -1
	add.d	$f8, $f2, $f4
	bne	t0, zero, 1b
	 sw	t1, 4(a0)
	END

	/* Longer than any translation block, over several pages. */
KERNEL(k_straight_3000)
	.rept	1000
	lw	t0, 0(a0)
	addiu	t0, t0, 1
	sw	t0, 0(a0)
	.endr
	END

KERNEL(k_mixed)
	li	t0, 10
1:	ll	t1, 0(a0)
	addiu	t1, t1, 1
	sc	t1, 0(a0)
	beq	t1, zero, 1b
	 madd.d	$f8, $f2, $f4, $f6
	sdc1	$f8, 8(a0)
	mult	t0, t0
	mflo	t2
	pref	0, 64(a0)
	addiu	t0, t0, -1
	bgtzl	t0, 1b
	 sb	t2, 16(a0)
	END
