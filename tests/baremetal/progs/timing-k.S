/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of timing.c: 0(a0) turns of a line of 16 instructions */
#include "asm.h"

	KERNELS

	.macro	LOOP name
KERNEL(\name)
	ld	t8, 0(a0)
	ld	t0, 8(a0)
	ld	t1, 16(a0)
	ld	t2, 24(a0)
	ld	t3, 32(a0)
	li	a2, 3
	li	a3, 5
	dmtc1	a2, $f0
	dmtc1	a3, $f2
	dmtc1	a3, $f4
	cvt.d.l	$f0, $f0
	cvt.d.l	$f2, $f2
	cvt.d.l	$f4, $f4
	.balign	64
1:
	.endm

	.macro	ENDLOOP
	addiu	t8, t8, -1
	bne	t8, zero, 1b
	 nop
	END
	.endm

	.macro	FILL n
	.rept	\n
	nop
	.endr
	.endm

	LOOP	k_nops
	FILL	16
	ENDLOOP

	LOOP	k_add_chain
	.rept	16
	addu	v0, v0, a2
	.endr
	ENDLOOP

	LOOP	k_adds
	.rept	16
	addu	v0, a2, a3
	.endr
	ENDLOOP

	LOOP	k_shifts
	.rept	16
	sll	v0, a2, 1
	.endr
	ENDLOOP

	LOOP	k_loads
	.rept	16
	lw	v0, 0(a0)
	.endr
	ENDLOOP

	LOOP	k_stores
	.rept	16
	sw	v0, 64(a0)
	.endr
	ENDLOOP

	LOOP	k_load_chain
	.rept	8
	ld	t0, 0(t0)
	.endr
	FILL	8
	ENDLOOP

	LOOP	k_fadd_chain
	.rept	8
	add.d	$f0, $f0, $f2
	.endr
	FILL	8
	ENDLOOP

	LOOP	k_madd_factor
	.rept	8
	madd.d	$f0, $f2, $f0, $f4
	.endr
	FILL	8
	ENDLOOP

	LOOP	k_madd_addend
	.rept	8
	madd.d	$f0, $f0, $f2, $f4
	.endr
	FILL	8
	ENDLOOP

	LOOP	k_mult
	.rept	2
	mult	v0, a2
	mflo	v0
	.endr
	FILL	12
	ENDLOOP

	LOOP	k_div
	div	zero, v0, a2
	mflo	v0
	FILL	14
	ENDLOOP

	LOOP	k_ddiv
	ddiv	zero, v0, a2
	mflo	v0
	FILL	14
	ENDLOOP

	LOOP	k_div_d
	div.d	$f0, $f0, $f2
	FILL	15
	ENDLOOP

	LOOP	k_units
	.rept	4
	addu	v0, a2, a3
	lw	v1, 0(a0)
	add.d	$f6, $f2, $f4
	mul.d	$f8, $f2, $f4
	.endr
	ENDLOOP

	LOOP	k_chase
	.rept	16
	ld	t0, 0(t0)
	.endr
	ENDLOOP

	LOOP	k_chase4
	.rept	4
	ld	t0, 0(t0)
	ld	t1, 0(t1)
	ld	t2, 0(t2)
	ld	t3, 0(t3)
	.endr
	ENDLOOP
