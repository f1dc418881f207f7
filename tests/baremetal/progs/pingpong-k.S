/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels of pingpong.c, which are plain functions that run uncached. */
#include "asm.h"

	.text
	.set	noreorder
	.set	noat
	.set	nomacro

	/*
	 * void take_turns(u32 *turn, u32 *word, u32 first, u32 end): wait until *turn
	 * is "first", add 1 to *word and to *turn; again with each second value before
	 * "end".
	 */
	.globl	take_turns
	.type	take_turns, @function
take_turns:
1:	lw	t0, 0(a0)
	bne	t0, a2, 1b
	 nop
	lw	t1, 0(a1)
	addiu	t1, t1, 1
	sw	t1, 0(a1)
	addiu	t0, t0, 1
	sw	t0, 0(a0)
	addiu	a2, a2, 2
	bne	a2, a3, 1b
	 nop
	jr	ra
	 nop

	/* void add_atomically(u32 *turn, u32 *word, u32 first, u32 end): the same with LL and SC */
	.globl	add_atomically
	.type	add_atomically, @function
add_atomically:
1:	lw	t0, 0(a0)
	bne	t0, a2, 1b
	 nop
2:	ll	t1, 0(a1)
	addiu	t1, t1, 1
	sc	t1, 0(a1)
	beq	t1, zero, 2b
	 nop
	addiu	t0, t0, 1
	sw	t0, 0(a0)
	addiu	a2, a2, 2
	bne	a2, a3, 1b
	 nop
	jr	ra
	 nop

	/* void add_alone(u32 *turn, u32 *word, u32 first, u32 end): the same without waiting */
	.globl	add_alone
	.type	add_alone, @function
add_alone:
1:	lw	t1, 0(a1)
	addiu	t1, t1, 1
	sw	t1, 0(a1)
	addiu	a2, a2, 2
	bne	a2, a3, 1b
	 nop
	jr	ra
	 nop
